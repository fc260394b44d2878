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
_RANKED = (_MIDDLE, *_FIRST)
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
    corners: F32  # (M, 4) how far each sample goes along with each corner of the quad
    pairs: F32  # (M, 16) products of these
    pulls: F32  # (L, M, 28) products with what is not the code
    clear: F32  # (P, L, 7) an orthonormal basis of what is not the code, inside
    basis: F32  # (P, L, c) modules cleared of it
    loose: F32  # (L, c, c) from what is seen of each module to modules of any grey
    lengths: F32  # (4N, L) of the template of each turned code, cleared
    ranked: F32  # (K, c, 4N) codes over their lengths at the levels that rank and shortlist


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
    ranked = np.stack([np.ascontiguousarray((codes / lengths[level][:, None]).T) for level in _RANKED])
    u, v = spots.points[:2]
    corners = np.stack([(1 - u) * (1 - v), u * (1 - v), u * v, (1 - u) * v], 1)
    pairs, pulls = ((part[..., None] * corners[:, None]) for part in (corners, plain[:, 0]))
    pairs, pulls = (part.reshape(*part.shape[:-2], -1) for part in (pairs, pulls))
    clear, basis, every = (np.ascontiguousarray(np.moveaxis(part, 0, 1)) for part in (clear, basis, lengths))
    return View(
        spots, inside, plain[:, 0], plain[:, 1:], module[:, 0], module[:, 1:], corners, pairs, pulls, clear,
        basis, loose, every, ranked,
    )  # fmt: skip


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


def match(codes: Bank, shown: F32, most: int = SHORT) -> Match:
    """Match what is `seen` of patches with every code at every blur."""
    short = shortlist(codes, shown, most)
    score = scores(codes, shown, short)
    best = score.max(2)
    rows, first = np.arange(len(shown)), best.argmax(1)
    level, top = score[rows, first].argmax(1), best[rows, first]
    same = short % codes.many == (short[rows, first] % codes.many)[:, None]
    rival = np.where(same, 0, best).max(1)
    margin = np.log((1 - rival**2 + FLOOR) / (1 - top**2 + FLOOR))
    return Match(short[rows, first], level, top, margin.astype(np.float32))


def promise(codes: Bank, patches: F32) -> F32:
    """How well the best code fits each patch at one middling blur, as a rank among many: (N,).

    Figure: of 880 rough quads on markers in hard pictures 812 are among the best 100, by this and a pull.
    """
    return np.asarray((seen(codes.view, patches, _MIDDLE) @ codes.view.ranked[0]).max(1), np.float32)


def shortlist(codes: Bank, shown: F32, most: int) -> I64:
    """Name the likeliest turned codes of each patch, at three soft blurs: (N, most)."""
    least = max(0, len(codes.codes) - most)
    alike = np.full((len(shown), len(codes.codes)), -1, np.float32)
    for level, ranked in zip(_FIRST, codes.view.ranked[1:], strict=True):
        np.maximum(alike, shown[:, level] @ ranked, out=alike)
    return np.argpartition(alike, least, axis=1)[:, least:]


def scores(codes: Bank, shown: F32, short: I64) -> F32:
    """Correlate each patch with its own short list (N, S) of turned codes at every blur: (N, S, L)."""
    return np.asarray(codes.codes[short] @ shown.transpose(0, 2, 1) / codes.view.lengths[short], np.float32)


def seen(view: View, patches: F32, level: int | None = None) -> F32:
    """How much of each module patches (N, M) of any scale show inside, over the length left of them once cleared.

    At one level (N, c), or at all of them (N, L, c).
    """
    bare = patches[:, view.inside]
    bare -= np.einsum("nm->n", bare)[:, None] / bare.shape[1]
    whole = np.einsum("nm,nm->n", bare, bare)
    if level is not None:
        shown, plain = bare @ view.basis[:, level], bare @ view.clear[:, level]
        left = np.sqrt(np.maximum(whole - np.einsum("nq,nq->n", plain, plain), 1e-3))
    else:
        shown, plain = (
            (bare @ part.reshape(len(part), -1)).reshape(len(bare), *part.shape[1:])
            for part in (view.basis, view.clear)
        )
        left = np.sqrt(np.maximum(whole[:, None] - np.einsum("nlq,nlq->nl", plain, plain), 1e-3))
    shown /= left[..., None]
    return shown


def alike(levels: I64) -> list[tuple[int, I64]]:
    """Each level that occurs, and the rows that have it: what is one level's is worked out for all of them."""
    return [(int(level), np.flatnonzero(levels == level)) for level in np.unique(levels)]


def likeliest(codes: Bank, shown: F32, most: int = 3) -> tuple[I64, F32]:
    """Name up to `most` different codes in use for each patch seen, the likeliest first: ids, scores (N, m)."""
    short = shortlist(codes, shown, 4 * SHORT)
    score = scores(codes, shown, short).max(2)
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
