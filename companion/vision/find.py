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


def dark(grey: Grey, window: int) -> Grey:
    """Mask of pixels darker than the mean of a window of that many pixels around them."""
    level = cv2.blur(grey, (window, window))
    below = cv2.compare(grey, cv2.addWeighted(level, 0.95, level, 0, -1.0), cv2.CMP_LT)
    return np.asarray(below, np.uint8)


def _outline(mask: Grey, x: int, y: int) -> F32 | None:
    """Corners of one dark patch, or None where it is no full quadrilateral."""
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE, offset=(x, y))
    hull = cv2.convexHull(max(contours, key=len))
    box = cv2.minAreaRect(hull)
    width, height = box[1][0] + 1, box[1][1] + 1
    if cv2.contourArea(hull) + width + height < 0.55 * width * height:
        return None
    corners = cv2.approxPolyDP(hull, 0.12 * (width + height), True)
    if len(corners) == _CORNERS and min(width, height) > 10:
        quad = corners[:, 0].astype(np.float32)
    else:
        quad = cv2.boxPoints(box).astype(np.float32)
    middle = quad.mean(0)
    # a contour runs through pixel centres: half a pixel is missing on each side
    return np.asarray(middle + (quad - middle) * (1 + 1.2 / math.sqrt(width * height)), np.float32)


def regions(grey: Grey, window: int, lo: float, hi: float) -> F32:
    """Quads around connected dark patches of sides about lo to hi pixels."""
    mask = dark(grey, window)
    _, labels, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=4, ltype=cv2.CV_32S)
    width, height, area = stats[:, 2], stats[:, 3], stats[:, 4]
    short, long = np.minimum(width, height), np.maximum(width, height)
    fits = (short >= 0.45 * lo) & (long >= 0.8 * lo) & (long <= 1.6 * hi) & (long <= _STRETCH * short)
    fits &= area > 0.18 * width * height
    fits[0] = False
    quads = []
    for label in np.flatnonzero(fits):
        x, y, w, h = (int(v) for v in stats[label, :4])
        patch = (labels[y : y + h, x : x + w] == label).view(np.uint8)
        if (quad := _outline(patch, x, y)) is not None:
            quads.append(quad)
    return clockwise(np.stack(quads)) if quads else NOWHERE


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
    across = side / by
    reach = math.ceil(across * 0.62 + 1.6)
    y, x = np.mgrid[-reach : reach + 1, -reach : reach + 1]
    far = np.hypot(x, y)
    ring = ((far >= across * 0.62) & (far < across * 0.62 + 1.6)).astype(np.float32)
    centre = np.exp(-(far**2) / (2 * (across * 0.3) ** 2)).astype(np.float32)
    lifted = small.astype(np.float32)
    around = cv2.filter2D(lifted, -1, ring / ring.sum())
    contrast = (around - cv2.filter2D(lifted, -1, centre / centre.sum())) / (around + 8)
    peak = (contrast >= cv2.dilate(contrast, np.ones((3, 3), np.uint8))) & (contrast > 0.06)
    ys, xs = np.nonzero(peak)
    best = np.argsort(-contrast[ys, xs], kind="stable")[:most]
    scale = np.array([width / size[0], height / size[1]])
    spots = (np.stack([xs[best], ys[best]], -1) + 0.5) * scale - 0.5
    return squares(spots, side, turns)


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
    windows = np.geomspace(2 * lo, 1.2 * hi, max(2, round(octaves * 1.2)))
    scales = max(1, round(octaves * 1.6) - 1)
    found = [regions(grey, int(window) | 1, lo, hi) for window in windows]
    for nth in range(scales):
        side = lo * (hi / lo) ** ((nth + 0.5) / scales)
        found.append(blobs(grey, side, most))
    return np.concatenate(found)
