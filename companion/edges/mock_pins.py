"""Pins without a Pi: gpiozero's mock factory, with switches pressed at chosen times."""

from __future__ import annotations

from typing import Any

from gpiozero.pins.mock import MockFactory, MockPin
from gpiozero.pins.pi import PiPin

SECOND = 1_000_000_000
MS = 1_000_000


class RacePin(MockPin):  # type: ignore[misc]  # gpiozero ships no types
    """A mock pin whose edges carry a chosen time, as the kernel would stamp them."""

    def drive_at(self, at: int, state: bool) -> None:
        """Put the level to `state` (False: pressed) at monotonic ns, calling back in this thread."""
        if self._change_state(state) and self._when_changed is not None:
            PiPin._call_when_changed(self, at / SECOND, int(state))

    def lose(self, state: bool) -> None:
        """Change the level without an edge, as a pin does whose edge was lost on the way."""
        self._change_state(state)

    def _change_state(self, value: bool) -> bool:
        """As the parent, without its list of all states ever: a table runs for days."""
        before: bool = self.state
        self._state = value
        return before != value


class MockPins:
    """A header of mock pins by BCM number: press its switches, look at its lamps."""

    def __init__(self) -> None:
        """All switches are open."""
        self.factory: Any = MockFactory(pin_class=RacePin)  # any: gpiozero ships no types

    def pin(self, number: int) -> RacePin:
        """The pin of a BCM number."""
        pin: RacePin = self.factory.pin(f"GPIO{number}")
        return pin

    def press(self, number: int, at: int, held: int = 60 * MS, bounces: tuple[int, ...] = ()) -> None:
        """Close a switch at monotonic ns, open it `held` ns later; each time it bounces so many ns after.

        A bounce lasts 0.1 ms.
        """
        pin = self.pin(number)
        for start, level in ((at, False), (at + held, True)):
            pin.drive_at(start, level)
            for after in bounces:
                pin.drive_at(start + after, not level)
                pin.drive_at(start + after + MS // 10, level)

    def lit(self, number: int) -> bool:
        """Whether a lamp's pin is high."""
        return bool(self.pin(number).state)
