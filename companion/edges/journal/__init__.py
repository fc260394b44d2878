"""The journal: every event on disk before its effects are seen. One file, one connection, one thread.

A journal is an SQLite file whose rows are chained by their hashes; a copy as JSON lines is read as well. Do
not `read` or `verify` a journal that this same process has open: closing a second handle gives its lock away.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from threading import Lock

from companion.edges.journal.base import (
    INSERT,
    SELECT,
    START,
    JournalError,
    chain,
    chained,
    connect,
    explained,
)
from companion.edges.journal.mending import mended
from companion.edges.journal.rows import is_lines, lines_of, rows_of
from companion.table.events import Event
from companion.table.things import value
from companion.wire import journal_line


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
        self.moved_aside, self.note = mended(path) if path is not None else (None, "")
        self._lock = Lock()
        self._base = connect(path)
        last = self._base.execute("SELECT number, hash FROM events ORDER BY number DESC LIMIT 1").fetchone()
        self._number: int = last[0] if last else 0
        self._hash: bytes = last[1] if last else START

    def append(self, number: int, event: Event) -> None:
        """Write one event, its place from 1; on disk when this returns. JournalError: nothing was written."""
        if number != self._number + 1:
            raise JournalError(f"{self.path}: the next row is {self._number + 1}, not {number}")
        line = journal_line.encode(event)
        digest = chain(self._hash, line)
        try:
            with self._lock:
                self._base.execute(INSERT, (number, line, digest))
        except sqlite3.Error as fault:
            raise explained(self.path, f"row {number} could not be written", fault) from fault
        self._number, self._hash = number, digest

    def events(self) -> Iterator[Event]:
        """All events so far, oldest first. Any thread may ask."""
        with self._lock:
            rows = self._base.execute(SELECT).fetchall()
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
    if is_lines(path):
        events = lines_of(path)
        return Verdict(len(events), chained(events))
    rows, fault = rows_of(path)
    return Verdict(len(rows), (rows[-1][2] if rows else START).hex(), fault)


def read(path: Path) -> tuple[Event, ...]:
    """All events of a journal, SQLite or JSON lines by content. JournalError, or BadLine naming the row."""
    if is_lines(path):
        return lines_of(path)
    rows, fault = rows_of(path)
    if fault:
        raise JournalError(f"{path}: {fault}; good until row {len(rows)}. `companion run` mends it")
    return tuple(journal_line.decode(line, number) for number, line, _ in rows)


def good(path: Path) -> tuple[tuple[Event, ...], str]:
    """The events that can be read, from the first to where a journal is damaged, and what is wrong there."""
    if is_lines(path):
        return lines_of(path), ""
    rows, fault = rows_of(path)
    return tuple(journal_line.decode(line, number) for number, line, _ in rows), fault


def export(path: Path) -> bytes:
    """A journal as JSON lines, one event a line: what `read` takes too."""
    return _copied(read(path))


def saved(path: Path) -> tuple[bytes, str]:
    """The good part of a journal as JSON lines, and what is wrong behind it ("" if nothing)."""
    events, fault = good(path)
    return _copied(events), fault


def _copied(events: tuple[Event, ...]) -> bytes:
    return b"".join(journal_line.encode(event) + b"\n" for event in events)


__all__ = ["Journal", "JournalError", "Verdict", "chained", "export", "good", "read", "saved", "verify"]
