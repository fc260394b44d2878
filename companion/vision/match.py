"""Which code a patch shows: every code at every blur, by plain least squares, beside what is not the code.

A blurred marker is a sum of blurred modules, so a patch is read off as: so much of each module, and so much
of what a marker cannot know: the level and slope of the light, and how bright it is beyond each of its four
sides. The latter is taken out of patches and templates alike. That leaves the code alone to be compared: a
thin white margin or a covering card costs nothing (white margin of 0.5 mm at 16 px: margin 0.27 to 1.5).
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from companion.table.things import value
from companion.vision import blurs
from companion.vision.align import F32, Lattice, lattice
from companion.vision.markers import border, modules, plain_tiles

NOBODY = -1  # the id of a decoy
SHORT = 16  # turned codes looked at closely for each patch
_DECOY_APART = 4  # modules; a decoy nearer to a code in use would rob it of its margin
_STIFF = 0.02  # of a module's mean weight: blur cannot be undone without end
FLOOR = 0.004  # what even a perfect match leaves unexplained
_MIDDLE = 2  # the level that ranks rough quads
_FIRST = (1, 3, 5)  # the levels, of the soft ones, that name the short list
I64 = NDArray[np.int64]


@value
class View:
    """What modules look like at each blur, on a lattice that reaches half a module beyond the marker."""

    spots: Lattice
    inside: I64  # (P,) the samples inside the marker: codes are compared on these alone
    plain: F32  # (L, M, 7) what is not the code: level and slopes of the light, what is beyond each side
    plain_slope: F32  # (L, 2, M, 7) how that grows to the right and down, in sides of the marker
    module: F32  # (L, M, c) what one white module of the code adds
    module_slope: F32  # (L, 2, M, c)
    clear: F32  # (L, P, 7) an orthonormal basis of what is not the code, inside
    basis: F32  # (L, P, c) modules cleared of it
    loose: F32  # (L, c, c) from what is seen of each module to modules of any grey
    lengths: F32  # (L, 4N) of the template of each turned code, cleared


@value
class Bank:
    """All codes in use, in all four turns; behind them the decoys, tiles that are no marker.

    The turned code t * N + n is code n with its own top left at corner t of the quad.
    """

    ids: I64  # (N,), decoys NOBODY
    codes: F32  # (4N, c), 0 black and 1 white, without the border
    view: View

    @property
    def many(self) -> int:
        """Codes, not counting their turns."""
        return len(self.ids)


@value
class Match:
    """For each patch: the best turned code, its blur, and what speaks for it."""

    code: I64  # index of the turned code
    level: I64
    score: F32  # correlation with the best code
    margin: F32  # ln of the residual of the best other code over its own

    def only(self, rows: I64 | NDArray[np.bool_]) -> Match:
        """Give these rows."""
        return Match(self.code[rows], self.level[rows], self.score[rows], self.margin[rows])


def bank(family: str, ids: Iterable[int] | None = None) -> Bank:
    """Templates for a family's codes, or for a choice of ids. IndexError for an id the family lacks."""
    grid, rim = modules(family), border(family)
    chosen = np.arange(len(grid)) if ids is None else np.array(sorted(set(ids)), np.int64)
    if len(chosen) and not 0 <= chosen[0] <= chosen[-1] < len(grid):
        raise IndexError(f"{family} has the ids 0 to {len(grid) - 1}")
    across = grid.shape[1] - 2 * rim
    codes = grid[chosen][:, rim:-rim, rim:-rim].reshape(len(chosen), across**2).astype(np.float32)
    tiles = plain_tiles(across).reshape(-1, across**2).astype(np.float32)
    apart = codes.sum(1)[None] + tiles.sum(1)[:, None] - 2 * tiles @ codes.T
    every = np.concatenate([codes, tiles[(apart >= _DECOY_APART).all(1)]])
    square = every.reshape(-1, across, across)
    turned = np.concatenate([np.rot90(square, -turn, axes=(1, 2)) for turn in range(4)])
    turned = np.ascontiguousarray(turned.reshape(len(turned), -1), np.float32)
    named = np.concatenate([chosen, np.full(len(every) - len(chosen), NOBODY)])
    return Bank(named, turned, _view(grid.shape[1], rim, turned))


def _view(across: int, rim: int, codes: F32) -> View:
    """Blurred modules, and what they look like cleared of the rest."""
    spots = lattice(across, 2, 1)
    within = (spots.at > 0) & (spots.at < across)
    inside = np.flatnonzero(np.outer(within, within).ravel())
    inner = np.zeros((across, across), bool)
    inner[rim:-rim, rim:-rim] = True
    made = [blurs.basis(kernel, spots) for kernel in blurs.levels()]
    shown = np.stack([np.stack(parts) for parts in made])  # (L, 3, M, k*k): as it is, growing right, down
    shown[:, 1:] *= across
    plain = np.stack([_plain(parts, spots) for parts in shown])
    module = np.ascontiguousarray(shown[..., inner.ravel()])
    clear = np.asarray(np.linalg.qr(plain[:, 0, inside])[0], np.float32)
    bare = module[:, 0, inside]
    basis = np.asarray(bare - clear @ (clear.transpose(0, 2, 1) @ bare), np.float32)
    gram = basis.transpose(0, 2, 1) @ basis
    squares = np.stack([((codes @ level) * codes).sum(1) for level in gram])
    lengths = np.asarray(np.sqrt(np.maximum(squares, 1e-6)), np.float32)
    size = np.trace(gram, axis1=1, axis2=2)[:, None, None] / gram.shape[1]
    loose = np.linalg.inv(gram + np.eye(gram.shape[1]) * (_STIFF * size)).astype(np.float32)
    return View(
        spots, inside, plain[:, 0], plain[:, 1:], module[:, 0], module[:, 1:], clear, basis, loose, lengths
    )


def _plain(parts: F32, spots: Lattice) -> F32:
    """Level and slopes of the light, and what shines in from each side, with their growth: (3, M, 7)."""
    at = spots.at / spots.modules - 0.5
    x, y = (part.ravel() for part in np.meshgrid(at, at))
    near = np.maximum(np.stack([-y, x, y, -x], 1), 0.01) ** 8
    near /= near.sum(1, keepdims=True)
    one, none = np.ones_like(x), np.zeros_like(x)
    light = np.stack([[one, x, y], [none, one, none], [none, none, one]]).transpose(0, 2, 1)
    missing = np.stack([1 - parts[0].sum(1), -parts[1].sum(1), -parts[2].sum(1)])
    return np.concatenate([light, missing[..., None] * near], 2).astype(np.float32)


def match(codes: Bank, patches: F32, most: int = SHORT) -> Match:
    """Match patches (N, M) of any scale with every code at every blur."""
    short = shortlist(codes, patches, most)
    score = scores(codes, patches, short)  # (N, L, S)
    best = score.max(1)
    rows, first = np.arange(len(patches)), best.argmax(1)
    level, top = score[rows, :, first].argmax(1), best[rows, first]
    same = short % codes.many == (short[rows, first] % codes.many)[:, None]
    rival = np.where(same, 0, best).max(1)
    margin = np.log((1 - rival**2 + FLOOR) / (1 - top**2 + FLOOR))
    return Match(short[rows, first], level, top, margin.astype(np.float32))


def promise(codes: Bank, patches: F32) -> F32:
    """How well the best code fits each patch at one middling blur, as a rank among many: (N,).

    Figure: of 880 rough quads on markers in hard pictures 812 are among the best 100, by this and a pull.
    """
    shown, left = seen(codes.view, patches, _MIDDLE)
    lengths = codes.view.lengths[_MIDDLE]
    return np.asarray((shown @ (codes.codes / lengths[:, None]).T).max(1) / left, np.float32)


def shortlist(codes: Bank, patches: F32, most: int) -> I64:
    """Name the likeliest turned codes of each patch, at three soft blurs: (N, most)."""
    keep = min(most, len(codes.codes))
    alike = np.full((len(patches), len(codes.codes)), -1, np.float32)
    for level in _FIRST:
        shown, left = seen(codes.view, patches, level)
        np.maximum(alike, shown @ codes.codes.T / codes.view.lengths[level] / left[:, None], out=alike)
    return np.argpartition(-alike, keep - 1, axis=1)[:, :keep]


def scores(codes: Bank, patches: F32, short: I64) -> F32:
    """Correlate each patch with its own short list (N, S) of turned codes at every blur: (N, L, S)."""
    view = codes.view
    shown, left = seen(view, patches)
    picked = codes.codes[short]
    over = view.lengths[:, short].transpose(1, 0, 2) * left[..., None]
    return np.asarray(shown @ picked.transpose(0, 2, 1) / over, np.float32)


def seen(view: View, patches: F32, level: int | None = None) -> tuple[F32, F32]:
    """How much of each module a patch shows inside, and the length left of it once cleared.

    At one level (N, c) and (N,), or at all of them (N, L, c) and (N, L).
    """
    basis, clear = (view.basis, view.clear) if level is None else (view.basis[level], view.clear[level])
    bare = patches[:, view.inside]
    bare = bare - bare.mean(1, keepdims=True)
    whole = np.einsum("nm,nm->n", bare, bare)
    shown, plain = bare @ basis, bare @ clear  # (L, N, c) and (L, N, 7), or without L
    left = np.sqrt(np.maximum(whole - np.einsum("...q,...q->...", plain, plain), 1e-3))
    return (shown, left) if level is not None else (shown.transpose(1, 0, 2), left.T)


def likeliest(codes: Bank, patches: F32, most: int = 3) -> tuple[I64, F32]:
    """Name up to `most` different codes in use for each patch, the likeliest first: ids, scores (N, m)."""
    short = shortlist(codes, patches, 4 * SHORT)
    score = scores(codes, patches, short).max(1)
    score = np.where(codes.ids[short % codes.many] == NOBODY, -1, score)
    order = np.argsort(-score, axis=1, kind="stable")
    ids = np.take_along_axis(codes.ids[short % codes.many], order, 1)
    score = np.take_along_axis(score, order, 1)
    firsts = [np.unique(row, return_index=True)[1] for row in ids]
    rank = np.full(ids.shape, ids.shape[1])
    for row, first in enumerate(firsts):
        rank[row, first] = first
    picked = np.argsort(rank, axis=1, kind="stable")[:, : min(most, int((codes.ids != NOBODY).sum()))]
    return np.take_along_axis(ids, picked, 1), np.take_along_axis(score, picked, 1)
