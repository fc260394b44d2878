"""The plane of the table in a picture: a lens above it, found from markers of known size. Pure.

All plates lie on one table. Four numbers say how the camera looks at it (two leans, the length of the lens,
the scale); every marker that is no square of its size speaks against a guess of them. That a single marker
of 18 mm then gives a zone of 300 mm rests on this: its own corners are too near to each other for more than
a place and a turn.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from companion.table.things import value

Points = NDArray[np.float64]
_STEPS = 6
_LEAN, _LENS, _SCALE = (
    2.0,
    0.35,
    1.0,
)  # how far a guess may reasonably be from upright, a usual lens, the mean
_BLUNT = 0.25  # px: a corner is not read better than this
_USUAL = 1.1  # length of a usual lens, in widths of the picture
_STEEPEST = 1.4  # tangent of the largest lean that is tried, 54 degrees


@value
class Plane:
    """Pixels to mm of the table (up to where its origin is and how it is turned), and back: 3 x 3 each."""

    down: Points
    up: Points

    def mm(self, px: Points) -> Points:
        """Table mm of pixels (N, 2)."""
        return _mapped(self.down, px)

    def px(self, mm: Points) -> Points:
        """Pixels of table mm (N, 2)."""
        return _mapped(self.up, mm)


def plane(corners: Points, sides: Points, size: tuple[float, float], steepest: float = _STEEPEST) -> Plane:
    """Give the table's plane from squares: their corners (N, 4, 2) px, sides (N,) mm; size of the picture px.

    Least squares over all corners, each square placed and turned at will; leans and lens are held near what
    is usual by as much as the markers leave open. One upright square is enough, more make it surer.
    `steepest`: tangent of the largest lean.
    """
    width = float(size[0])
    middle = (np.array(size) - 1) / 2
    seen = (corners - middle) / width
    scale = np.log(np.median(sides / np.sqrt(np.abs(_areas(seen)))))
    guess = np.array([0.0, 0.0, np.log(_USUAL), scale])
    prior = np.array([_LEAN, _LEAN, _LENS, _SCALE])
    start = guess.copy()
    for _ in range(_STEPS):
        left = _misfit(guess, seen, sides, width)
        slopes = np.stack(
            [(_misfit(guess + step, seen, sides, width) - left) / 1e-5 for step in 1e-5 * np.eye(4)], 1
        )
        normal = slopes.T @ slopes + np.diag(prior**-2)
        move = np.linalg.solve(normal, slopes.T @ left + (guess - start) * prior**-2)
        guess = guess - np.clip(move, -0.5, 0.5)
        guess[:2] = np.clip(guess[:2], -steepest, steepest)
        if np.abs(move).max() < 1e-5:
            break
    here = np.array([[1 / width, 0, -middle[0] / width], [0, 1 / width, -middle[1] / width], [0, 0, 1]])
    down = _down(guess) @ here
    return Plane(down, np.linalg.inv(down))


def placed(mm: Points, there: Points) -> Points:
    """Turn, shift and scale (3 x 3) that bring points (N, 2) as near as can be to others, N from 2."""
    a, b = mm - mm.mean(0), there - there.mean(0)
    length = float((a * a).sum())
    cos = float((a * b).sum()) / length
    sin = float((a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]).sum()) / length
    turn = np.array([[cos, -sin], [sin, cos]])
    out = np.eye(3)
    out[:2, :2], out[:2, 2] = turn, there.mean(0) - turn @ mm.mean(0)
    return out


def _areas(quads: Points) -> Points:
    x, y = quads[..., 0], quads[..., 1]
    return np.asarray((x * np.roll(y, -1, 1) - y * np.roll(x, -1, 1)).sum(1) / 2)


def _down(guess: Points) -> Points:
    """Picture (in widths from its middle) to mm, for leans (tangents), log length of the lens, log scale."""
    lean_x, lean_y, lens, scale = guess
    lens = np.exp(lens)
    across = np.array([lean_x, lean_y, 1.0]) / np.sqrt(1 + lean_x**2 + lean_y**2)  # the table's upright
    first = np.array([1.0, 0, -across[0] / across[2]])
    first /= np.linalg.norm(first)
    second = np.cross(across, first)
    rows = np.stack([np.exp(scale) * first, np.exp(scale) * second, across / lens])
    return np.asarray(rows * [1, 1, lens])  # the line of sight through a pixel is (x, y, lens)


def _misfit(guess: Points, seen: Points, sides: Points, width: float) -> Points:
    """How far each corner is from a true square, in units of what a corner can be off: flat."""
    flat = _mapped(_down(guess), seen.reshape(-1, 2)).reshape(seen.shape)
    square = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])
    want = square * sides[:, None, None]
    there = flat - flat.mean(1, keepdims=True)
    cos = (want * there).sum((1, 2))
    sin = (want[..., 0] * there[..., 1] - want[..., 1] * there[..., 0]).sum(1)
    length = np.hypot(cos, sin)
    cos, sin = cos / length, sin / length
    turned = np.stack(
        [
            cos[:, None] * want[..., 0] - sin[:, None] * want[..., 1],
            sin[:, None] * want[..., 0] + cos[:, None] * want[..., 1],
        ],
        -1,
    )
    px = np.sqrt(np.abs(_areas(seen))) * width / sides  # pixels a mm, there
    return np.asarray(((there - turned) * px[:, None, None] / _BLUNT).ravel())


def _mapped(by: Points, points: Points) -> Points:
    lifted = points @ by[:, :2].T + by[:, 2]
    return np.asarray(lifted[:, :2] / lifted[:, 2:])
