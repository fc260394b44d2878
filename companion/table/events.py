"""What happened, in the past tense. The journal holds these and nothing else."""

from __future__ import annotations

from collections.abc import Mapping

from companion.table.things import Button, CardId, Player, Zone, value


@value
class Clock:
    """A named deadline; each new lap makes an older ring stale."""

    name: str
    lap: int


@value
class Setting:
    """What is agreed before a game: who plays, in which seats, by which rulings, with which luck."""

    game: str
    players: tuple[Player, ...]  # clockwise as they sit down
    options: Mapping[str, object]  # ruling id or setting -> value; absent means the default
    seed: int = 0


@value
class Opened:
    """A game was opened with this setting; the first event of every journal.

    `on`: when, in seconds of Unix time as the device knew it; 0 where nobody said. Only history shows it.
    `instead`: a game that is still under way is given up for it.
    """

    setting: Setting
    on: int = 0
    instead: bool = False


@value
class Pressed:
    """A button went down at its source: `at` in CLOCK_MONOTONIC ns, give or take `unc` ns.

    `tied` names the players whose presses lie inside the summed uncertainty: the game's rule decides.
    """

    player: Player
    button: Button
    at: int
    unc: int = 0
    tied: tuple[Player, ...] = ()


@value
class Shown:
    """The settled content of a zone, in reading order (inner to outer where the zone has a direction)."""

    zone: Zone
    cards: tuple[CardId, ...]


@value
class Rolled:
    """Dice came to rest in a zone."""

    zone: Zone
    faces: tuple[str, ...]


@value
class Chosen:
    """A player (or the operator for him) answered a question."""

    player: Player
    cue: str
    option: str


@value
class Rang:
    """A clock reached its deadline."""

    clock: Clock


@value
class Corrected:
    """The operator mended event number `of`: what was shown was really this."""

    of: int
    cards: tuple[CardId, ...]


@value
class Undone:
    """The table went to the state after event number `to`; a later number is a redo."""

    to: int


Move = Pressed | Shown | Rolled | Chosen | Rang  # what a game may be asked to apply
Event = Opened | Move | Corrected | Undone
