"""How a marker would lie here: those that are read tell the table on which the others lie. Pure.

Where a marker of one size lies on a known table, and which way it is turned, are three numbers instead of the
eight of any quad. So a marker is still laid exactly of which one side is under another card, or half is in
the shadow. What it is laid on must be read like all others: this only proposes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from companion.vision.align import F32
from companion.vision.plane import Plane, plane

F64 = NDArray[np.float64]
Promise = Callable[[F32], F32]  # how much quads (N, 4, 2) promise: (N,)
LEAST = 3  # markers that tell a table
_SIZE = 0.2  # a marker of a size off by more is one of another kind
_STEEPEST = 2.2  # tangent of the largest lean, 66 degrees
_TURNS, _AROUND = 6, 0.16  # turns within a quarter that are looked at, and then places around, in sides
_FINELY = ((0.08, 0.1), (0.04, 0.05))  # sides and radians of the steps after that
_PROMISES = (0.5, 0.6, 0.65, 0.75)  # what a place must promise after each
_SLANT = 1.25  # longer than wide from which squares are poor guesses
_NEAR = 0.12  # sides within which two places are one
_SQUARE = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])
_TURNED = np.array([(0, 0, turn * math.pi / 2 / _TURNS) for turn in range(_TURNS)])
_SHIFTED = np.array([(_AROUND * right, _AROUND * down, 0) for right in (-1, 0, 1) for down in (-1, 0, 1)])
_AXES = np.concatenate([np.zeros((1, 3)), np.eye(3), -np.eye(3)])
_FINER = [_AXES * (shift, shift, angle) for shift, angle in _FINELY]


def table(quads: Sequence[F64], size: tuple[int, int]) -> Plane | None:
    """Give the table under most of these markers (4, 2) px, lengths in their sides; None if it is not told.

    `size`: width and height of the picture.
    """
    if len(quads) < LEAST:
        return None
    corners = np.stack(quads)
    found = plane(corners, np.ones(len(corners)), size, _STEEPEST)
    flat = found.mm(corners.reshape(-1, 2)).reshape(corners.shape)
    side = np.linalg.norm(flat - np.roll(flat, 1, 1), axis=2).mean(1)
    alike = abs(np.log(side / np.median(side))) < _SIZE
    if alike.all() or alike.sum() < LEAST:
        return found
    return plane(corners[alike], np.ones(int(alike.sum())), size, _STEEPEST)


def laid(on: Plane, middle: F64, turn: F64) -> F32:
    """Quads of markers with their middles there (..., 2), on the table, turned by so much (...): (..., 4, 2)."""
    cos, sin = np.cos(turn)[..., None], np.sin(turn)[..., None]
    x, y = _SQUARE.T
    corners = middle[..., None, :] + np.stack([cos * x - sin * y, sin * x + cos * y], -1)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):  # on the table's horizon
        return on.px(corners.reshape(-1, 2)).reshape(corners.shape).astype(np.float32)


def slanted(on: Plane, shape: tuple[int, ...]) -> bool:
    """Whether markers in the middle of the picture (height, width) are much longer than wide."""
    middle = on.mm(np.array([[shape[1] / 2, shape[0] / 2]]))
    quad = laid(on, middle, np.zeros(1))[0]
    _, size, _ = np.linalg.svd(np.stack([quad[1] - quad[0], quad[3] - quad[0]]))
    return bool(size[0] > _SLANT * size[1])


def ways(on: Plane, places: F32) -> F32:
    """Lay a marker at each place (N, 2) px in every turn that is told apart: (N, turns, 4, 2)."""
    middle = on.mm(places.astype(np.float64))
    return laid(on, middle[:, None].repeat(_TURNS, 1), np.tile(_TURNED[:, 2], (len(middle), 1)))


def searched(promise: Promise, on: Plane, places: F32) -> F32:
    """Lay a marker at each place (N, 2) px as it promises most, and keep those that promise much: (M, 4, 2).

    Figure: of 914 hard markers in pictures it was not tuned on 781 read instead of 741; in fans where another
    card touches 82 of 84 instead of 70, across hard shadows 73 instead of 61.
    """
    middle = on.mm(places.astype(np.float64))
    middle = middle[_firsts(middle, _NEAR)]
    turn = np.zeros(len(middle))
    for grid, least in zip((_TURNED, _SHIFTED, *_FINER), _PROMISES, strict=True):
        if not len(middle):
            break
        middle, turn, rank = _best(promise, on, middle, turn, grid)
        order = np.argsort(-rank, kind="stable")[: np.count_nonzero(rank > least)]
        kept = order[_firsts(middle[order], _NEAR)]
        middle, turn = middle[kept], turn[kept]
    return laid(on, middle, turn)


def _best(promise: Promise, on: Plane, middle: F64, turn: F64, grid: F64) -> tuple[F64, F64, F32]:
    """Of all steps (K, 3) of a grid, right, down and turn, the best for each place, and what it promises."""
    cos, sin = np.cos(turn)[:, None], np.sin(turn)[:, None]
    x, y = grid[:, 0], grid[:, 1]
    middles = middle[:, None] + np.stack([cos * x - sin * y, sin * x + cos * y], -1)
    turns = turn[:, None] + grid[:, 2]
    rank = promise(laid(on, middles, turns).reshape(-1, 4, 2)).reshape(turns.shape)
    rows, best = np.arange(len(rank)), rank.argmax(1)
    return middles[rows, best], turns[rows, best], rank[rows, best]


def _firsts(middle: F64, near: float) -> NDArray[np.int64]:
    """Name the places that are not nearly one named before them."""
    off = np.hypot(*(middle[:, None] - middle).transpose(2, 0, 1))
    return np.flatnonzero(~np.tril(off < near, -1).any(1))
