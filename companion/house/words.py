"""What the house hears and tells: things to take in, clocks that run, news for the screens."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field

from companion.table import photo_finish
from companion.table.crank import Turn
from companion.table.effects import Say
from companion.table.events import Clock, Event
from companion.table.game import Refusal
from companion.table.photo_finish import Press
from companion.table.things import Player, value

Answer = Turn | Refusal
Reply = Callable[[Answer], None]


@value
class Running:
    """A clock that runs: when it rings, and what is voiced until then."""

    clock: Clock
    ends: int  # monotonic ns
    seconds: float
    beats: tuple[str, ...] = ()


@value
class News:
    """What a screen shows beside the view: captions, refusal, clocks, lamps, the health of devices."""

    captions: tuple[Say, ...] = ()  # the last things said: they stay until something else is
    said: int = -(2**62)  # when the newest of them was, monotonic ns
    refusal: Refusal | None = None  # the last mistake, until the next accepted event
    clocks: tuple[Running, ...] = ()
    lamps: Mapping[Player, str] = field(default_factory=dict)
    health: Mapping[str, str] = field(default_factory=dict)
    paused: bool = False
    stretch: float = 1.0  # how much longer clocks are than the game says; a count never is


@value
class Heard:
    """Something for the house to take in: an event, or a raw press that photo_finish must order first.

    `reply` is called with the answer once the journal has it.
    """

    what: Event | Press | photo_finish.Closed | photo_finish.Gone | Trouble | Wish | Tempo
    reply: Reply | None = None


@value
class Trouble:
    """A device says how it is: shown on every screen. An empty text: it is well again."""

    device: str
    text: str


@value
class Wish:
    """Something asked of the voice by a screen: say the last thing again, or other volumes (0 to 1) of lanes."""

    again: bool = False
    loud: Mapping[str, float] = field(default_factory=dict)


@value
class Tempo:
    """The operator lets the table rest or go on, or gives people more time; None: as it was."""

    paused: bool | None = None
    stretch: float | None = None
