"""The reader: what it must read, what it must never read, and pictures that are none."""

from __future__ import annotations

import math
from collections.abc import Iterable

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis.extra import numpy as arrays
from numpy.typing import NDArray
from rendered_markers import Grey, Points, table

from companion.vision.markers import FAMILIES, IMITABLE_5X5, UnknownFamily, draw, modules, plain_tiles
from companion.vision.read import Bar, Reader, Reading
from tests.bench.scenes import decoys

FAMILY = "aruco-5x5-1000"
PRINTED = [i for i in range(400) if i not in IMITABLE_5X5]
GRID = modules(FAMILY)


@pytest.fixture(scope="module")
def every() -> Reader:
    """Read all of the family, of any size."""
    return Reader(FAMILY)


@pytest.fixture(scope="module")
def deck() -> Reader:
    """Read the printed ids at the size of a table seen from above."""
    return Reader(FAMILY, PRINTED, marker_px=(12, 34))


def found(readings: Iterable[Reading], ids: list[int], truth: list[Points]) -> tuple[int, list[float]]:
    """Count readings with the right id at the right place, corner by corner; their errors in px."""
    errors = []
    for reading in readings:
        away = [np.hypot(*(reading.corners - corners).T).max() for corners in truth]
        nearest = int(np.argmin(away))
        if away[nearest] < reading.side / 4 and ids[nearest] == reading.id:
            errors.append(float(away[nearest]))
    return len(errors), errors


@pytest.mark.parametrize("side", [12, 16, 20, 25, 30])
def test_a_deck_is_read_whole_with_true_corners(side: int) -> None:
    deck = Reader(FAMILY, PRINTED, marker_px=(0.7 * side, 1.5 * side))
    ids = PRINTED[side : side + 24]
    picture, truth = table([GRID[i] for i in ids], side, seed=side)
    readings = deck.read(picture)
    count, errors = found(readings, ids, truth)
    assert count == len(readings) == len(ids)
    assert np.median(errors) < 0.25


@pytest.mark.parametrize("side", [12, 20, 37, 60, 110])
def test_markers_of_any_size_are_read_without_a_hint(every: Reader, side: int) -> None:
    ids = PRINTED[2 * side : 2 * side + 6]
    picture, truth = table([GRID[i] for i in ids], side, seed=side, blur=max(0.8, side / 40))
    readings = every.read(picture)
    count, errors = found(readings, ids, truth)
    assert count == len(readings) == len(ids)
    assert max(errors) < max(0.4, side / 50)


def test_corners_are_where_the_picture_has_them_though_its_size_is_no_multiple_of_the_step(
    every: Reader,
) -> None:
    picture, truth = table([GRID[i] for i in PRINTED[:12]], 64, seed=12, blur=1.5)
    for cut in (1, 3):
        readings = every.read(np.ascontiguousarray(picture[:-cut, :-cut]))
        _, errors = found(readings, PRINTED[:12], truth)
        assert len(errors) == len(readings) == 12
        assert max(errors) < 1.0


def test_small_markers_at_nine_pixels_are_read() -> None:
    small = Reader(FAMILY, PRINTED, marker_px=(6, 16))
    ids = PRINTED[40:76]
    picture, truth = table([GRID[i] for i in ids], 9, seed=9, blur=0.7)
    readings = small.read(picture)
    count, _ = found(readings, ids, truth)
    assert count == len(readings), "none of them wrong"
    assert count >= len(ids) * 0.85


def test_markers_out_of_focus_are_read_where_opencv_gives_up(deck: Reader) -> None:
    ids = PRINTED[80:104]
    picture, truth = table([GRID[i] for i in ids], 20, seed=3, blur=1.8)
    readings = deck.read(picture)
    count, _ = found(readings, ids, truth)
    assert count == len(readings)
    assert count >= len(ids) * 0.9
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_5X5_1000))
    assert len(detector.detectMarkers(picture)[0]) < count / 2


@pytest.mark.parametrize(("black", "white"), [(4, 30), (120, 200), (60, 90)])
def test_dim_and_faded_prints_are_read(deck: Reader, black: int, white: int) -> None:
    ids = PRINTED[10:34]
    picture, truth = table([GRID[i] for i in ids], 20, seed=4)
    faded = black + (picture.astype(np.float64) / 255) * (white - black)
    count, _ = found(readings := deck.read(faded.astype(np.uint8)), ids, truth)
    assert count == len(readings) == len(ids)


@pytest.mark.parametrize("family", FAMILIES)
def test_every_family_is_read_in_all_four_turns(family: str) -> None:
    reader = Reader(family)
    picture = np.pad(draw(family, 17, px_per_module=4, quiet=2), 20, constant_values=150)
    height, width = picture.shape
    first = (20 + 8 - 0.5, 20 + 8 - 0.5)
    for turn, at in enumerate(
        [
            first,
            (first[1], height - 1 - first[0]),
            (width - 1 - first[0], height - 1 - first[1]),
            (width - 1 - first[1], first[0]),
        ]
    ):
        readings = reader.read(np.ascontiguousarray(np.rot90(picture, turn)))
        assert [reading.id for reading in readings] == [17]
        away = np.hypot(*(readings[0].corners[0] - at))
        assert away < readings[0].side / 50, "the first corner is the marker's own top left"
        assert cv2.contourArea(readings[0].corners.astype(np.float32), oriented=True) > 0, "clockwise"


def strangers() -> dict[str, NDArray[np.uint8]]:
    """Grids that look like markers and are none of the family's."""
    chance = np.random.default_rng(11)
    inside = (chance.random((600, 5, 5)) < 0.5).astype(np.uint8)
    codes = np.concatenate([np.rot90(GRID, turn, axes=(1, 2)) for turn in range(4)])[:, 1:-1, 1:-1]
    apart = np.array([(codes != one).sum((1, 2)).min() for one in inside])
    return {
        "4x4": modules("aruco-4x4-1000")[::28],
        "6x6": modules("aruco-6x6-1000")[::28],
        "36h11": modules("apriltag-36h11")[::16],
        "near codes": np.pad(inside[apart >= 3][:36], ((0, 0), (1, 1), (1, 1))),
        "plain": np.pad(plain_tiles(5)[::2], ((0, 0), (1, 1), (1, 1))),
        "black": np.zeros((12, 7, 7), np.uint8),
    }


@pytest.mark.parametrize("side", [9, 13, 20, 30])
@pytest.mark.parametrize("name", sorted(strangers()))
def test_what_is_no_marker_of_the_family_is_not_read(every: Reader, name: str, side: int) -> None:
    picture, _ = table(list(strangers()[name]), side, seed=side)
    assert every.read(picture) == ()


@pytest.mark.parametrize("told", [True, False], ids=["size told", "size not told"])
@pytest.mark.parametrize("number", [74, 194, 195, 3, 17])  # the first three were read once, blurred or small
def test_a_tile_of_another_family_is_no_code_of_ours_whatever_its_focus(number: int, told: bool) -> None:
    decoy = decoys.picture(number)
    sides = {"marker_px": (0.6 * decoy.side, 1.7 * decoy.side)} if told else {}
    assert Reader("aruco-5x5-1000", range(450), **sides).read(decoy.grey) == ()


@pytest.mark.parametrize("px", [4, 9, 15, 31])
def test_a_checked_cloth_is_not_read(every: Reader, px: int) -> None:
    y, x = np.mgrid[0:300, 0:400]
    cloth = np.where((x // px + y // px) % 2 == 0, 40, 215).astype(np.uint8)
    for blur in (0.5, 1.0, 2.0):
        assert every.read(cv2.GaussianBlur(cloth, (0, 0), blur)) == ()


def test_noise_is_not_read(every: Reader) -> None:
    chance = np.random.default_rng(1)
    for grain in (1, 2, 4):
        field = cv2.GaussianBlur(chance.normal(0, 1, (300, 400)), (0, 0), grain)
        noise = np.clip(128 + field / field.std() * 60, 0, 255).astype(np.uint8)
        assert every.read(noise) == ()


def test_an_id_that_is_not_asked_for_is_not_read() -> None:
    ids = PRINTED[:12]
    picture, _ = table([GRID[i] for i in ids], 20, seed=5)
    others = Reader(FAMILY, PRINTED[12:], marker_px=(14, 28))
    assert others.read(picture) == ()
    assert {reading.id for reading in Reader(FAMILY, ids[:3]).read(picture)} == set(ids[:3])
    assert Reader(FAMILY, []).read(picture) == ()


def test_what_is_not_sure_is_named_as_a_doubt_with_three_likely_ids() -> None:
    strict = Reader(FAMILY, PRINTED, marker_px=(12, 34), bar=Bar(margins=(99.0,) * 33))
    ids = PRINTED[120:156]
    picture, truth = table([GRID[i] for i in ids], 20, seed=21, blur=2.4)
    look = strict.look(picture)
    assert look.readings == ()
    right = 0
    for doubt in look.doubtful:
        assert len({marker for marker, _ in doubt.likely}) == 3
        assert sorted((score for _, score in doubt.likely), reverse=True) == [s for _, s in doubt.likely]
        away = [np.hypot(*(doubt.corners.mean(0) - corners.mean(0))) for corners in truth]
        right += ids[int(np.argmin(away))] == doubt.likely[0][0] and min(away) < 5
    assert right >= 0.85 * len(ids)
    assert len(look.doubtful) <= right + 3


def test_a_place_is_read_or_in_doubt_but_never_both() -> None:
    half = Reader(FAMILY, PRINTED, marker_px=(8, 24), bar=Bar(margins=(2.2,) * 33))
    picture, _ = table([GRID[i] for i in PRINTED[:24]], 14, seed=2, blur=1.7)
    look = half.look(picture)
    seen = [*look.readings, *look.doubtful]
    middle = np.stack([one.corners.mean(0) for one in seen])
    apart = np.hypot(*(middle[:, None] - middle).transpose(2, 0, 1)) + 99 * np.eye(len(seen))
    assert min(len(look.readings), len(look.doubtful)) > 0
    assert apart.min() > 7


def test_a_tilted_table_is_read(deck: Reader) -> None:
    ids = PRINTED[30:60]
    picture, truth = table([GRID[i] for i in ids], 26, seed=6, blur=0.6)
    height, width = picture.shape
    ends = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    seen = ends * [1, 0.62] + [[0.12 * width, 0], [-0.12 * width, 0], [0, 0], [0, 0]]
    tilt = cv2.getPerspectiveTransform(ends, seen.astype(np.float32))
    tilted = cv2.warpPerspective(picture, tilt, (width, math.ceil(height * 0.62)))
    moved = [cv2.perspectiveTransform(corners[None], tilt)[0] for corners in truth]
    count, _ = found(readings := deck.read(tilted), ids, moved)
    assert count == len(readings) == len(ids)


@pytest.mark.parametrize(
    "shape", [(0, 0), (1, 1), (1, 40_000), (40_000, 9), (9, 33_000), (7, 7), (3, 500), (64, 64)]
)
def test_pictures_that_are_hardly_any_have_no_markers(every: Reader, shape: tuple[int, int]) -> None:
    for level in (0, 128, 255):
        assert every.read(np.full(shape, level, np.uint8)) == ()


@settings(max_examples=40, deadline=None)
@given(arrays.arrays(np.uint8, arrays.array_shapes(min_dims=2, max_dims=2, max_side=48)))
def test_no_picture_makes_the_reader_raise_or_guess(picture: Grey) -> None:
    assert READER.read(picture) == ()


READER = Reader(FAMILY, PRINTED)


def test_reading_twice_gives_the_same(deck: Reader) -> None:
    ids = PRINTED[:20]
    picture, _ = table([GRID[i] for i in ids], 15, seed=8)
    once, twice = deck.read(picture), deck.read(picture.copy())
    assert [r.id for r in once] == [r.id for r in twice]
    assert all((a.corners == b.corners).all() for a, b in zip(once, twice, strict=True))


def test_wrong_wishes_are_refused() -> None:
    with pytest.raises(UnknownFamily):
        Reader("aruco-3x3")
    with pytest.raises(IndexError, match="999"):
        Reader(FAMILY, [1000])
    with pytest.raises(ValueError, match="side"):
        Reader(FAMILY, marker_px=(20, 10))


def test_a_reader_of_a_whole_family_stays_small() -> None:
    reader = Reader(FAMILY)
    parts = [reader.bank, reader.bank.view, reader.rough, reader.near]
    held = [getattr(part, name) for part in parts for name in part.__slots__]
    assert sum(array.nbytes for array in held if isinstance(array, np.ndarray)) < 60e6
