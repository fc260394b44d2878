"""Plates to zones, cards into zones: tables with known geometry, seen from above and askew."""

from __future__ import annotations

import math
from itertools import pairwise

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from companion.table.things import Card, CardId, Deck, Plate, Zone
from companion.vision.plates import place, zones
from companion.vision.read import Reading
from companion.vision.scene import Memory, Rules, understood
from companion.vision.seen import Look

Points = NDArray[np.float64]
MIDDLE, CAVE, PILE = Zone("middle"), Zone("cave:a"), Zone("discard")
PLATES = (
    Plate(MIDDLE, (901, 902), 18.0, 270.0, (0.0, 20.0, 300.0, 170.0)),
    Plate(CAVE, (903, 904), 18.0, 220.0, (0.0, 20.0, 250.0, 150.0)),
    Plate(PILE, (905, 906), 18.0, 120.0, (0.0, 20.0, 150.0, 110.0)),
)
DECK = Deck("koala", tuple(Card(CardId(f"pizza-{n:02d}"), "pizza", "food", n) for n in range(1, 9)), PLATES)
LIES = {MIDDLE: (420.0, 80.0, 0.0), CAVE: (300.0, 560.0, math.pi), PILE: (900.0, 300.0, math.pi / 2)}


def on_table(points: Points, zone: Zone) -> Points:
    """Plate millimetres to table millimetres."""
    x, y, turn = LIES[zone]
    spin = np.array([[math.cos(turn), math.sin(turn)], [-math.sin(turn), math.cos(turn)]])
    return np.asarray(points @ spin + [x, y])


def camera(tilt: float) -> Points:
    """Table millimetres (1200 x 675) to a 1920 x 1080 picture, the camera tilted by so many degrees."""
    turn, _ = cv2.Rodrigues(np.array([math.radians(tilt), math.radians(tilt / 3), 0.0]))
    flat = np.array([[1.0, 0, -600], [0, 1.0, -337.5], [0, 0, 1]])
    lens = np.array([[1.6 * 1100, 0, 960], [0, 1.6 * 1100, 540], [0, 0, 1]])
    pose = np.column_stack([turn[:, 0], turn[:, 1], [0, 0, 1100.0]])
    return np.asarray(lens @ pose @ flat)


def shown(view: Points, points: Points) -> Points:
    """Table millimetres to pixels."""
    return np.asarray(cv2.perspectiveTransform(points[None], view)[0])


def reading(view: Points, zone: Zone, marker: int, spot: tuple[float, float], side: float = 12.0) -> Reading:
    """Read a marker whose upper left corner is at a plate's spot in mm."""
    x, y = spot
    square = np.array([[x, y], [x + side, y], [x + side, y + side], [x, y + side]])
    corners = shown(view, on_table(square, zone))
    return Reading(marker, corners, 1.0, 2.0, float(np.sqrt(cv2.contourArea(corners.astype(np.float32)))))


def plate_readings(view: Points, plates: tuple[Plate, ...] = PLATES) -> list[Reading]:
    """Both markers of every plate."""
    return [
        reading(view, plate.zone, marker, (nth * plate.apart_mm, 0.0), plate.marker_mm)
        for plate in plates
        for nth, marker in enumerate(plate.markers)
    ]


def truth(view: Points, plate: Plate) -> Points:
    """Give the true corners of a plate's zone in the picture."""
    left, top, width, height = plate.area
    area = np.array([[left, top], [left + width, top], [left + width, top + height], [left, top + height]])
    return shown(view, on_table(area, plate.zone))


def jittered(readings: list[Reading], sigma: float) -> list[Reading]:
    """Give the same readings, corners that are off by sigma px."""
    chance = np.random.default_rng(7)
    return [
        Reading(r.id, r.corners + chance.normal(0, sigma, (4, 2)), r.score, r.margin, r.side)
        for r in readings
    ]


@pytest.mark.parametrize("tilt", [0.0, 10.0, 25.0, 35.0])
def test_zones_follow_their_plates_under_a_tilted_camera(tilt: float) -> None:
    view = camera(tilt)
    found = zones(jittered(plate_readings(view), 0.08), PLATES)
    for plate in PLATES:
        assert np.abs(found[plate.zone] - truth(view, plate)).max() < 9.0, plate.zone


def test_seen_from_above_one_marker_alone_gives_the_zone() -> None:
    view = camera(0.0)
    for first in (0, 1):
        found = zones(plate_readings(view)[first::2], PLATES)
        for plate in PLATES:
            assert np.abs(found[plate.zone] - truth(view, plate)).max() < 0.5


def test_a_plate_that_is_not_seen_or_seen_double_has_no_zone() -> None:
    seen = plate_readings(camera(5.0))
    assert set(zones(seen[2:], PLATES)) == {CAVE, PILE}
    assert set(zones([*seen, seen[0]], PLATES)) == {CAVE, PILE}
    assert zones([], PLATES) == {}


def test_cards_fall_into_their_zones_in_reading_order() -> None:
    view = camera(12.0)
    spots = [(8, 200, 40), (1, 10, 45), (3, 160, 38), (2, 90, 52), (5, 120, 130), (4, 20, 125)]
    cards = [reading(view, MIDDLE, n, (x, y)) for n, x, y in spots]
    cards.append(reading(view, CAVE, 6, (100, 80)))
    cards.append(reading(view, CAVE, 7, (100, -120)))  # lies beside every plate
    cards.append(reading(view, CAVE, 55, (50, 80)))  # not of this deck
    polygons = zones(plate_readings(view), PLATES)
    placed = place(cards, DECK, polygons)
    assert [str(card) for card in placed[MIDDLE]] == [f"pizza-0{n}" for n in (1, 2, 3, 8, 4, 5)]
    assert [str(card) for card in placed[CAVE]] == ["pizza-06"]
    assert placed[PILE] == ()


def test_a_card_read_in_two_places_makes_both_zones_doubtful() -> None:
    view = camera(0.0)
    cards = [reading(view, zone, 1, (50, 60)) for zone in (MIDDLE, CAVE)]
    look = Look((*plate_readings(view), *cards), ())
    rules = Rules(DECK, lambda grey: Look((), ()))
    seen = understood(Memory(), np.full((1080, 1920), 128, np.uint8), look, rules)[1].sighting
    assert set(seen.cards) == {MIDDLE, CAVE, PILE}
    assert seen.doubtful == {MIDDLE, CAVE}


def test_zones_turn_with_their_plate() -> None:
    found = zones(plate_readings(camera(0.0)), PLATES)
    for before, after in pairwise([*found[CAVE], found[CAVE][0]]):
        assert np.hypot(*(after - before)) > 200  # 150 mm and more at 1.6 px/mm
    assert found[CAVE][0][0] > found[CAVE][1][0], "a plate that lies upside down runs to the left"
