"""How large a picture is, from its first bytes: looked at before anything is decoded. Pure."""

from __future__ import annotations

from companion.table.things import CompanionError

LARGEST_PIXELS = 25_000_000


class BadPicture(CompanionError, ValueError):
    """A file is no usable picture; the text says why."""


def bounded(content: bytes) -> tuple[int, int]:
    """Width and height of a PNG or JPEG. BadPicture: it is neither, empty, or larger than a camera's picture."""
    width, height = dimensions(content[:65536])
    if width * height > LARGEST_PIXELS:
        limit = LARGEST_PIXELS // 1_000_000
        raise BadPicture(
            f"too large: {width} x {height} is {width * height / 1e6:.0f} MP, at most {limit} MP"
        )
    return width, height


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
