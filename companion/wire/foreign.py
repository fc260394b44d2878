"""What others wrote: read within bounds, shown without signs that move a cursor, hide, or turn a line round. Pure."""

from __future__ import annotations

import json
import unicodedata
from typing import Any

STANDS_FOR = "\N{REPLACEMENT CHARACTER}"  # a sign that must not reach a terminal
LONGEST_NUMBER = 18  # figures of a whole number: more than anything here is counted in


def visible(text: str, keep: str = "") -> str:
    """A foreign text for one line of a terminal or page: a sign nobody would see, or a break, is shown as U+FFFD.

    `keep` names signs that may stay, such as the line breaks between several of our own sentences.
    """
    return "".join(each if each.isprintable() or each in keep else _instead(each) for each in text)


def _instead(sign: str) -> str:
    return " " if unicodedata.category(sign) == "Zs" else STANDS_FOR  # a narrow blank is a blank


def sendable(text: str) -> bool:
    """Whether a text can be written as UTF-8: half of a pair of surrogates cannot."""
    return not any("\ud800" <= each <= "\udfff" for each in text)


def whole_number(text: str, lowest: int, highest: int) -> int | None:
    """A whole number as people type it, within bounds; None for anything else: "²", "01", "٣", thousands of figures."""
    if not (text.isascii() and text.isdecimal() and len(text) <= LONGEST_NUMBER):
        return None
    number = int(text)
    return number if str(number) == text and lowest <= number <= highest else None


def loads(text: str | bytes) -> Any:
    """JSON by somebody else; ValueError or RecursionError for none.

    A whole number that is longer than anything counted here becomes None, so that it spoils its own entry only.
    """
    return json.loads(text, parse_int=_bounded)


def _bounded(figures: str) -> int | None:
    return int(figures) if len(figures) <= LONGEST_NUMBER + 1 else None
