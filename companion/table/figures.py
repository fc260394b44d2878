"""Whole numbers in what people answer: any screen of the network may send any text there."""

from __future__ import annotations

LONGEST = 9  # figures; no game counts further, and int() itself refuses thousands of them


def number(text: str, absent: int = 0) -> int:
    """The whole number that a text is; `absent` for whatever else it may be: empty, signed, ² or endless."""
    figures = text.isascii() and text.isdecimal() and len(text) <= LONGEST
    return int(text) if figures else absent
