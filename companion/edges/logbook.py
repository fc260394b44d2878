"""What a table tells of itself, kept beside the journal for a report: the last lines, also those before a crash."""

from __future__ import annotations

import os
import re
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TextIO

LONGEST = 200_000  # bytes of the file, then it begins anew; the one before is kept
TOLD = 2_000  # lines that a report holds at most
_BEGINS = "Traceback (most recent call last):"
_LINKS = ("The above exception was", "During handling of the above")  # from one error to the next
_RULE = "+-"  # between the errors of a group; the last one has no number
_MARGIN = re.compile(r"^ *[|+] (?=\S|  )| +(?=\+-)")  # before the lines of a group of errors


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

    def failed(self, fault: BaseException) -> None:
        """Write down an error: its kind and where it came from."""
        self.note(Hush()("".join(traceback.format_exception(fault))))

    def told(self) -> str:
        """The last lines."""
        with self._lock:
            return told(self._path)

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Write down also what goes to the terminal as an error, such as a traceback."""
        before, hook = sys.stderr, threading.excepthook
        sys.stderr, threading.excepthook = _Both(before, self.note), _printed
        try:
            yield
        finally:
            sys.stderr, threading.excepthook = before, hook


def told(path: Path) -> str:
    """The last lines of a logbook's files; empty where there are none."""
    lines: list[str] = []
    for each in (path.with_name(path.name + ".old"), path):
        with suppress(OSError):
            lines += each.read_text("utf-8", errors="replace").splitlines()
    return "\n".join(lines[-TOLD:])


def _printed(given: threading.ExceptHookArgs) -> None:
    """A thread's error, each of its parts in one piece: the interpreter's own way tears them."""
    if given.exc_value is not None and not isinstance(given.exc_value, SystemExit):
        name = "" if given.thread is None else given.thread.name
        print(f"Exception in thread {name}:", file=sys.stderr)
        traceback.print_exception(given.exc_value, file=sys.stderr)


class Hush(threading.local):
    """Takes out of tracebacks what the errors say: it may be a card that nobody may know yet. Kind and frames stay.

    Tracebacks come line by line and in one piece, from several threads at a time.
    """

    def __init__(self) -> None:
        """No traceback has begun."""
        self._inside = False

    def __call__(self, text: str) -> str:
        """Whole lines, in the order in which they were said. The words of an error end where what is said ends."""
        kept, over = list[str](), False
        for line in text.splitlines():
            plain = _MARGIN.sub("", line)
            if plain.endswith(_BEGINS):
                self._inside, over = True, False
            elif plain.startswith(_RULE):
                self._inside, over = any(map(str.isdigit, plain)), False
            elif self._inside and plain and not plain[0].isspace():
                self._inside, over = False, True
                line = line[: len(line) - len(plain)] + plain.partition(":")[0]  # noqa: PLW2901  # the rest is hushed
            elif plain.startswith(_LINKS):
                over = False
            elif over:
                continue
            kept.append(line)
        return "\n".join(kept)


class _Begun(threading.local):
    """The line that a thread has begun."""

    text = ""


class _Both:
    """A terminal whose lines are written down, too."""

    def __init__(self, terminal: TextIO, note: Callable[[str], None]) -> None:
        self._terminal, self._note, self._begun, self._hush = terminal, note, _Begun(), Hush()

    def write(self, text: str) -> int:
        """To the terminal at once; into the book by whole lines, without what an error says."""
        done = self._terminal.write(text)
        whole, feed, self._begun.text = (self._begun.text + text).rpartition("\n")
        if feed:
            self._note(self._hush(whole))
        return done

    def __getattr__(self, name: str) -> object:
        return getattr(self._terminal, name)
