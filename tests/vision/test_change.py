"""The change mask: noise is nothing, a card is something."""

from __future__ import annotations

import numpy as np
from rendered_markers import table

from companion.vision.change import changed, coarse
from companion.vision.markers import modules

GRID = modules("aruco-5x5-1000")


def test_noise_and_a_shade_brighter_are_no_change_but_another_card_is() -> None:
    chance = np.random.default_rng(2)
    one, truth = table([GRID[3], GRID[4], GRID[6]], 19, seed=2)
    other, _ = table([GRID[3], GRID[4], GRID[7]], 19, seed=2)
    again = np.clip(one + chance.normal(4, 3, one.shape), 0, 255).astype(np.uint8)
    assert not changed(coarse(one), coarse(again)).any()
    mask = changed(coarse(one), coarse(other))
    assert mask.any()
    ys, xs = np.nonzero(mask)
    middle = truth[2].mean(0) / 4
    assert np.hypot(xs - middle[0], ys - middle[1]).max() < 8, "and only where it lies"
