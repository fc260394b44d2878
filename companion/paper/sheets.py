"""All that is printed for a game: stickers for the cards, plates for the zones, a card for each player."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import BinaryIO

import qrcode

from companion.paper.page import MARGIN, BadSheet, Mark, Pages
from companion.table.things import Card, Deck, Plate, value

SMALLEST_MM, LARGEST_MM = 6.0, 40.0
WHITE = 2.5  # mm of white around a sticker's marker: the reader needs 1.7
BESIDE = 15.0  # mm for name and pictogram
FOOT = 12.0  # mm kept for the ruler
SEATS = 10
PLAYER_CARD = (90.0, 55.0)
JOIN = "http://companion.local:8080/"


@value
class Printed:
    """What was printed: how many pages, and where each marker is."""

    pages: int
    markers: tuple[Mark, ...]


def sheets(
    deck: Deck, names: Mapping[str, str], out: BinaryIO, *, paper: str = "a4", marker_mm: float = 12.0,
    lang: str = "en", join_url: str | None = None, players: Sequence[str] = (),
) -> Printed:  # fmt: skip
    """Write the PDF of a deck. `names`: words for faces and zones ("pizza", "zone.middle"). BadSheet: see text."""
    if not SMALLEST_MM <= marker_mm <= LARGEST_MM:
        raise BadSheet(f"markers of {marker_mm:g} mm: choose {SMALLEST_MM:g} to {LARGEST_MM:g} mm")
    pages = Pages(out, paper, lang, names.get(deck.game, deck.game), deck.made_up)
    _stickers(pages, deck.cards, names, marker_mm)
    for plate in deck.plates:
        _plate(pages, plate, names)
    _player_cards(pages, join_url or JOIN, players)
    pages.save()
    return Printed(pages.count, tuple(pages.marks))


def _stickers(pages: Pages, cards: Sequence[Card], names: Mapping[str, str], side: float) -> None:
    """Stickers in rows with cutting lines; the marker left, name and picture beside it."""
    tall, wide = side + 2 * WHITE, side + 2 * WHITE + max(BESIDE, side)
    pages.begin(pages.words["stickers"])
    columns = int((pages.width - 2 * MARGIN) // wide)
    rows = int((pages.height - 2 * MARGIN - FOOT) // tall)
    left = (pages.width - columns * wide) / 2
    for number, card in enumerate(cards):
        place = number % (columns * rows)
        if place == 0 and number:
            pages.begin(pages.words["stickers"])
        x, y = left + place % columns * wide, MARGIN + place // columns * tall
        pages.frame(x, y, wide, tall)
        pages.marker(card.marker, x + WHITE, y + WHITE, side)
        beside = wide - side - 2 * WHITE
        middle = x + side + 2 * WHITE + (beside - 1) / 2
        drawn = min(beside - 4, side - 4)
        pages.picture(card.face, middle - drawn / 2, y + 2.2, drawn)
        pages.text(
            middle, y + tall - 3.4, names.get(card.face, card.face), 7, align="middle", most=beside - 1
        )
        pages.text(middle, y + tall - 1.2, card.id.rpartition("-")[2], 4.5, align="middle")


def _plate(pages: Pages, plate: Plate, names: Mapping[str, str]) -> None:
    """A plate on its side: two markers on top, the zone's outline below as far as the sheet reaches."""
    name = names.get(f"zone.{plate.zone}", plate.zone)
    pages.begin(name, wide=True)
    across = plate.apart_mm + plate.marker_mm
    x, y = (pages.width - across) / 2, 12.0
    for marker, along in zip(plate.markers, (0.0, plate.apart_mm), strict=True):
        pages.marker(marker, x + along, y, plate.marker_mm)
    pages.text(pages.width / 2, y + 8, name, 20, align="middle", bold=True, most=plate.apart_mm - 60)
    pages.text(pages.width / 2, y + 14, pages.words["plate"], 9, align="middle", most=plate.apart_mm - 40)
    left, top, wide, high = plate.area
    x0, y0 = x + left, y + top
    right, low = min(x0 + wide, pages.width - 4), min(y0 + high, pages.height - FOOT)
    x0 = max(x0, 4.0)
    pages.frame(x0, y0, right - x0, low - y0, grey=0.6, width=0.4)
    beyond = max(0.0, x + left + wide - right), max(0.0, y + top + high - low)
    if max(beyond) > 1:
        told = pages.words["beyond"].format(right=round(beyond[0]), down=round(beyond[1]))
        pages.text(pages.width / 2, low - 3, told, 9, align="middle")


def _player_cards(pages: Pages, url: str, players: Sequence[str]) -> None:
    """A card for each player: number, name, the join code and its address in letters."""
    code = qrcode.QRCode(error_correction=qrcode.constants.ERROR_CORRECT_M, border=0)
    code.add_data(url)
    code.make(fit=True)
    grid = [[bool(dark) for dark in row] for row in code.get_matrix()]
    wide, high = PLAYER_CARD
    each = 2 * int((pages.height - 2 * MARGIN - FOOT) // high)
    people = list(players) or [f"{pages.words['seat']} {number}" for number in range(1, SEATS + 1)]
    for number, name in enumerate(people):
        place = number % 8 if each >= 8 else number % each
        if place == 0:
            pages.begin("")
        x, y = MARGIN + place % 2 * (wide + 5), MARGIN + place // 2 * (high + 5)
        pages.frame(x, y, wide, high)
        pages.text(x + 5, y + 12, name, 16, bold=True, most=wide - 45)
        pages.text(x + 5, y + 22, pages.words["join"], 9)
        pages.text(x + 5, y + high - 5, url, 8, most=wide - 10)
        pages.squares(grid, x + wide - 39, y + 6, 34)
