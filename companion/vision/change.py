"""What changed between two pictures of one table, though lamps flicker and drift and the camera trembles. Pure.

The cheap question that spares most reads. Pictures are compared small; what the light did (as a whole, in bands
across the picture, slowly from one side to the other) is undone first, then what a tremble of the camera makes
of edges. What is left counts where it stands out of the noise, which is measured in the same two pictures:
by its brightness, or, where an arm is as bright as the table, by a texture that is another one.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.table.things import value
from companion.vision.align import F32
from companion.vision.find import Grey

Mask = NDArray[np.uint8]
COARSE = 4  # pixels of the picture to one of the comparison, where zones are looked at
_ENOUGH = 320  # coarse pixels across, where it is only asked what to read again
_BELIEVED = (0.6, 0.2, 0.06)  # part by which the light may have changed, in each round of finding that out
_LOWEST = 8.0  # grey levels added before light is divided by light: black says nothing
_CELLS = (6, 4)  # across and down: light differs smoothly between their middles
_STEADY = 1.0  # coarse pixels that the camera may tremble before the whole picture counts as changed
_ODD = 12.0  # grey levels: a pixel off by this counts half in finding that out
_EDGE = 0.08  # coarse pixels by which an edge may still be off after that
_LEAST = 6.0  # grey levels that are nothing, on black ...
_SHADE = 0.05  # ... and in shares of the brightness: soft shadows
_STANDS_OUT = 6.0  # standard deviations of the noise
_WEAVE, _FLAT = 7, 11  # coarse pixels: where a texture is summed, and what is coarser than a texture
_WOVEN_EDGE = 0.3  # coarse pixels by which edges may be off, or softer, where a texture is asked for
_SOLID, _SKIRT = 3, 5  # coarse pixels: what differs over so many at once spreads by softening, and how wide
_WOVEN = 1.8  # grey levels, root of the mean square, by which a texture must differ
_WOVEN_OUT = 3.0  # and times what noise leaves of it


@value
class Change:
    """What differs between two pictures."""

    mask: Mask  # 1 where a coarse pixel changed
    light: F32  # how many times brighter each coarse pixel is lit now
    move: tuple[float, float]  # how the camera trembled: px of the picture, right and down
    now: F32  # the newer picture, coarse and softened


@value
class Ground:
    """A picture to compare with, coarse and softened, and how it grows to the right and down."""

    soft: F32
    right: F32
    down: F32
    by: int  # pixels of the picture to one coarse pixel


def coarse(grey: Grey, by: int = COARSE) -> Grey:
    """Give what is compared: the picture smaller by a power of two. Keep this of the last frame read.

    It is softened before it is halved for the last time: what is finer than its pixels would flicker with each
    tremble. Figures: 0.2 ms for 1920 x 1080, where one step by area takes 0.6 ms; a tremble of 1.5 px leaves
    at most 8 grey levels where it left 20.
    """
    small = grey
    while by > 2:
        small, by = _halved(small), by // 2
    return _halved(np.asarray(cv2.blur(small, (3, 3)), np.uint8))


def _halved(grey: Grey) -> Grey:
    height, width = (max(1, size // 2) for size in grey.shape)
    even = grey[: 2 * height, : 2 * width]
    return np.asarray(cv2.resize(even, (width, height), interpolation=cv2.INTER_AREA), np.uint8)


def enough(shape: tuple[int, ...]) -> int:
    """How much smaller a picture of this shape may be to ask what to read again: 4, 8, 16.

    Markers grow with the picture, so 12 megapixels say no more than 2 do.
    """
    by = COARSE
    while max(shape) > _ENOUGH * by:
        by *= 2
    return by


def changed(before: Grey, after: Grey) -> Mask:
    """Mark with 1 where two coarse pictures of one shape differ by more than light, tremble and noise explain."""
    return compared(ground(before), after).mask


def ground(small: Grey, by: int = COARSE) -> Ground:
    """Prepare a coarse picture to be compared with many."""
    soft = np.asarray(cv2.blur(small, (3, 3)), np.float32)
    return Ground(soft, *_growing(soft), by)


def _growing(soft: F32) -> tuple[F32, F32]:
    """How a picture grows to the right and down, a pixel."""
    right, down = (cv2.Sobel(soft, cv2.CV_32F, x, 1 - x, ksize=1, scale=0.5) for x in (1, 0))
    return np.asarray(right, np.float32), np.asarray(down, np.float32)


def renewed(before: Ground, change: Change, boxes: NDArray[np.int64]) -> Ground:
    """Take the boxes (K, 4) px out of the newer picture, in the older one's light and place."""
    right, down = _growing(change.now)
    x, y = (way / before.by for way in change.move)
    now = (change.now + x * right + y * down) / np.maximum(change.light, 0.05)
    soft = before.soft.copy()
    for left, top, end, low in (np.array(boxes) // before.by).tolist():
        part = np.s_[top : low + 1, left : end + 1]
        soft[part] = now[part]
    return Ground(soft, *_growing(soft), before.by)


def compared(before: Ground, after: Grey) -> Change:
    """Compare a coarse picture with one kept. Figure: 0.6 ms for 1920 x 1080 eight times smaller."""
    now = np.asarray(cv2.blur(after, (3, 3)), np.float32)
    light = _light(before.soft, now)
    lit = cv2.multiply(before.soft, light)
    apart = np.asarray(cv2.subtract(now, lit), np.float32)
    x, y = _tremble(apart[::2, ::2], before.right[::2, ::2], before.down[::2, ::2])
    slope = cv2.multiply(cv2.addWeighted(before.right, x, before.down, y, 0.0), light)
    apart = np.asarray(cv2.add(apart, slope), np.float32)
    noise = 1.48 * float(np.median(abs(apart[1::4, 1::4])))
    whole = max(abs(x), abs(y)) >= _STEADY
    mask = np.ones(now.shape, np.uint8) if whole else _marked(apart, now, noise)
    return Change(mask, light, (x * before.by, y * before.by), now)


def _marked(apart: F32, now: F32, noise: float) -> Mask:
    """Where a difference is none of noise, soft shadow or the rest of a tremble."""
    size = np.abs(apart)
    edges = cv2.morphologyEx(now, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8))
    nothing = cv2.addWeighted(now, _SHADE, edges, _EDGE, _LEAST)
    if noise * _STANDS_OUT > _LEAST:
        nothing = np.maximum(nothing, edges * _EDGE + _STANDS_OUT * noise)
    bright = cv2.compare(size, nothing, cv2.CMP_GT)
    solid = cv2.morphologyEx(bright, cv2.MORPH_OPEN, np.ones((_SOLID, _SOLID), np.uint8))
    skirt = cv2.bitwise_or(bright, cv2.dilate(solid, np.ones((_SKIRT, _SKIRT), np.uint8)))
    rest = cv2.copyTo(apart, cv2.bitwise_not(skirt))  # what stands out anyway shall not spread
    fine = cv2.absdiff(rest, cv2.blur(rest, (_FLAT, _FLAT)))
    fine = np.maximum(cv2.addWeighted(fine, 1.0, edges, -_WOVEN_EDGE, 0.0), 0.0)
    weave = cv2.sqrBoxFilter(fine, -1, (_WEAVE, _WEAVE))
    woven = np.asarray(weave > max(_WOVEN, _WOVEN_OUT * noise) ** 2, np.uint8)
    return np.asarray((bright > 0) | woven, np.uint8)


def _light(one: F32, two: F32) -> F32:
    """How many times brighter each part is lit: as a whole, row by row, column by column, cell by cell.

    What lies on the table differs, too: the more is known of the light, the less of a difference counts as
    light. Rows follow a lamp that flickers while the camera reads them.
    """
    height, width = one.shape
    half = (max(1, width // 2), max(1, height // 2))
    old, new = (cv2.resize(part, half, interpolation=cv2.INTER_AREA) + _LOWEST for part in (one, two))
    light = np.full(old.shape, float(np.median(new[::2, ::2] / old[::2, ::2])), np.float32)
    smooth = (max(1, half[0] // 8) | 1, 1)
    for believed in _BELIEVED:
        rows = cv2.reduce(_believed(old, new, light, believed), 1, cv2.REDUCE_AVG)
        light *= 1 + cv2.blur(rows, (1, 3))
        columns = cv2.reduce(_believed(old, new, light, believed), 0, cv2.REDUCE_AVG)
        light *= 1 + cv2.blur(columns, smooth)
    cells = cv2.resize(_believed(old, new, light, _BELIEVED[-1]), _CELLS, interpolation=cv2.INTER_AREA)
    light *= 1 + cv2.resize(cells, half)
    return np.asarray(cv2.resize(light, (width, height)), np.float32)


def _believed(old: F32, new: F32, light: F32, most: float) -> F32:
    """By which part each pixel is brighter than its light says, at most so much."""
    off = cv2.divide(new, cv2.multiply(old, light))
    return np.asarray(np.clip(off, 1 - most, 1 + most, out=off) - 1, np.float32)


def _tremble(apart: F32, right: F32, down: F32) -> tuple[float, float]:
    """How far the picture moved, coarse pixels right and down: least squares, what differs most counting least."""
    x = y = 0.0
    for _ in range(2):
        left = apart + x * right + y * down
        weight = 1 / (1 + (left / _ODD) ** 2)
        across, along = weight * right, weight * down
        normal = np.array([[np.vdot(across, right), np.vdot(across, down)], [0, np.vdot(along, down)]])
        normal[1, 0] = normal[0, 1]
        turned = np.array([np.vdot(across, apart), np.vdot(along, apart)])
        held = np.eye(2) * (1e-3 * np.trace(normal) + 1.0)
        x, y = np.clip(-np.linalg.solve(normal + held, turned), -_STEADY, _STEADY).tolist()
    return x, y
