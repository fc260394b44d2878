"""Debounce once, eagerly: the first edge counts, then a lockout; the level at its end is believed.

A pure fold over (time, level), the same table for every board.
"""

from __future__ import annotations

from dataclasses import replace

from companion.table.things import value

LOCKOUT = 8_000_000  # ns


@value
class Bounce:
    """One button: believed down or not, deaf until, and the level last seen while deaf."""

    down: bool = False
    deaf_until: int = 0
    level: bool = False


def edge(bounce: Bounce, at: int, down: bool) -> tuple[Bounce, int | None]:
    """An edge at `at` ns. Returns the button after it, and when it was pressed if this is a new press."""
    if at < bounce.deaf_until:
        return replace(bounce, level=down), None
    settled = sample(bounce, at)
    if down == settled.down:
        return replace(settled, level=down), None
    return Bounce(down, at + LOCKOUT, down), at if down else None


def sample(bounce: Bounce, now: int) -> Bounce:
    """The button once its lockout is over: a release (or press) inside it is taken up silently.

    Without this a quick press whose release fell into the lockout would be stuck down for ever.
    """
    if now < bounce.deaf_until or bounce.level == bounce.down:
        return bounce
    return Bounce(bounce.level, bounce.deaf_until, bounce.level)
