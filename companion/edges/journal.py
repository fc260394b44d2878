"""The journal: every event on disk before its effects are seen. One file, one connection, one thread.

A journal is an SQLite file whose rows are chained by their hashes; a copy as JSON lines is read as well. Do
not `read` or `verify` a journal that this same process has open: closing a second handle gives its lock away.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock

from companion.table.events import Event
from companion.table.things import CompanionError, value
from companion.wire import journal_line
from companion.wire.journal_line import BadLine

_MAGIC = b"SQLite format 3\x00"
_APPLICATION = 0x6B6F616C  # "koal": marks the file as ours
_START = hashlib.sha256(b"companion journal").digest()
_TABLE = (
    "CREATE TABLE IF NOT EXISTS events (number INTEGER PRIMARY KEY, line BLOB NOT NULL, hash BLOB NOT NULL)"
)
_INSERT = "INSERT INTO events (number, line, hash) VALUES (?, ?, ?)"
_SELECT = "SELECT number, line, hash FROM events ORDER BY number"
_DAMAGE = (sqlite3.SQLITE_ERROR, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
_ADVICE = {
    sqlite3.SQLITE_BUSY: "another companion has it open; close that one first",
    sqlite3.SQLITE_FULL: "the disk is full; free some space",
    sqlite3.SQLITE_READONLY: "the disk or the file is read-only; make it writable or name another file",
    sqlite3.SQLITE_CANTOPEN: "check that its folder is there and may be written",
    sqlite3.SQLITE_IOERR: "the disk does not take or give data; free space or try another disk",
}
_Row = tuple[int, bytes, bytes]  # number, line, hash


class JournalError(CompanionError, OSError):
    """The journal cannot be read or written; the text says what to do."""


@value
class Verdict:
    """How good a journal is: rows in order, the last good row's hash, and the first fault ("" if none)."""

    rows: int
    hash: str
    fault: str = ""


class Journal:
    """A journal that is written. `moved_aside`: where a damaged one is kept; `note`: what was wrong with it."""

    def __init__(self, path: Path | None) -> None:
        """Open or begin the file; None keeps it in memory, for games that need not outlive the process.

        JournalError: held by another companion, no journal of ours, written by a newer companion, no access.
        """
        self.path = path
        self.moved_aside, self.note = _mended(path) if path is not None else (None, "")
        self._lock = Lock()
        self._base = _connect(path)
        last = self._base.execute("SELECT number, hash FROM events ORDER BY number DESC LIMIT 1").fetchone()
        self._number: int = last[0] if last else 0
        self._hash: bytes = last[1] if last else _START

    def append(self, number: int, event: Event) -> None:
        """Write one event, its place from 1; on disk when this returns. JournalError: nothing was written."""
        if number != self._number + 1:
            raise JournalError(f"{self.path}: the next row is {self._number + 1}, not {number}")
        line = journal_line.encode(event)
        digest = _chain(self._hash, line)
        try:
            with self._lock:
                self._base.execute(_INSERT, (number, line, digest))
        except sqlite3.Error as fault:
            raise _explained(self.path, f"row {number} could not be written", fault) from fault
        self._number, self._hash = number, digest

    def events(self) -> Iterator[Event]:
        """All events so far, oldest first. Any thread may ask."""
        with self._lock:
            rows = self._base.execute(_SELECT).fetchall()
        for number, line, _ in rows:
            yield journal_line.decode(line, number)

    def put_aside(self) -> Path | None:
        """Close it and keep it under another name, so that a new one can begin; where it is now."""
        self.close()
        if self.path is None:
            return None
        number = 1
        while (aside := self.path.with_name(f"{self.path.name}.older-{number}")).exists():
            number += 1
        self.path.replace(aside)
        return aside

    def verdict(self) -> Verdict:
        """Where the chain stands."""
        return Verdict(self._number, self._hash.hex())

    def close(self) -> None:
        """Leave one plain file that opens anywhere, even on a read-only disk."""
        with suppress(
            sqlite3.Error
        ):  # on a full disk the write-ahead log stays beside it: that is whole, too
            self._base.execute("PRAGMA journal_mode=DELETE")
        self._base.close()


def verify(path: Path) -> Verdict:
    """Check every row and the chain, without changing the file. JournalError: it cannot be read at all."""
    if _is_lines(path):
        events = _lines(path)
        return Verdict(len(events), chained(events))
    rows, fault = _rows(path)
    return Verdict(len(rows), (rows[-1][2] if rows else _START).hex(), fault)


def read(path: Path) -> tuple[Event, ...]:
    """All events of a journal, SQLite or JSON lines by content. JournalError, or BadLine naming the row."""
    if _is_lines(path):
        return _lines(path)
    rows, fault = _rows(path)
    if fault:
        raise JournalError(f"{path}: {fault}; good until row {len(rows)}. `companion run` mends it")
    return tuple(journal_line.decode(line, number) for number, line, _ in rows)


def good(path: Path) -> tuple[tuple[Event, ...], str]:
    """The events that can be read, from the first to where a journal is damaged, and what is wrong there."""
    if _is_lines(path):
        return _lines(path), ""
    rows, fault = _rows(path)
    return tuple(journal_line.decode(line, number) for number, line, _ in rows), fault


def export(path: Path) -> bytes:
    """A journal as JSON lines, one event a line: what `read` takes too."""
    return b"".join(journal_line.encode(event) + b"\n" for event in read(path))


def chained(events: Iterable[Event]) -> str:
    """The hash that a journal of these events ends with, in hex."""
    last = _START
    for event in events:
        last = _chain(last, journal_line.encode(event))
    return last.hex()


def _chain(before: bytes, line: bytes) -> bytes:
    return hashlib.sha256(before + line).digest()


def _connect(path: Path | None) -> sqlite3.Connection:
    try:
        base = sqlite3.connect(
            ":memory:" if path is None else path, timeout=0, isolation_level=None, check_same_thread=False
        )
        try:
            # One connection holds the file: SQLite below 3.51.3 can lose a WAL reset between two of them.
            base.execute("PRAGMA locking_mode=EXCLUSIVE")
            base.execute("PRAGMA journal_mode=WAL")
            base.execute("PRAGMA synchronous=FULL")
            base.executescript(
                f"BEGIN EXCLUSIVE; PRAGMA application_id={_APPLICATION};"
                f"PRAGMA user_version={journal_line.VERSION}; {_TABLE}; COMMIT"
            )
        except sqlite3.Error:
            base.close()
            raise
    except sqlite3.Error as fault:
        raise _explained(path, "cannot be opened", fault) from fault
    return base


def _explained(path: Path | None, what: str, fault: sqlite3.Error) -> JournalError:
    code = _code(fault)
    return JournalError(f"{path}: {what} ({fault}): {_ADVICE.get(code, 'see whether the disk is sound')}")


def _code(fault: sqlite3.Error) -> int:
    return (
        int(getattr(fault, "sqlite_errorcode", sqlite3.SQLITE_ERROR)) & 0xFF
    )  # the plain code of a finer one


def _head(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(512)
    except OSError as fault:
        raise JournalError(f"{path}: {fault.strerror}; name a journal file") from fault


def _is_lines(path: Path) -> bool:
    """Whether a file is text: an SQLite file, even a damaged one, has zero bytes in its head."""
    head = _head(path)
    return bool(head) and b"\x00" not in head


def _lines(path: Path) -> tuple[Event, ...]:
    rows = path.read_bytes().split(b"\n")
    try:
        return tuple(journal_line.decode(line, row) for row, line in enumerate(rows, 1) if line.strip())
    except BadLine as fault:
        raise BadLine(f"{path}: {fault}. Name a journal, or its copy as JSON lines") from fault


def _rows(path: Path) -> tuple[list[_Row], str]:
    """Read the good rows from the start, and what is wrong with the first that is not. Changes nothing."""
    rows: list[_Row] = []
    head = _head(path)
    if head and b"\x00" not in head:
        raise JournalError(f"{path}: this is text and no journal to write in; name another file")
    try:
        with _unchanged(path) as base:
            if not _is_ours(base, path):
                return rows, ""
            last = _START
            for number, line, digest in base.execute(_SELECT):
                wrong = _wrong(len(rows) + 1, number, line, digest, last)
                if wrong:
                    return rows, wrong
                rows.append((number, line, digest))
                last = digest
    except UnicodeDecodeError:  # damaged bytes inside SQLite's own message
        return rows, f"row {len(rows) + 1}: its page is damaged"
    except sqlite3.Error as fault:
        if _code(fault) not in _DAMAGE:
            raise _explained(path, "cannot be read", fault) from fault
        return rows, f"row {len(rows) + 1}: {fault}"
    _check_words(path, rows)
    return rows, ""


@contextmanager
def _unchanged(path: Path) -> Iterator[sqlite3.Connection]:
    """A connection that reads a file and changes nothing.

    After a cut in the middle of an opening SQLite must first undo what was begun, which it does in a copy.
    """
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=0)) as base:
        try:
            base.execute("SELECT 1 FROM sqlite_master").fetchone()
        except sqlite3.Error as fault:
            if _code(fault) != sqlite3.SQLITE_READONLY:
                raise
        else:
            yield base
            return
    with TemporaryDirectory(prefix="companion-journal-") as spare:
        for part in (path.with_name(path.name + ending) for ending in ("", "-journal", "-wal")):
            if part.exists():
                shutil.copyfile(part, Path(spare) / part.name)
        with closing(sqlite3.connect(Path(spare) / path.name, timeout=0)) as base:
            yield base


def _is_ours(base: sqlite3.Connection, path: Path) -> bool:
    """Whether there is a table of events. JournalError for another program's file or a newer companion's."""
    tables = {name for (name,) in base.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    columns = [row[1] for row in base.execute("PRAGMA table_info(events)")]
    marked = base.execute("PRAGMA application_id").fetchone()[0] == _APPLICATION
    if columns != ["number", "line", "hash"] and (tables or marked):
        if marked:
            raise sqlite3.DatabaseError("the table of events is missing")
        raise JournalError(f"{path}: another program's file (with {min(tables)!r}); name another one")
    version = base.execute("PRAGMA user_version").fetchone()[0]
    if version > journal_line.VERSION:
        raise JournalError(f"{path}: written by a newer companion (version {version}); update this one")
    return bool(columns)


def _wrong(expected: int, number: object, line: object, digest: object, last: bytes) -> str:
    if number != expected:
        return f"row {expected} is missing"
    if not isinstance(line, bytes) or digest != _chain(last, line):
        return f"row {expected}: its hash does not fit"
    return ""


def _check_words(path: Path, rows: list[_Row]) -> None:
    """A row that is whole and yet not understood is no damage: nothing may be cut off there."""
    try:
        for number, line, _ in rows:
            journal_line.decode(line, number)
    except BadLine as fault:
        raise JournalError(f"{path}: {fault}. Its hash fits: use the companion that wrote it") from fault


def _mended(path: Path) -> tuple[Path | None, str]:
    """Move a damaged journal aside, its good rows carried over: where it is kept now, and what was wrong.

    Killed at any moment, the next start finishes it: `.mended` holds all good rows before anything moves.
    """
    mended = path.with_name(path.name + ".mended")
    try:
        if mended.exists():
            return _swap(path, mended), "an earlier start was cut off while mending it"
        rows, fault = _rows(path) if path.exists() else ([], "")
        if not fault:
            return None, ""
        draft = path.with_name(path.name + ".mending")
        draft.unlink(missing_ok=True)
        with closing(_connect(draft)) as base:
            base.execute("BEGIN")
            base.executemany(_INSERT, rows)
            base.execute("COMMIT")
            base.execute("PRAGMA journal_mode=DELETE")
        draft.replace(mended)
        return _swap(path, mended), f"{fault}; {len(rows)} good rows were carried over"
    except sqlite3.Error as fault:
        raise _explained(path, "is damaged and could not be mended", fault) from fault
    except OSError as fault:
        if isinstance(fault, JournalError):
            raise
        raise JournalError(f"{path}: cannot be opened ({fault.strerror}); check folder and disk") from fault


def _swap(path: Path, mended: Path) -> Path:
    """Put the mended file in its place; the damaged one and its logs go to the next free `.damaged-N`."""
    number = 1
    while (aside := path.with_name(f"{path.name}.damaged-{number}")).exists():
        number += 1
    for ending in (
        "-wal",
        "-shm",
        "-journal",  # left behind it would be rolled back into the mended file
        "",
    ):  # the file last: until it is moved, a second try finds the same number
        part = path.with_name(path.name + ending)
        if part.exists():
            part.replace(aside.with_name(aside.name + ending))
    mended.replace(path)
    folder = os.open(path.parent, os.O_RDONLY)
    os.fsync(folder)
    os.close(folder)
    return aside
