"""How the camera moved between two pictures of one table, and where zones lie in coarse ones. Pure.

Pictures are coarse (`change.coarse`). Markers seen in both tell by how much the camera moved.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.table.things import value
from companion.vision.find import Grey
from companion.vision.read import Reading

COARSE = 4.0  # pixels of the picture to one of a coarse picture
Mask = NDArray[np.uint8]
Spots = Mapping[int, NDArray[np.float64]]
_UNLIKE = 4.0  # px: markers that moved more differently than this were moved by hand, not with the camera


@value
class Shift:
    """How the picture moved as a whole, px (x, y), and whether enough markers agree on it."""

    x: float = 0.0
    y: float = 0.0
    sure: bool = False

    @property
    def xy(self) -> NDArray[np.float64]:
        """As an array (2,)."""
        return np.array([self.x, self.y])


def spots(readings: Iterable[Reading]) -> dict[int, NDArray[np.float64]]:
    """Where each marker's middle is, for markers that are seen once."""
    out: dict[int, NDArray[np.float64]] = {}
    twice: set[int] = set()
    for reading in readings:
        if reading.id in out:
            twice.add(reading.id)
        out[reading.id] = reading.corners.mean(0)
    return {marker: spot for marker, spot in out.items() if marker not in twice}


def shift(before: Spots, after: Spots) -> Shift:
    """How the camera moved between two readings: the median, sure if half of at least two markers agree."""
    both = [after[marker] - before[marker] for marker in before if marker in after]
    if len(both) < 2:
        return Shift()
    moves = np.array(both)
    middle = np.median(moves, axis=0)
    alike = (np.abs(moves - middle).max(1) < _UNLIKE).sum()
    if alike < 2 or 2 * alike < len(both):
        return Shift()
    near = moves[np.abs(moves - middle).max(1) < _UNLIKE]
    x, y = near.mean(0).tolist()
    return Shift(x, y, True)


def shifted(coarse: Grey, by: Shift) -> Grey:
    """Give a coarse picture as it would be after the camera moved."""
    if not by.x and not by.y:
        return coarse
    to = np.array([[1, 0, by.x / COARSE], [0, 1, by.y / COARSE]])
    return np.asarray(
        cv2.warpAffine(coarse, to, coarse.shape[::-1], borderMode=cv2.BORDER_REPLICATE), np.uint8
    )


def inside(shape: tuple[int, ...], polygons: Iterable[NDArray[np.float64]], grow: int = 0) -> Mask:
    """Mark with 1 the insides of polygons (px of the picture) in a coarse picture, grown by coarse px."""
    mask = np.zeros(shape[:2], np.uint8)
    for polygon in polygons:
        bounded = np.clip(polygon / COARSE, -4000, 4000)
        cv2.fillPoly(mask, [np.round(bounded).astype(np.int32)], 1)
    wide = cv2.dilate(mask, np.ones((2 * grow + 1, 2 * grow + 1), np.uint8)) if grow else mask
    return np.asarray(wide, np.uint8)
