"""A damaged journal is moved aside, never deleted, and its good rows are carried over."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path

from companion.edges.journal.base import INSERT, JournalError, connect, explained
from companion.edges.journal.rows import rows_of


def mended(path: Path) -> tuple[Path | None, str]:
    """Move a damaged journal aside, its good rows carried over: where it is kept now, and what was wrong.

    Killed at any moment, the next start finishes it: `.mended` holds all good rows before anything moves.
    """
    whole = path.with_name(path.name + ".mended")
    try:
        if whole.exists():
            return _swap(path, whole), "an earlier start was cut off while mending it"
        rows, fault = rows_of(path) if path.exists() else ([], "")
        if not fault:
            return None, ""
        draft = path.with_name(path.name + ".mending")
        draft.unlink(missing_ok=True)
        with closing(connect(draft)) as base:
            base.execute("BEGIN")
            base.executemany(INSERT, rows)
            base.execute("COMMIT")
            base.execute("PRAGMA journal_mode=DELETE")
        draft.replace(whole)
        return _swap(path, whole), f"{fault}; {len(rows)} good rows were carried over"
    except sqlite3.Error as fault:
        raise explained(path, "is damaged and could not be mended", fault) from fault
    except OSError as fault:
        if isinstance(fault, JournalError):
            raise
        raise JournalError(f"{path}: cannot be opened ({fault.strerror}); check folder and disk") from fault


def _swap(path: Path, mended: Path) -> Path:
    """Put the mended file in its place; the damaged one and its logs go to the next free `.damaged-N`."""
    number = 1
    while (aside := path.with_name(f"{path.name}.damaged-{number}")).exists():
        number += 1
    # A -journal left behind would be rolled back into the mended file. The file comes last: until it is moved, a
    # second try finds the same number.
    for ending in ("-wal", "-shm", "-journal", ""):
        part = path.with_name(path.name + ending)
        if part.exists():
            part.replace(aside.with_name(aside.name + ending))
    mended.replace(path)
    folder = os.open(path.parent, os.O_RDONLY)
    os.fsync(folder)
    os.close(folder)
    return aside
