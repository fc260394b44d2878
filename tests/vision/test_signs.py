"""A zone that is marked by a card's sticker: Ku-Ka-König's rows by their number cards, without any plate."""

from __future__ import annotations

import math

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from companion.shelf import deck
from companion.table.things import CardId, Zone
from companion.vision.advice import missing
from companion.vision.laid import Laid, laid_out
from companion.vision.markers import draw
from companion.vision.plates import place, zones
from companion.vision.read import Reader, Reading
from companion.vision.scene import Scene

DECK = deck("kukakoenig")
FAMILY, PX, SIZE = "aruco-5x5-1000", 2.2, (1600, 1000)  # pixels a mm; width and height, px
SIGNS = {plate.zone: plate.sign for plate in DECK.plates if plate.sign is not None}
CARDS = [card.id for card in DECK.cards if card.kind == "king"][:8]


def corners(x: float, y: float, turn: float, side: float = 12.0) -> NDArray[np.float64]:
    """A sticker's corners in px; its upper left one at x, y mm."""
    square = np.array([[0, 0], [side, 0], [side, side], [0, side]])
    spin = np.array([[math.cos(turn), math.sin(turn)], [-math.sin(turn), math.cos(turn)]])
    return np.asarray((square @ spin + [x, y]) * PX)


def reading(marker: int, at: NDArray[np.float64]) -> Reading:
    return Reading(marker, at, 1.0, 2.0, float(np.hypot(*(at[1] - at[0]))))


def row(number: int, cards: list[CardId], x: float, y: float, turn: float) -> list[Reading]:
    """A number card and the row's cards to its right, 24 mm apart, each a little higher or lower."""
    sign = SIGNS[Zone(f"row:{number}")]
    out = [reading(sign.marker, corners(x, y, turn))]
    for place_, card in enumerate(cards, start=1):
        along, off = 24.0 * place_, 4.0 * (-1) ** place_
        spot = (
            x + along * math.cos(turn) - off * math.sin(turn),
            y + along * math.sin(turn) + off * math.cos(turn),
        )
        out.append(reading(DECK.by_id[card].marker, corners(*spot, turn + 0.05 * (-1) ** place_)))
    return out


def shown(readings: list[Reading]) -> dict[Zone, tuple[CardId, ...]]:
    """What lies in the zones, without the number cards."""
    seen = place(readings, DECK, zones(readings, DECK.plates))
    return {zone: tuple(c for c in cards if DECK.by_id[c].kind != "number") for zone, cards in seen.items()}


@pytest.mark.parametrize("turn", [0.0, 0.4, math.pi / 2, math.pi, -2.0])
def test_number_cards_mark_their_rows_and_tell_the_cards_outwards(turn: float) -> None:
    first, second = CARDS[:3], CARDS[3:8]
    down = 95.0  # the second row lies below the first one, as the rows are turned
    readings = [
        *row(3, first, 330, 220, turn),
        *row(4, second, 330 - down * math.sin(turn), 220 + down * math.cos(turn), turn),
    ]
    assert shown(readings) == {Zone("row:3"): tuple(first), Zone("row:4"): tuple(second)}


def test_rows_lie_like_rays_each_as_its_number_card_points() -> None:
    readings, wanted = [], {}
    for number in range(1, 9):
        turn = 2 * math.pi * number / 8
        reach = 110.0
        cards = [CARDS[number - 1]]
        readings += row(number, cards, 400 + reach * math.cos(turn), 250 + reach * math.sin(turn), turn)
        wanted[Zone(f"row:{number}")] = tuple(cards)
    assert shown(readings) == wanted


def test_a_plate_that_lies_there_goes_before_its_number_card_also_under_an_arm() -> None:
    plate = next(each for each in DECK.plates if each.zone == "row:1")
    marks = [
        reading(marker, corners(100 + along, 100, 0.0, plate.marker_mm))
        for marker, along in zip(plate.markers, (0.0, plate.apart_mm), strict=True)
    ]
    cards = row(1, CARDS[:2], 60, 150, 0.0)  # the number card beside the plate
    open_ = laid_out(Laid(), (*marks, *cards), DECK, SIZE)
    alone = laid_out(Laid(), tuple(marks), DECK, SIZE)
    assert np.allclose(open_.sight[plate.zone], alone.sight[plate.zone], atol=0.5)
    hidden = laid_out(open_, tuple(cards), DECK, SIZE)
    assert plate.zone not in hidden.sight  # nothing is said of it, as ever when a plate is hidden


def test_a_number_card_is_kept_while_it_trembles_and_followed_when_it_is_moved() -> None:
    before = laid_out(Laid(), tuple(row(2, CARDS[:3], 200, 200, 0.0)), DECK, SIZE)
    trembled = laid_out(before, tuple(row(2, CARDS[:3], 200.2, 200.1, 0.0)), DECK, SIZE)
    assert np.allclose(trembled.sight[Zone("row:2")], before.sight[Zone("row:2")], atol=1.0)
    moved = row(2, CARDS[:3], 300, 120, 0.3)
    after = laid_out(before, tuple(moved), DECK, SIZE)
    cards = place(moved, DECK, after.sight)[Zone("row:2")]
    assert [card for card in cards if card in CARDS] == CARDS[:3]


def test_no_plate_is_missed_where_a_number_card_does() -> None:
    zones = [Zone("row:1"), Zone("row:2")]
    scene = Scene(readings=tuple(row(1, CARDS[:1], 200, 200, 0.0)))
    assert [(each.key, each.zone) for each in missing(scene, DECK, zones)] == [("plate_missing", "row:2")]


def test_rows_of_number_cards_are_read_from_a_picture() -> None:
    picture = np.full((SIZE[1], SIZE[0]), 110, np.uint8)
    for each in [*row(5, CARDS[:4], 60, 60, 0.1), *row(6, CARDS[4:7], 60, 200, -0.05)]:
        mark = draw(FAMILY, each.id, 8, quiet=1)
        side, grid = len(mark), len(mark) - 16
        here = np.array([[8, 8], [8 + grid, 8], [8 + grid, 8 + grid], [8, 8 + grid]], np.float32)
        to = cv2.getPerspectiveTransform(here, each.corners.astype(np.float32))
        drawn = cv2.warpPerspective(mark, to, SIZE, flags=cv2.INTER_AREA, borderValue=0)
        there = cv2.warpPerspective(np.full((side, side), 255, np.uint8), to, SIZE)
        picture[there > 127] = drawn[there > 127]
    picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), 0.8), np.uint8)
    ids = [card.marker for card in DECK.cards] + [m for plate in DECK.plates for m in plate.markers]
    assert shown(list(Reader(FAMILY, tuple(ids), (15.0, 45.0)).read(picture))) == {
        Zone("row:5"): tuple(CARDS[:4]), Zone("row:6"): tuple(CARDS[4:7]),
    }  # fmt: skip
