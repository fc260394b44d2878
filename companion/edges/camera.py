"""The camera: grabs only while somebody waits for cards, reads, and says a zone once it is at rest."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.table.events import Shown
from companion.table.things import CompanionError, Deck, Zone
from companion.vision.plates import sighting
from companion.vision.read import Reader
from companion.vision.settle import Settle, settled, watch

Grey = NDArray[np.uint8]
Grab = Callable[[], Grey | None]
FAMILY = "aruco-5x5-1000"
LARGEST_PIXELS, LARGEST_BYTES = 25_000_000, 8_000_000


class CameraError(CompanionError, OSError):
    """No picture comes; the text names the camera and what to do."""


class BadPicture(CompanionError, ValueError):
    """A file is no usable picture; the text says why."""


class Camera:
    """Watches zones in a thread of its own; each zone that has come to rest goes to `heard`."""

    def __init__(
        self, grab: Grab, deck: Deck, heard: Callable[[Shown], None], trouble: Callable[[str], None], *,
        marker_px: tuple[float, float] = (13.0, 45.0), settle: Settle | None = None, pause_s: float = 0.05,
    ) -> None:  # fmt: skip
        """`grab` gives a grey frame, or None when none comes; `pause_s` between frames keeps the Pi cool."""
        self._grab, self._deck, self._heard, self._trouble = grab, deck, heard, trouble
        self._marker_px = marker_px
        self._reader = Reader(FAMILY, deck_ids(deck), marker_px)
        self._settle = settle or Settle()
        self._pause = pause_s
        self._lock = threading.Lock()
        self._wanted = threading.Event()
        self._closing = False
        self._ill = False
        self._thread = threading.Thread(target=self._work, name="camera", daemon=True)
        self._thread.start()

    def play(self, deck: Deck) -> None:
        """Read this deck's cards from now on."""
        if deck is self._deck:
            return
        reader = Reader(FAMILY, deck_ids(deck), self._marker_px)
        with self._lock:
            self._deck, self._reader = deck, reader
            self._settle = watch(self._settle, ())

    def watch(self, zones: tuple[Zone, ...], anew: tuple[Zone, ...] = ()) -> None:
        """Look at these zones from now on, at nothing if there is none; say again what lies in those anew."""
        with self._lock:
            self._settle = watch(watch(self._settle, [z for z in zones if z not in anew]), zones)
        if zones:
            self._wanted.set()
        else:
            self._wanted.clear()

    def close(self) -> None:
        """Stop looking."""
        self._closing = True
        self._wanted.set()
        self._thread.join(timeout=5)

    def _work(self) -> None:
        while True:
            self._wanted.wait()
            if self._closing:
                return
            frame = self._grab()
            if frame is None:
                self._say_ill("no picture comes; is the cable in, does another program use the camera?")
                time.sleep(1.0)
                continue
            self._say_ill("")
            seen = sighting(self._reader.read(frame), self._deck)
            with self._lock:
                self._settle, shown = settled(self._settle, seen, time.monotonic_ns())
            for each in shown:
                self._heard(each)
            time.sleep(self._pause)

    def _say_ill(self, text: str) -> None:
        if bool(text) != self._ill:
            self._ill = bool(text)
            self._trouble(text)


def deck_ids(deck: Deck) -> tuple[int, ...]:
    """Every marker that may lie on the table: cards and plates. Fewer ids read faster and surer."""
    return (*(card.marker for card in deck.cards), *(m for plate in deck.plates for m in plate.markers))


def device(source: int | str) -> Grab:
    """Frames of a camera (a number, or a path such as /dev/video0). CameraError if it does not open."""
    capture = cv2.VideoCapture(source)
    if not capture.isOpened():
        raise CameraError(
            f"camera {source}: does not open. Is it plugged in, is this user in the group video?"
        )
    capture.set(cv2.CAP_PROP_FRAME_WIDTH, 1920)
    capture.set(cv2.CAP_PROP_FRAME_HEIGHT, 1080)

    def grab() -> Grey | None:
        good, frame = capture.read()
        return np.asarray(cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY), np.uint8) if good else None

    return grab


def picture(path: Path) -> Grey:
    """A picture file as grey. BadPicture for a missing, huge or broken one; its header is looked at first."""
    try:
        size = path.stat().st_size
        with path.open("rb") as file:
            head = file.read(65536)
    except OSError as fault:
        raise BadPicture(f"{fault.strerror}") from fault
    if size > LARGEST_BYTES:
        raise BadPicture(f"too large: {size / 1e6:.1f} MB, at most {LARGEST_BYTES / 1e6:.0f} MB")
    width, height = dimensions(head)
    if width * height > LARGEST_PIXELS:
        limit = LARGEST_PIXELS // 1_000_000
        raise BadPicture(
            f"too large: {width} x {height} is {width * height / 1e6:.0f} MP, at most {limit} MP"
        )
    image = cv2.imdecode(np.frombuffer(path.read_bytes(), np.uint8), cv2.IMREAD_GRAYSCALE)
    if image is None:
        raise BadPicture("no picture that can be read: the file is broken. Save it again as PNG or JPEG")
    return np.asarray(image, np.uint8)


def dimensions(head: bytes) -> tuple[int, int]:
    """Width and height from the first bytes of a PNG or JPEG, without decoding it. BadPicture otherwise."""
    if head.startswith(b"\x89PNG\r\n\x1a\n") and len(head) >= 24:
        return int.from_bytes(head[16:20], "big"), int.from_bytes(head[20:24], "big")
    if head.startswith(b"\xff\xd8"):
        at = 2
        while at + 9 < len(head) and head[at] == 0xFF:
            if head[at + 1] == 0xFF:  # a fill byte
                at += 1
                continue
            if 0xC0 <= head[at + 1] <= 0xCF and head[at + 1] not in (0xC4, 0xC8, 0xCC):
                return int.from_bytes(head[at + 7 : at + 9], "big"), int.from_bytes(
                    head[at + 5 : at + 7], "big"
                )
            at += 2 + int.from_bytes(head[at + 2 : at + 4], "big")
        raise BadPicture("a JPEG whose size does not stand in its first 64 kB")
    raise BadPicture("no picture: neither PNG nor JPEG")
