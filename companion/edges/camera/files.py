"""Pictures from a folder, and video files, as cameras: for trying out, for replays, for tests."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.edges.camera.controls import Ignored
from companion.edges.camera.frames import MS, Frame
from companion.edges.camera.pictures import BadPicture, picture
from companion.edges.camera.words import CameraError

KINDS = (".png", ".jpg", ".jpeg")
STEP = 66 * MS  # between two pictures of a folder: 15 a second


class Folder:
    """The pictures of a folder (or one picture) in the order of their names, 15 a second; the last one stays."""

    live = False

    def __init__(self, path: Path) -> None:
        """Nothing is opened yet."""
        self.name, self._path = str(path), path
        self._files: list[Path] = []
        self._at, self._last = 0, np.zeros((0, 0), np.uint8)

    def open(self) -> tuple[Ignored, ...]:
        """List them."""
        whole = [self._path] if self._path.is_file() else sorted(self._path.iterdir())
        self._files = [file for file in whole if file.suffix.lower() in KINDS]
        if not self._files:
            raise CameraError("no_folder", source=self.name)
        self._at = time.monotonic_ns()
        return ()

    def read(self, wanted: bool) -> Frame | None:
        """The next picture."""
        del wanted  # each one is
        self._at += STEP
        if self._files:
            try:
                self._last = picture(self._files.pop(0))
            except BadPicture as fault:
                raise CameraError("no_picture", source=self.name, why=str(fault)) from fault
        return Frame(self._last, self._at)

    def close(self) -> None:
        """Nothing is held."""


class Video:
    """A video file, frame by frame with the times of its own clock; the last frame stays."""

    live = False

    def __init__(self, path: Path) -> None:
        """Nothing is opened yet."""
        self.name = str(path)
        self._capture: Any = None
        self._step, self._at = STEP, 0
        self._last: Frame | None = None

    def open(self) -> tuple[Ignored, ...]:
        """Open it."""
        self._capture = cv2.VideoCapture(self.name)
        if not self._capture.isOpened():
            raise CameraError("no_video", source=self.name)
        rate = self._capture.get(cv2.CAP_PROP_FPS)
        self._step = int(1e9 / rate) if 1 <= rate <= 240 else STEP
        self._at = time.monotonic_ns()
        return ()

    def read(self, wanted: bool) -> Frame | None:
        """The next frame."""
        del wanted  # each one is
        good, seen = self._capture.read()
        self._at += self._step
        if good:
            grey = seen if seen.ndim == 2 else cv2.cvtColor(seen, cv2.COLOR_BGR2GRAY)
            self._last = Frame(np.asarray(grey, np.uint8), self._at)
        return None if self._last is None else Frame(self._last.grey, self._at)

    def close(self) -> None:
        """Give the file back."""
        if self._capture is not None:
            self._capture.release()
