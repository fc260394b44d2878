"""The operator's PIN beside the journal, for `companion pin`: whoever reads it learns whether its table still runs.

The table holds a lock on the file while it lives; the system takes the lock away however the table ends.
"""

from __future__ import annotations

import fcntl
from contextlib import suppress
from pathlib import Path
from typing import Any

from companion.table.things import CompanionError


class NoPin(CompanionError, LookupError):
    """No table runs with this journal, or the file is not ours to read; the text names the remedy."""


class Pinned:
    """The PIN of this table, in a file that nobody else may read, until it is closed."""

    def __init__(self, journal: Path, pin: str) -> None:
        """Write it. Where that cannot be done there is no file: the PIN stands in the terminal, too."""
        self._file = journal.with_suffix(".pin")
        self._held: Any = None
        with suppress(OSError):
            self._file.unlink(missing_ok=True)  # a dead table's, perhaps with other rights
            self._file.touch(mode=0o600)
            self._held = self._file.open("r+", encoding="ascii")
            fcntl.flock(self._held, fcntl.LOCK_EX)
            self._held.write(pin)
            self._held.flush()

    def close(self) -> None:
        """The table ends: its PIN opens nothing any more."""
        with suppress(OSError):
            self._file.unlink(missing_ok=True)
        if self._held is not None:
            self._held.close()


def pin_of(journal: Path) -> str:
    """The PIN of the table that runs with a journal. NoPin: none does, or the file is somebody else's."""
    path = journal.with_suffix(".pin")
    try:
        with path.open(encoding="ascii") as file:
            if not _held(file):
                raise NoPin(_none(journal, f"the PIN in {path} is of one that has ended"))
            return file.read()
    except OSError as fault:
        if isinstance(fault, PermissionError):
            raise NoPin(
                f"{path}: this file is another user's. Ask as the one who runs the table: sudo companion pin"
            ) from fault
        raise NoPin(_none(journal, f"{path}: {fault.strerror}")) from fault
    except ValueError as fault:
        raise NoPin(_none(journal, f"{path} holds no PIN")) from fault


def _held(file: Any) -> bool:
    """Whether a table holds its lock on an open file."""
    try:
        fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    return False


def _none(journal: Path, why: str) -> str:
    return (
        f"no table runs with the journal {journal} ({why}). Start it: companion run, on an installed device "
        "sudo systemctl start companion. Does another one run? Name its journal by --journal or --config"
    )
