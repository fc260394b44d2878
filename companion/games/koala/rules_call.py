"""KO - A - LA: when the count may begin, what cancels it, when it has run its course. Plain seconds."""

from __future__ import annotations

from dataclasses import replace

from companion.table.game import Refusal
from companion.table.things import Player, value


@value
class Pace:
    """How long players must hesitate before a count may begin, and how long it takes; in seconds."""

    pause: float = 2.0
    count: float = 3.0


@value
class Window:
    """A stretch of play that a count may end. Times in seconds since it began."""

    since: float = 0.0  # nothing valid has happened since
    until: float | None = None  # the end of "LA!" of the count that runs
    over: bool = False


@value
class Fault:
    """What was refused at which time."""

    t: float
    refusal: Refusal


def milliseconds(seconds: float) -> int:
    """A time in whole milliseconds: what two times are compared by."""
    return round(seconds * 1000)


def at(window: Window, t: float) -> Window:
    """The window at a time: over when "LA!" ended before; at its very end is in time (KOALA-AMB-23)."""
    ran_out = window.until is not None and milliseconds(t) > milliseconds(window.until)
    return replace(window, over=window.over or ran_out)


def call(window: Window, t: float, by: Player, starter: Player, pace: Pace) -> Window | Refusal:
    """The count begins, or why it does not. A call while the count runs changes nothing."""
    if window.until is not None:
        return window
    quiet = milliseconds(t) - milliseconds(window.since) >= milliseconds(pace.pause)
    return call_fault(quiet, by, starter) or replace(window, until=t + pace.count)


def call_fault(quiet: bool, by: Player, starter: Player) -> Refusal | None:
    """Why a count does not begin, tested in this order: after a pause, by the starting player."""
    if not quiet:
        return Refusal("KOALA-AUC-18", "call_too_early", {"name": by})
    if by != starter:
        return Refusal("KOALA-AUC-16", "call_not_start_player", {"name": by, "starter": starter})
    return None


def went_on(t: float) -> Window:
    """Play went on: a running count is void, the next one needs a new pause."""
    return Window(since=t)
