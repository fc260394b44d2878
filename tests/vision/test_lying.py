"""Markers that are read tell the table; on it others are laid exactly, and nothing else is read there."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray
from rendered_markers import table as drawn

from companion.vision import lying
from companion.vision.markers import IMITABLE_5X5, modules
from companion.vision.read import Reader
from tests.bench.scenes import lens
from tests.bench.scenes.codes import OURS, grids, strangers
from tests.bench.scenes.layout import Wish
from tests.bench.scenes.lens import Lens

FAMILY = "aruco-5x5-1000"
PRINTED = [i for i in range(60) if i not in IMITABLE_5X5][:36]
GRID = modules(FAMILY)
SIZE = (900, 600)


def seen(middle: tuple[float, float], turn: float, side: float = 1.0) -> NDArray[np.float64]:
    """Corners of a square on a table that leans by 50 degrees, px."""
    lean = math.radians(50)
    angles = turn + np.arange(4) * math.pi / 2 - 3 * math.pi / 4
    flat = np.array(middle) + np.stack([np.cos(angles), np.sin(angles)], 1) * side / math.sqrt(2)
    far = 45 + flat[:, 1] * math.sin(lean)
    px = np.stack([flat[:, 0], flat[:, 1] * math.cos(lean)], 1) / far[:, None] * 1000
    return np.asarray(px + np.array(SIZE) / 2)


def others() -> list[NDArray[np.float64]]:
    return [seen((x, y), x * y) for x in (-12.0, -3.0, 8.0) for y in (-9.0, 2.0, 9.0)]


def test_a_marker_is_laid_where_it_lies_on_a_leaning_table() -> None:
    table = lying.table(others(), SIZE)
    assert table is not None and lying.slanted(table, SIZE[::-1])
    truth = seen((5.0, -5.0), 0.3)
    places = table.mm(truth)
    edge = places[1] - places[0]
    quad = lying.laid(table, places.mean(0)[None], np.array([math.atan2(edge[1], edge[0])]))[0]
    assert np.hypot(*(quad - truth).T).max() < 0.2


def test_a_marker_of_another_size_does_not_bend_the_table() -> None:
    plain, bent = (lying.table(quads, SIZE) for quads in (others(), [*others(), seen((14.0, -4.0), 1, 1.5)]))
    assert plain is not None and bent is not None
    corners = np.array([[100.0, 100], [800, 100], [800, 500]])
    there = [np.linalg.norm(np.diff(each.mm(corners), axis=0), axis=1) for each in (plain, bent)]
    assert there[1] == pytest.approx(there[0], rel=0.02)


def test_two_markers_tell_no_table() -> None:
    assert lying.table(others()[:2], SIZE) is None


@pytest.mark.parametrize("seed", [11, 14])
def test_markers_whose_white_margin_another_card_hides_are_read(seed: int) -> None:
    picture, truth = lens.picture(Lens(Wish(side=16, fan=0.0, curl=0.002)), seed)
    readings = Reader(OURS, grids(OURS)[1].tolist(), marker_px=(10, 27)).read(picture)
    there = {marker.id: marker.corners.mean(0) for marker in truth}
    assert all(np.hypot(*(there[each.id] - each.corners.mean(0))) < 4 for each in readings)
    assert len(readings) >= 0.95 * len(truth)


@pytest.mark.parametrize("kind", ["4x4", "6x6", "strangers"])
def test_what_is_no_marker_is_not_read_beside_markers_of_its_size(kind: str) -> None:
    tiles = {"4x4": modules("aruco-4x4-1000"), "6x6": modules("aruco-6x6-1000"), "strangers": strangers()}
    chance = np.random.default_rng(3)
    for blur in (0.8, 1.6):
        chosen = [tiles[kind][n] for n in chance.choice(len(tiles[kind]), 30, replace=False)]
        picture, _ = drawn([*(GRID[i] for i in PRINTED[:6]), *chosen], 18, seed=int(10 * blur), blur=blur)
        readings = Reader(FAMILY, PRINTED, marker_px=(11, 30)).read(picture)
        assert {each.id for each in readings} <= set(PRINTED[:6])
        assert len(readings) >= 5
