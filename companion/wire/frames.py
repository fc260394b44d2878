"""Frames on a serial line: contents to bytes, and bytes cut anywhere back to contents. Pure.

A frame is COBS-stuffed content with its checks, ended by a zero byte; zero appears nowhere else, so that
whatever garbage came before, the next zero puts the reader right again. The checks are CRC-16 (polynomial
0x1021, start 0xFFFF) and the sum of all bytes: on a line where every twentieth byte is bad, CRC-16 alone would
let about one false frame through in 100,000 presses.
"""

from __future__ import annotations

from binascii import crc_hqx

LONGEST = 48  # bytes of content and checks; a box keeps no more room
_CHECKS = 3


def crc16(content: bytes) -> int:
    """CRC-16 with polynomial 0x1021 and start 0xFFFF: 0x29B1 for b"123456789"."""
    return crc_hqx(content, 0xFFFF)


def framed(content: bytes) -> bytes:
    """The bytes of one frame. ValueError: a content that no box has room for."""
    if not 1 <= len(content) <= LONGEST - _CHECKS:
        raise ValueError(f"a frame holds 1 to {LONGEST - _CHECKS} bytes, not {len(content)}")
    crc = crc_hqx(content, 0xFFFF)
    return stuffed(content + bytes((crc >> 8, crc & 0xFF, sum(content) & 0xFF))) + b"\0"


def stuffed(plain: bytes) -> bytes:
    """COBS: the same bytes without a zero, for less than 254 of them."""
    return b"".join(bytes((len(run) + 1,)) + run for run in plain.split(b"\0"))


def unstuffed(packed: bytes) -> bytes | None:
    """The bytes that were stuffed; None if no bytes stuff so."""
    out, place, size = bytearray(), 0, len(packed)
    while place < size:
        after = place + packed[place]
        if after == place or after > size:
            return None
        out += packed[place + 1 : after]
        place = after
        if place < size:
            out.append(0)
    return bytes(out) if size else None


class Unframer:
    """Takes bytes as they come, gives the contents of whole frames; what is damaged is only counted."""

    def __init__(self) -> None:
        """Nothing has come yet."""
        self._rest = b""
        self._skip = False  # in a run too long for a frame: deaf until its zero
        self.bad = 0  # damaged frames so far

    def fed(self, chunk: bytes) -> list[bytes]:
        """The contents that this chunk completes."""
        *ended, self._rest = (self._rest + chunk).split(b"\0")
        contents: list[bytes] = []
        for packed in ended:
            content = None if self._skip else _checked(packed)
            if content is not None:
                contents.append(content)
            elif packed or self._skip:
                self.bad += 1
            self._skip = False
        if len(self._rest) > LONGEST + 1:
            self._skip, self._rest = True, b""
        return contents


def _checked(packed: bytes) -> bytes | None:
    """The content of a frame whose checks are right."""
    if not _CHECKS + 2 <= len(packed) <= LONGEST + 1:
        return None
    plain = unstuffed(packed)
    if plain is None:
        return None
    content = plain[:-_CHECKS]
    crc = crc_hqx(content, 0xFFFF)
    right = (crc >> 8, crc & 0xFF, sum(content) & 0xFF)
    return content if tuple(plain[-_CHECKS:]) == right else None
