"""Read only what changed, miss nothing that did: swapped, added, taken and covered cards, through pictures."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import cv2
import numpy as np
import pytest
from filmed import flickering, lit_from, noisy, trembled
from numpy.typing import NDArray
from rendered_markers import table

from companion.vision.again import Kept, look_again
from companion.vision.markers import IMITABLE_5X5, modules
from companion.vision.read import Reader
from companion.vision.seen import Look

Grey = NDArray[np.uint8]
FAMILY = "aruco-5x5-1000"
GRID = modules(FAMILY)
IDS = [n for n in range(60) if n not in IMITABLE_5X5]
LIE = IDS[:24]
BLANK = np.ones_like(GRID[0])


class Counting(Reader):
    """A reader that knows how many pixels it was asked to read."""

    pixels = 0

    def look(self, grey: Grey, *more: Any, **named: Any) -> Look:
        Counting.pixels += grey.size
        return super().look(grey, *more, **named)


READER = Counting(FAMILY, IDS, (12.0, 30.0))


@cache
def drawn(ids: tuple[int | None, ...], side: float) -> Grey:
    tiles = [BLANK if n is None else GRID[n] for n in ids]
    return table(tiles, side, seed=2)[0]


def picture(ids: list[int | None] | list[int], side: float = 19.0) -> Grey:
    """Markers, each always in the same place; None: the card lies face down."""
    return drawn(tuple(ids), side)


def film(*frames: Grey) -> tuple[Kept, int]:
    """Take in frames one after the other, the first until it is at rest; what is kept, and pixels read after it."""
    kept = None
    for n in range(5):
        kept = look_again(kept, noisy(frames[0], 1, 90 + n), READER)
    assert kept is not None
    Counting.pixels = 0
    for frame in frames[1:]:
        kept = look_again(kept, frame, READER)
    return kept, Counting.pixels


def ids(kept: Kept) -> list[int]:
    return sorted(reading.id for reading in kept.look.readings)


@pytest.mark.parametrize(
    "lamp",
    [
        lambda grey, n: grey,
        lambda grey, n: flickering(grey, 0.3, 1.7 * n),
        lambda grey, n: lit_from(grey, 0.03 * n, -0.02 * n, 0.03 * n),
        lambda grey, n: trembled(grey, 0.4 * np.cos(n), 0.4 * np.sin(2 * n)),
    ],
    ids=["noise", "flicker", "drift", "tremble"],
)
def test_a_table_at_rest_is_read_once_whatever_the_lamp_and_the_camera_do(lamp: Callable[..., Grey]) -> None:
    still = picture(LIE)
    kept, pixels = film(*(noisy(lamp(still, n), 4, n) for n in range(10)))
    assert pixels == 0 and ids(kept) == LIE


def test_of_a_table_at_rest_even_what_was_understood_still_holds() -> None:
    kept, _ = film(*(noisy(picture(LIE), 4, n) for n in range(3)))
    assert kept.still and not look_again(None, picture(LIE), READER).still


def test_a_place_is_read_until_four_readings_in_turn_agree() -> None:
    down: list[int | None] = [*LIE]
    down[7] = None
    kept, _ = film(noisy(picture(down), 3, 1))
    asked = []
    for n in range(8):
        Counting.pixels = 0
        kept = look_again(kept, noisy(picture(LIE), 3, n + 2), READER)
        asked.append(Counting.pixels)
    assert all(asked[:4]) and not any(asked[4:]) and ids(kept) == LIE and kept.still


def test_the_very_same_picture_is_never_read_twice() -> None:
    still, Counting.pixels = picture(LIE), 0
    kept = look_again(None, still, READER)
    for _ in range(4):
        kept = look_again(kept, still, READER)
    assert Counting.pixels == still.size and kept.still and ids(kept) == LIE


def test_a_picture_read_as_a_whole_from_time_to_time_is_read_once_where_nothing_is_found() -> None:
    kept, _ = film(noisy(picture(LIE), 2, 1))
    Counting.pixels = 0
    kept = look_again(kept, noisy(picture(LIE), 2, 2), READER, entire=True)
    assert Counting.pixels == picture(LIE).size and ids(kept) == LIE
    kept = look_again(kept, noisy(picture(LIE), 2, 3), READER)
    assert Counting.pixels == picture(LIE).size and kept.still


def rivals() -> list[tuple[int, int]]:
    """Pairs of ids that look most alike out of focus: they correlate by up to 0.98."""
    wide = np.pad(GRID[IDS], ((0, 0), (1, 1), (1, 1)), constant_values=1).astype(np.float32)
    seen = np.stack(
        [cv2.GaussianBlur(cv2.resize(g, None, fx=4, fy=4, interpolation=0), (0, 0), 2.8) for g in wide]
    )
    flat = seen.reshape(len(IDS), -1) - seen.reshape(len(IDS), -1).mean(1, keepdims=True)
    flat /= np.linalg.norm(flat, axis=1, keepdims=True)
    alike = np.tril(flat @ flat.T, -1)
    first = np.argsort(-alike, axis=None)[:4]
    return [(IDS[n // len(IDS)], IDS[n % len(IDS)]) for n in first.tolist()]


def test_a_marker_swapped_for_its_closest_rival_in_the_very_same_place_is_noticed() -> None:
    for one, other in rivals():
        rest = [n for n in LIE if n not in (one, other)][:9]
        for side, blur in ((13.0, 0), (19.0, 2)):
            before, after = (picture([*rest[:4], n, *rest[4:]], side) for n in (one, other))
            if blur:
                before, after = (np.asarray(cv2.blur(each, (3, 3)), np.uint8) for each in (before, after))
            kept, pixels = film(noisy(before, 3, 1), noisy(after, 3, 2))
            assert one not in ids(kept) and other in ids(kept), (one, other, side)
            assert pixels < before.size / 2


def test_a_swap_is_noticed_while_the_lamp_flickers_and_the_camera_trembles() -> None:
    one, other = rivals()[0]
    rest = [n for n in LIE if n not in (one, other)][:11]
    before, after = (picture([*rest[:5], n, *rest[5:]]) for n in (one, other))
    frames = [noisy(trembled(flickering(before, 0.2, n), 0.3 * n, 0.2), 3, n) for n in range(3)]
    kept, pixels = film(*frames, noisy(trembled(flickering(after, 0.2, 5), 0.2, -0.4), 3, 7))
    assert sorted({*rest, other}) == ids(kept) and pixels < before.size


def test_cards_that_come_go_and_move_are_read_and_nothing_else_is() -> None:
    down: list[int | None] = [*LIE]
    down[7] = None
    kept, pixels = film(noisy(picture(down), 3, 1), noisy(picture(LIE), 3, 2))
    assert ids(kept) == LIE and 0 < pixels < 0.2 * picture(LIE).size
    kept, pixels = film(noisy(picture(LIE), 3, 1), noisy(picture(down), 3, 2), noisy(picture(LIE), 3, 3))
    assert ids(kept) == LIE and 0 < pixels < 0.5 * picture(LIE).size
    two: list[int | None] = [*LIE]
    two[3], two[20] = None, LIE[3]  # a card moves over another one
    kept, _ = film(noisy(picture(LIE), 3, 1), noisy(picture(two), 3, 2))
    assert ids(kept) == sorted({*LIE} - {LIE[20]})


def test_readings_are_what_a_whole_read_gives_after_many_small_changes() -> None:
    chance = np.random.default_rng(6)
    lie: list[int | None] = [*LIE]
    kept = look_again(None, picture(lie), READER)
    for step in range(6):
        at = int(chance.integers(len(lie)))
        lie[at] = None if step % 3 else LIE[at]
        grey = noisy(lit_from(picture(lie), 0.02 * step, 0, 0.02 * step), 3, step)
        kept = look_again(kept, grey, READER)
    whole = READER.look(grey)
    assert ids(kept) == sorted(reading.id for reading in whole.readings)
    there = {reading.id: reading.corners for reading in whole.readings}
    assert all(np.abs(there[r.id] - r.corners).max() < 1 for r in kept.look.readings)


def test_what_lies_still_is_given_where_it_is_though_the_camera_moved_a_little() -> None:
    still = picture(LIE)
    kept, _ = film(still, noisy(trembled(still, 1.0, -0.8), 2, 1))
    there = {reading.id: reading.corners for reading in READER.look(trembled(still, 1.0, -0.8)).readings}
    assert ids(kept) == LIE and all(np.abs(there[r.id] - r.corners).max() < 0.6 for r in kept.look.readings)


def test_a_doubt_is_read_anew_where_it_is_asked_for_and_another_picture_is_read_whole() -> None:
    still = picture(LIE)
    kept, _ = film(still)
    Counting.pixels = 0
    kept = look_again(kept, noisy(still, 1, 7), READER, [kept.readings[0].corners])
    assert 0 < Counting.pixels < 0.2 * still.size and ids(kept) == LIE
    half = still[:, : still.shape[1] // 2]
    assert ids(look_again(kept, half, READER)) != LIE
    assert look_again(kept, np.full_like(still, 90), READER).look.readings == ()
