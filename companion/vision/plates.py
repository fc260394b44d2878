"""Plates mark zones: their markers give a zone in the picture, and each card falls into one. Pure.

A zone is a polygon, (4, 2) px: its upper left, upper right, lower right and lower left corner in the plate's
own axes. All plates lie on one table, so a tilted camera is undone for all of them together: under
perspective a marker's side goes with a power of its nearness, and that is linear over the picture.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np
from numpy.typing import NDArray

from companion.table.things import CardId, Deck, Plate, Zone
from companion.vision.read import Reading
from companion.vision.settle import Sighting

Polygon = NDArray[np.float64]
_FROM_SIDE = 2 / 3  # a side is the root of an area, and an area goes with the third power of nearness
_STIFF = 0.02  # how much nearness is held level, against the spread of plates over the picture
_PLANE_FROM = 3  # markers needed before a tilt is believed
_SAME_ROW = 2.0  # marker sides that cards of one row may differ in height


def zones(readings: Iterable[Reading], plates: tuple[Plate, ...]) -> dict[Zone, Polygon]:
    """Where each plate's zone lies, for the plates of which at least one marker is read, once.

    A plate one of whose markers is read in two places is doubtful and has no zone.
    """
    seen: dict[int, list[Reading]] = {}
    for reading in readings:
        seen.setdefault(reading.id, []).append(reading)
    found = {plate.zone: spots for plate in plates if (spots := _spots(plate, seen)) is not None}
    marks = [
        (seen[marker][0], plate.marker_mm)
        for plate in plates
        if plate.zone in found
        for marker in plate.markers
        if marker in seen
    ]
    near = _nearness(marks)
    return {plate.zone: _area(plate, *found[plate.zone], near) for plate in plates if plate.zone in found}


def place(
    readings: Iterable[Reading], deck: Deck, polygons: Mapping[Zone, Polygon]
) -> dict[Zone, tuple[CardId, ...]]:
    """Tell the cards of each zone: those whose marker's centre lies in it.

    In reading order by the plate's own axes: row by row from the top, in a row from the left.
    """
    cards = [(reading, deck.by_marker[reading.id].id) for reading in readings if reading.id in deck.by_marker]
    placed: dict[Zone, list[tuple[float, float, float, CardId]]] = {zone: [] for zone in polygons}
    for reading, card in cards:
        spots = {zone: _within(polygon, reading.corners.mean(0)) for zone, polygon in polygons.items()}
        inside = {zone: spot for zone, spot in spots.items() if ((spot >= 0) & (spot <= 1)).all()}
        if not inside:
            continue
        zone = min(inside, key=lambda zone: float(abs(inside[zone] - 0.5).max()))  # where it lies deepest
        tall = float(np.hypot(*(polygons[zone][3] - polygons[zone][0])))
        across, down = inside[zone].tolist()
        placed[zone].append((across, down * tall, reading.side, card))
    return {zone: _reading_order(spots) for zone, spots in placed.items()}


def sighting(readings: Iterable[Reading], deck: Deck) -> Sighting:
    """One frame: the zones of the deck's plates, their cards, and as doubtful where a card lies twice."""
    seen = tuple(readings)
    polygons = zones(seen, deck.plates)
    placed = place(seen, deck, polygons)
    every = [card for cards in placed.values() for card in cards]
    twice = {card for card in every if every.count(card) > 1}
    return Sighting(placed, frozenset(zone for zone, cards in placed.items() if twice & set(cards)))


def _spots(plate: Plate, seen: Mapping[int, list[Reading]]) -> tuple[Polygon, Polygon] | None:
    """Corners of a plate's markers in mm and in px: two (N, 2); None if it is not seen, or seen double."""
    read = [(place, seen[marker]) for place, marker in enumerate(plate.markers) if marker in seen]
    if not read or any(len(readings) > 1 for _, readings in read):
        return None
    side = plate.marker_mm
    square = np.array([[0, 0], [side, 0], [side, side], [0, side]])
    mm = [square + np.array([place * plate.apart_mm, 0]) for place, _ in read]
    return np.concatenate(mm), np.concatenate([readings[0].corners for _, readings in read])


def _nearness(marks: list[tuple[Reading, float]]) -> Polygon:
    """Give the nearness over the picture as (a, b, c): a + b x + c y, from markers of known side in mm."""
    level = np.array([1.0, 0, 0])
    if len(marks) < _PLANE_FROM:
        return level
    spots = np.array([reading.corners.mean(0) for reading, _ in marks])
    sides = np.array([reading.side / mm for reading, mm in marks])
    near = sides**_FROM_SIDE
    near /= near.mean()
    middle, spread = spots.mean(0), max(float(np.ptp(spots)), 1.0)
    slopes = (spots - middle) / spread
    normal = slopes.T @ slopes + _STIFF * np.eye(2)
    tilt = np.linalg.solve(normal, slopes.T @ (near - 1)) / spread
    return np.array([1 - tilt @ middle, *tilt])


def _area(plate: Plate, mm: Polygon, px: Polygon, near: Polygon) -> Polygon:
    """Give a zone's corners in px: affine from mm to the picture as seen from straight above."""
    flat = px / (near[0] + px @ near[1:])[:, None]
    lifted = np.concatenate([mm, np.ones((len(mm), 1))], 1)
    map_mm, *_ = np.linalg.lstsq(lifted, flat, rcond=None)
    left, top, width, height = plate.area
    corners = np.array([[left, top], [left + width, top], [left + width, top + height], [left, top + height]])
    above = np.concatenate([corners, np.ones((4, 1))], 1) @ map_mm
    return np.asarray(near[0] * above / (1 - above @ near[1:])[:, None])


def _within(polygon: Polygon, spot: Polygon) -> Polygon:
    """Where a point lies in a zone: (across, down), each 0 to 1 inside."""
    square = np.array([[0, 0], [1, 0], [1, 1], [0, 1.0]])
    rows, ends = [], []
    for (u, v), (x, y) in zip(square, polygon, strict=True):
        rows += [[x, y, 1, 0, 0, 0, -u * x, -u * y], [0, 0, 0, x, y, 1, -v * x, -v * y]]
        ends += [u, v]
    try:
        h = np.linalg.solve(np.array(rows), np.array(ends))
    except np.linalg.LinAlgError:  # a zone seen edge-on has no inside
        return np.full(2, np.inf)
    x, y = spot
    return np.asarray((h[[0, 3]] * x + h[[1, 4]] * y + h[[2, 5]]) / (h[6] * x + h[7] * y + 1))


def _reading_order(spots: list[tuple[float, float, float, CardId]]) -> tuple[CardId, ...]:
    """Cards at (across, down in px, side in px) row by row."""
    rows: list[list[tuple[float, float, float, CardId]]] = []
    for spot in sorted(spots, key=lambda spot: spot[1]):
        if rows and spot[1] - rows[-1][0][1] <= _SAME_ROW * spot[2]:
            rows[-1].append(spot)
        else:
            rows.append([spot])
    return tuple(card for row in rows for _, _, _, card in sorted(row))
