"""What the light does to a marker: lamps that fall off, shadows with a hard edge, sleeves, flicker. Pure.

A picture is evened by the brightest paper around each pixel, which is enough to find markers by. A patch is
evened by the one edge of light that runs through it, which is enough to read it: the black border and the
white beyond it are alike all around, so where both grow darker together, that is the light.
"""

from __future__ import annotations

import math
from functools import cache, partial

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.align import F32, Eye, sample
from companion.vision.find import Grey

_PAPER = (
    0.5  # of the largest marker's side: dark things narrower than this are filled with what surrounds them
)
_WHITE = 200.0
_AROUND = 56  # places on the border
_BESIDE = (-0.75, -0.25, 0.25, 0.75)  # modules outwards from the border's edge, where each is looked at
_WAYS, _OFFS, _REACH = 32, 12, 0.48  # edges of light that are told apart: directions, distances, in sides
_SHARP, _SOFT = 0.07, 0.12  # sides over which light changes: as looked for, as taken out
_LEAST = 0.1  # ln of light over shadow from which an edge is believed
_CLEARLY = 0.15  # an edge is clear that explains so much, see `crossed`
_BLACK = 3.0  # grey levels; darker is not told apart
_STRIPS, _COLUMNS = 6, 16  # parts of the width that must agree, and columns that are looked at in each
_STEEP, _NARROW = 0.3, 0.08  # ln of light, row over row: more is an edge; and more than this off the usual
_FEWEST = 4  # columns without which nothing is said of a strip
_LOW = 32  # rows, likewise
_SLOW = 0.3  # of the height: light that changes over more is no band
_BANDED = 0.08  # ln of light, its deviation: less harms no reading
_ALIKE, _SHARE = 0.9, 0.8  # a strip's correlation with the others, its share of theirs: else cards do it


def evened(grey: Grey, hi: float) -> Grey:
    """Give the picture as if the light were the same all over, for markers of sides up to hi px."""
    wide = max(3, int(_PAPER * hi) | 1)
    paper = cv2.morphologyEx(grey, cv2.MORPH_CLOSE, np.ones((wide, wide), np.uint8))
    return np.asarray(cv2.divide(grey, cv2.blur(paper, (3, 3)), scale=_WHITE), np.uint8)


def unbanded(grey: Grey) -> Grey:
    """Give the picture without the bands of a flickering lamp; as it is where none are clear.

    A rolling shutter makes them alike along a whole row, over all that lies there. Figure: of markers of
    16 px under bands of 70 % 126 of 126 read instead of 106; 0.6 ms at 1920 x 1080 where there are none.
    """
    each = _rows(grey)
    if not len(each):
        return grey
    light = each.mean(0)
    rest = (len(each) * light - each) / (len(each) - 1)
    both, here, there = (each * rest).sum(1), (each * each).sum(1), (rest * rest).sum(1)
    alike = both / np.maximum(np.sqrt(here * there), 1e-6)
    if light.std() < _BANDED or alike.min() < _ALIKE or (both < _SHARE * there).any():
        return grey
    return np.asarray(np.minimum(grey * np.exp(light.max() - light)[:, None] + 0.5, 255), np.uint8)


def _rows(grey: Grey) -> F32:
    """Ln of the light of each row in each strip of the picture, what changes slowly left out: (S, H).

    Most pixels are no edge, so a row is as much brighter than the one above as most of its pixels are.
    """
    height, width = grey.shape
    many = min(_COLUMNS, width // _STRIPS)
    if many < _FEWEST or height < _LOW:
        return np.zeros((0, height), np.float32)
    some = cv2.resize(grey, (_STRIPS * many, height), interpolation=cv2.INTER_NEAREST)
    level = np.asarray(cv2.LUT(some, _logs()), np.float32)
    step = (level[1:] - level[:-1]).reshape(height - 1, _STRIPS, many)
    usual = np.clip(step, -_STEEP, _STEEP).mean((1, 2), keepdims=True)
    even = np.full(many, 1 / many, np.float32)
    for _ in range(2):
        usual = usual + (np.clip(step - usual, -_NARROW, _NARROW) @ even)[:, :, None]
    light = np.pad(np.cumsum(usual[:, :, 0].T, 1), ((0, 0), (1, 0)))
    wide = (int(_SLOW * height) | 1, 1)
    return np.asarray(light - cv2.blur(cv2.blur(light, wide), wide), np.float32)


@cache
def _logs() -> F32:
    """Ln of each grey value."""
    return np.log(np.maximum(np.arange(256), _BLACK)).astype(np.float32)


def plainly(grey: Grey) -> Eye:
    """See patches of a picture as they are."""
    return partial(sample, grey)


def paled(even: Grey) -> Eye:
    """See patches of a picture that was evened: what is read so must stand out as across an edge of light."""
    return plainly(even)


class Evenly:
    """See patches of a picture without the edge of light that runs through them."""

    def __init__(self, grey: Grey, modules: int) -> None:
        """`modules` across a marker."""
        self.grey, self.modules = grey, modules

    def __call__(self, quads: F32, points: F32) -> F32:
        """Grey values under the points (3, M) of each quad, as in the brighter light: (N, M)."""
        seen = sample(self.grey, quads, points)
        way, off, gain = edges(self.grey, quads, self.modules)
        ahead = _lit(way @ (points[:2] - 0.5) - off[:, None], _SOFT)
        return np.asarray(seen * np.exp(gain[:, None] * ((gain[:, None] > 0) - ahead)), np.float32)


def edges(grey: Grey, quads: F32, modules: int) -> tuple[F32, F32, F32]:
    """The clearest edge of light in each quad: direction (N, 2), distance (N,), ln of light over shadow (N,).

    On the unit square, from its middle. Where the border shows none, the last is 0.
    """
    way, off, _, size = _edges()
    _, best, most = _clearest(_levels(grey, quads, modules).mean(2))
    gain = most / size[best]
    return way[best], off[best], np.where(abs(gain) < _LEAST, 0, gain).astype(np.float32)


def crossed(grey: Grey, quads: F32, modules: int) -> NDArray[np.bool_]:
    """Whether a clear edge of light may run through each quad.

    Clear: what it explains, times how much brighter it is beyond the border, over what it leaves unexplained.
    Figure: of 110 markers in hard shadows all are read still, while of what lies on the art of 40 cards 67
    quads fewer are pulled: 5 ms of 65.
    """
    logs = _levels(grey, quads, modules)
    level = logs.mean(2)
    rest, best, most = _clearest(level)
    left = np.sqrt(np.maximum(np.einsum("np,np->n", rest, rest) - most**2, 1e-6) / _AROUND)
    gain = abs(most) / _edges()[3][best]
    half = len(_BESIDE) // 2
    step = logs[:, :, half:].mean(2) - logs[:, :, :half].mean(2)
    step = np.partition(step, _AROUND // 2, axis=1)[:, _AROUND // 2]
    return np.asarray((gain >= _LEAST) & (gain * step > _CLEARLY * left))


def _levels(grey: Grey, quads: F32, modules: int) -> F32:
    """Ln of the light beside each quad's edge, within and beyond: (N, places, beside)."""
    seen = np.maximum(sample(grey, quads, _beside(modules)), _BLACK)
    return np.log(seen, out=seen).reshape(len(quads), _AROUND, len(_BESIDE))


def _clearest(level: F32) -> tuple[F32, NDArray[np.int64], F32]:
    """Levels (N, places) less their mean, the edge most like each, and how much of it there is."""
    shape = _edges()[2]
    rest = level - level.mean(1, keepdims=True)
    alike = rest @ shape.T
    best = abs(alike).argmax(1)
    return rest, best, alike[np.arange(len(level)), best]


@cache
def _places() -> tuple[F32, F32]:
    """Places around the unit square, and which way is out: two of (P, 2)."""
    at = (np.arange(_AROUND) + 0.5) / _AROUND * 4
    side, along = at.astype(int), at % 1
    start = np.array([[0, 0], [1, 0], [1, 1], [0, 1]])[side]
    ahead = np.array([[1, 0], [0, 1], [-1, 0], [0, -1]])[side]
    out = np.stack([ahead[:, 1], -ahead[:, 0]], 1)
    return (start + ahead * along[:, None]).astype(np.float32), out.astype(np.float32)


@cache
def _beside(modules: int) -> F32:
    """Points beside the border's edge, within and beyond: (3, P * beside)."""
    at, out = _places()
    points = (at[:, None] + out[:, None] * (np.array(_BESIDE)[:, None] / modules)).reshape(-1, 2).T
    return np.concatenate([points, np.ones((1, points.shape[1]))]).astype(np.float32)


@cache
def _edges() -> tuple[F32, F32, F32, F32]:
    """All edges that are told apart: directions, distances, what each does to the places, and how much."""
    turn = np.arange(_WAYS) * 2 * math.pi / _WAYS
    way = np.stack([np.cos(turn), np.sin(turn)], 1).repeat(_OFFS, 0)
    off = np.tile(np.linspace(0, _REACH, _OFFS), _WAYS)
    lit = _lit((_places()[0] - 0.5) @ way.T - off, _SHARP).T
    share = lit.mean(1)
    crosses = (share > 0.06) & (share < 0.94)
    bare = (lit - share[:, None])[crosses]
    size = np.linalg.norm(bare, axis=1)
    shape = bare / size[:, None]
    return tuple(part.astype(np.float32) for part in (way[crosses], off[crosses], shape, size))


def _lit(ahead: F32, soft: float) -> F32:
    """How much of the light there is, 0 to 1, so far ahead of an edge."""
    return np.asarray(np.clip(ahead / soft + 0.5, 0, 1), np.float32)
