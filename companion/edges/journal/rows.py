"""A journal read without changing it: its good rows from the start, and what is wrong with the first that is not."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from companion.edges.journal.base import (
    APPLICATION,
    DAMAGE,
    SELECT,
    START,
    JournalError,
    chain,
    code,
    explained,
)
from companion.table.events import Event
from companion.wire import journal_line
from companion.wire.journal_line import BadLine

Row = tuple[int, bytes, bytes]  # number, line, hash


def is_lines(path: Path) -> bool:
    """Whether a file is text: an SQLite file, even a damaged one, has zero bytes in its head."""
    head = _head(path)
    return bool(head) and b"\x00" not in head


def lines_of(path: Path) -> tuple[Event, ...]:
    """All events of a copy as JSON lines. BadLine names the row."""
    rows = path.read_bytes().split(b"\n")
    try:
        return tuple(journal_line.decode(line, row) for row, line in enumerate(rows, 1) if line.strip())
    except BadLine as fault:
        raise BadLine(f"{path}: {fault}. Name a journal, or its copy as JSON lines") from fault


def rows_of(path: Path) -> tuple[list[Row], str]:
    """Read the good rows from the start, and what is wrong with the first that is not. Changes nothing."""
    rows: list[Row] = []
    head = _head(path)
    if head and b"\x00" not in head:
        raise JournalError(f"{path}: this is text and no journal to write in; name another file")
    try:
        with _unchanged(path) as base:
            if not _is_ours(base, path):
                return rows, ""
            last = START
            for number, line, digest in base.execute(SELECT):
                wrong = _wrong(len(rows) + 1, number, line, digest, last)
                if wrong:
                    return rows, wrong
                rows.append((number, line, digest))
                last = digest
    except UnicodeDecodeError:  # damaged bytes inside SQLite's own message
        return rows, f"row {len(rows) + 1}: its page is damaged"
    except sqlite3.Error as fault:
        if code(fault) not in DAMAGE:
            raise explained(path, "cannot be read", fault) from fault
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
            if code(fault) != sqlite3.SQLITE_READONLY:
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
    marked = base.execute("PRAGMA application_id").fetchone()[0] == APPLICATION
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
    if not isinstance(line, bytes) or digest != chain(last, line):
        return f"row {expected}: its hash does not fit"
    return ""


def _check_words(path: Path, rows: list[Row]) -> None:
    """A row that is whole and yet not understood is no damage: nothing may be cut off there."""
    try:
        for number, line, _ in rows:
            journal_line.decode(line, number)
    except BadLine as fault:
        raise JournalError(f"{path}: {fault}. Its hash fits: use the companion that wrote it") from fault


def _head(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(512)
    except OSError as fault:
        raise JournalError(f"{path}: {fault.strerror}; name a journal file") from fault
