"""Cameras that OpenCV opens: V4L2 devices and RTSP addresses."""

from __future__ import annotations

import time
from typing import Any

import cv2
import numpy as np

from companion.edges.camera.controls import Ignored, locked
from companion.edges.camera.frames import Frame, Wishes
from companion.edges.camera.words import CameraError

WARM = 20  # frames that the automatic gets before it is locked
PATIENCE_MS = 2000
_PLAUSIBLE_NS = 5_000_000_000  # a driver's stamp further off is no stamp of this clock

cv2.utils.logging.setLogLevel(
    2
)  # what does not open is our error, with its remedy; OpenCV's warnings only repeat it


class Device:
    """A V4L2 camera, by number or path, locked after its automatic has settled."""

    live = True

    def __init__(self, which: int | str, wishes: Wishes) -> None:
        """Nothing is opened yet."""
        self.name, self._which, self._wishes = str(which), which, wishes
        self._capture: Any = None

    def open(self) -> tuple[Ignored, ...]:
        """Open, set the size, let the automatic find its values, lock them."""
        capture = cv2.VideoCapture(self._which, cv2.CAP_V4L2)
        if not capture.isOpened():
            raise CameraError("no_device", source=self.name)
        width, height = self._wishes.size
        capture.set(
            cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG")
        )  # raw 1080p does not fit through USB 2
        capture.set(cv2.CAP_PROP_FRAME_WIDTH, width)
        capture.set(cv2.CAP_PROP_FRAME_HEIGHT, height)
        capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        self._capture = capture
        for _ in range(WARM):
            if not capture.grab():
                raise CameraError("no_frame", source=self.name, seconds=PATIENCE_MS // 1000)
        return locked(capture, self._wishes)

    def read(self, wanted: bool) -> Frame | None:
        """The next frame, stamped by the driver where it does."""
        if not self._capture.grab():
            return None
        at = _stamp(self._capture)
        if not wanted:
            return Frame(_NOTHING, at)
        good, picture = self._capture.retrieve()
        return Frame(_grey(picture), at) if good else None

    def close(self) -> None:
        """Give the device back."""
        if self._capture is not None:
            self._capture.release()


class Rtsp(Device):
    """A camera in the network that speaks RTSP. Its settings are its own."""

    def open(self) -> tuple[Ignored, ...]:
        """Open it within two seconds."""
        patience = [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, PATIENCE_MS, cv2.CAP_PROP_READ_TIMEOUT_MSEC, PATIENCE_MS]
        capture = cv2.VideoCapture(str(self._which), cv2.CAP_FFMPEG, patience)
        if not capture.isOpened():
            raise CameraError("no_stream", source=self.name, why="RTSP")
        self._capture = capture
        return ()


_NOTHING = np.zeros((0, 0), np.uint8)


def _grey(picture: Any) -> Any:
    if picture.ndim == 2:
        return np.asarray(picture, np.uint8)
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)


def _stamp(capture: Any) -> int:
    """The driver's time of the frame, monotonic ns; the time of its arrival where there is none."""
    now = time.monotonic_ns()
    told = int(capture.get(cv2.CAP_PROP_POS_MSEC) * 1e6)
    return told if 0 < told <= now and now - told < _PLAUSIBLE_NS else now
