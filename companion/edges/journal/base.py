"""A journal's file: an SQLite database whose rows are chained by their hashes, and what is wrong with one in words."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterable
from pathlib import Path

from companion.table.events import Event
from companion.table.things import CompanionError
from companion.wire import journal_line

APPLICATION = 0x6B6F616C  # "koal": marks the file as ours
START = hashlib.sha256(b"companion journal").digest()
TABLE = (
    "CREATE TABLE IF NOT EXISTS events (number INTEGER PRIMARY KEY, line BLOB NOT NULL, hash BLOB NOT NULL)"
)
INSERT = "INSERT INTO events (number, line, hash) VALUES (?, ?, ?)"
SELECT = "SELECT number, line, hash FROM events ORDER BY number"
DAMAGE = (sqlite3.SQLITE_ERROR, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
ADVICE = {
    sqlite3.SQLITE_BUSY: "another companion has it open; close that one first",
    sqlite3.SQLITE_FULL: "the disk is full; free some space",
    sqlite3.SQLITE_READONLY: "the disk or the file is read-only; make it writable or name another file",
    sqlite3.SQLITE_CANTOPEN: "check that its folder is there and may be written",
    sqlite3.SQLITE_IOERR: "the disk does not take or give data; free space or try another disk",
}
SOUND = "see whether the disk is sound"  # to any other fault


class JournalError(CompanionError, OSError):
    """The journal cannot be read or written; the text says what to do."""


def chained(events: Iterable[Event]) -> str:
    """The hash that a journal of these events ends with, in hex."""
    last = START
    for event in events:
        last = chain(last, journal_line.encode(event))
    return last.hex()


def chain(before: bytes, line: bytes) -> bytes:
    """A row's hash: of the hash before it and its line."""
    return hashlib.sha256(before + line).digest()


def connect(path: Path | None) -> sqlite3.Connection:
    """Open or begin a journal that is written, and hold it alone; None: in memory. JournalError says why not."""
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
                f"BEGIN EXCLUSIVE; PRAGMA application_id={APPLICATION};"
                f"PRAGMA user_version={journal_line.VERSION}; {TABLE}; COMMIT"
            )
        except sqlite3.Error:
            base.close()
            raise
    except sqlite3.Error as fault:
        raise explained(path, "cannot be opened", fault) from fault
    return base


def explained(path: Path | None, what: str, fault: sqlite3.Error) -> JournalError:
    """What is wrong and what to do, of an error of the library's."""
    return JournalError(f"{path}: {what} ({fault}): {ADVICE.get(code(fault), SOUND)}")


def code(fault: sqlite3.Error) -> int:
    """The plain code of an error, also of a finer one."""
    return int(getattr(fault, "sqlite_errorcode", sqlite3.SQLITE_ERROR)) & 0xFF
