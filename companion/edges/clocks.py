"""Deadlines: on the monotonic clock of a real table, or in the virtual time of a simulated one."""

from __future__ import annotations

import sys
import time

from companion.table.events import Clock, Rang

SECOND = 1_000_000_000
TURN_S = 0.0005  # Python's own 5 ms are longer than the wait for a box


def brisk() -> None:
    """Let the threads of this process take turns often: a press must not wait for one that reads a picture."""
    sys.setswitchinterval(TURN_S)


class _Deadlines:
    """The clocks that run, whatever tells the time."""

    def __init__(self) -> None:
        self._ends: dict[Clock, int] = {}

    def now(self) -> int:
        """The time, ns."""
        raise NotImplementedError

    def arm(self, clock: Clock, seconds: float) -> int:
        """Start a clock, anew if it runs; its deadline, ns."""
        self._ends[clock] = ends = self.now() + int(seconds * SECOND)
        return ends

    def disarm(self, clock: Clock) -> None:
        """Stop a clock; one that does not run is no fault."""
        self._ends.pop(clock, None)

    def due(self) -> int | None:
        """The next deadline, ns; None while no clock runs."""
        return min(self._ends.values(), default=None)

    def rung(self, now: int) -> tuple[Rang, ...]:
        """The rings of all clocks due by `now`, earliest first; they are forgotten."""
        due = sorted((ends, clock.name, clock.lap) for clock, ends in self._ends.items() if ends <= now)
        rings = tuple(Rang(Clock(name, lap)) for _, name, lap in due)
        for ring in rings:
            del self._ends[ring.clock]
        return rings


class MonotonicClocks(_Deadlines):
    """CLOCK_MONOTONIC: the wall clock may jump as it likes."""

    def now(self) -> int:
        """The time, ns."""
        return time.monotonic_ns()


class StillClocks(_Deadlines):
    """Virtual time: stands still until it is moved."""

    def __init__(self, start: int = 0) -> None:
        """Begin at `start` ns."""
        super().__init__()
        self._now = start

    def now(self) -> int:
        """The time, ns."""
        return self._now

    def advance_to(self, now: int) -> None:
        """Move on to `now` ns; never back."""
        self._now = max(self._now, now)
