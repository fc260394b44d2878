"""The printed codes: grids, drawing and the ids never to print."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.vision.markers import (
    FAMILIES,
    IMITABLE_5X5,
    UnknownFamily,
    draw,
    imitable,
    modules,
    plain_tiles,
)


@pytest.mark.parametrize("family", FAMILIES)
def test_a_grid_has_a_black_border_and_no_code_twice(family: str) -> None:
    grid = modules(family)
    assert not grid[:, 0].any()
    assert not grid[:, -1].any()
    assert not grid[:, :, 0].any()
    assert not grid[:, :, -1].any()
    assert len(np.unique(grid.reshape(len(grid), -1), axis=0)) == len(grid)


def test_a_grid_cannot_be_changed_by_who_asks() -> None:
    with pytest.raises(ValueError, match="read-only"):
        modules("aruco-5x5-1000")[0, 0, 0] = 1


def test_an_unknown_family_is_refused_by_name() -> None:
    with pytest.raises(UnknownFamily, match="aruco-5x5-1000"):
        modules("aruco-9x9")


def test_a_drawn_marker_is_read_by_opencv_under_its_id() -> None:
    picture = draw("aruco-5x5-1000", 123, px_per_module=8, quiet=2)
    assert picture.shape == (88, 88)
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_5X5_1000))
    _, ids, _ = detector.detectMarkers(picture)
    assert ids is not None
    assert ids.ravel().tolist() == [123]


def test_codes_that_a_plain_tile_imitates_are_named_and_enough_others_remain() -> None:
    assert imitable("aruco-5x5-1000") == IMITABLE_5X5
    grid = modules("aruco-5x5-1000")[:, 1:-1, 1:-1]
    kept = [i for i in range(len(grid)) if i not in IMITABLE_5X5]
    assert len(kept) >= 600
    for tile in plain_tiles(5):
        assert (grid[kept] != tile).sum(axis=(1, 2)).min() >= 4
    assert grid[kept].sum(axis=(1, 2)).min() >= 5


def test_stricter_bounds_name_more_codes() -> None:
    assert imitable("aruco-5x5-1000", tile=0.95) > IMITABLE_5X5
    assert imitable("aruco-5x5-1000", black=0.9) > IMITABLE_5X5
