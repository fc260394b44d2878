"""Persons and their dice: in the tray, tapped, or rolled by the companion; effects that ask something."""

from __future__ import annotations

from collections import Counter

from companion.sim.karnivore.people import People
from companion.sim.karnivore.physical import DISCARD, TRAY
from companion.table.things import CardId, Player


class Rolling(People):
    """Dice phase, re-rolls, and the questions of effects."""

    @property
    def stickers(self) -> bool:
        """Whether the dice can be read: those of the second edition have no stickers."""
        return not self.rules(2, "retail_2nd")

    def _roll(self) -> bool:
        if (self.stickers and self.table.chance(0.8)) or self.gathered:
            return self._in_tray([])
        return self._by_word("roll")

    def _in_tray(self, stay: list[CardId]) -> bool:
        """Take the dice up; then roll them; a full tray that is not believed is confirmed by a press."""
        tray = self.table.zones[TRAY]
        if not self.gathered:
            self.gathered, self.stayed = True, stay
            self.table.zones[TRAY] = list(stay)
            if stay or tray or self._err():
                return True
        lie = sorted(side.rsplit("-", 1)[0] for side in tray)
        if self.may_press("cue.rolled") is not None and lie == sorted(self.view["dice"]["seen"]):
            return self._press(self.player)
        if len(tray) < 5:
            self.table.throw_dice(self.stayed)
            self.table.zones[TRAY] = list(self.table.dice)
            if self._err():
                self.table.zones[TRAY].pop()  # one has rolled off the table
            return True
        return True

    def _by_word(self, phase: str) -> bool:
        """Rolled by the companion, or tapped die by die as they lie."""
        del phase
        cue = self.ask("dice")
        if cue is None:
            return False
        option = "by_chance" if self.table.chance(0.5) or "back" not in cue.options else "back"
        if option == "back" or self.table.chance(0.3):
            sides = [each for each in cue.options if each not in ("by_chance", "back")]
            option = str(self.table.pick(sides)) if option != "back" else "back"
        self.hands.choose(cue.player, "dice", option)
        return True

    def _lying(self) -> list[str]:
        return [str(face) for face in self.view["dice"]["lying"]]

    def _as_shown(self) -> None:
        """Where the companion rolled, the dice are turned as it says; where the tray was read, they lie so."""
        shown, self.gathered = self._lying(), False
        if not self.stickers:
            return
        if Counter(face.rsplit("-", 1)[0] for face in self.table.zones[TRAY]) != Counter(shown):
            self.table.turn_dice(shown)
            self.table.zones[TRAY] = list(self.table.dice)

    def _decide(self) -> bool:
        self._check_tray()
        self._as_shown()
        hand = self.table.hands[self.player]
        if not hand or not self.table.chance(0.35):
            if self.table.chance(0.5):
                return self._press(self.player)
            self.hands.choose(self.player, "reroll", "accept")
            return True
        if not self.view["dice"]["marked"] and (not self.stickers or self.table.chance(0.6)):
            cue = self.ask("reroll")
            assert cue is not None, "the dice are to be kept or rolled again"
            options = [option for option in cue.options if ":" in option]
            if options:
                self.hands.choose(self.player, "reroll", str(self.table.pick(options)))
                return True
        self.gathered = False
        if self.rules(16, "face_down") or self.table.chance(0.3):
            self.pay()
            if self.rules(16, "face_down") or self.table.chance(0.5):
                self.cover()
            self.hands.choose(self.player, "reroll", "pay")
            return True
        self.pay()
        return True

    def _check_tray(self) -> None:
        """Dice read in the tray must be those that lie there."""
        if self.gathered and self.stickers:
            lie = sorted(face.rsplit("-", 1)[0] for face in self.table.zones[TRAY])
            if lie != sorted(self._lying()):
                self.notes.append(f"the dice {lie} lie there, the screen says {self._lying()}")

    def _reroll(self) -> bool:
        marked = [int(place) for place in self.view["dice"]["marked"]]
        if not self.stickers or (marked and not self.gathered and self.table.chance(0.3)):
            if not marked:
                return self._mark()
            return self._by_word("reroll")
        if self.gathered:
            return self._in_tray([])
        lying = self._lying()
        stay = [face for place, face in enumerate(lying) if marked and place not in marked]
        if not marked:
            count = 1 + self.table.roll(4)
            stay = lying[count:]
        return self._in_tray(self._sides(stay))

    def _mark(self) -> bool:
        cue = self.ask("again")
        if cue is None:
            return False
        option = str(self.table.pick([each for each in cue.options if each != "none"] or cue.options))
        self.hands.choose(cue.player, "again", option)
        return True

    def _sides(self, faces: list[str]) -> list[CardId]:
        """Dice of the tray that show these faces."""
        left = list(self.table.zones[TRAY])
        out = []
        for face in faces:
            side = next((each for each in left if each.rsplit("-", 1)[0] == face), None)
            if side is not None:
                left.remove(side)
                out.append(side)
        return out

    def _effect(self) -> bool:
        """What the card asks: whom, which, how many; a person does it on the table too."""
        asked = self.view["effect"]
        if asked is None:
            return False
        player = Player(asked["player"])
        if self._err():
            return self._press(next(p for p in self.table.players if p != player))
        if asked["op"] == "steal_card":
            return self._steal_card(player)
        if asked["op"] == "move_koala":
            return self._move_koala(player)
        if asked["op"] == "discard":
            return self._discard(player, int(asked["n"]))
        if asked["op"] == "reroll":
            return self._roll_again(player)
        return self._press(player)

    def _steal_card(self, player: Player) -> bool:
        cue = self.ask("steal_card")
        assert cue is not None, "a theft asks for its victim"
        option = str(self.table.pick(cue.options))
        if option != "none":
            card = self.table.pick(self.table.hands[Player(option)])
            self.table.hands[Player(option)].remove(card)
            self.table.hands[player].append(card)
        self.hands.choose(player, "steal_card", option)
        return True

    def _move_koala(self, player: Player) -> bool:
        cue = self.ask("move_koala")
        assert cue is not None, "a move asks for its koala"
        option = str(self.table.pick(cue.options))
        if option != "none":
            self._fetch(player, self.card(option))
        self.hands.choose(player, "move_koala", option)
        return True

    def _fetch(self, player: Player, card: CardId) -> None:
        raise NotImplementedError  # the persons who play the tribe phase do it

    def _discard(self, player: Player, count: int) -> bool:
        """So many cards, or all: shown, or put down unseen and told."""
        hand = self.table.hands[player]
        cards = [CardId(card) for card in self.table.shuffled(hand)[:count]]
        if self.table.chance(0.5) and self.looks(DISCARD):
            for card in cards:
                self.table.throw(card)
            return True
        for card in cards:
            self.table.throw(card)
            self.cover()
        return self._press(player)

    def _roll_again(self, player: Player) -> bool:
        """Unused dice once more: always by word, since used ones lie on cards."""
        if not self.view["dice"]["marked"]:
            if self.table.chance(0.2):
                self.hands.choose(player, "again", "none")
                return True
            return self._mark()
        return self._by_word("effect")
