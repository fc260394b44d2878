"""Persons in their turns: they serve, play, discard and draw; green cards, Farandole, Auction, Charity."""

from __future__ import annotations

from companion.sim.wine.people import People
from companion.table.cues import Choose
from companion.table.effects import Say
from companion.table.things import CardId, Player


class Playing(People):
    """Everything that is done with cards."""

    def _start(self) -> bool:
        players = self.table.players
        return self.press(players[self.table.roll(len(players))])

    def _serve(self) -> bool:
        if not self.table.served:
            self.table.serve(bool(self.agreed.get("variant_2_3")))
        return self.press(Player(self.view["starter"]))

    def _memorise(self) -> bool:
        player = self.asked_to_press()
        if player is None:
            return False
        if self.err():  # forgets to turn one down: seen and named as soon as the camera looks
            self.table.up.add(self.table.rows[player][0])
            self.mistakes["left face up"] = self.mistakes.get("left face up", 0) + 1
        return self.press(player)

    def _all_down(self) -> bool:
        if self.table.up:
            self.table.up.clear()
            return True
        return False

    def _deal(self) -> bool:
        if not self.table.discard and not any(self.table.hands.values()):
            self.table.deal()
        return self.press(Player(self.view["starter"]))

    def _turn(self) -> bool:
        """Play a card that the rules allow, or press and draw; now and then do something wrong."""
        if not self.once():
            return False
        player, hand = self.turn, self.table.hands[self.turn]
        self.shown, self.target, self.active = None, None, None
        if self.err() and self._wrong_in_turn(player, hand):
            return True
        fits = [card for card in hand if self._fits(card)]
        if fits and self.table.chance(0.65):
            self.active = fits[self.table.roll(len(fits))]
            self.table.lay(player, self.active)
            return True
        discard = self.question("turn")
        if discard is not None and hand and self.table.chance(0.1):
            return self.choose(discard, "discard")
        return self.press(player)

    def _fits(self, card: CardId) -> bool:
        """Whether this card may be played now, by the rulebook."""
        kind, turn = self.table.kind(card), self.view["limits"]
        played = turn["greens"] + turn["thieves"] + turn["blues"]
        if kind == "stop" or turn["blues"]:
            return False
        if turn["first"] and (played or self.ruled(5, "stop_counts")):  # whoever stopped early plays nothing
            return False
        if kind == "blue":
            return not played and not (turn["first"] and self.ruled(27, "blue_later"))
        return kind == "green" or not turn["thieves"]

    def _wrong_in_turn(self, player: Player, hand: list[CardId]) -> bool:
        """Wrong card, wrong player, two cards at once, drawing too early."""
        kind, other = self.table.roll(4), self.somebody_but(player)
        wrong = [card for card in hand if not self._fits(card) and self._surely_wrong(card)]
        if kind == 0 and wrong:
            self.table.lay(player, wrong[0])
            return self.mistake("wrong card", lambda: self.table.unlay(player, wrong[0]))
        if kind == 1 and other is not None:
            self.mistake("not in turn")
            return self.press(other)
        if kind == 2 and len(hand) >= 2:
            pair = hand[:2]
            for card in pair:
                self.table.lay(player, card)
            return self.mistake("two cards", lambda: self._take_up(player, pair))
        if kind == 3 and self.table.pile:
            card = self.table.turn_up()
            return self.mistake("drawn too early", lambda: self._back_on_top(card))
        return False

    def _surely_wrong(self, card: CardId) -> bool:
        kind, turn = self.table.kind(card), self.view["limits"]
        return kind == "stop" or bool(turn["blues"]) or bool(turn["thieves"] and kind == "thieves")

    def _take_up(self, player: Player, cards: list[CardId]) -> None:
        for card in cards:
            self.table.unlay(player, card)

    def _back_on_top(self, *cards: CardId) -> None:
        for card in cards:
            self.table.drawn.remove(card)
            self.table.pile.append(card)

    def _discard(self) -> bool:
        """Any card that is over the limit, drawn cards only afterwards."""
        if not self.once():
            return False
        player = self.turn
        hand = self.table.hands[player]
        if self.err():
            self.mistake("draws over the limit")
            return self.press(player)
        card = hand[self.table.roll(len(hand))]
        self.table.lay(player, card)
        return True

    def _draw(self) -> bool:
        """Draw and show; with one drawn one may be content.

        Whoever has drawn waits until that is seen, and takes back what was drawn in haste beside it.
        """
        if self.unseen > 1:
            self._back_on_top(self.table.drawn[-1])
            return True
        if self.unseen or not self.once():
            return False
        player = self.turn
        other = self.somebody_but(player)
        if other is not None and self.err():
            self.mistake("not in turn")
            return self.press(other)
        if self.asked_to_press() == player and self.table.chance(0.3):
            return self.press(player)
        if len(self.table.pile) > 1 and self.err():
            two = [self.table.turn_up(), self.table.turn_up()]
            return self.mistake("two cards drawn", lambda: self._back_on_top(*two[::-1]))
        self.drawer = player
        card = self.table.turn_up()
        if self.table.kind(card) == "black":
            self.active = card
            if self.table.name(card) == "sommelier" and player in self.table.covers:
                self.table.discard.append(self.table.covers.pop(player))
        return True

    def _swap(self) -> bool:
        """Two glasses for a taster."""
        cue = self.question("swap") or self.question("swap_with")
        if cue is None or not self.once():
            return False
        option = self.one_of(cue.options)
        if cue.what == "swap":
            self.target = self.glass(option)
        elif self.target is not None:
            second, sneaky = self.glass(option), self.view["card"] == "sneaky_taster"
            if not sneaky or self.table.chance(0.5):
                self.table.swap(self.target, second)
            self.target = None
        return self.choose(cue, option)

    def _press_turn(self) -> bool:
        if not self.once():
            return False
        other = self.somebody_but(self.turn)
        if other is not None and self.err():
            self.mistake("not in turn")
            return self.press(other)
        return self.press(self.turn)

    def _grape(self) -> bool:
        cue = self.question("pick")
        if cue is None or not self.once():
            return False
        option = self.one_of(cue.options)
        victim = self.table.hands[Player(option)]
        if victim:
            self.table.hands[self.turn].append(victim.pop(self.table.roll(len(victim))))
        return self.choose(cue, option)

    def _oenologist(self) -> bool:
        cue = self.question("look")
        if cue is None or not self.once():
            return False
        if self.err():
            self.mistake("no such glass")
            return self.choose(cue, f"{self.turn}:19")
        return self.choose(cue, self.one_of(cue.options))

    def _farandole(self) -> bool:
        for cue in self.cues:
            if isinstance(cue, Choose) and cue.what == "pass":
                option = self.one_of(cue.options)
                self.passes[cue.player] = self.glass(option)
                return self.choose(cue, option)
        return False

    def pass_on(self) -> None:
        """Everybody gives at the same time to the next one in turn order who dances."""
        way = -1 if self.ruled(24, "anticlockwise") else 1
        order = [player for player in self.table.players[::way] if player in self.passes]
        given = dict(self.passes)
        for place, player in enumerate(order):
            self.table.give(given[player], order[(place + 1) % len(order)], self.ruled(18, "left_end"))
        self.passes.clear()

    def _auction(self) -> bool:
        """Some press card by card, some choose on the phone; some offer more than they have, or nothing."""
        for cue in self.cues:
            if not isinstance(cue, Choose) or cue.what != "offer" or cue.player in self.offers:
                continue
            if self.err():
                self.mistake("too many cards offered")
                return self.choose(cue, str(len(self.table.hands[cue.player]) + 1))
            offer = self.table.roll(len(cue.options))
            self.offers[cue.player] = offer
            if self.table.chance(0.5):
                return self.choose(cue, str(offer))
            self.presses[cue.player] = offer
        for player, count in self.presses.items():
            if count:
                self.presses[player] = count - 1
                return self.press(player)
        return False

    def _auction_tie(self) -> bool:
        cue = self.question("winner")
        if cue is None or not self.once():
            return False
        most = max(self.offers.get(player, 0) for player in self.alive)
        if any(self.offers.get(Player(name), 0) != most for name in cue.options):
            self.notes.append(f"a tie between {cue.options}, the offers were {self.offers}")
        return self.choose(cue, self.one_of(cue.options))

    def auctioned(self, say: Say) -> None:
        """The winner takes the glass and pays; who wins, the offers must bear out."""
        winner, most = Player(str(say.values["name"])), max(self.offers.get(p, 0) for p in self.alive)
        if self.offers.get(winner, 0) != most or say.values["count"] != most:
            self.notes.append(f"{winner} won the auction for {say.values['count']}, offers {self.offers}")
        glass = self.table.lost[0 if self.ruled(21, "first_lost") else -1]
        self.table.give(glass, winner, self.ruled(18, "left_end"))
        for player in self.offers if self.ruled(28, "all_pay") else [winner]:
            for _ in range(self.offers.get(player, 0)):
                card = self.table.hands[player].pop()
                self.table.discard.append(card)
        for card in [card for card in self.table.drawn if self.table.name(card) == "auction"]:
            self.table.drawn.remove(card)
            self.table.box.append(card)
        self.offers.clear()
        self.presses.clear()
        self.active = None

    def _charity(self) -> bool:
        cue = self.question("giver") or self.question("to") or self.question("give")
        if cue is None or not self.once():
            return False
        if cue.what == "giver" and self.err():
            other = self.somebody_but(cue.player)
            if other is not None:
                self.hands.choose(other, "giver", cue.options[0])
                return self.mistake("another chooses")
        option = self.one_of(cue.options)
        if cue.what == "to":
            self.drawn_to = Player(option)
        elif cue.what == "give":
            self.table.give(self.glass(option), self.drawn_to, self.ruled(18, "left_end"))
        return self.choose(cue, option)

    def _age(self) -> bool:
        cue = self.question("age")
        if cue is None or not self.once():
            return False
        option = self.one_of(cue.options)
        self.target = self.glass(option)
        return self.choose(cue, option)

    def _finale(self) -> bool:
        """The winner turns everything over for the map, or does not care."""
        winner = Player(str(self.view["winner"]))
        if not self.once():
            return False
        if self.table.chance(0.2):
            return self.press(winner)
        self.table.up.update(self.table.rows[winner])
        return True
