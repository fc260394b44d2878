"""How the last starts went: after three that failed, the next one keeps its hands off every device."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import msgspec

from companion.table.things import value

TOO_MANY = 3
STEADY_S = 20.0  # a start that lived so long has not failed


@value
class Told:
    """What the file says: starts in a row that came to nothing, and why the last one did."""

    failed: int = 0
    why: str = ""


class Starts:
    """The count of failed starts, in a file. Where it cannot be kept nothing is counted: better than no start."""

    def __init__(self, path: Path) -> None:
        """Keep it there."""
        self._path = path

    def begin(self) -> Told:
        """A start begins; how those before it went. Until `steady` is called it counts as failed."""
        told = self._read()
        self._write(Told(told.failed + 1, told.why))
        return told

    def failed(self, why: str) -> None:
        """Say why a start came to nothing."""
        self._write(Told(self._read().failed, why[:500]))

    def steady(self) -> None:
        """Say that a start has lived: the count begins anew."""
        self._write(Told())

    def _read(self) -> Told:
        try:
            return msgspec.json.decode(self._path.read_bytes(), type=Told)
        except (OSError, msgspec.DecodeError):
            return Told()

    def _write(self, told: Told) -> None:
        fresh = self._path.with_suffix(".new")
        with suppress(OSError):
            fresh.write_bytes(msgspec.json.encode(told))
            fresh.replace(self._path)
