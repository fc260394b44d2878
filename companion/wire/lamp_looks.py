"""What a lamp's look means over time: lit or dark now, and when that changes. Pure."""

from __future__ import annotations

from companion.table.things import value

MS = 1_000_000
SLOW = 500 * MS  # half a period of a lamp that asks
# a look: how long it is lit and dark in turn, beginning lit; () stays dark, (0,) stays lit
LOOKS: dict[str, tuple[int, ...]] = {"off": (), "open": (0,), "ask": (SLOW, SLOW)}
# a blink: how long each phase lasts, beginning with the opposite of the level below it
BLINKS: dict[str, tuple[int, ...]] = {"seen": (120 * MS,), "no": (90 * MS,) * 5}


@value
class Glow:
    """A lamp: its look and since when, and a blink over it with its start ("" for none)."""

    look: str = "off"
    since: int = 0
    blink: str = ""
    begun: int = 0


def shown(glow: Glow, now: int) -> tuple[bool, int | None]:
    """Whether the lamp is lit at `now`, and the next moment (ns) at which that may change; None: never.

    KeyError for a look or blink that is not in LOOKS or BLINKS.
    """
    lit, change = _level(LOOKS[glow.look], now - glow.since)
    if glow.blink:
        left = now - glow.begun
        for number, length in enumerate(BLINKS[glow.blink]):
            if left < length:
                opposite = not LOOKS[glow.look]
                return opposite == (number % 2 == 0), now + length - left
            left -= length
    return lit, None if change is None else now + change


def _level(phases: tuple[int, ...], age: int) -> tuple[bool, int | None]:
    """Lit or dark at an age, and in how many ns that changes."""
    if not sum(phases):
        return bool(phases), None
    lit, dark = phases
    age %= lit + dark
    return (True, lit - age) if age < lit else (False, lit + dark - age)
