"""A camera for somebody who only wants pictures, one after the other."""

from __future__ import annotations

from companion.edges.camera.frames import Grab, Grey
from companion.edges.camera.sources import feed
from companion.edges.camera.words import CameraError


def device(spec: int | str, lang: str = "en") -> Grab:
    """Grey pictures of whatever `--camera` may name. CameraError if none comes at first."""
    told: list[str] = []
    frames = feed(spec, told.append, lang=lang)
    if frames() is None:
        frames.close()
        raise CameraError("plain", text=told[-1] if told else str(spec))

    def grab() -> Grey | None:
        frame = frames()
        return None if frame is None else frame.grey

    return grab
