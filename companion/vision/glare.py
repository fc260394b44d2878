"""How well each part of a zone can be seen: glare and blur, measured before anything is misread. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from math import pi, sqrt

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.table.things import value
from companion.vision.find import Grey
from companion.vision.plates import Polygon
from companion.vision.read import Reading

ROWS, COLUMNS = 5, 8  # parts of a zone, in the plate's own axes
_FINE = 12  # samples a part, along each side
_WASHED = 249  # grey level from which nothing is left of what was printed
_ALONG = 9  # profiles across one edge of a marker
_ACROSS = 0.13  # sides that a profile reaches to either side: less than a module
_STEPS = 41

Parts = NDArray[np.float64]  # (ROWS, COLUMNS)


@value
class Seeing:
    """One zone: the part of each cell that is washed out (0 to 1), blur there (px), and the light."""

    glare: Parts
    blur: Parts  # standard deviation of the blur at the nearest marker, px; nan where no marker is near
    light: float  # how bright the paper around its markers is, grey levels; 255 where no marker is read
    washed: float  # part of the whole zone


def seeing(grey: Grey, polygon: Polygon, readings: Iterable[Reading]) -> Seeing:
    """Measure one zone (corners (4, 2) px) of a picture and the markers read in and about it."""
    size = (COLUMNS * _FINE, ROWS * _FINE)
    ends = np.array([[0, 0], [size[0], 0], size, [0, size[1]]], np.float32) - 0.5
    to = np.asarray(cv2.getPerspectiveTransform(polygon.astype(np.float32), ends), np.float64)
    flat = np.asarray(cv2.warpPerspective(grey, to, size, flags=cv2.INTER_AREA, borderValue=0), np.uint8)
    washed = (flat >= _WASHED).astype(np.float64)
    glare = washed.reshape(ROWS, _FINE, COLUMNS, _FINE).mean((1, 3))
    read = tuple(readings)
    light = float(np.median([white_at(grey, reading) for reading in read])) if read else 255.0
    return Seeing(glare, _blur_map(grey, to, read), light, float(washed.mean()))


def blur_at(grey: Grey, reading: Reading) -> float:
    """Measure the blur at a marker: standard deviation in px, from the slope of its four outer edges.

    Exact to about a quarter from 0.4 px up to half a module; larger blur is told as somewhat smaller.
    """
    corners = reading.corners
    slopes = []
    for n in range(4):
        a, b, away = corners[n], corners[(n + 1) % 4], corners[n] - corners[(n + 3) % 4]
        along = np.linspace(0.15, 0.85, _ALONG)[:, None, None]
        across = np.linspace(_ACROSS, -_ACROSS, _STEPS)[None, :, None]  # from the white into the black
        spots = (a + (b - a) * along + away * across).astype(np.float32)
        lines = cv2.remap(grey, spots[..., 0], spots[..., 1], cv2.INTER_LINEAR).astype(np.float64)
        edge = lines.mean(0)
        step = 2 * _ACROSS * float(np.hypot(*away)) / (_STEPS - 1)
        contrast = float(edge.max() - edge.min())
        steepest = float(np.abs(np.diff(np.convolve(edge, np.ones(3) / 3, "valid"))).max()) / step
        if steepest > 0 and contrast > 0:
            slopes.append(contrast / (steepest * sqrt(2 * pi)))
    return float(np.median(slopes)) if slopes else float("nan")


def white_at(grey: Grey, reading: Reading) -> float:
    """How bright the paper around a marker is, grey levels: the median of its white rim."""
    corners, middle = reading.corners, reading.corners.mean(0)
    ring = middle + (corners - middle) * (1 + 2 * 0.07)  # the middle of a rim of one module
    along = np.linspace(0, 1, _ALONG)[None, :, None]
    spots = (
        (ring[:, None] + (np.roll(ring, -1, 0) - ring)[:, None] * along).reshape(1, -1, 2).astype(np.float32)
    )
    return float(np.median(cv2.remap(grey, spots[..., 0], spots[..., 1], cv2.INTER_LINEAR)))


def _blur_map(grey: Grey, to: NDArray[np.float64], readings: Iterable[Reading]) -> Parts:
    """The blur of the marker nearest to each part of the zone."""
    near = list(readings)
    if not near:
        return np.full((ROWS, COLUMNS), np.nan)
    middles = np.stack([reading.corners.mean(0) for reading in near])
    spots = cv2.perspectiveTransform(middles[None], to)[0] / _FINE
    blurs = np.array([blur_at(grey, reading) for reading in near])
    y, x = np.mgrid[0:ROWS, 0:COLUMNS] + 0.5
    away = np.hypot(spots[:, 0, None, None] - x, spots[:, 1, None, None] - y)
    return np.asarray(blurs[away.argmin(0)])
