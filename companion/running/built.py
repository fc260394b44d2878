"""A table put together: its files, its house, its screens, and whatever has buttons, lamps, eyes and a voice."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import click

from companion import bundling, config, doctor
from companion.ears import Ears
from companion.edges.archive import people
from companion.edges.clocks import MonotonicClocks
from companion.edges.logbook import Logbook
from companion.edges.screen import Screen, levels
from companion.house import House, Tempo, Trouble, Wish
from companion.running.asked import Asked
from companion.running.behind import failing, persons, settled, voice
from companion.running.club import told_by
from companion.running.decks import desks
from companion.running.eyes import Sight
from companion.running.later import Later, Step
from companion.running.mouth import Mouth
from companion.running.names import Names
from companion.running.opening import ARCHIVE, archive, opened, resumed
from companion.running.parts import Both, Optional
from companion.running.preflight import Preflight
from companion.running.real import eyes, hands
from companion.running.records import Chronicle, Diary, Loudness, Seats, Tempi
from companion.running.words import said
from companion.shelf import phrases, shelf
from companion.table.events import Event


class Table:
    """Comes up step by step: made, resumed, served, then given its devices; `closing` closes it the other way round."""

    def __init__(
        self, closing: ExitStack, chosen: config.Config, path: Path, book: Logbook, asked: Asked
    ) -> None:  # fmt: skip
        """Open the files beside the journal at `path`, and make house and screens; nothing is served yet."""
        self._closing, self._path, self._asked, self.pin = closing, path, asked, _pin()
        self._chosen, self._lang = replace(chosen, journal=str(path)), asked.lang or chosen.lang
        self._games, self._words = dict(shelf()), dict(phrases())  # changed in place when a deck is entered
        self._clocks, self._names, self._ears = MonotonicClocks(), Names(), Ears()
        self._parts, self._mouth = Optional(), Mouth(awaited=not asked.quiet)
        self._written, self._ill = opened(path, asked.ill is not None, self._lang)
        closing.callback(lambda: self._written.close())  # noqa: PLW0108  # another one may come into its place
        self._archive, self._damage = archive(path.with_suffix(".games.db"), self._lang)
        closing.callback(self._archive.close)
        self._clubs = told_by(chosen, self._archive, self._trouble("mqtt"), self._lang)
        self._sight = self._parts.sight = Sight(path.parent / "bundles", lambda: self.house.session)
        loudness = Loudness(path.with_suffix(".loud.json"))
        self._mouth.tune(levels(loudness.load()))
        self._screen = self._screens(loudness)
        self.house = self._house(book)
        self._parts.deck = lambda: None if self.house.session is None else self.house.session.box.deck
        self._sight.reporter = reporter(
            self._chosen, path, book, self._sight, lambda: tuple(self._written.events()),
            lambda: (self.pin, self._screen.code),
        )  # fmt: skip

    def resume(self) -> None:
        """Go on with the game of the journal; say what was wrong with the files."""
        self._written = resumed(self.house, self._written, self._ill)
        if self._damage:
            click.echo(self._damage)
            self.house.put(Trouble(ARCHIVE, self._damage))

    def serve(self) -> tuple[str, int]:
        """Serve the screens, and look for the club's broker; host and port."""
        usual = "127.0.0.1" if self._asked.evening is not None else self._chosen.screen.host
        host = self._asked.host or usual
        port = self._screen.serve(
            host, self._chosen.screen.port if self._asked.port is None else self._asked.port
        )
        self._closing.callback(self._screen.close)
        self._screen.at(self._names.join(host, port))
        for club in self._clubs if self._asked.ill is None else ():
            club.start()
            self._closing.callback(club.close)
        return host, port

    def devices(self) -> Later:
        """Hear the buttons from now on; all that takes its time to come up is still to `begin`."""
        later: dict[str, Step] = {}
        if not self._asked.quiet:
            later["voice"] = lambda: voice(self._mouth, self._chosen, self.house)
        ill, evening = self._asked.ill, self._asked.evening
        if ill is not None:
            why = ill.why or said(self._lang, "killed")
            self.house.put(Trouble("safe mode", said(self._lang, "safe", why=why)))
        elif evening is not None:
            later["persons"] = lambda: persons(self.house, self._parts, self._ears, evening)
        else:
            for close in hands(self.house, self._parts, self._chosen):
                self._closing.callback(close)
            later["camera"] = lambda: eyes(self.house, self._parts, self._chosen)
        later["settled"] = settled
        behind = Later(later, failing(self.house, evening is not None))
        self._closing.callback(behind.close)
        return behind

    @property
    def alive(self) -> Mapping[str, Callable[[], float | None]]:
        """When each part that must live was last seen to, monotonic s."""
        return {
            "house": lambda: self.house.awake / 1e9, "camera": self._parts.camera_seen,
            "boxes": self._parts.boxes_seen,
        }  # fmt: skip

    def _trouble(self, device: str) -> Callable[[str], None]:
        return lambda text: self.house.put(Trouble(device, text))

    def _house(self, book: Logbook) -> House:
        chronicle = Chronicle(
            self._archive, self._trouble(ARCHIVE), self._lang, [club.finished for club in self._clubs]
        )
        chronicle.begin()
        self._closing.callback(chronicle.close)
        return House(
            self._games, self._words, self._written, self._clocks, lamps=self._parts, voice=self._mouth,
            eyes=self._parts, lang=self._lang, pace=Tempi(self._path.with_suffix(".tempo.json")),
            screens=Both(self._screen, self._ears, chronicle, [Diary(book.note), *self._clubs]),
        )  # fmt: skip

    def _screens(self, loudness: Loudness) -> Screen:
        """All pages of this table; the house is made a moment later."""
        return Screen(
            lambda event, reply: self.house.put(event, reply),  # noqa: PLW0108  # there is no house yet
            self._words, self.pin, hosts=self._names, now=self._clocks.now, shelf=self._games,
            keep=Seats(self._path.with_suffix(".seats.json")), archive=self._archive, printer=_printed,
            looking=self._sight, diagonal=self._chosen.screen.diagonal,
            ask=lambda again, loud: self.house.put(Wish(again, loud)),
            tempo=lambda paused, stretch: self.house.put(Tempo(paused, stretch)), doctor=self._preflight(),
            decks=desks(self._games, self._words, self._parts, lambda: self.house.session),
            volumes=loudness,
        )  # fmt: skip

    def _preflight(self) -> Preflight:
        """The doctor and the pre-flight of this table."""
        return Preflight(
            self._parts.roll, findings=lambda lang: _examined(self._chosen, lang), sight=self._sight.state,
            camera=self._chosen.camera is not None or self._asked.evening is not None,
            health=lambda: self.house.news.health, sounds=lambda: self._mouth.sounds, chime=self._mouth.chime,
            say=lambda told: self._mouth.say(told, self._lang, "prompt"), words=phrases()[""], lang=self._lang,
        )  # fmt: skip


def _pin() -> str:
    return f"{secrets.randbelow(1_000_000):06d}"


def reporter(
    chosen: config.Config, path: Path, book: Logbook, sight: Sight, events: Callable[[], tuple[Event, ...]],
    secret: Callable[[], tuple[str, ...]],
) -> Callable[[bool], tuple[str, bytes]]:  # fmt: skip
    """Who makes the report of a problem while the table runs."""
    return lambda sealed: bundling.report(
        events(), chosen=chosen, log=book.told(), findings=_examined(chosen, "en"), readings=sight.readings(),
        sealed=sealed, names=(*bundling.seated(path), *people(path.with_suffix(".games.db"))), secrets=secret(),
    )  # fmt: skip


def _printed(game: str, wishes: Mapping[str, str]) -> bytes:
    """Sheets for the print page."""
    from companion.printing import printed_for_screen  # noqa: PLC0415  # loads OpenCV: not before somebody prints

    return printed_for_screen(game, wishes)


def _examined(chosen: config.Config, lang: str) -> list[dict[str, str]]:
    """What the doctor finds while the table runs: what it holds itself is not opened a second time."""
    return [doctor.plain(finding, lang) for finding in doctor.of(chosen, look=False)]
