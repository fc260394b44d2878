"""Plates mark zones: their markers give a zone in the picture, and each card falls into one. Pure.

A zone is a polygon, (4, 2) px: its upper left, upper right, lower right and lower left corner in the plate's
own axes. All plates lie on one table, so a leaning camera is undone for all of them together; one marker of
a plate is enough.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from companion.table.things import Area, CardId, Deck, Plate, Zone, value
from companion.vision.plane import Plane, placed, plane
from companion.vision.read import Reading

Polygon = NDArray[np.float64]
_STEEP = 1.0  # how much more across than down the next card of a row must lie
Spot = tuple[float, float, CardId]  # across and down in a zone, px


def zones(
    readings: Iterable[Reading], plates: Sequence[Plate], size: tuple[int, int] | None = None
) -> dict[Zone, Polygon]:
    """Where each plate's zone lies, for the plates of which at least one marker, or else the sign, is read, once.

    A plate one of whose markers is read in two places is doubtful and has no zone. `size`: width and height
    of the picture, px; without it the middle of what was read is taken for the picture's.
    """
    seen: dict[int, list[Reading]] = {}
    for reading in readings:
        seen.setdefault(reading.id, []).append(reading)
    found = {plate.zone: lies for plate in plates if (lies := _lies(plate, seen)) is not None}
    if not found:
        return {}
    corners = np.concatenate([lies.px.reshape(-1, 4, 2) for lies in found.values()])
    sides = [lies.side for lies in found.values() for _ in range(len(lies.px) // 4)]
    table = plane(corners, np.array(sides), size or _extent(corners))
    return {zone: _area(lies, table) for zone, lies in found.items()}


def place(
    readings: Iterable[Reading], deck: Deck, polygons: Mapping[Zone, Polygon]
) -> dict[Zone, tuple[CardId, ...]]:
    """Tell the cards of each zone: those whose marker's centre lies in it.

    In reading order by the plate's own axes: row by row from the top, in a row from the left. A fan's arc is
    one row however far it bends, a pile that runs down is read from its innermost card outwards.
    """
    cards = [
        (reading.corners.mean(0), deck.by_marker[reading.id].id)
        for reading in readings
        if reading.id in deck.by_marker
    ]
    placed: dict[Zone, list[Spot]] = {zone: [] for zone in polygons}
    if not cards:
        return dict.fromkeys(polygons, ())
    spots = np.array([spot for spot, _ in cards])
    for (_, card), (zone, at) in zip(cards, _lying(spots, polygons), strict=True):
        if zone is not None:
            corners = polygons[zone]
            wide, tall = np.hypot(*(corners[1] - corners[0])), np.hypot(*(corners[3] - corners[0]))
            placed[zone].append((float(at[0] * wide), float(at[1] * tall), card))
    return {zone: _reading_order(lying) for zone, lying in placed.items()}


def spot_zones(spots: Polygon, polygons: Mapping[Zone, Polygon]) -> list[Zone | None]:
    """Give the zone in which each point (N, 2) px lies, the deepest where zones overlap; None beside all of them."""
    return [zone for zone, _ in _lying(spots, polygons)]


def _lying(spots: Polygon, polygons: Mapping[Zone, Polygon]) -> list[tuple[Zone | None, Polygon]]:
    """For each point its zone, and where it lies there: (across, down), each 0 to 1."""
    if not polygons or not len(spots):
        return [(None, np.zeros(2)) for _ in spots]
    names = list(polygons)
    inside = np.stack([_within(polygons[zone], spots) for zone in names])  # (zones, N, 2)
    depth = np.abs(inside - 0.5).max(2)
    best = depth.argmin(0)
    return [(names[n] if depth[n, i] <= 0.5 else None, inside[n, i]) for i, n in enumerate(best.tolist())]


@value
class _Lies:
    """What marks a zone: corners of its markers in mm and in px, each (4 N, 2), their side, the zone's area, mm."""

    mm: Polygon
    px: Polygon
    side: float
    area: Area


def _lies(plate: Plate, seen: Mapping[int, list[Reading]]) -> _Lies | None:
    """A plate by its markers, else by its sign; None if neither is seen, or seen double."""
    read = [(place, seen[marker]) for place, marker in enumerate(plate.markers) if marker in seen]
    side, area = plate.marker_mm, plate.area
    if not read and plate.sign is not None and plate.sign.marker in seen:
        read, side, area = [(0, seen[plate.sign.marker])], plate.sign.marker_mm, plate.sign.area
    if not read or any(len(readings) > 1 for _, readings in read):
        return None
    square = np.array([[0, 0], [side, 0], [side, side], [0, side]])
    mm = [square + np.array([place * plate.apart_mm, 0]) for place, _ in read]
    return _Lies(
        np.concatenate(mm), np.concatenate([readings[0].corners for _, readings in read]), side, area
    )


def _extent(corners: Polygon) -> tuple[float, float]:
    """Twice the middle of all corners: a guess at the size of the picture they come from."""
    across, down = corners.reshape(-1, 2).mean(0).tolist()
    return max(2 * across, 1.0), max(2 * down, 1.0)


def _area(lies: _Lies, table: Plane) -> Polygon:
    """Give a zone's corners in px: what marks it as it lies on the plane of the table."""
    to = placed(lies.mm, table.mm(lies.px))
    left, top, width, height = lies.area
    corners = np.array([[left, top], [left + width, top], [left + width, top + height], [left, top + height]])
    return table.px(corners @ to[:2, :2].T + to[:2, 2])


def _within(polygon: Polygon, spots: Polygon) -> Polygon:
    """Where points (N, 2) px lie in a zone: (across, down), each 0 to 1 inside; (N, 2)."""
    square = np.array([[0, 0], [1, 0], [1, 1], [0, 1.0]])
    rows, ends = [], []
    for (u, v), (x, y) in zip(square.tolist(), polygon.tolist(), strict=True):
        rows += [[x, y, 1, 0, 0, 0, -u * x, -u * y], [0, 0, 0, x, y, 1, -v * x, -v * y]]
        ends += [u, v]
    try:
        h = np.linalg.solve(np.array(rows), np.array(ends))
    except np.linalg.LinAlgError:  # a zone seen edge-on has no inside
        return np.full(spots.shape, np.inf)
    x, y = spots.T
    with np.errstate(divide="ignore", invalid="ignore"):
        across, down = np.array([h[0] * x + h[1] * y + h[2], h[3] * x + h[4] * y + h[5]]) / (
            h[6] * x + h[7] * y + 1
        )
    return np.asarray(np.nan_to_num(np.stack([across, down], 1), nan=np.inf, posinf=np.inf, neginf=-np.inf))


def _reading_order(spots: list[Spot]) -> tuple[CardId, ...]:
    """Cards at (across, down) px row by row; a row is a chain of neighbours none of which is steep."""
    left_of: dict[int, int] = {}
    ranked = sorted(
        (float(np.hypot(b[0] - a[0], b[1] - a[1])), i, j)
        for i, a in enumerate(spots)
        for j, b in enumerate(spots)
        if b[0] - a[0] > _STEEP * abs(b[1] - a[1])
    )
    rights: set[int] = set()
    for _, left, right in ranked:  # nearest pairs first; each card has one neighbour on either side
        if left not in rights and right not in left_of:
            left_of[right] = left
            rights.add(left)
    rows: dict[int, list[int]] = {}
    for card in sorted(range(len(spots)), key=lambda card: spots[card][0]):
        first = card
        while first in left_of:
            first = left_of[first]
        rows.setdefault(first, []).append(card)
    heights = {first: min(spots[card][1] for card in row) for first, row in rows.items()}
    return tuple(spots[card][2] for first in sorted(rows, key=heights.__getitem__) for card in rows[first])
