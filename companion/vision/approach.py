"""From many rough quads to a few that lie on something like a marker, whichever code it may carry. Pure.

All markers are alike on their black border and just outside. Quads are compared with that, and the likeliest
are pulled onto it, each sample counting less the less it fits, so that another card, a table's edge or a
shadow beside the border pulls little.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from companion.table.things import value
from companion.vision import blurs
from companion.vision.align import F32, Eye, Lattice, lattice, shifted, sides, unit

_RIM = 0.99  # modules from the edge inwards that are alike on all markers
_SOFT = (0.38, 0.8, 1.4)  # blurs that are told apart here, modules
_LIKE = 0.42  # correlation with the mean marker from which a quad is looked at again
_BRIGHTER = 0.6  # of the places around a border, where it is brighter outside
_BY = 1.04  # times
_FLAT = 0.03  # standard deviation over mean below which a patch shows nothing
_PLAIN = 0.15  # ... and below which it counts for less: the grain of a table is marker-like, too, but faint
_STRANGE = 0.3  # of white over black: a sample off by this counts half
_DAMP = 3e-3  # of a corner's mean weight
_SOLID = 4.0  # grey levels of white over black that are taken for granted
I64 = NDArray[np.int64]
_ONE, _OTHER = np.triu_indices(10)  # each pair of what moves the rim


@value
class Mean:
    """The mean marker on a lattice, at each soft blur."""

    spots: Lattice
    shown: F32  # (L, M) unit
    slopes: F32  # (M, 2) orthonormal: how light may slope
    beside: tuple[I64, I64]  # points on the border, and each one's neighbour outside
    rim: F32  # (3, P) the points on the border and outside: there all markers are alike
    dark: F32  # (L, P) how bright the rim is, white 1
    pulls: F32  # (P, L * 10) level, contrast, and how the x and y of each corner move the rim
    pairs: F32  # (P, L * 55) products of these, each pair once


@value
class Found:
    """Quads on the way to a reading."""

    quads: F32
    levels: I64  # the soft blur that fits best
    like: F32  # correlation with the mean marker

    def only(self, rows: I64) -> Found:
        """Give these rows."""
        return Found(self.quads[rows], self.levels[rows], self.like[rows])


def mean(grid: F32, dense: int) -> Mean:
    """Look at the mean (k, k) of all module grids with `dense` samples along a module."""
    spots = lattice(len(grid), dense, dense)
    middle = abs(spots.at - spots.modules / 2) < spots.modules / 2 - _RIM
    rim = np.flatnonzero(~np.outer(middle, middle).ravel())
    u, v = spots.points[:2, rim]
    weights = np.stack([(1 - u) * (1 - v), u * (1 - v), u * v, (1 - u) * v], 1)
    shown, pulls = [], []
    for sigma in _SOFT:
        parts = blurs.basis(blurs.gaussian(sigma), spots)
        dark, right, down = (part @ (grid.ravel() - 1) for part in parts)  # white around: black modules take
        shown.append(1 + dark)
        slopes = [(slope[rim, None] * spots.modules * weights) for slope in (right, down)]
        pulls.append(np.concatenate([np.ones((len(rim), 1)), 1 + dark[rim, None], *slopes], 1))
    x, y = np.meshgrid(spots.at - spots.at.mean(), spots.at - spots.at.mean())
    slope = np.stack([x.ravel(), y.ravel()], 1)
    pull = np.stack(pulls).astype(np.float32)
    pairs = pull[..., _ONE] * pull[..., _OTHER]
    return Mean(
        spots,
        unit(np.stack(shown).astype(np.float32)),
        (slope / np.linalg.norm(slope, axis=0)).astype(np.float32),
        _beside(spots),
        np.ascontiguousarray(spots.points[:, rim]),
        np.ascontiguousarray(pull[..., 1]),
        *(np.ascontiguousarray(part.transpose(1, 0, 2)).reshape(len(rim), -1) for part in (pull, pairs)),
    )


def _beside(spots: Lattice) -> tuple[I64, I64]:
    """Name the points along the inside of the edge, and those just outside, side by side."""
    nth = np.arange(spots.side**2).reshape(spots.side, spots.side)
    lo, hi = spots.quiet, spots.side - spots.quiet
    turned = [np.rot90(nth, turn) for turn in range(4)]
    inner, outer = (np.concatenate([each[row, lo:hi] for each in turned]) for row in (lo, lo - 1))
    return inner, outer


def likeliest(eye: Eye, places: F32, at: Mean, lo: float, hi: float, most: int) -> Found:
    """Of the several quads (N, ways, 4, 2) of each place the one most like a marker; of those the best."""
    found = rated(eye, places.reshape(-1, 4, 2), at, _BRIGHTER)
    best = found.like.reshape(places.shape[:2]).argmax(1)
    found = found.only(np.arange(len(places)) * places.shape[1] + best)
    side, like = sides(found.quads), found.like
    rows = np.flatnonzero((like > _LIKE) & (side > 0.7 * lo) & (side < 1.4 * hi))
    if len(rows) > most:
        rows = rows[np.argpartition(-like[rows], most)[:most]]
    return found.only(rows)


def rated(eye: Eye, quads: F32, at: Mean, brighter: float = 0.0) -> Found:
    """Correlate each quad with the mean marker at each blur, whatever the slope of the light; less if faint.

    Not at all like it is a quad whose surroundings are brighter than its border at fewer than that share of
    places all around.
    """
    raw = eye(quads, at.spots.points)
    bare = raw - raw.mean(1, keepdims=True)
    whole = np.einsum("nm,nm->n", bare, bare)
    sloped = bare @ at.slopes
    left = np.sqrt(np.maximum(whole - np.einsum("nq,nq->n", sloped, sloped), 1e-3))
    likeness = bare @ at.shown.T / left[:, None]
    contrast = np.sqrt(whole / raw.shape[1]) / np.maximum(raw.mean(1), 1)
    known = np.sqrt(np.minimum(contrast / _PLAIN, 1))
    dark = contrast < _FLAT
    if brighter:
        inner, outer = at.beside
        dark |= (raw[:, outer] > raw[:, inner] * _BY).mean(1) < brighter
    return Found(quads, likeness.argmax(1), np.where(dark, 0, likeness.max(1) * known))


def pulled(eye: Eye, found: Found, at: Mean, limits: Sequence[float]) -> Found:
    """Step onto the rim of a marker, a step for each limit: the share of a side that a corner may move."""
    quads = found.quads
    dark = at.dark[found.levels]
    weights = np.ones(dark.shape, np.float32)
    for nth, limit in enumerate(limits):
        by, weights = _step(eye(quads, at.rim), weights, dark, at, found.levels, 1 + (nth == 0))
        quads = shifted(quads, -by.reshape(-1, 2, 4), limit)
    return Found(quads, found.levels, found.like)


def _step(seen: F32, weights: F32, dark: F32, at: Mean, levels: I64, rounds: int) -> tuple[F32, F32]:
    """How the corners should move (N, 8), and what each sample counts after this.

    All levels are worked out for all quads, and each quad's own taken: fewer steps, though more is multiplied.
    """
    many, rows = len(seen), np.arange(len(seen))
    for _ in range(rounds):
        some = weights * dark  # least squares for level and contrast, by hand
        one, two = weights.sum(1) + 1e-3, some.sum(1)
        both = np.einsum("np,np->n", some, dark) + 1e-3
        level, much = np.einsum("np,np->n", weights, seen), np.einsum("np,np->n", some, seen)
        depth = one * both - two * two
        level, much = (both * level - two * much) / depth, (one * much - two * level) / depth
        off = seen - dark * much[:, None]
        off -= level[:, None]
        contrast = np.maximum(abs(much), _SOLID)
        weights = off / (_STRANGE * contrast)[:, None]
        weights *= weights
        weights += 1
        weights = np.reciprocal(weights, out=weights)
    scale = np.ones((many, 10), np.float32)
    scale[:, 2:] = contrast[:, None]
    normal = np.empty((many, 10, 10), np.float32)
    pairs = (weights @ at.pairs).reshape(many, len(_SOFT), len(_ONE))[rows, levels]
    normal[:, _OTHER, _ONE] = normal[:, _ONE, _OTHER] = pairs * (scale[:, _ONE] * scale[:, _OTHER])
    diagonal = np.einsum("nii->ni", normal)
    diagonal[:, 2:] += _DAMP / 8 * diagonal[:, 2:].sum(1, keepdims=True)
    diagonal += 1e-3
    off *= weights
    right = (off @ at.pulls).reshape(many, len(_SOFT), 10)[rows, levels] * scale
    return np.linalg.solve(normal, right[..., None])[:, 2:, 0], weights


def apart(quads: F32, rank: F32, near: float = 0.12) -> I64:
    """Name, the best first, the quads that are not nearly a better one: centre, side and direction."""
    order = np.argsort(-rank, kind="stable")
    middle, side = quads[order].mean(1), np.maximum(sides(quads[order]), 1)
    edge = quads[order, 1] - quads[order, 0]
    turn = 4 * np.arctan2(edge[:, 1], edge[:, 0])
    off = np.hypot(middle[:, None, 0] - middle[:, 0], middle[:, None, 1] - middle[:, 1])
    same = (off < near * side) & (abs(np.log(side[:, None] / side)) < near)
    same &= np.cos(turn[:, None] - turn) > 0.6
    return np.asarray(order[~np.tril(same, -1).any(1)])
