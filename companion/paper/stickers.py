"""Sheets of stickers: on each the marker, beside it the card's picture, name and number."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.paper.page import FOOT, MARGIN, TOP, Pages
from companion.table.things import Card

WHITE = 2.5  # mm of white around a marker: the reader needs one module, 1.7 mm
BESIDE = 14.0  # mm at least for picture and name
LINES = 6.0  # mm of a sticker's height for name and number


def stickers(pages: Pages, cards: Sequence[Card], names: Mapping[str, str], side: float) -> None:
    """Print a sticker for each card, in the deck's order."""
    high, wide = side + 2 * WHITE, side + 2 * WHITE + max(BESIDE, side)
    width, height = pages.width, pages.height
    columns = int((width - 2 * MARGIN) // wide)
    rows = int((height - TOP - FOOT) // high)
    left = (width - columns * wide) / 2
    each = columns * rows
    for first in range(0, len(cards), each):
        sheet = cards[first : first + each]
        pages.begin(pages.words["stickers"])
        pages.grid(left, TOP, wide, high, columns, -(-len(sheet) // columns))
        for place, card in enumerate(sheet):
            at = left + place % columns * wide, TOP + place // columns * high
            _sticker(pages, card, names, at, (wide, high), side)


def _sticker(
    pages: Pages, card: Card, names: Mapping[str, str], at: tuple[float, float], size: tuple[float, float],
    side: float,
) -> None:  # fmt: skip
    """One sticker with its upper left corner at `at`, `size` mm wide and high."""
    (x, y), (wide, high) = at, size
    pages.marker(card.marker, x + WHITE, y + WHITE, side)
    start = x + side + 2 * WHITE
    room = x + wide - 1.5 - start
    middle = start + room / 2
    drawn = min(room - 2, high - LINES - 2.4)
    name = names.get(card.face, card.face)
    pages.picture(card.face, middle - drawn / 2, y + (high - LINES - drawn) / 2 + 0.6, drawn)
    pages.text(middle, y + high - 3.7, name[:1].upper() + name[1:], 6.5, align="middle", most=room)
    pages.text(middle, y + high - 1.4, card.id.rpartition("-")[2], 4.5, align="middle")
