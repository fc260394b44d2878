"""What a table tells of itself, kept beside the journal for a report: the last lines, also those before a crash."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TextIO

LONGEST = 200_000  # bytes of the file, then it begins anew; the one before is kept
TOLD = 2_000  # lines that a report holds at most


class Logbook:
    """Lines with their times, in a file. One that cannot be written stops nothing. Any thread may write."""

    def __init__(self, path: Path, now: Callable[[], float] = time.time) -> None:
        """Go on in this file; the one before it has ".old" behind its name."""
        self._path, self._now, self._lock = path, now, threading.Lock()
        self._old = path.with_name(path.name + ".old")

    def note(self, text: str) -> None:
        """Write something down, each line with the time."""
        stamp = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(self._now()))
        lines = "".join(f"{stamp} {line}\n" for line in text.splitlines() if line.strip())
        with self._lock, suppress(OSError, UnicodeError):
            with suppress(FileNotFoundError):
                if self._path.stat().st_size > LONGEST:
                    self._path.replace(self._old)
            line = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
            try:
                os.write(line, lines.encode())
            finally:
                os.close(line)

    def told(self) -> str:
        """The last lines."""
        with self._lock:
            return told(self._path)

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Write down also what goes to the terminal as an error, such as a traceback."""
        before = sys.stderr
        sys.stderr = _Both(before, self.note)
        try:
            yield
        finally:
            sys.stderr = before


def told(path: Path) -> str:
    """The last lines of a logbook's files; empty where there are none."""
    lines: list[str] = []
    for each in (path.with_name(path.name + ".old"), path):
        with suppress(OSError):
            lines += each.read_text("utf-8", errors="replace").splitlines()
    return "\n".join(lines[-TOLD:])


class _Both:
    """A terminal whose lines are written down, too."""

    def __init__(self, terminal: TextIO, note: Callable[[str], None]) -> None:
        self._terminal, self._note, self._begun = terminal, note, ""

    def write(self, text: str) -> int:
        """To the terminal at once; into the book by whole lines."""
        done = self._terminal.write(text)
        whole, feed, self._begun = (self._begun + text).rpartition("\n")
        if feed:
            self._note(whole)
        return done

    def __getattr__(self, name: str) -> object:
        return getattr(self._terminal, name)
