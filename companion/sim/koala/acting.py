"""Persons after an auction: they feast, play action cards, walk, steal, draw, and show bad cards."""

from __future__ import annotations

from companion.sim.koala.people import People
from companion.sim.koala.physical import ACTION, CAVES, HAND
from companion.table.cues import Choose, Press
from companion.table.things import BID, CALL, CardId, Player, Zone

WAITS = 3  # acts of the others before refused cards are taken up again


class Acting(People):
    """Phases 2 to 4, and action cards wherever they come up."""

    def _feast(self) -> bool:
        for cue in self.cues:
            if isinstance(cue, Choose):
                if self._err():
                    return False  # dreaming: the companion asks again
                option = cue.options[0] if self.table.chance(0.8) else "no"
                self.hands.choose(cue.player, "feast", option)
                return True
        return False

    def _eat(self) -> bool:
        feast = self.view["feast"]
        player, food = Player(feast["player"]), feast["foods"][0]
        held = self.table.zones[self.table.cave(player)]
        if not any(self.table.face(card) == food for card in held):
            return False
        self.table.eat(player, food)
        return True

    def _command(self) -> bool:
        if self._clean(ACTION):
            return True
        self.wants.clear()
        if self._err():
            self._press(self._somebody())
        if self.table.chance(0.5):
            return self._press(Player(self.view["starter"]), CALL)
        return False

    def _actions(self) -> bool:
        claims = self.view["action"]["claims"]
        if claims:
            player = Player(claims[0][0])
            cards = [card for card in self.wants.pop(player, []) if card in self.table.hands[player]]
            if cards:
                self._lay(player, cards, ACTION)
                return True
            return False
        mark = ("actions", self.view["round"], len(self.table.discard), tuple(self.table.zones[ACTION]))
        if mark != self._bid_round:
            self._bid_round, self._tried = mark, set()
        return self._try_action()

    def _try_action(self) -> bool:
        order, self.table.luck = self.table.luck.shuffle(tuple(self.table.hands))
        for player in order:
            if player in self._tried or player in self.laid:
                continue
            self._tried.add(player)
            own = [card for card in self.table.hands[player] if self.table.kind(card) == "action"]
            if self._err() and self.table.hands[player]:
                self.wants[player] = [self.table.pick(self.table.hands[player])]
                return self._press(player)
            if own and self.table.chance(0.5):
                self.wants[player] = own[:1]
                self._press(player)
                rival = self._somebody()
                if rival != player and rival not in self.laid and self.table.hands[rival]:
                    self._press(rival, after_ns=400_000)
                return True
        return False

    def _decide(self) -> bool:
        for cue in self.cues:
            if isinstance(cue, Choose):
                option = cue.options[self.table.roll(len(cue.options))]
                self.decided = (self.view["card"], option)
                self.hands.choose(cue.player, cue.what, option)
                return True
        return False

    def _move(self) -> bool:
        """Everybody goes where the card sends them; the persons know the rules themselves."""
        if self.decided is not None:
            self._walk(*self.decided)
            self.decided = None
            seats = [[s["white"], s["black"]] for s in self.view["seats"]]
            mine = [[*seat, None, None][:2] for seat in self.table.seats]
            if seats != mine:
                self.notes.append(f"persons sit {mine}, the companion thinks {seats}")
        for cue in self.cues:
            if isinstance(cue, Press) and cue.button == BID:
                return self._press(cue.player)
        return False

    def _walk(self, card: str, option: str) -> None:
        first, _, second = option.partition(":")
        clockwise = "right" if self.agreed.get("KOALA-AMB-01") == "left_is_anticlockwise" else "left"
        way = 1 if first == clockwise else -1
        if card == "bump":
            self.table.bump(Player(second), way)
        elif card == "ring_a_roses":
            self.table.ring(way)
        elif card == "leapfrog":
            self.table.leap(CAVES.index(first))

    def _take(self) -> bool:
        if self.decided is None:
            return False
        letter, food = self.decided[1].split(":")
        self.decided = None
        source = Zone(f"cave:{letter}")
        loot = [card for card in self.table.zones[source] if self.table.face(card) == food]
        self.table.move(loot, source, self.table.cave(Player(self.view["owner"])))
        return True

    def _refill(self) -> bool:
        self.decided = None
        player, again = Player(self.view["refill"]["player"]), self.view["refill"]["again"]
        hand = self.table.hands[player]
        if again:
            self.bad = None  # accepted, perhaps just when they were taken up again
            self.table.lay(player, [card for card in self._returned if card in hand], ACTION)
            self.table.throw(list(self.table.zones[ACTION]), ACTION)
            self.table.draw(player, HAND)
            return self._press(player)
        if self._kept == (self.view["round"], player):
            return self._press(player)  # the cards are drawn, and were not bad enough
        need = HAND - len(hand)
        if min(need, len(self.table.pile)) != self.view["refill"]["draw"]:
            self.notes.append(f"{player} draws {need}, the companion thinks {self.view['refill']['draw']}")
        short = need > len(self.table.pile)
        self.to_draw = [late for late in self.to_draw if late != player]
        self.table.draw(player, need)
        if self._shows_bad(player, hand, short, need):
            return True
        if need == 0 and self.table.chance(0.5):
            return False
        if self._err():
            self.late = None  # the other one's press is taken for his, and play goes on
            self._press(self._somebody_but(player))
        return self._press(player)

    def _shows_bad(self, player: Player, hand: list[CardId], short: bool, need: int) -> bool:
        """Whoever has bad cards may show them; now and then somebody hopes that others are bad enough."""
        if short or len(hand) < HAND:
            return False
        allowed = need > 0 or self.agreed.get("KOALA-AMB-11") != "after_drawing_only"
        if allowed and self._bad(hand) and self.table.chance(0.7):
            shown = list(hand)
            if self.table.chance(0.5):  # presses first, then sees what the cards are
                self.late = player
                return False
        elif (
            allowed or not self._bad(hand)
        ) and self._err():  # not allowed, they would be taken for another's
            shown = hand[: 1 + self.table.roll(HAND)]
        else:
            return False
        return self._show(player, shown)

    def _show(self, player: Player, cards: list[CardId]) -> bool:
        self.bad, self._returned, self._patience = (player, cards), [], WAITS
        self.table.lay(player, cards, ACTION)
        return True

    def _shows_late(self) -> bool:
        """Who has pressed already shows bad cards before the next card is drawn or turned up."""
        late, turn = self.late, self.view["refill"]
        if late is None or (turn and turn["player"] == late):
            return False
        self.late = None
        if self.view["phase"] not in ("refill", "reveal"):
            return False
        return self._show(late, list(self.table.hands[late]))

    def _bad(self, hand: list[CardId]) -> bool:
        faces = {self.table.face(card) for card in hand}
        kinds = {self.table.kind(card) for card in hand}
        return len(hand) == HAND and (kinds == {"action"} or (kinds == {"food"} and len(faces) == 1))
