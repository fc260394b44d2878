"""Whether each marker that was read is still the one that lies there. Pure.

To find the same code again is not enough: rivals reach a correlation of 0.98. So the picture of each marker is
held against its own picture when it was read, with the light, and what a tremble makes of it, taken out. What
is left must be noise; another code that differs by six modules leaves several times as much.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.table.things import value
from companion.vision.align import F32, homographies, lattice, project
from companion.vision.change import Change
from companion.vision.find import Grey

_SPOTS = lattice(7, 2, 1)  # two samples a module of a 7 x 7 marker, and one around it
_APART = 0.6  # px between the samples from which it is known how a picture grows
_MOVED, _MOVED_PX = 0.04, 0.5  # sides and px that a marker may have moved otherwise than the camera did
_PALER, _STRONGER = 0.7, 1.4  # contrast, over what the light makes of it
_OTHER = 1.8  # times the variance of the noise, from which a marker is another one
_QUIET = 2.0  # grey levels: no picture is believed to be less noisy
_BENT = 0.03  # of a marker's contrast, that optics and compression may make of a tremble
_MANY = 5  # markers from which the middle one tells how noisy markers are
_ROUGH = 3.0  # times the noise of the whole picture, that it may tell
_RIDGE = 1e-4
_EACH = 16  # px between the samples of the picture that tell its noise
Rows = NDArray[np.bool_]
Move = tuple[float, float]


@value
class Marks:
    """Markers (N) as they looked when they were read, at M samples each."""

    x: F32  # (N, M) px, where each was sampled
    y: F32
    parts: F32  # (N, M, 6) its picture, how that grows a px to the right and down, the light and its slopes
    solve: F32  # (N, 6, M) what gives so much of each part
    side: F32  # (N,) px
    contrast: F32  # (N,) standard deviation of its picture


def marks(
    grey: Grey, quads: Sequence[NDArray[np.float64]], sides: Sequence[float], move: Move = (0.0, 0.0)
) -> Marks:
    """Keep the pictures of markers with these corners (4, 2) and sides, px.

    `move`: how this picture has moved against the one that others are kept of; they are kept for that one.
    """
    corners = np.asarray(quads, np.float32).reshape(-1, 4, 2)
    many = _SPOTS.points.shape[1]
    spots = project(homographies(corners), _SPOTS.points).reshape(len(corners), 2, many)
    x, y = (np.ascontiguousarray(spots[:, way]) for way in (0, 1))
    seen = _sampled(grey, x, y)
    right = (_sampled(grey, x + _APART, y) - _sampled(grey, x - _APART, y)) / (2 * _APART)
    down = (_sampled(grey, x, y + _APART) - _sampled(grey, x, y - _APART)) / (2 * _APART)
    light = np.broadcast_to(_SPOTS.points[[2, 0, 1]] - [[0], [0.5], [0.5]], (len(corners), 3, many))
    parts = np.concatenate([np.stack([seen, right, down], 1), light], 1).astype(np.float32)
    normal = parts @ parts.transpose(0, 2, 1)
    normal += np.eye(6, dtype=np.float32) * _RIDGE * many
    solve = np.linalg.solve(normal, parts) if len(corners) else parts
    contrast = seen.std(1) if len(corners) else np.zeros(0, np.float32)
    wide = np.asarray(sides, np.float32)
    x, y = x - np.float32(move[0]), y - np.float32(move[1])
    return Marks(
        x, y, np.ascontiguousarray(parts.transpose(0, 2, 1)), np.asarray(solve, np.float32), wide, contrast
    )


def only(kept: Marks, rows: Rows) -> Marks:
    """Give these rows."""
    return Marks(
        kept.x[rows], kept.y[rows], kept.parts[rows], kept.solve[rows], kept.side[rows], kept.contrast[rows]
    )


def both(one: Marks, other: Marks) -> Marks:
    """Put the markers of both one after the other."""
    pairs = [
        np.concatenate([getattr(one, name), getattr(other, name)])
        for name in ("x", "y", "parts", "solve", "side", "contrast")
    ]
    return Marks(*pairs)


def grain(grey: Grey) -> F32:
    """Give what `noise` compares: single pixels, far apart."""
    return np.asarray(grey[_EACH // 2 :: _EACH, _EACH // 2 :: _EACH], np.float32)


def noise(before: F32, after: F32, light: F32) -> float:
    """Standard deviation of what a pixel differs between two pictures, the light undone."""
    lit = cv2.resize(light, before.shape[::-1], interpolation=cv2.INTER_NEAREST)
    return 1.48 * float(np.median(cv2.absdiff(after, before * lit)))


def others(kept: Marks, grey: Grey, change: Change, by: int, rough: float) -> Rows:
    """Mark those that are not what was read, or not where it was read: (N,).

    `by`: pixels to one of the change's, `rough`: the noise. Figure: 0.2 ms for 40 markers.
    """
    if not len(kept.x):
        return np.zeros(0, bool)
    seen = _sampled(grey, kept.x, kept.y)
    share = (kept.solve @ seen[..., None])[..., 0]
    left = seen - (kept.parts @ share[..., None])[..., 0]
    spread = np.einsum("nm,nm->n", left, left) / left.shape[1]
    usual = max(_QUIET, rough) ** 2
    if len(spread) >= _MANY:
        usual = max(usual, min(float(np.median(spread)), _ROUGH * usual))
    other = spread > _OTHER * (usual + (_BENT * kept.contrast) ** 2)
    light = change.light[_at(kept.y, by, change.light.shape[0]), _at(kept.x, by, change.light.shape[1])]
    stronger = share[:, 0] / light
    other |= (stronger < _PALER) | (stronger > _STRONGER)
    way = share[:, 1:3] / np.maximum(share[:, :1], 0.1)  # px, against the way that the picture moved
    camera = np.median(way, axis=0) if len(way) >= _MANY else -np.array(change.move)
    off = np.abs(way - camera).max(1)
    return np.asarray(other | (off > np.maximum(_MOVED * kept.side, _MOVED_PX)))


def _at(px: F32, by: int, most: int) -> NDArray[np.int64]:
    """The coarse row or column of each marker's middle."""
    middle = px[:, px.shape[1] // 2]
    return np.clip((middle / by).astype(np.int64), 0, most - 1)


def _sampled(grey: Grey, x: F32, y: F32) -> F32:
    if not len(x):
        return np.zeros(x.shape, np.float32)
    seen = cv2.remap(
        grey, x.astype(np.float32), y.astype(np.float32), cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(seen, np.float32)
