"""How the last starts went: after three that came to nothing, the next one keeps its hands off every device.

A start that served and fell soon after counts for less: whoever pulls the plug three times has no broken table.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import msgspec

from companion.table.things import value

TOO_MANY, TOO_SHORT = 3, 10  # starts in a row that never served; that served and fell within STEADY_S
STEADY_S = 20.0


@value
class Told:
    """What the file says: starts in a row that came to nothing, that were short, and why the last one fell."""

    failed: int = 0
    short: int = 0
    why: str = ""

    @property
    def ill(self) -> bool:
        """Whether the next start had better touch no device."""
        return self.failed >= TOO_MANY or self.short >= TOO_SHORT


class Starts:
    """The count of failed starts, in a file. Where it cannot be kept nothing is counted: better than no start."""

    def __init__(self, path: Path) -> None:
        """Keep it there."""
        self._path = path

    def begin(self) -> Told:
        """A start begins; how those before it went. Until `serving` is called it counts as failed."""
        told = self._read()
        self._write(Told(told.failed + 1, told.short + 1, told.why))
        return told

    def failed(self, why: str) -> None:
        """Say why a start came to nothing."""
        told = self._read()
        self._write(Told(told.failed, told.short, why[:500]))

    def serving(self) -> None:
        """Say that a start serves: it has not come to nothing, whatever follows."""
        told = self._read()
        self._write(Told(0, told.short, told.why))

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
