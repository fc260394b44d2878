"""Sheets of stickers: on each the marker, beside it the card's picture, name and number."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.paper.page import FOOT, MARGIN, TOP, Pages
from companion.table.things import Card, value

WHITE = 2.5  # mm of white around a marker: the reader needs one module, 1.7 mm
BESIDE = 14.0  # mm at least for picture and name
LINES = 6.0  # mm of a sticker's height for name and number


@value
class Labels:
    """A sheet of ready-made labels, lengths in mm: where the first one lies, its size, and the steps to the next."""

    paper: str
    left: float
    top: float
    size: tuple[float, float]
    step: tuple[float, float]
    columns: int
    rows: int


# The makers' published measures; printers shift by a millimetre, which the white around a marker forgives.
LABELS: Mapping[str, Labels] = {
    "63x38": Labels("a4", 7.2, 15.1, (63.5, 38.1), (66.0, 38.1), 3, 7),  # Avery L7160 and the like
    "70x37": Labels("a4", 0.0, 0.5, (70.0, 37.0), (70.0, 37.0), 3, 8),  # HERMA 4464
    "38x21": Labels("a4", 4.7, 10.7, (38.1, 21.2), (40.6, 21.2), 5, 13),  # Avery L7651
    "67x25": Labels("letter", 4.8, 12.7, (66.7, 25.4), (69.9, 25.4), 3, 10),  # Avery 5160
}


def stickers(
    pages: Pages, cards: Sequence[Card], names: Mapping[str, str], side: float, labels: Labels | None = None
) -> None:
    """Print a sticker for each card, in the deck's order: on plain paper to be cut, or one on each label."""
    ready = labels or _plain(pages, side)
    (wide, high), (across, down) = ready.size, ready.step
    each = ready.columns * ready.rows
    for first in range(0, len(cards), each):
        sheet = cards[first : first + each]
        if labels is None:
            pages.begin(pages.words["stickers"])
            pages.grid(ready.left, ready.top, wide, high, ready.columns, -(-len(sheet) // ready.columns))
        else:
            pages.begin(None)
        for place, card in enumerate(sheet):
            at = ready.left + place % ready.columns * across, ready.top + place // ready.columns * down
            _sticker(pages, card, names, at, (wide, high), side)


def fits(labels: Labels, side: float) -> bool:
    """Whether a marker with the white around it fits on a label."""
    wide, high = labels.size
    return side + 2 * WHITE <= high and side + 2 * WHITE + BESIDE <= wide


def _plain(pages: Pages, side: float) -> Labels:
    """Plain paper: as many as fit between heading and ruler."""
    high, wide = side + 2 * WHITE, side + 2 * WHITE + max(BESIDE, side)
    columns = int((pages.width - 2 * MARGIN) // wide)
    rows = int((pages.height - TOP - FOOT) // high)
    left = (pages.width - columns * wide) / 2
    return Labels("", left, TOP, (wide, high), (wide, high), columns, rows)


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
