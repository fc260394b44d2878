"""A phone as camera: an MJPEG stream over HTTP, or an address that gives one picture at a time."""

from __future__ import annotations

import time
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from urllib.parse import SplitResult, urlsplit

import cv2
import numpy as np

from companion.edges.camera.controls import Ignored
from companion.edges.camera.frames import Frame
from companion.edges.camera.pictures import LARGEST_PIXELS, BadPicture, dimensions
from companion.edges.camera.words import CameraError
from companion.wire.mjpeg import LONGEST, Stream, fed

PATIENCE_S = 2.0
CHUNK = 65536


class Phone:
    """Pictures from an http address. Two seconds without a byte, and it counts as gone."""

    live = True

    def __init__(self, address: str) -> None:
        """Nothing is asked yet."""
        self.name, self._parts = address, urlsplit(address)
        self._line: HTTPConnection | None = None
        self._answer: HTTPResponse | None = None
        self._stream, self._waiting = Stream(), [b""][:0]

    def open(self) -> tuple[Ignored, ...]:
        """Ask for the stream."""
        parts = self._parts
        kind = HTTPSConnection if parts.scheme == "https" else HTTPConnection
        try:
            self._line = kind(parts.hostname or "", parts.port, timeout=PATIENCE_S)
            self._ask(parts)
        except (OSError, HTTPException, ValueError) as fault:
            raise CameraError("no_stream", source=self.name, why=str(fault) or "time out") from fault
        return ()

    def _ask(self, parts: SplitResult) -> None:
        assert self._line is not None, "the line is open"
        target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        self._line.request("GET", target, headers={"user-agent": "companion"})
        self._answer = self._line.getresponse()
        kind = self._answer.headers.get("content-type", "")
        if self._answer.status != 200 or not kind.startswith(("multipart/", "image/jpeg")):
            why = f"{self._answer.status} {kind.partition(';')[0]}".strip()
            raise CameraError("no_picture", source=self.name, why=why)

    def read(self, wanted: bool) -> Frame | None:
        """The newest whole picture of what has come."""
        try:
            while not self._waiting:
                self._receive()
        except (OSError, HTTPException):
            return None
        jpeg, at = self._waiting[-1], time.monotonic_ns()
        self._waiting.clear()  # older ones are stale
        return Frame(_decoded(jpeg, self.name) if wanted else np.zeros((0, 0), np.uint8), at)

    def _receive(self) -> None:
        """Some more bytes. An address of single pictures is asked again after each."""
        assert self._answer is not None, "the stream is open"
        data = self._answer.read1(CHUNK)
        if not data:
            if self._answer.headers.get("content-type", "").startswith("multipart/"):
                raise ConnectionResetError("the stream has ended")
            self._ask(self._parts)
            return
        self._stream, whole = fed(self._stream, data)
        self._waiting += whole
        if self._stream.lost > LONGEST and not whole:
            raise CameraError("no_picture", source=self.name, why="no JPEG")

    def close(self) -> None:
        """Hang up."""
        if self._line is not None:
            self._line.close()


def _decoded(jpeg: bytes, name: str) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    """A picture from outside: its size is looked at before it is decoded."""
    try:
        width, height = dimensions(jpeg[:65536])
    except BadPicture as fault:
        raise CameraError("no_picture", source=name, why=str(fault)) from fault
    if width * height > LARGEST_PIXELS:
        raise CameraError("no_picture", source=name, why=f"{width} x {height}")
    grey = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_GRAYSCALE)
    if grey is None:
        raise CameraError("no_picture", source=name, why="JPEG")
    return np.asarray(grey, np.uint8)
