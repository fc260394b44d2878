"""The change mask: light, tremble and noise are nothing; a card, or an arm as bright as the table, is something."""

from __future__ import annotations

import numpy as np
import pytest
from filmed import flickering, lit_from, noisy, trembled
from numpy.typing import NDArray
from rendered_markers import table

from companion.vision.change import changed, coarse
from companion.vision.markers import modules

GRID = modules("aruco-5x5-1000")
IDS = list(range(6, 30))


def picture(ids: list[int] = IDS) -> tuple[NDArray[np.uint8], list[NDArray[np.float64]]]:
    return table([GRID[n] for n in ids], 19, seed=2)


def mask(one: NDArray[np.uint8], two: NDArray[np.uint8]) -> NDArray[np.bool_]:
    return changed(coarse(one), coarse(two)) > 0


def test_noise_is_no_change() -> None:
    one, _ = picture()
    for strength in (1, 3, 8, 16):
        assert not mask(noisy(one, strength, 1), noisy(one, strength, 2)).any(), strength


def test_a_lamp_that_flickers_through_the_rows_is_no_change() -> None:
    one, _ = picture()
    for phase in (0.0, 1.0, 2.5, 4.0):
        assert not mask(flickering(one, 0.3, phase), noisy(flickering(one, 0.3, phase + 2.0), 3)).any()


def test_a_lamp_that_grows_dimmer_or_wanders_is_no_change() -> None:
    one, _ = picture()
    for across, down, much in ((0.0, 0.0, 0.25), (0.3, 0.0, 0.1), (-0.2, 0.25, 0.0)):
        assert not mask(one, noisy(lit_from(one, across, down, much), 2)).any()


def test_a_trembling_camera_is_no_change() -> None:
    one, _ = picture()
    for right, down in ((0.5, 0.0), (-0.7, 0.6), (1.5, -1.0)):
        assert not mask(one, noisy(trembled(one, right, down), 2)).any()


@pytest.mark.parametrize("light", [1.0, 0.3])
def test_a_card_turned_over_is_a_change_where_it_lies_under_all_of_that(light: float) -> None:
    one, truth = picture()
    back = np.ones_like(GRID[0])
    other, _ = table([back if n == IDS[5] else GRID[n] for n in IDS], 19, seed=2)
    bright = np.asarray(one * light, np.uint8)
    after = lit_from(flickering(np.asarray(other * light, np.uint8), 0.15, 1.0), 0.1, 0.1, 0.1)
    found = mask(bright, noisy(trembled(after, 0.4, -0.4), 2))
    ys, xs = np.nonzero(found)
    middle = truth[5].mean(0) / 4
    assert len(xs) and np.hypot(xs - middle[0], ys - middle[1]).max() < 12, "and only there"


def test_an_arm_exactly_as_bright_as_the_cloth_is_a_change_by_its_texture() -> None:
    chance = np.random.default_rng(3)
    cloth = chance.normal(110, 14, (120, 200)).repeat(4, 0).repeat(4, 1)
    sleeve = cloth.copy()
    sleeve[100:300, 200:420] = cloth[100:300, 200:420].mean() + chance.normal(0, 2, (200, 220))
    before, after = (noisy(np.asarray(part, np.uint8), 3, n) for n, part in enumerate((cloth, sleeve)))
    found = mask(before, after)
    assert found[27:73, 52:103].mean() > 0.9
    found[20:80, 45:110] = False
    assert not found.any(), "and nowhere else"


def test_pictures_of_any_size_are_made_smaller_and_a_tiny_one_stays_a_picture() -> None:
    for shape in ((1, 1), (3, 5), (721, 1283)):
        small = coarse(np.full(shape, 90, np.uint8))
        assert small.shape == (max(1, shape[0] // 4), max(1, shape[1] // 4)) and (small == 90).all()
