"""Where a marker may lie: squares darker than what is around them, however dim. Pure."""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.align import F32

Grey = NDArray[np.uint8]
NOWHERE: F32 = np.zeros((0, 4, 2), np.float32)
_STRETCH = 3.5  # longest aspect of a tilted marker
_CORNERS = 4
_TOO_SMALL_TO_TRACE = 10  # px; below this a bounding rectangle is truer than traced corners


def dark(grey: Grey, window: int) -> Grey:
    """Mask of pixels darker than the mean of a window of that many pixels around them."""
    level = cv2.blur(grey, (window, window))
    below = cv2.compare(grey, cv2.addWeighted(level, 0.95, level, 0, -1.0), cv2.CMP_LT)
    return np.asarray(below, np.uint8)


def _outline(mask: Grey, x: int, y: int) -> Grey | F32 | None:
    """Corners of one dark patch (4, 2), or None where it is no full quadrilateral."""
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE, offset=(x, y))
    hull = cv2.convexHull(contours[0] if len(contours) == 1 else max(contours, key=len))
    box = cv2.minAreaRect(hull)
    width, height = box[1][0] + 1, box[1][1] + 1
    if cv2.contourArea(hull) + width + height < 0.55 * width * height:
        return None
    if min(width, height) > _TOO_SMALL_TO_TRACE:
        corners = cv2.approxPolyDP(hull, 0.12 * (width + height), True)
        if len(corners) == _CORNERS:
            return np.asarray(corners[:, 0], np.float32)
    return np.asarray(cv2.boxPoints(box), np.float32)


def regions(grey: Grey, window: int, lo: float, hi: float) -> F32:
    """Quads around connected dark patches of sides about lo to hi pixels."""
    mask = dark(grey, window)
    _, labels, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=4, ltype=cv2.CV_32S)
    width, height = stats[:, 2], stats[:, 3]
    room = width * height
    fits = (room >= (0.8 * lo) ** 2) & (room <= (1.5 * hi) ** 2) & (stats[:, 4] > 0.18 * room)
    fits &= np.maximum(width, height) <= _STRETCH * np.minimum(width, height)
    fits[0] = False
    quads = []
    for label in np.flatnonzero(fits).tolist():
        x, y, w, h, _ = stats[label].tolist()
        patch = (labels[y : y + h, x : x + w] == label).view(np.uint8)
        if (quad := _outline(patch, x, y)) is not None:
            quads.append(quad)
    return clockwise(_widened(np.stack(quads))) if quads else NOWHERE


def _widened(quads: F32) -> F32:
    """Quads traced through pixel centres, brought out to the pixels' edges."""
    middle = quads.mean(1, keepdims=True)
    side = np.maximum(np.hypot(*(quads[:, 2] - quads[:, 0]).T) / math.sqrt(2), 1)[:, None, None]
    return np.asarray(middle + (quads - middle) * (1 + 1.2 / side), np.float32)


def clockwise(quads: F32) -> F32:
    """Put each quad's corners clockwise in the picture (y down)."""
    a, b = quads[:, 2] - quads[:, 0], quads[:, 3] - quads[:, 1]
    backwards = a[:, 0] * b[:, 1] < a[:, 1] * b[:, 0]
    return np.where(backwards[:, None, None], quads[:, ::-1], quads)


def blobs(grey: Grey, side: float, most: int, turns: int = 3) -> F32:
    """Squares of that side at spots darker than a ring around them, each started in `turns` directions.

    Needs no connected border, so it finds what is small or out of focus. At most `most` spots, the ones
    with the greatest contrast against their own level.
    """
    height, width = grey.shape
    by = max(1.0, side / 7.0)
    size = (max(1, round(width / by)), max(1, round(height / by)))
    small = cv2.resize(grey, size, interpolation=cv2.INTER_AREA) if by > 1 else grey
    contrast = _contrast(small.astype(np.float32), side / by)
    peak = (contrast >= cv2.dilate(contrast, np.ones((3, 3), np.uint8))) & (contrast > 0.05)
    ys, xs = np.nonzero(peak)
    best = np.argsort(-contrast[ys, xs], kind="stable")[:most]
    scale = np.array([width / size[0], height / size[1]])
    spots = (np.stack([xs[best], ys[best]], -1) + 0.5) * scale - 0.5
    return squares(spots, side, turns)


def _contrast(grey: F32, across: float) -> F32:
    """How much darker each spot is than a frame around a square of that side, relative to the frame."""
    inner, outer = (2 * round(across * reach) + 1 for reach in (0.62, 0.88))
    within = cv2.boxFilter(grey, -1, (inner, inner), normalize=False)
    around = (cv2.boxFilter(grey, -1, (outer, outer), normalize=False) - within) / (outer**2 - inner**2)
    centre = cv2.GaussianBlur(grey, (0, 0), across * 0.3)
    return np.asarray((around - centre) / (around + 8), np.float32)


def squares(spots: NDArray[np.float64], side: float, turns: int) -> F32:
    """Squares of a side around each spot, in `turns` directions within a quarter turn."""
    angles = np.arange(turns) * (math.pi / 2 / turns) + math.pi / 4
    arms = np.arange(_CORNERS) * (math.pi / 2) - math.pi
    at = angles[:, None] + arms
    corners = np.stack([np.cos(at), np.sin(at)], -1) * (side / math.sqrt(2))
    return np.asarray(spots[:, None, None, :] + corners, np.float32).reshape(-1, _CORNERS, 2)


def candidates(grey: Grey, lo: float, hi: float, most: int) -> F32:
    """All quads worth looking at for markers of sides lo to hi pixels: (N, 4, 2)."""
    octaves = math.log2(hi / lo)
    windows = np.geomspace(2 * lo, 1.2 * hi, max(1, round(octaves * 0.8)))
    scales = max(1, round(octaves * 1.6) - 1)
    found = [regions(grey, int(window) | 1, lo, hi) for window in windows]
    for nth in range(scales):
        side = lo * (hi / lo) ** ((nth + 0.5) / scales)
        found.append(blobs(grey, side, most))
    return np.concatenate(found)
