"""What a game waits for. From these alone lamps, camera zones, clocks and screen buttons are derived."""

from __future__ import annotations

from companion.table.events import Clock
from companion.table.things import Button, CardId, Player, Zone, value


@value
class Expect:
    """What would be right in a zone: how many cards in all or newly laid, and of which faces.

    Guidance for screens, prompts and the operator's answer by hand; the game itself judges what comes.
    """

    new: int | None = None  # cards beyond `lying`; None: any number
    faces: tuple[str, ...] = ()  # any of these; empty: any face
    lying: tuple[CardId, ...] = ()  # what is known to lie there already
    exactly: tuple[CardId, ...] | None = None  # the whole content wanted, where it is known card by card
    seen: tuple[CardId, ...] = ()  # beside `lying`: was seen there and counts as new, or is to be taken back
    first: tuple[str, ...] = ()  # faces laid before the others, where a zone has two sides


@value
class Press:
    """A button press by a player. `why` is the phrase key of what it means ("bid", "drawn", "command").

    `aside`: it is possible, but nobody waits for it: no lamp burns for it, and screens keep it folded.
    `own`: each answers for himself; who came first decides nothing, and nobody tells of a race.
    """

    player: Player
    button: Button
    why: str
    aside: bool = False
    own: bool = False


@value
class Show:
    """Cards in a zone, read by the camera (or answered by hand)."""

    zone: Zone
    expect: Expect = Expect()


@value
class Roll:
    """Dice in a zone."""

    zone: Zone
    dice: int


@value
class Choose:
    """A choice by a player: `what` names the question, `options` the answers.

    `secret`: the answer is told to nobody yet. `hidden`: what may be answered tells of a secret already, so that
    no screen but the player's own has the options. `aside`: as with a press.
    """

    player: Player
    what: str
    options: tuple[str, ...]
    secret: bool = False
    hidden: bool = False
    aside: bool = False


@value
class Wait:
    """A clock that runs now; `beats` are voiced at even steps until it rings."""

    clock: Clock
    seconds: float
    beats: tuple[str, ...] = ()


Cue = Press | Show | Roll | Choose | Wait
