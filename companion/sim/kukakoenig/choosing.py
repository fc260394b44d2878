"""Persons choose, show, take and collide: by fingers, on phones, on number pads, or by counted presses."""

from __future__ import annotations

from companion.sim.kukakoenig.people import Deed, People
from companion.table.effects import Say
from companion.table.things import BID, CALL, Button, CardId, Player

DREAMS = 99  # somebody who presses nothing


class Choosing(People):
    """The rounds: think, show, take. `mode`: fingers, phones, mixed, keys or counted."""

    mode = "fingers"
    begun = False  # hands know what to do after this reveal
    unclear = False  # the companion has said that a row fits no choice

    def _listen(self, say: Say) -> None:
        super()._listen(say)
        if say.key.startswith("say.think"):  # a new reveal
            self.fingers, self.pressed, self.begun = {}, {}, False
        elif say.key == "say.unclear":
            self.unclear = True

    pressed: dict[Player, int]

    def _think(self) -> bool:
        """Have a number in mind; say ready, or seal it on the phone."""
        if not self.fingers:
            self.fingers = {player: self._pick() for player in self._affected()}
            self.unclear = False
        waiting = [player for player in self._affected() if player not in self.view["ready"]]
        if not waiting:
            return False
        player = waiting[self.table.roll(len(waiting))]
        if self._err():
            return self._disturb(player)
        phone = self.mode == "phones" or (self.mode == "mixed" and self.table.players.index(player) % 2 == 0)
        if phone:
            self.hands.choose(player, "row", str(self.fingers[player]))
            return True
        return self._press(player, Button(str(self.fingers[player])) if self.mode == "keys" else BID)

    def _pick(self) -> int:
        """A row with cards; people like the same rows."""
        rows = self.table.filled()
        liked = rows[: 2 + self.table.roll(len(rows) - 1)] if len(rows) > 2 else rows
        return liked[self.table.roll(len(liked))]

    def _disturb(self, player: Player) -> bool:
        """Somebody who has a row presses, or a phone names a row that is empty or no row."""
        outside = [other for other in self.table.players if other not in self._affected()]
        empty = [row for row in self.table.rows if not self.table.row(row)]
        if outside and self.table.chance(0.5):
            return self._press(outside[0])
        if not self._ruled(4, "gets_nothing") and not self._ruled(1, "seen_only"):
            wrong = str(empty[0] if empty else 9)
            if self.mode == "keys":
                return self._press(player, Button(wrong))
            self.hands.choose(player, "row", wrong)
        return True

    def _show(self) -> bool:
        """Fingers are shown: hands do what follows; counted presses; or somebody was late."""
        if not self.begun and self._calls():
            return True
        if self.mode == "counted":
            return self._count()
        if self.unclear and self.mends:
            self.unclear = False
            return self._mend()
        asked = next((row["row"] for row in self.view["rows"] if row["asked"]), None)
        if asked is not None:
            takers = [player for player in self._affected() if self._on(asked) == [player]]
            return bool(takers) and self._press(takers[0])
        return self._begin(self._affected())

    def _on(self, row: int) -> list[Player]:
        return [player for player, number in self.fingers.items() if number == row]

    def _begin(self, players: list[Player]) -> bool:
        """Once after each reveal: what is to be done is known, and perhaps begun wrongly."""
        if self.begun:
            return False
        self.begun = True
        self.fingers = {player: self.fingers[player] for player in players}
        self.deeds = [deed for _, deed in self._by_rule()]
        if self._err():
            self._blunder()
        return True

    def _by_rule(self) -> list[tuple[int, Deed]]:
        """What hands do after these fingers, by the rulebook: rows and deeds."""
        deeds: list[tuple[int, Deed]] = []
        for row in sorted(set(self.fingers.values())):
            on, lying = self._on(row), list(self.table.row(row))
            if len(on) == 1:
                deeds.append((row, self._take(on[0], row, lying)))
                continue
            deeds.extend((row, self._throw(row, card)) for card in reversed(lying[-self._going(row) :]))
        return deeds

    def _going(self, row: int) -> int:
        """How many cards a row loses when these people have chosen it."""
        many = len(self._on(row))
        return 0 if many < 2 else many - 1 if self._ruled(12, "one_fewer_than_players") else 1

    def _count(self) -> bool:
        """Everybody presses as often as the number says; now and then somebody dreams."""
        for name in self.view["unknown"]:
            player = Player(name)
            done = self.pressed.get(player, 0)
            if done == 0 and self._err():
                self.pressed[player] = DREAMS
            elif done < self.fingers[player]:
                self.pressed[player] = done + 1
                return self._press(player)
        return False

    def _calls(self) -> bool:
        """Somebody was late or meant another number: once more, before anything was taken."""
        if not self._err():
            return False
        affected = self._affected()
        return self._press(affected[self.table.roll(len(affected))], CALL)

    def _again(self) -> bool:
        """The others mostly agree; else it stands after a while."""
        if not self.table.chance(0.4):
            return False
        others = [player for player in self.table.players if player != self.view["calls"]]
        if self.table.chance(0.5):
            return self._press(others[-1])
        self.hands.choose(others[0], "again", "yes")
        return True

    def _taking(self) -> bool:
        """The companion has said who takes what: hands do it, now and then wrongly, and mend what was named."""
        if self.view["differences"]:
            return self._mend()
        if self.begun:
            return False
        shown = self.view["shown"]
        players = [player for player in self._affected() if player in shown]
        if len(players) == len(self._affected()) and self._calls():
            return True
        self._begin(players)
        if self.deeds and not self.mends and self._err():
            self._press(self._somebody())  # done, says somebody who has not looked
        return True

    def _mend(self) -> bool:
        """Put a mistake right; sometimes the table leaves a wrong card's loss as it is."""
        if not self.mends:
            return False
        if self.leave and self.view["phase"] == "take" and self.table.chance(0.25):
            self.mends, self.leave = [], False
            self.hands.choose(self._affected()[0], "table", "as_seen")
            return True
        self.leave = False
        self.mends.pop(0)()
        return True

    leave = False  # the mistake is one that a table can live with

    def _blunder(self) -> None:
        """A wrong card goes, a wrong row is taken, or one card is forgotten for a while."""
        free = [row for row in self.table.filled() if not self._on(row)]
        crowded = [row for row in self.table.filled() if 1 < self._going(row) + 1 <= len(self.table.row(row))]
        lone = [player for player in self.fingers if self._on(self.fingers[player]) == [player]]
        if crowded and self.table.chance(0.6):
            self._wrong_card(crowded[0])
        elif lone and free and self.view["phase"] == "take" and self.table.chance(0.6):
            self._wrong_row(lone[0], free[0])
        elif lone:
            self._forget(lone[0])

    def _wrong_card(self, row: int) -> None:
        """The innermost card goes into the box; once it is named it comes back, and the right one goes."""
        card = self.table.row(row)[0]
        right = [deed for place, deed in self._by_rule() if place == row]

        def back() -> None:
            self.table.box.remove(card)
            self.table.row(row).insert(0, card)
            self.deeds = right

        others = [deed for place, deed in self._by_rule() if place != row]
        self.deeds, self.mends, self.leave = [*others, self._throw(row, card)], [back], True

    def _wrong_row(self, player: Player, row: int) -> None:
        """Somebody takes a row that is not his, and puts it back when it is named."""
        cards: list[CardId] = list(self.table.row(row))
        others = list(self.deeds)

        def back() -> None:
            for card in cards:
                self.table.collections[player].remove(card)
                self.table.row(row).append(card)
            self.deeds = others

        self.deeds, self.mends = [self._take(player, row, cards)], [back]

    def _forget(self, player: Player) -> None:
        """All but one card are taken; the last one a little later."""
        row = self.fingers[player]
        cards = list(self.table.row(row))
        others = [deed for place, deed in self._by_rule() if place != row]
        if len(cards) > 1:
            self.deeds = [*others, self._take(player, row, cards[1:]), self._take(player, row, cards[:1])]
