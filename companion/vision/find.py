"""Where a marker may lie: spots with a dark ring in a bright one, and dark patches of any slant. Pure.

Each place comes with several quads, one for each way in which a marker could lie there; the next step keeps
the best of them. No step asks for an absolute contrast, so dim light and faded print are found like others.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.table.things import value
from companion.vision.align import F32

Grey = NDArray[np.uint8]
I32 = NDArray[np.int32]
SPOT_PX = 7.0  # side of a marker in the pictures that spots are looked for in
_BRIGHT, _DARK = (0.54, 0.64), (0.28, 0.48)  # the rings, in sides of a marker from its middle
_CLEAR = 0.3  # of a marker's contrast, that a spot must have
_INSIDE = 0.4  # ... and a dark patch about its middle; 0.5 lost a sharp marker of a photograph
_TURNS = 4  # directions tried within a quarter turn, as many as ways to lay a quad into a patch
_STRETCH = 3.5  # longest aspect of a tilted marker
_DARKER = 0.96  # of what is around it, that a dark pixel is at most
_OUT = 0.5  # px from the middle of a patch's last pixel to its edge
_FAR_OFF = 9999
_SIZES, _ALIKE = 5, 12  # groups of patches of about one size, and the fewest worth one
_SQUARE = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])


@value
class Ringed:
    """How clearly each pixel of a smaller picture is the middle of a dark ring in a bright one, see `rings`."""

    clear: F32
    near: F32  # the clearest of each pixel and those beside it
    scale: NDArray[np.float64]  # how many pixels (x, y) of the picture each of its pixels spans
    side: float  # of such a ring, px of the picture


def ringed(grey: Grey, lo: float, hi: float) -> list[Ringed]:
    """Look for rings of some sizes of sides lo to hi px."""
    steps = max(1, round(math.log2(hi / lo) * 2.7))
    return [_ringed(grey, lo * (hi / lo) ** ((nth + 0.5) / steps)) for nth in range(steps)]


def _ringed(grey: Grey, side: float) -> Ringed:
    height, width = grey.shape
    by = max(1.0, side / SPOT_PX)
    small, scale = shrunk(grey, (max(1, round(width / by)), max(1, round(height / by))))
    clear = rings(small, side / by)
    near = np.asarray(cv2.dilate(clear, np.ones((3, 3), np.uint8)), np.float32)
    return Ringed(clear, near, scale, side)


def spots(rings: Sequence[Ringed], most: int) -> F32:
    """Squares at spots that look like a dark ring in a bright one: (N, turns, 4, 2).

    At most `most` for each size, the clearest against what varies around them. Needs no closed border: finds
    what is small, out of focus or partly covered. Figure: 94 % of markers where a window's mean found 55 %
    (faded, blurred, fanned, 7 px).
    """
    return np.concatenate([_spots(each, most) for each in rings])


def _spots(rings: Ringed, most: int) -> F32:
    """Squares of one side."""
    tops = rings.clear >= np.maximum(rings.near, np.float32(_CLEAR))
    ys, xs = np.divmod(np.flatnonzero(tops), tops.shape[1])
    if len(xs) > most:
        best = np.argpartition(-rings.clear[ys, xs], most)[:most]
        xs, ys = xs[best], ys[best]
    middle = (np.stack([xs, ys], -1) + 0.5) * rings.scale - 0.5
    return squares(middle, rings.side, _TURNS)


def rings(grey: Grey, side: float) -> F32:
    """How clearly each pixel is the middle of a dark ring in a bright one, against the spread around it."""
    window = (2 * round(0.56 * side) + 1,) * 2
    mean = np.asarray(cv2.boxFilter(grey, cv2.CV_32F, window), np.float32)
    spread = np.asarray(cv2.sqrBoxFilter(grey, cv2.CV_32F, window), np.float32)
    spread -= mean * mean
    spread = np.sqrt(np.maximum(spread, 0, out=spread), out=spread)
    mean *= 0.04
    spread += mean
    spread += 2
    over = np.asarray(cv2.filter2D(grey.astype(np.float32), -1, _rings(round(side, 3))), np.float32)
    over /= spread
    return over


@cache
def _rings(side: float) -> F32:
    """Weights of the bright ring less those of the dark one."""
    reach = math.ceil(side * _BRIGHT[1] + 0.5)
    bright, dark = (_ring(side, *ring, reach) for ring in (_BRIGHT, _DARK))
    return bright - dark


def _ring(side: float, inner: float, outer: float, reach: int) -> F32:
    """Weights of a ring that sum to 1, its edges smooth."""
    fine = 5
    at = (np.arange((2 * reach + 1) * fine) + 0.5) / fine - 0.5 - reach
    off = np.hypot(at[:, None], at) / side
    ring = ((off >= inner) & (off < outer)).reshape(2 * reach + 1, fine, 2 * reach + 1, fine).mean((1, 3))
    return np.asarray(ring / ring.sum(), np.float32)


def squares(middle: NDArray[np.float64], side: float, turns: int) -> F32:
    """Squares of a side around each point, in `turns` directions within a quarter turn: (N, turns, 4, 2)."""
    angles = np.arange(turns) * (math.pi / 2 / turns) + math.pi / 4
    at = angles[:, None] + np.arange(4) * (math.pi / 2) - math.pi
    corners = np.stack([np.cos(at), np.sin(at)], -1) * (side / math.sqrt(2))
    return np.asarray(middle[:, None, None, :] + corners, np.float32)


def patches(grey: Grey, rings: Sequence[Ringed], lo: float, hi: float, most: int) -> F32:
    """Quads that connected dark patches may fill: (N, 4, 4, 2), four ways to lay one into each.

    Needs a closed border, but no square: finds what is tilted by 45 to 62 degrees. At most `most`, those in the
    clearest rings: specks are many.
    Figures: of markers tilted by 62 degrees 46 of 63 within 0.15 of a side; quads fitted into boxes gave 17. Of
    677 patches on markers in 13 hard conditions all were in a ring so clear, of others about half.
    """
    window = int(0.8 * math.sqrt(lo * hi)) | 1
    level = cv2.blur(grey, (window, window))
    mask = cv2.compare(grey, cv2.addWeighted(level, _DARKER, level, 0, -1.0), cv2.CMP_LT)
    _, *found, _ = cv2.connectedComponentsWithStats(mask, connectivity=4, ltype=cv2.CV_32S)
    labels, stats = (np.asarray(part, np.int32) for part in found)
    _, _, width, height, area = stats[1:].T
    room = width * height
    fits = (room >= (0.85 * lo) ** 2) & (room <= (1.5 * hi) ** 2) & (area > 0.18 * room)
    fits &= np.maximum(width, height) <= _STRETCH * np.minimum(width, height)
    rows = np.flatnonzero(fits)
    unasked = room[rows] > hi * hi  # rings so large were not looked for
    clear = np.where(unasked, 1, _clear(rings, stats[rows + 1]))
    rows, clear = rows[clear > _INSIDE], clear[clear > _INSIDE]
    if len(rows) > most:
        rows = rows[np.argpartition(-clear, most)[:most]]
    rows = rows[np.argsort(np.maximum(width, height)[rows])] + 1  # boxes of one size are looked at together
    sizes = max(1, min(_SIZES, len(rows) // _ALIKE))
    alike = [part for part in np.array_split(rows, sizes) if len(part)]
    filled = [_filling(*_ends(labels, part, stats[part])) for part in alike]
    return np.concatenate(filled) if filled else np.zeros((0, _TURNS, 4, 2), np.float32)


def _clear(rings: Sequence[Ringed], stats: I32) -> F32:
    """How clear the clearest ring is about the middle of each box (N, 4 and more)."""
    middle = stats[:, :2] + (stats[:, 2:4] - 1) / 2
    most = np.zeros(len(stats), np.float32)
    for each in rings:
        x, y = np.minimum((middle + 0.5) / each.scale, np.array(each.near.shape[::-1]) - 1).astype(int).T
        np.maximum(most, each.near[y, x], out=most)
    return most


def _ends(labels: I32, nth: NDArray[np.int64], stats: I32) -> tuple[I32, I32, I32]:
    """Where each row of each patch begins and ends, px from its box: two of (N, rows), and the boxes (N, 4).

    Rows a patch has none of begin far right and end far left.
    """
    x, y, width, height = stats[:, :4].T
    down, across = np.arange(height.max()), np.arange(width.max())
    row = np.minimum(y[:, None] + down, labels.shape[0] - 1) * labels.shape[1]
    column = np.minimum(x[:, None] + across, labels.shape[1] - 1)
    there = labels.ravel()[row[:, :, None] + column[:, None]] == nth[:, None, None]
    there &= (down < height[:, None])[:, :, None] & (across < width[:, None])[:, None]
    some = there.any(2)
    first = np.where(some, there.argmax(2), _FAR_OFF)
    last = np.where(some, there.shape[2] - 1 - there[:, :, ::-1].argmax(2), -_FAR_OFF)
    return first, last, stats[:, :4]


def _filling(first: I32, last: I32, box: I32) -> F32:
    """Lay quads into patches of which each row's ends are known: (N, 4, 4, 2).

    Three touch the box where the patch does, at either end of a touch and between; one has the corners that
    are farthest out slantwise, for a patch with one corner on two sides of its box.
    """
    x, y, width, height = box.T
    each, end = np.arange(len(first)), first.shape[1] - 1
    left, right = first == 0, last == (width - 1)[:, None]
    touches = (
        (first[:, 0], right.argmax(1), last[each, height - 1], end - left[:, ::-1].argmax(1)),
        (last[:, 0], end - right[:, ::-1].argmax(1), first[each, height - 1], left.argmax(1)),
    )
    zero = 0 * x
    one, two = (
        np.stack([top, zero, width - 1, side, bottom, height - 1, zero, other], 1).reshape(-1, 4, 2)
        for top, side, bottom, other in touches
    )
    one, two = one + _OUT * _SQUARE, two + _OUT * np.roll(_SQUARE, -1, 0)
    quads = np.stack([one, two, (one + two) / 2, _slantwise(first, last)], 1)
    return np.asarray(quads + np.stack([x, y], 1)[:, None, None], np.float32)


def _slantwise(first: I32, last: I32) -> NDArray[np.float64]:
    """Corners (N, 4, 2) farthest to the upper left, upper right, lower right and lower left."""
    down, each = np.arange(first.shape[1]), np.arange(len(first))
    rows = [
        (first + down).argmin(1),
        (last - down).argmax(1),
        (last + down).argmax(1),
        (first - down).argmin(1),
    ]
    xs = [end[each, row] for end, row in zip((first, last, last, first), rows, strict=True)]
    return np.stack([np.stack(xs, 1), np.stack(rows, 1)], 2) + _OUT * _SQUARE


def shrunk(grey: Grey, size: tuple[int, int]) -> tuple[Grey, NDArray[np.float64]]:
    """Give the picture at a smaller size (width, height), and how many pixels (x, y) each of its pixels spans.

    Whole factors by area, what is left by line; what does not fill a whole factor is cut off at the right and
    bottom. Figure: 0.6 ms for 1920 x 1080 by 1.5 instead of 2.7 ms by area alone, with the same readings.
    """
    height, width = grey.shape
    whole = max(1, min(width // size[0], height // size[1]))
    if whole > 1:
        grey = grey[: height // whole * whole, : width // whole * whole]
        half = (width // whole, height // whole)
        grey = np.asarray(cv2.resize(grey, half, interpolation=cv2.INTER_AREA), np.uint8)
    scale = whole * np.array(grey.shape[::-1]) / np.array(size)
    if (grey.shape[1], grey.shape[0]) == size:
        return grey, scale
    return np.asarray(cv2.resize(grey, size, interpolation=cv2.INTER_LINEAR), np.uint8), scale
