"""The last ten seconds as a file: frames, how they were read, and what happened; for a replay, for a test, for help.

A bundle is a zip: `bundle.json` (what table it was), `frames/*.jpg`, `frames.jsonl` (one row a frame, oldest
first), `events.jsonl` (the journal's lines from the game's beginning, so that it can be played again). It shows
whatever the camera saw: it is for the operator, and goes nowhere by itself.
"""

from __future__ import annotations

import json
import threading
import time
import zipfile
import zlib
from collections import deque
from collections.abc import Iterable, Mapping
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.table.things import CompanionError, value
from companion.wire import bundle_row
from companion.wire.bundle_row import BadRow
from companion.wire.foreign import loads
from companion.wire.picture_head import BadPicture, bounded

if TYPE_CHECKING:  # OpenCV comes up with the first picture: a table without a camera needs none
    import numpy as np
    from numpy.typing import NDArray

    Grey = NDArray[np.uint8]

VERSION = 1
SPAN_NS = 10_000_000_000
APART_NS, AT_REST_NS = 100_000_000, 250_000_000  # between two kept frames: while something happens, at rest
MOST_BYTES = 32_000_000  # of pictures in memory
QUALITY = 92
LONGEST = 64_000_000  # bytes of a bundle that is read
MOST_FRAMES = 400
MOST_PIXELS = 2_500_000_000  # of all pictures of a bundle that is read: ten seconds of the finest camera


_DAMAGE = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    RuntimeError,
)  # the last: locked, packed oddly, nested too deep


ANEW = "Save it anew on /op"


class BadBundle(CompanionError, ValueError):
    """A file is no bundle, or not whole; the text says why and what to do."""


@value
class Kept:
    """One frame in memory: when it was taken, as JPEG, and its row."""

    at: int
    jpeg: bytes
    row: Mapping[str, Any]


@value
class Seen:
    """One frame of a bundle: its file, its JPEG, when it was taken (ns of the monotonic clock then), its row."""

    file: str  # "companion-1.zip: frames/0001.jpg"
    jpeg: bytes
    at: int
    row: Mapping[str, Any]

    @property
    def grey(self) -> Grey:
        """The picture, decoded anew each time: all at once would fill the memory. BadBundle for a broken one."""
        import cv2  # noqa: PLC0415  # as above
        import numpy as np  # noqa: PLC0415  # as above

        grey = cv2.imdecode(np.frombuffer(self.jpeg, np.uint8), cv2.IMREAD_GRAYSCALE)
        if grey is None:
            raise BadBundle(f"{self.file} is no picture. {ANEW}")
        return np.asarray(grey, np.uint8)


@value
class Bundle:
    """A bundle that was read. `table`: game, marker_px, and what else was known; `events`: journal lines."""

    table: Mapping[str, Any]
    frames: tuple[Seen, ...]
    events: tuple[bytes, ...]


class Ring:
    """Keeps the last ten seconds in memory; any thread may add or save."""

    def __init__(self) -> None:
        """Nothing was seen yet."""
        self._frames: deque[Kept] = deque()
        self._bytes = 0
        self._lock = threading.Lock()

    def add(self, grey: Grey, at: int, row: Mapping[str, Any], lively: bool) -> bool:
        """Keep a frame, unless the last one is too fresh; `lively`: something happens, or was said."""
        with self._lock:
            last = self._frames[-1].at if self._frames else None
        apart = APART_NS if lively else AT_REST_NS
        if last is not None and 0 <= at - last < apart and not row.get("said"):
            return False
        import cv2  # noqa: PLC0415  # as above

        good, jpeg = cv2.imencode(".jpg", grey, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
        if not good:
            return False
        with self._lock:
            self._frames.append(Kept(at, jpeg.tobytes(), row))
            self._bytes += len(self._frames[-1].jpeg)
            while self._frames[0].at < at - SPAN_NS or self._bytes > MOST_BYTES:
                self._bytes -= len(self._frames.popleft().jpeg)
        return True

    def rows(self) -> tuple[Mapping[str, Any], ...]:
        """How the frames were read, without the pictures: oldest first."""
        with self._lock:
            return tuple({"at": frame.at, **frame.row} for frame in self._frames)

    def zipped(self, table: Mapping[str, Any], events: Iterable[bytes]) -> bytes:
        """All of it as a bundle."""
        with self._lock:
            frames = tuple(self._frames)
        out = BytesIO()
        with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as file:
            head = {"bundle": VERSION, "saved": time.strftime("%Y-%m-%d %H:%M:%S"), **table}
            file.writestr("bundle.json", json.dumps(head, indent=1))
            rows = []
            for number, frame in enumerate(frames):
                name = f"frames/{number:04d}.jpg"
                file.writestr(name, frame.jpeg)
                rows.append(json.dumps({"file": name, "at": frame.at, **frame.row}))
            file.writestr("frames.jsonl", "\n".join(rows), zipfile.ZIP_DEFLATED)
            file.writestr("events.jsonl", b"\n".join(events), zipfile.ZIP_DEFLATED)
        return out.getvalue()


def is_bundle(path: Path) -> bool:
    """Whether a file looks like a bundle and not like a journal."""
    try:
        with path.open("rb") as file:
            return file.read(4) == b"PK\x03\x04"
    except OSError:
        return False


def read(path: Path) -> Bundle:
    """A bundle from its file; pictures are decoded when they are looked at. BadBundle says what is wrong with it."""
    try:
        with zipfile.ZipFile(path) as file:
            if sum(entry.file_size for entry in file.infolist()) > LONGEST:
                raise BadBundle(
                    f"{path}: larger than {LONGEST // 1_000_000} MB when unpacked; save a new one"
                )
            table = loads(file.read("bundle.json"))
            if not isinstance(table, dict) or table.get("bundle") != VERSION:
                raise BadBundle(f"{path}: of another version; use the companion that saved it")
            rows = _rows(path, table, file.read("frames.jsonl"))
            frames = tuple(
                Seen(f"{path}: {row['file']}", file.read(row["file"]), row["at"], row) for row in rows
            )
            events = tuple(line for line in file.read("events.jsonl").split(b"\n") if line.strip())
    except (OSError, KeyError, TypeError, AttributeError, ValueError, *_DAMAGE) as fault:
        if isinstance(fault, BadBundle):
            raise
        raise BadBundle(f"{path}: no bundle, or not whole ({fault}). {ANEW}") from fault
    _bounded(path, frames)
    return Bundle(table, frames, events)


def _rows(path: Path, table: Any, lines: bytes) -> list[dict[str, Any]]:
    """All rows, each as a camera writes it, each with a picture of its own."""
    where, rows = "bundle.json", list[dict[str, Any]]()
    try:
        bundle_row.head(table)
        for number, line in enumerate((line for line in lines.split(b"\n") if line.strip()), 1):
            where = f"frames.jsonl, row {number}"
            if number > MOST_FRAMES:
                raise BadRow(f"at most {MOST_FRAMES} frames")
            rows.append(bundle_row.row(loads(line)))
    except (ValueError, RecursionError) as fault:
        raise BadBundle(f"{path}: {where}: {fault}. {ANEW}") from fault
    files = [row["file"] for row in rows]
    twice = next((name for name in files if files.count(name) > 1), None)
    if twice is not None:
        raise BadBundle(f"{path}: frames.jsonl: file: {twice!r} is named twice. {ANEW}")
    return rows


def _bounded(path: Path, frames: Iterable[Seen]) -> None:
    """Refuse pictures that would fill the memory or take hours, by what their first bytes say."""
    total = 0
    for frame in frames:
        try:
            width, height = bounded(frame.jpeg)
        except BadPicture as fault:
            raise BadBundle(f"{frame.file}: {fault}. {ANEW}") from fault
        total += width * height
    if total > MOST_PIXELS:
        raise BadBundle(
            f"{path}: its pictures have {total / 1e6:.0f} MP, at most {MOST_PIXELS // 1_000_000}. {ANEW}"
        )
