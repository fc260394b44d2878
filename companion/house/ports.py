"""The ports that the house needs: whatever fits them may be a device, a screen, or a simulated table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Protocol

from companion.house.words import News, Tempo
from companion.table.events import Clock, Event, Rang
from companion.table.session import Session
from companion.table.things import Player, Zone


class Journal(Protocol):
    """Where events are written down: on disk when `append` returns."""

    def append(self, number: int, event: Event) -> None:
        """Write one event; the number is its place, from 1."""

    def events(self) -> Iterator[Event]:
        """All events so far, oldest first."""

    def close(self) -> None:
        """Leave the file in order."""


class Pace(Protocol):
    """Where rest and more time outlive a power cut; whatever cannot be kept is forgotten, never fatal."""

    def load(self) -> Tempo:
        """As it was kept last; None where it never was."""

    def save(self, tempo: Tempo) -> None:
        """Keep both: on disk when this returns."""


class Lamps(Protocol):
    """The lamps of the buttons."""

    def shine(self, player: Player, look: str) -> None:
        """The lamp's level, a look of `wire/lamp_looks.py`: off, open, ask ..."""

    def blink(self, player: Player, look: str) -> None:
        """A short answer to one press: seen, no, late."""

    def beat(self, player: Player, start: int, phases: tuple[int, ...]) -> None:
        """Wink with a count that begins at `start` ns: phases as `wire/lamp_looks.py` has them; none: it has ended."""


class Voice(Protocol):
    """What is heard. Returns at once; silence is a voice too."""

    def say(self, parts: tuple[str, ...], lang: str, lane: str) -> None:
        """Speak a sentence, given as its parts: fixed words and filled-in ones."""

    def count(self, beats: tuple[str, ...], start_ns: int, seconds: float, lang: str) -> None:
        """Speak beats at even steps from `start_ns`; the last one ends after `seconds`."""

    def hush(self) -> None:
        """Cut a running count off."""

    def stop(self) -> None:
        """What was said is no longer true: cut it off, forget what waits."""

    def again(self) -> None:
        """Say the last thing once more."""

    def chime(self, seat: int) -> None:
        """Answer a press with the chime of its player's place, from 0."""

    def tune(self, loud: Mapping[str, float]) -> None:
        """Set the volume of lanes, 0 (mute) to 1."""

    def know(self, names: tuple[str, ...], lang: str) -> None:
        """Players join: learn to say their names."""

    def lead(self) -> int:
        """How long before its first beat a count must be ordered to be heard in time, ns."""


class Clocks(Protocol):
    """Deadlines on the monotonic clock, ns."""

    def now(self) -> int:
        """The time."""

    def arm(self, clock: Clock, seconds: float) -> int:
        """Start a clock; its deadline."""

    def disarm(self, clock: Clock) -> None:
        """Stop a clock."""

    def due(self) -> int | None:
        """The next deadline."""

    def rung(self, now: int) -> tuple[Rang, ...]:
        """The rings of all clocks due by `now`, in order; they are forgotten."""


class Eyes(Protocol):
    """The camera and its reader."""

    def watch(self, zones: tuple[Zone, ...], anew: tuple[Zone, ...]) -> None:
        """Look at these zones from now on, at nothing if there is none; say again what lies in those anew."""


class Screens(Protocol):
    """Every screen: gets the newest session, shows each viewer its own view."""

    def show(self, session: Session | None, news: News) -> None:
        """Show this. Returns at once; a slow screen gets the newest only."""
