"""Pictures with known markers in them, for the tests of the reader."""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import NDArray

Grey = NDArray[np.uint8]
Points = NDArray[np.float64]
FINE = 4  # drawn this much larger, then averaged down


def table(
    tiles: list[NDArray[np.uint8]], side: float, seed: int, blur: float = 0.8
) -> tuple[Grey, list[Points]]:
    """Draw module grids of a side in px, each turned at random on white paper, on a textured table.

    Gives the picture and the true corners of each tile, clockwise from its own top left, in reader pixels.
    """
    chance = np.random.default_rng(seed)
    step = math.ceil(side * 2.6)
    columns = max(1, min(len(tiles), 12))
    rows = math.ceil(len(tiles) / columns)
    width, height = (columns + 1) * step, (rows + 1) * step
    big = chance.normal(115, 12, (height, width)).repeat(FINE, 0).repeat(FINE, 1)
    truth = []
    for nth, tile in enumerate(tiles):
        row, column = divmod(nth, columns)
        middle = np.array([column + 1, row + 1]) * step + chance.uniform(-1, 1, 2)
        corners = square(middle, side, chance.uniform(0, 2 * math.pi))
        lay(big, tile, corners)
        truth.append(corners)
    small = cv2.resize(big, (width, height), interpolation=cv2.INTER_AREA)
    seen = cv2.GaussianBlur(small, (0, 0), blur) + chance.normal(0, 3, small.shape)
    return np.clip(seen, 0, 255).astype(np.uint8), truth


def square(middle: Points, side: float, turn: float) -> Points:
    """Corners of a turned square, clockwise from its own top left."""
    angles = turn + np.arange(4) * math.pi / 2 - 3 * math.pi / 4
    return np.asarray(middle + np.stack([np.cos(angles), np.sin(angles)], 1) * side / math.sqrt(2))


def lay(big: Points, tile: NDArray[np.uint8], corners: Points) -> None:
    """Print a tile and two modules of white around it into a picture FINE times as large."""
    modules = tile.shape[0]
    art = np.kron(np.pad(tile, 2, constant_values=1) * 205.0 + 25, np.ones((8, 8)))
    ends = np.array([[0, 0], [modules, 0], [modules, modules], [0, modules]]) * 8 + 16 - 0.5
    onto = cv2.getPerspectiveTransform(
        ends.astype(np.float32), ((corners + 0.5) * FINE - 0.5).astype(np.float32)
    )
    size = (big.shape[1], big.shape[0])
    ink = cv2.warpPerspective(art, onto, size)
    paper = cv2.warpPerspective(np.ones_like(art), onto, size) > 0.5
    big[paper] = ink[paper]
