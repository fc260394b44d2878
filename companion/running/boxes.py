"""The boxes of a real table: whose each button is, by the box's id and the place at the table."""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol

from companion import config
from companion.edges.boxes import Boxes, Key
from companion.house import House, Trouble
from companion.running.places import TABLE_KEY, place_of, seated
from companion.running.preflight import Roll
from companion.table.photo_finish import Closed, Gone, Press
from companion.table.things import BID, CALL, Player

CALL_SEAT = 0  # in the settings: the table's KO - A - LA button


class Lit(Protocol):
    """Lamps of some kind."""

    def shine(self, player: Player, look: str) -> None:
        """A lamp's level."""

    def blink(self, player: Player, look: str) -> None:
        """A lamp's answer."""

    def beat(self, player: Player, start: int, phases: tuple[int, ...]) -> None:
        """Winks with a count."""


class AllLamps:
    """Lamps on pins and lamps on boxes: each shows what it has."""

    def __init__(self) -> None:
        """There are none yet."""
        self.kinds: list[Lit] = []

    def shine(self, player: Player, look: str) -> None:
        """A lamp's level."""
        for lamps in self.kinds:
            lamps.shine(player, look)

    def blink(self, player: Player, look: str) -> None:
        """A lamp's answer."""
        for lamps in self.kinds:
            lamps.blink(player, look)

    def beat(self, player: Player, start: int, phases: tuple[int, ...]) -> None:
        """Winks with a count."""
        for lamps in self.kinds:
            lamps.beat(player, start, phases)


class BoxPlaces:
    """Buttons and lamps on boxes by places at the table: who sits there is known when a game is open."""

    def __init__(self, house: House, chosen: config.Boxes) -> None:
        """Look for boxes from now on; they may come and go."""
        self._house, self._seats = house, dict(chosen.seats)
        self.roll: Roll | None = None  # hears every press, too
        self._wired: set[str] = set()
        self.boxes = Boxes(self._keys, self._heard, self._trouble, ports=chosen.ports)
        house.presses.ask = self.boxes.close_to
        self.boxes.start()
        self.close = self.boxes.close

    def shine(self, player: Player, look: str) -> None:
        """A player's lamp is that of his place."""
        self.boxes.shine(place_of(self._house, player), look)

    def blink(self, player: Player, look: str) -> None:
        """A lamp's answer."""
        self.boxes.blink(place_of(self._house, player), look)

    def beat(self, player: Player, start: int, phases: tuple[int, ...]) -> None:
        """Winks with a count."""
        self.boxes.beat(place_of(self._house, player), start, phases)

    def _keys(self, board: str, buttons: int) -> tuple[Key | None, ...]:
        """The settings' seats of a board; one they do not name takes the seats behind those already given."""
        if board not in self._seats:
            taken = {seat for seats in self._seats.values() for seat in seats}
            free = [seat for seat in range(1, 11) if seat not in taken]
            self._seats[board] = tuple(free[: min(buttons, 6)])
        keys = tuple(map(_key, self._seats[board]))
        self._wired.update(key.player for key in keys if key is not None)
        if self.roll is not None:
            self.roll.wired(self._wired)
        return keys

    def call(self, roll: Roll) -> None:
        """Let a roll call hear every press from now on."""
        self.roll = roll
        roll.wired(tuple(self._wired))

    def _trouble(self, device: str, text: str) -> None:
        self._house.put(Trouble(device, text))

    def _heard(self, word: Press | Closed | Gone) -> None:
        if not isinstance(word, Press):
            self._house.put(word)
            return
        if self.roll is not None:
            self.roll.pressed(word.player, word.at)
        player = seated(self._house, word.player)
        if player is not None:
            self._house.put(replace(word, player=player))


def _key(seat: int) -> Key | None:
    if seat == CALL_SEAT:
        return Key(TABLE_KEY, CALL)
    return Key(Player(str(seat)), BID) if seat > 0 else None
