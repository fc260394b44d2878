"""A picture file, looked at before it is decoded: its size stands in its first bytes."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from companion.edges.camera.frames import Grey
from companion.table.things import CompanionError

LARGEST_PIXELS, LARGEST_BYTES = 25_000_000, 8_000_000


class BadPicture(CompanionError, ValueError):
    """A file is no usable picture; the text says why."""


def picture(path: Path) -> Grey:
    """A picture file as grey. BadPicture for a missing, huge or broken one; its size is looked at first."""
    try:
        size = path.stat().st_size
        if size > LARGEST_BYTES:
            raise BadPicture(_too_large(size))
        content = path.read_bytes()
    except OSError as fault:
        raise BadPicture(f"{fault.strerror}") from fault
    return decoded(content)


def decoded(content: bytes) -> Grey:
    """The bytes of a picture file as grey. BadPicture for a huge or broken one; its header is looked at first."""
    if len(content) > LARGEST_BYTES:
        raise BadPicture(_too_large(len(content)))
    width, height = dimensions(content[:65536])
    if width * height > LARGEST_PIXELS:
        limit = LARGEST_PIXELS // 1_000_000
        raise BadPicture(
            f"too large: {width} x {height} is {width * height / 1e6:.0f} MP, at most {limit} MP"
        )
    image = cv2.imdecode(np.frombuffer(content, np.uint8), cv2.IMREAD_GRAYSCALE)
    if image is None:
        raise BadPicture("no picture that can be read: the file is broken. Save it again as PNG or JPEG")
    return np.asarray(image, np.uint8)


def _too_large(size: int) -> str:
    return f"too large: {size / 1e6:.1f} MB, at most {LARGEST_BYTES / 1e6:.0f} MB"


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
