"""Persons at an auction: they turn a card, bid alone or together, take what they won, and err."""

from __future__ import annotations

from companion.sim.koala.people import AT_A_LOSS, People
from companion.sim.koala.physical import MIDDLE
from companion.table.cues import Choose, Show
from companion.table.things import CardId, Player


class Bidding(People):
    """Phase 1."""

    def _reveal(self) -> bool:
        if self._err():
            self._press(self._somebody())
        if self._take_up_bids():
            return True
        just_turned = self._turned == (self.view["round"], self.view["pile"])
        if self._clean(MIDDLE, self._last_turned if just_turned else None):
            return True
        if just_turned:
            return False  # the card just turned has not been seen yet
        if not self.table.pile:
            self.notes.append(f"the pile is empty, the companion thinks {self.view['pile']} cards are left")
            self.hands.choose(Player(self.view["starter"]), "pile", "empty")
            return True
        self._turned = (self.view["round"], self.view["pile"])
        self._last_turned = self.table.turn_up()
        return True

    def _take_up_bids(self) -> bool:
        """What was laid for an auction that is over, and came to nothing, goes back into the hand."""
        for player, cards in list(self.laid.items()):
            lying = [card for card in cards if card in self.table.zones[MIDDLE]]
            if self.zone_of[player] == MIDDLE and lying:
                del self.laid[player]
                self.table.take(player, lying, MIDDLE)
                return True
        return False

    def _auction(self) -> bool:
        first = self.view["middle"]["claims"][0] if self.view["middle"]["claims"] else []
        for name in first:
            if self._lay_bid(Player(name), first):
                return True
        if first:
            return self._err() and self._press(self._somebody())
        mark = (
            self.view["round"],
            self.view["middle"]["food"],
            self.view["pile"],
            self.view["middle"]["bid"],
        )
        if mark != self._bid_round:
            self._bid_round, self._tried = mark, set()
        return self._try_bid()

    def _try_bid(self) -> bool:
        food, need = self.view["middle"]["food"], self.view["middle"]["next"]
        order, self.table.luck = self.table.luck.shuffle(tuple(self.table.hands))
        for player in order:
            if player in self._tried or player in self.view["middle"]["leader"] or player in self.laid:
                continue
            self._tried.add(player)
            if self._err():
                return self._bid_badly(player)
            own = [card for card in self.table.hands[player] if self.table.face(card) == food]
            mate = self.table.mate(player)
            if len(own) >= need and self.table.chance(0.6):
                self.wants[player] = own[:need]
                return self._press(player)
            free = mate is not None and mate not in self.view["middle"]["leader"] and mate not in self.laid
            if mate and free and need >= 2 and self._try_joint(player, mate, own, food, need):
                return True
        return False

    def _try_joint(self, player: Player, mate: Player, own: list[CardId], food: str, need: int) -> bool:
        theirs = [card for card in self.table.hands[mate] if self.table.face(card) == food]
        if not own or not theirs or len(own) + len(theirs) < need or not self.table.chance(0.5):
            return False
        mine = max(1, min(len(own), need - 1))
        mine = max(mine, need - len(theirs)) if need - len(theirs) > mine else min(mine, need - 1)
        if not 1 <= need - mine <= len(theirs):
            return False
        self.wants[player], self.wants[mate] = own[:mine], theirs[: need - mine]
        self._tried.add(mate)
        self._press(player)
        return self._press(mate, after_ns=3_000_000)

    def _bid_badly(self, player: Player) -> bool:
        """Wrong count, wrong food, cards without a press, a press without cards, two at once."""
        hand, kind = self.table.hands[player], self.table.roll(5)
        if not hand or kind == 0:
            self.wants[player] = []
            return self._press(player)
        if kind == 1:
            self.wants[player] = [self.table.pick(hand)]
            return self._press(player)
        if kind == 2:
            self.wants[player] = hand[: 1 + self.table.roll(len(hand))]
            return self._press(player)
        if kind == 3:
            card = self.table.pick(hand)
            self._lay(player, [card], MIDDLE)
            return self._press(player) if self.table.chance(0.5) else True
        other = self._somebody()
        if other not in self.laid and other != player and self.table.hands[other]:
            self.wants[other] = [self.table.pick(self.table.hands[other])]
            self._press(other, after_ns=1_000)
        self.wants[player] = [self.table.pick(hand)]
        return self._press(player)

    def _lay_bid(self, player: Player, claim: list[str]) -> bool:
        """Lay what was intended; both of a joint bid before the camera looks."""
        done = False
        for name in claim if len(claim) == 2 else [player]:
            cards = [c for c in self.wants.pop(Player(name), []) if c in self.table.hands[Player(name)]]
            if cards:
                self._lay(Player(name), cards, MIDDLE)
                done = True
        return done

    def _split(self) -> bool:
        for cue in self.cues:
            if isinstance(cue, Choose) and cue.what == "split":
                found = [s for s in self.shares if s[0] == cue.player and s[2] in cue.options]
                option = found[0][2] if found else cue.options[0]
                self.hands.choose(cue.player, "split", option)
                if found:
                    self.shares.remove(found[0])
                return True
        return False

    def _new_starter(self) -> bool:
        for cue in self.cues:
            if isinstance(cue, Choose) and self.table.chance(0.7):
                self.hands.choose(cue.player, cue.what, cue.options[self.table.roll(len(cue.options))])
                return True
        return False

    def _collect(self) -> bool:
        winner = Player(self.view["starter"])
        self.wants.clear()
        self.shares.clear()
        if self._err():
            self._press(self._somebody_but(winner))
        theirs = {card for cards in self.laid.values() for card in cards}
        spoils = [c for c in self.table.zones[MIDDLE] if self.table.kind(c) == "food" and c not in theirs]
        if not spoils:
            return self._give_back() or self._obey(winner)
        if len(spoils) > 1 and self._err():
            spoils = spoils[:-1]  # one card is left lying
        if self._err() and not self.taken:
            card, thief = spoils[-1], self._somebody()
            self.table.take(thief, [card], MIDDLE)
            self.taken.append((thief, card))
            spoils = spoils[:-1]
        self.table.move(spoils, MIDDLE, self.table.cave(winner))
        return True

    def _obey(self, winner: Player) -> bool:
        """Whose memory and the companion's differ lays the cave as the screen says, and notes that it was so."""
        self._waited += 1
        show = next((cue for cue in self.cues if isinstance(cue, Show)), None)
        if self._waited < AT_A_LOSS or show is None or show.expect.exactly is None:
            return False
        cave, wanted = self.table.cave(winner), set(show.expect.exactly)
        missing = [card for card in self.table.zones[MIDDLE] if card in wanted]
        for player, hand in self.table.hands.items():
            back = [card for card in hand if card in wanted]
            self.table.lay(player, back, MIDDLE)
            missing += back
        extra = [card for card in self.table.zones[cave] if card not in wanted]
        if not missing and not extra:
            return False
        self._waited = 0
        self.notes.append(f"{winner} lays the cave as the screen says: {missing} more, {extra} less")
        self.table.move(missing, MIDDLE, cave)
        for card in extra:
            self.table.take(self._owners.get(card, winner), [card], cave)
        return True

    def _give_back(self) -> bool:
        if not self.taken:
            return False
        thief, card = self.taken.pop()
        self.table.lay(thief, [card], MIDDLE)
        return True
