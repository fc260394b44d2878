"""What outlives an evening beside the journal: finished games, and which phone has which seat."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

from companion.edges.archive import Archive, ArchiveError
from companion.edges.screen import Keep
from companion.house import News
from companion.running.words import said
from companion.table.crank import Session
from companion.table.game import Refusal
from companion.table.record import name_of, record
from companion.wire import journal_line

Finished = Callable[[str, Mapping[str, Any] | None], None]  # a game's name, and its record or None


class Chronicle:
    """Keeps every game that comes to its end, and drops it again when its end is taken back."""

    def __init__(
        self, archive: Archive, tell: Callable[[str], None], lang: str, further: Iterable[Finished] = ()
    ) -> None:
        """Keep them there. `tell`: what is wrong with the archive and what to do, "" when it is well again.

        `further`: who hears of an ending, too, and of one that was taken back.
        """
        self._further = tuple(further)
        self._archive, self._tell, self._lang = archive, tell, lang
        self._last: object = None
        self._kept: frozenset[str] | None = None  # not looked up yet
        self._ill = False

    def show(self, session: Session | None, news: News | None = None) -> None:
        """See whether a game has ended, or goes on after all. An archive that fails stops no game: it is said."""
        del news
        if session is None or session.head is self._last:
            return
        self._last = session.head
        if session.over or self._kept != frozenset():
            self._tried(lambda: self._put(session))

    def _put(self, session: Session) -> None:
        if self._kept is None:
            self._kept = self._archive.names()
        name = name_of(session)
        if session.over:
            kept = record(session)
            self._archive.keep(kept, _lines(session))
            self._kept |= {name}
            self._told(name, kept)
        elif name in self._kept:
            self._archive.drop(name)
            self._kept -= {name}
            self._told(name, None)

    def _told(self, name: str, kept: Mapping[str, Any] | None) -> None:
        for tell in self._further:
            tell(name, kept)

    def _tried(self, step: Callable[[], None]) -> None:
        try:
            step()
        except ArchiveError as fault:
            self._ails(said(self._lang, "archive", fault=fault.args[0]))
        except Exception as fault:  # what a game says of its own end may fail, too
            traceback.print_exception(fault, file=sys.stderr)
            self._ails(said(self._lang, "archive_failed", fault=type(fault).__name__))
        else:
            if self._ill:
                self._ill = False
                self._tell("")

    def _ails(self, text: str) -> None:
        self._ill = True
        self._tell(text)


class Diary:
    """Writes down how the devices are, which game is opened, and what was refused: for a report of a problem."""

    def __init__(self, note: Callable[[str], None]) -> None:
        """`note`: where lines go."""
        self._note, self._health = note, dict[str, str]()
        self._opened: object = None
        self._refused: Refusal | None = None

    def show(self, session: Session | None, news: News) -> None:
        """Write down what is new."""
        for device in {*self._health, *news.health}:
            text = news.health.get(device, "")
            if text != self._health.get(device, ""):
                self._note(f"{device}: {text or 'well again'}")
        self._health = dict(news.health)
        if session is not None and session.setting is not self._opened:
            self._opened = session.setting
            self._note(f"{session.setting.game} is on the table, {len(session.setting.players)} players")
        if news.refusal is not None and news.refusal is not self._refused and session is not None:
            self._note(f"refused after event {session.last}: {news.refusal.rule} {news.refusal.stem}")
        self._refused = news.refusal


def _lines(session: Session) -> bytes:
    """The events that led to the end, without those that were taken back."""
    return b"\n".join(journal_line.encode(node.event) for node in reversed(tuple(session.path())))


class Seats(Keep):
    """The phones' seats in a file beside the journal; what cannot be read or written is forgotten, never fatal."""

    def __init__(self, path: Path) -> None:
        """Keep them there."""
        self._path = path

    def load(self) -> Mapping[str, str]:
        """The seats kept last."""
        try:
            kept = msgspec.json.decode(self._path.read_bytes(), type=dict[str, str])
        except (OSError, msgspec.DecodeError):
            return {}
        return kept

    def save(self, seats: Mapping[str, str]) -> None:
        """Written whole beside it, then put in its place: a pulled plug leaves the old file or the new one."""
        fresh = self._path.with_suffix(".new")
        with suppress(OSError):
            fresh.write_bytes(msgspec.json.encode(dict(seats)))
            fresh.replace(self._path)
