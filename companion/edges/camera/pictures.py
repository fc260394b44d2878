"""A picture file, looked at before it is decoded: its size stands in its first bytes."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from companion.edges.camera.frames import Grey
from companion.wire.picture_head import LARGEST_PIXELS, BadPicture, bounded, dimensions

LARGEST_BYTES = 8_000_000


def picture(path: Path) -> Grey:
    """A picture file as grey. BadPicture for a missing, huge or broken one; its size is looked at first."""
    try:
        size = path.stat().st_size
        if size > LARGEST_BYTES:
            raise BadPicture(_too_large(size))
        content = path.read_bytes()
    except OSError as fault:
        raise BadPicture(f"{fault.strerror}. Name a picture file (PNG, JPEG) that can be read") from fault
    return decoded(content)


def decoded(content: bytes) -> Grey:
    """The bytes of a picture file as grey. BadPicture for a huge or broken one; its header is looked at first."""
    if len(content) > LARGEST_BYTES:
        raise BadPicture(_too_large(len(content)))
    bounded(content)
    image = cv2.imdecode(np.frombuffer(content, np.uint8), cv2.IMREAD_GRAYSCALE)
    if image is None:
        raise BadPicture("no picture that can be read: the file is broken. Save it again as PNG or JPEG")
    return np.asarray(image, np.uint8)


def _too_large(size: int) -> str:
    return f"too large: {size / 1e6:.1f} MB, at most {LARGEST_BYTES / 1e6:.0f} MB"


__all__ = ["LARGEST_BYTES", "LARGEST_PIXELS", "BadPicture", "decoded", "dimensions", "picture"]
