"""Volunteers change a rolled number on the ring 1-2-3-4-5-6-1, one step each. Pure."""

from __future__ import annotations

from companion.games.rescue.options import Rulings, ruled
from companion.table.game import Refusal
from companion.table.things import value

FACES = range(1, 7)


@value
class Changed:
    """The number after volunteers, how many are left, and how many would have done."""

    number: int
    left: int
    minimum: int


def steps(roll: int, want: int) -> int:
    """The shorter way round the ring of six."""
    apart = abs(roll - want) % 6
    return min(apart, 6 - apart)


def change(roll: int, want: int, use: int, available: int, rulings: Rulings) -> Changed | Refusal:
    """Turn a roll into the wanted number with so many volunteers."""
    if roll not in FACES or want not in FACES:
        return Refusal("RESC-TUR-02", "die_value", {"value": roll if roll not in FACES else want})
    if use < 0 or use > available:
        return Refusal("RESC-VOL-04", "not_enough_volunteers", {"use": use, "available": available})
    least = steps(roll, want)
    spare = use - least
    if spare < 0 or spare % 2:
        return Refusal("RESC-VOL-02", f"cannot_reach_with_{use}", {"roll": roll, "want": want, "use": use})
    if spare and ruled(rulings, 8, "minimum_only"):
        return Refusal("RESC-AMB-08", f"cannot_reach_with_{use}", {"roll": roll, "want": want, "use": use})
    return Changed(want, available - use, least)


def reachable(roll: int, available: int) -> tuple[tuple[int, int], ...]:
    """Each number in reach, and the fewest volunteers it takes."""
    return tuple((want, steps(roll, want)) for want in FACES if steps(roll, want) <= available)
