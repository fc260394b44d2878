"""A stream of JPEG pictures over HTTP: bytes cut anywhere in, whole pictures out. Pure.

multipart/x-mixed-replace is told apart by the pictures themselves: a JPEG begins with FF D8 and its segments
tell their lengths, so that neither boundaries (which phones write in many ways) nor lengths in headers (which
some leave out) are needed, and a thumbnail inside a picture does not end it.
"""

from __future__ import annotations

from dataclasses import replace

from companion.table.things import value

LONGEST = 8_000_000  # bytes of one picture
_BARE = (0x01, *range(0xD0, 0xD8))  # markers without a segment


@value
class Stream:
    """What has come and belongs to no whole picture yet; `lost`: bytes thrown away since the beginning."""

    rest: bytes = b""
    lost: int = 0


def fed(stream: Stream, data: bytes) -> tuple[Stream, tuple[bytes, ...]]:
    """Take bytes in; all pictures that are whole now, oldest first."""
    rest, lost = stream.rest + data, stream.lost
    out: list[bytes] = []
    while True:
        start = rest.find(b"\xff\xd8\xff")
        if start < 0:
            kept = rest[-2:]
            return Stream(kept, lost + len(rest) - len(kept)), tuple(out)
        rest, lost = rest[start:], lost + start
        end = _end(rest)
        if end is None and len(rest) <= LONGEST:
            return replace(stream, rest=rest, lost=lost), tuple(out)
        if not end:  # broken, or endless: look for the next beginning
            rest, lost = rest[2:], lost + 2
            continue
        out.append(rest[:end])
        rest = rest[end:]


def _end(jpeg: bytes) -> int | None:
    """Where a picture that begins here ends; None: not all of it is there, 0: it is none."""
    at = 2
    while at + 4 <= len(jpeg):
        if jpeg[at] != 0xFF:
            return 0
        marker = jpeg[at + 1]
        if marker == 0xD9:
            return at + 2
        if marker == 0xFF:
            at += 1
        elif marker in _BARE:
            at += 2
        elif marker == 0xD8:
            return 0
        elif marker == 0xDA:
            return _after_scan(jpeg, at)
        else:
            at += 2 + int.from_bytes(jpeg[at + 2 : at + 4], "big")
    return None


def _after_scan(jpeg: bytes, at: int) -> int | None:
    """The end of a picture whose first scan begins here; between scans further segments may stand."""
    at += 2 + int.from_bytes(jpeg[at + 2 : at + 4], "big")
    while True:
        at = jpeg.find(b"\xff", at)
        if at < 0 or at + 1 >= len(jpeg):
            return None
        marker = jpeg[at + 1]
        if marker == 0xD9:
            return at + 2
        if marker in (0x00, 0xFF, *_BARE):
            at += 1 if marker == 0xFF else 2
        elif marker == 0xD8:
            return 0
        elif at + 4 > len(jpeg):
            return None
        else:
            at += 2 + int.from_bytes(jpeg[at + 2 : at + 4], "big")
