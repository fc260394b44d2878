"""The journal: every event on disk before its effects are seen. One SQLite file, one connection, one thread."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from companion.table.events import Event
from companion.table.things import CompanionError, value
from companion.wire import journal_line
from companion.wire.journal_line import BadLine

_MAGIC = b"SQLite format 3\x00"
_APPLICATION = 0x6B6F616C  # "koal": marks the file as ours
_START = hashlib.sha256(b"companion journal").digest()


class JournalError(CompanionError, OSError):
    """The journal cannot be read or written; the text says what to do."""


@value
class Verdict:
    """How good a journal is: rows in order, the last row's hash, and the first fault."""

    rows: int
    hash: str
    fault: str = ""


class Journal:
    """A journal that is written. A damaged file is moved aside and its good rows are carried over."""

    def __init__(self, path: Path | None) -> None:
        """Open or begin the file; None keeps it in memory (for games that need not outlive the process)."""
        self.path = path
        self.moved_aside: Path | None = None
        rows: list[tuple[int, bytes, bytes]] = []
        if path is not None and path.exists() and path.stat().st_size:
            rows, fault = _read_rows(path)
            if fault:
                self.moved_aside = _move_aside(path)
        self._base = _connect(path)
        if self.moved_aside is not None:
            self._base.executemany("INSERT INTO events VALUES (?, ?, ?)", rows)
        self._rows = rows
        self._hash = rows[-1][2] if rows else _START
        self._number = len(rows)

    def events(self) -> Iterator[Event]:
        """All events that were there when the file was opened, oldest first."""
        for number, line, _ in self._rows:
            yield journal_line.decode(line, number)
        self._rows = []

    def append(self, number: int, event: Event) -> None:
        """Write one event; on disk when this returns. JournalError for a full or read-only disk."""
        if number != self._number + 1:
            raise JournalError(f"the journal expects row {self._number + 1}, not {number}")
        line = journal_line.encode(event)
        chained = _chain(self._hash, line)
        try:
            self._base.execute("INSERT INTO events VALUES (?, ?, ?)", (number, line, chained))
        except sqlite3.Error as fault:
            raise JournalError(
                f"{self.path}: the event could not be written ({fault}). Free some space or make the disk "
                "writable; the game goes on from the last written event"
            ) from fault
        self._number, self._hash = number, chained

    def close(self) -> None:
        """Fold the write-ahead log into the file and close it."""
        self._base.close()


def verify(path: Path) -> Verdict:
    """Check every row and the hash chain, without changing the file."""
    rows, fault = _read_rows(path)
    return Verdict(len(rows), (rows[-1][2] if rows else _START).hex(), fault)


def read(path: Path) -> tuple[Event, ...]:
    """All events of a journal: the SQLite file, or JSON lines. JournalError names the file, BadLine the row."""
    try:
        with path.open("rb") as file:
            head = file.read(16)
    except OSError as fault:
        raise JournalError(f"{path}: {fault.strerror}. Name a journal file") from fault
    if head == _MAGIC:
        rows, fault = _read_rows(path)
        if fault:
            raise JournalError(f"{path}: {fault}. Good until row {len(rows)}")
        return tuple(journal_line.decode(line, number) for number, line, _ in rows)
    lines = path.read_bytes().split(b"\n")
    return tuple(journal_line.decode(line, row) for row, line in enumerate(lines, 1) if line.strip())


def export(path: Path) -> bytes:
    """A journal as JSON lines, one event a line: what `read` takes too."""
    return b"".join(journal_line.encode(event) + b"\n" for event in read(path))


def chained(events: Iterator[Event] | tuple[Event, ...]) -> str:
    """The hash a journal of these events ends with."""
    last = _START
    for event in events:
        last = _chain(last, journal_line.encode(event))
    return last.hex()


def _chain(before: bytes, line: bytes) -> bytes:
    return hashlib.sha256(before + line).digest()


def _connect(path: Path | None) -> sqlite3.Connection:
    try:
        base = sqlite3.connect(":memory:" if path is None else path, isolation_level=None)
        # One connection holds the file: SQLite below 3.51.3 can lose a WAL reset between two of them.
        base.execute("PRAGMA locking_mode=EXCLUSIVE")
        base.execute("PRAGMA journal_mode=WAL")
        base.execute("PRAGMA synchronous=FULL")
        base.execute(f"PRAGMA application_id={_APPLICATION}")
        base.execute(f"PRAGMA user_version={journal_line.VERSION}")
        base.execute(
            "CREATE TABLE IF NOT EXISTS events (number INTEGER PRIMARY KEY, line BLOB NOT NULL, hash BLOB NOT NULL)"
        )
    except sqlite3.Error as fault:
        raise JournalError(
            f"{path}: cannot be opened ({fault}). Is another companion running, the folder missing, the disk "
            "full or read-only?"
        ) from fault
    return base


def _read_rows(path: Path) -> tuple[list[tuple[int, bytes, bytes]], str]:
    """The good rows from the start, and what is wrong with the first that is not."""
    rows: list[tuple[int, bytes, bytes]] = []
    if not path.exists():
        raise JournalError(f"{path}: there is no such file. Name a journal file")
    try:
        base = sqlite3.connect(path)
    except sqlite3.Error as fault:
        raise JournalError(f"{path}: cannot be opened ({fault})") from fault
    try:
        version = base.execute("PRAGMA user_version").fetchone()[0]
        if version > journal_line.VERSION:
            raise JournalError(f"{path}: written by a newer companion (version {version}). Update this one")
        last = _START
        for number, line, digest in base.execute("SELECT number, line, hash FROM events ORDER BY number"):
            fault = _row_fault(len(rows) + 1, number, line, digest, last)
            if fault:
                return rows, fault
            rows.append((number, line, digest))
            last = digest
    except sqlite3.OperationalError as fault:
        if "locked" in str(fault):
            raise JournalError(f"{path}: another companion has it open. Close that one first") from fault
        return rows, f"row {len(rows) + 1}: {fault}"
    except sqlite3.Error as fault:
        return rows, f"row {len(rows) + 1}: {fault}"
    finally:
        base.close()
    return rows, ""


def _row_fault(expected: int, number: object, line: object, digest: object, last: bytes) -> str:
    if number != expected:
        return f"row {expected} is missing"
    if not isinstance(line, bytes) or digest != _chain(last, line):
        return f"row {expected}: its hash does not fit"
    try:
        journal_line.decode(line, expected)
    except BadLine as fault:
        return str(fault)
    return ""


def _move_aside(path: Path) -> Path:
    """Rename a damaged journal (and its log files) so that nothing of it is lost."""
    number = 1
    while (aside := path.with_name(f"{path.name}.damaged-{number}")).exists():
        number += 1
    for ending in ("", "-wal", "-shm"):
        part = path.with_name(path.name + ending)
        if part.exists():
            part.rename(aside.with_name(aside.name + ending))
    return aside
