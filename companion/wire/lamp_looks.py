"""What a lamp's look means over time: lit or dark now, and when that changes. Pure.

Looks differ in rhythm, so that they can be told apart without colour, and on lamps of one colour. All lengths
are whole hundredths of a second and below 2.56 s, as boxes are told them.
"""

from __future__ import annotations

from itertools import pairwise

from companion.table.things import value

MS = 1_000_000
SECOND = 1_000 * MS
STEP, LONGEST = 10 * MS, 2_550 * MS  # a phase as a box is told it
WINK = 120 * MS
SLOW = 500 * MS  # half a period of a lamp that asks
# a look: how long it is lit and dark in turn, beginning lit; () stays dark, (0,) stays lit
LOOKS: dict[str, tuple[int, ...]] = {
    "off": (),
    "open": (0,),  # may press
    "ask": (SLOW, SLOW),  # your turn: even and slow
    "lead": (120 * MS, 120 * MS, 120 * MS, 840 * MS),  # leading: as a heart beats
    "out": (60 * MS, 2_440 * MS),  # out: a spark now and then
}
# a blink: how long each phase lasts, beginning with the opposite of the level below it
BLINKS: dict[str, tuple[int, ...]] = {
    "seen": (WINK,),  # once
    "no": (90 * MS,) * 5,  # a flutter
    "late": (360 * MS, 120 * MS, 360 * MS),  # too late: long, long
}


@value
class Glow:
    """A lamp: its look and since when, and the phases of a blink over it with their start."""

    look: str = "off"
    since: int = 0
    blink: tuple[int, ...] = ()
    begun: int = 0


def shown(glow: Glow, now: int) -> tuple[bool, int | None]:
    """Whether the lamp is lit at `now`, and the next moment (ns) at which that may change; None: never.

    KeyError for a look that is not in LOOKS.
    """
    lit, change = lamp(LOOKS[glow.look], now - glow.since, glow.blink, now - glow.begun)
    return lit, None if change is None else now + change


def count(beats: int, seconds: float) -> tuple[int, ...]:
    """The blink of a count: a wink at the onset of each beat, `beats` even steps in `seconds`.

    A box can be told of 2.55 s of darkness at most: beats further apart than 2.67 s are winked at too early.
    """
    onsets = [round(seconds * number / beats * SECOND / STEP) * STEP for number in range(beats)]
    out: list[int] = []
    for onset, following in pairwise(onsets):
        wink = min(WINK, (following - onset) // (2 * STEP) * STEP)
        out += [wink, min(following - onset - wink, LONGEST)]
    out.append(WINK)
    return tuple(out)


def lamp(
    base: tuple[int, ...], age: int, blink: tuple[int, ...] = (), blink_age: int = 0
) -> tuple[bool, int | None]:
    """Lit or dark by phases of such ages, and in how long that may change. A negative age: not yet begun."""
    lit, change = (False, -age) if age < 0 else _level(base, age)
    if not blink:
        return lit, change
    if blink_age < 0:
        return lit, -blink_age if change is None else min(change, -blink_age)
    left = blink_age
    for number, length in enumerate(blink):
        if left < length:
            return (not base) == (number % 2 == 0), length - left
        left -= length
    return lit, change


def _level(phases: tuple[int, ...], age: int) -> tuple[bool, int | None]:
    """Lit or dark at an age, and in how many ns that changes."""
    period = sum(phases)
    if not period:
        return bool(phases), None
    age %= period
    number = 0
    while age >= phases[number]:
        age -= phases[number]
        number += 1
    return number % 2 == 0, phases[number] - age
