"""What outlives an evening beside the journal: finished games, and which phone has which seat."""

from __future__ import annotations

import sys
import threading
import traceback
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import msgspec

from companion import whole
from companion.edges.archive import Archive, ArchiveError
from companion.edges.screen import Keep, Volumes
from companion.house import News, Pace, Tempo
from companion.running.words import said
from companion.table.game import Refusal
from companion.table.record import name_of, record
from companion.table.session import Session
from companion.table.things import value
from companion.wire import journal_line

AGAIN_S = 10.0  # after which what could not be written is tried again
SHORTEST, LONGEST = 1.0, 3.0  # what clocks may be stretched to
Finished = Callable[[str, Mapping[str, Any] | None], None]  # a game's name, and its record or None


@value
class Entry:
    """What history is to hold of a game; `kept` is None for one that goes on after all."""

    kept: Mapping[str, Any] | None
    lines: bytes = b""
    old: bool = False  # it had ended before this start


class Chronicle:
    """Keeps every game that comes to its end, and drops it again when its end is taken back.

    What cannot be written waits and is tried again. From `begin` to `close` a thread of its own makes and writes
    the records: a long game's takes longer than a press may wait. Without it `show` does all of it.
    """

    def __init__(
        self, archive: Archive, tell: Callable[[str], None], lang: str, further: Iterable[Finished] = ()
    ) -> None:
        """Keep them there. `tell`: what is wrong with the archive and what to do, "" when it is well again.

        `further`: who hears of an ending, too, and of one that was taken back.
        """
        self._further = tuple(further)
        self._archive, self._tell, self._lang = archive, tell, lang
        self._last: object = None
        self._ended = self._first = True  # whatever is shown first may have ended before, or go on after all
        self._heard: SimpleQueue[tuple[Session, bool]] = SimpleQueue()
        self._unwritten: dict[str, Entry] = {}  # by the games' names, oldest first
        self._kept: frozenset[str] | None = None  # not looked up yet
        self._ill = ""
        self._wake, self._closing = threading.Event(), False
        self._thread: threading.Thread | None = None

    def begin(self) -> None:
        """Work in a thread of its own from now on."""
        self._thread = threading.Thread(target=self._live, name="chronicle", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Write what there is, and end."""
        self._closing = True
        self._wake.set()
        if self._thread is not None:
            self._thread.join()

    def show(self, session: Session | None, news: News | None = None) -> None:
        """See whether a game has ended, or goes on after all. An archive that fails stops no game: it is said."""
        del news
        if session is None or session.head is self._last:
            return
        if session.over or self._ended:
            self._heard.put((session, self._first))
            self._wake.set()
        self._last, self._ended, self._first = session.head, session.over, False
        if self._thread is None:
            self._work()

    def _live(self) -> None:
        while not self._closing:
            self._wake.wait(AGAIN_S if self._unwritten else None)
            self._wake.clear()
            self._work()
        self._work()  # what came while it worked

    def _work(self) -> None:
        """Take in what was heard, then write, oldest first, until all is written or the archive takes no more."""
        well = True
        while not self._heard.empty():
            well = self._tried(lambda: self._note(*self._heard.get())) and well
        wrote = bool(self._unwritten)
        while self._unwritten:
            name = next(iter(self._unwritten))
            well = self._tried(partial(self._put, name, self._unwritten[name])) and well
            if name in self._unwritten:
                return
        if self._ill and wrote and well:
            self._ill = ""
            self._tell("")

    def _note(self, session: Session, first: bool) -> None:
        """What is to be written of a game, in the place of what waits to be written of it."""
        name, over = name_of(session), session.over
        entry = Entry(record(session), _lines(session), first) if over else Entry(None)
        self._unwritten.pop(name, None)
        self._unwritten[name] = entry

    def _put(self, name: str, entry: Entry) -> None:
        """Write one, and tell of it. ArchiveError: it stays unwritten; whatever else fails would fail again."""
        try:
            told = self._write(name, entry)
        except ArchiveError:
            raise
        except Exception:
            del self._unwritten[name]
            raise
        del self._unwritten[name]
        for tell in self._further if told else ():
            tell(name, entry.kept)

    def _write(self, name: str, entry: Entry) -> bool:
        """Whether the archive is another one now."""
        if self._kept is None:
            self._kept = self._archive.names()
        if entry.kept is None:
            if name not in self._kept:
                return False
            self._archive.drop(name)
            self._kept -= {name}
        elif entry.old and name in self._kept and not self._archive.lines(name):
            return False  # somebody was deleted from it: the journal would bring his name back
        else:
            self._archive.keep(dict(entry.kept), entry.lines)
            self._kept |= {name}
        return True

    def _tried(self, step: Callable[[], None]) -> bool:
        """Whether it went well; if not, that is said."""
        try:
            step()
        except ArchiveError as fault:
            self._ails(said(self._lang, "archive", fault=fault.args[0]))
        except Exception as fault:  # what a game says of its own end may fail, too
            traceback.print_exception(fault, file=sys.stderr)
            self._ails(said(self._lang, "archive_failed", fault=type(fault).__name__))
        else:
            return True
        return False

    def _ails(self, text: str) -> None:
        if text != self._ill:
            self._ill = text
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


class _Words:
    """Words by their names in a file beside the journal; what cannot be read or written is forgotten, never fatal."""

    def __init__(self, path: Path) -> None:
        """Keep them there."""
        self._path = path

    def load(self) -> Mapping[str, str]:
        """Those kept last."""
        try:
            kept = msgspec.json.decode(self._path.read_bytes(), type=dict[str, str])
        except (OSError, msgspec.DecodeError):
            return {}
        return kept

    def save(self, words: Mapping[str, str], /) -> None:
        """On disk when it returns, if at all."""
        _keep(self._path, dict(words))


class Seats(_Words, Keep):
    """The phones' seats."""


class Loudness(_Words, Volumes):
    """How loud each kind of speech was set."""


class Tempi(Pace):
    """Whether the table rests and how much time people have, in a file beside the journal; never fatal either."""

    def __init__(self, path: Path) -> None:
        """Keep it there."""
        self._path = path

    def load(self) -> Tempo:
        """As it was set last; what makes no sense is as if it had never been set."""
        try:
            kept = msgspec.json.decode(self._path.read_bytes(), type=Tempo)
        except (OSError, msgspec.DecodeError):
            return Tempo()
        sound = kept.stretch is None or SHORTEST <= kept.stretch <= LONGEST
        return kept if sound else Tempo(kept.paused)

    def save(self, tempo: Tempo) -> None:
        """On disk when it returns, if at all."""
        _keep(self._path, tempo)


def _keep(path: Path, what: object) -> None:
    """Whole and on disk, or not at all."""
    with suppress(OSError):
        whole.write(path, msgspec.json.encode(what))
