"""Which code a patch shows: templates at several blurs, a short list, and a test module by module.

A blurred marker is a sum of blurred modules, so every template is one matrix product, and so is the
question whether turning a single module over would explain a patch better.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from companion.table.things import value
from companion.vision.align import F32, Lattice, lattice, pull, unit
from companion.vision.markers import modules, plain_tiles

BLURS = (0.22, 0.38, 0.55, 0.8, 1.1, 1.5)  # Gaussian sigma in modules
NOBODY = -1  # the id of a decoy
_RIM = 0.99  # modules from the edge inwards that are alike on all markers
SHORT = 10  # codes looked at closely for each patch
_DECOY_APART = 4  # modules; a decoy nearer to a code in use would rob it of its margin
_STIFF = 0.1  # of a module's mean weight
_FLOOR = 0.004  # what even a perfect match leaves unexplained
I64 = NDArray[np.int64]


@value
class Spread:
    """One lattice's view of blurred modules: the basis, the mean marker and how it pulls, for each blur."""

    spots: Lattice
    basis: F32  # (L, M, k*k) what one white module adds
    ground: F32  # (L, M) all modules black, white around
    mean: F32  # (L, M) unit
    rim: I64  # (P,) the samples on the border and outside: there all markers are alike
    rim_mean: F32  # (L, P) unit
    pulls: F32  # (L, 8, P) of the mean, from its rim


@value
class Bank:
    """Templates of all codes in use; behind them the decoys, tiles that are no marker."""

    ids: I64  # (N,), decoys NOBODY
    codes: F32  # (N, k*k), 0 black and 1 white
    coarse: Spread
    fine: Spread
    templates: F32  # (L, N, M) unit, on the fine lattice
    lengths: F32  # (L, N) of the templates before that
    short: F32  # (L, N, k*k) unit, means over modules
    unmix: F32  # (L, M, k*k) from a residual to how far each module is off


@value
class Match:
    """For each patch: the best code, its turn, its blur, and what speaks for it."""

    code: I64  # index into the bank
    turn: I64  # quarter turns: the corner of the quad that is the marker's own top left
    level: I64
    score: F32  # correlation with the best code
    margin: F32  # ln of the residual of the best other code over its own

    def only(self, rows: I64) -> Match:
        """Give these rows."""
        return Match(self.code[rows], self.turn[rows], self.level[rows], self.score[rows], self.margin[rows])


def _strip(spots: Lattice, blur: float) -> F32:
    """(side, k): how much of each module a sample of the lattice sees, along one axis."""
    reach = math.sqrt(2) * blur
    edge = [[math.erf((at - m) / reach) for m in range(spots.modules + 1)] for at in spots.at.tolist()]
    return np.asarray(-np.diff(np.array(edge), axis=1) / 2, np.float32)


def _spread(spots: Lattice, mean_code: F32) -> Spread:
    """Blurred modules on a lattice, and the mean marker seen through them."""
    basis = np.stack([np.kron(strip, strip) for strip in (_strip(spots, blur) for blur in BLURS)])
    ground = (1 - basis.sum(-1)).astype(np.float32)
    mean = unit(ground + basis @ mean_code)
    middle = abs(spots.at - spots.modules / 2) < spots.modules / 2 - _RIM
    rim = np.flatnonzero(~np.outer(middle, middle).ravel())
    return Spread(spots, basis, ground, mean, rim, unit(mean[:, rim]), pull(mean, spots, rim))


def bank(family: str, ids: Iterable[int] | None = None) -> Bank:
    """Templates for a family's codes, or for a choice of ids. IndexError for an id the family lacks."""
    grid = modules(family)
    chosen = np.arange(len(grid)) if ids is None else np.array(sorted(set(ids)), np.int64)
    if len(chosen) and not 0 <= chosen[0] <= chosen[-1] < len(grid):
        raise IndexError(f"{family} has the ids 0 to {len(grid) - 1}")
    across = grid.shape[1]
    codes: F32 = grid[chosen].reshape(len(chosen), across**2).astype(np.float32)
    framed = np.pad(plain_tiles(across - 2), ((0, 0), (1, 1), (1, 1)))
    tiles = framed.reshape(-1, across**2).astype(np.float32)
    apart = codes.sum(1)[None] + tiles.sum(1)[:, None] - 2 * tiles @ codes.T
    tiles = tiles[(apart >= _DECOY_APART).all(1)]
    mean_code = (codes if len(codes) else tiles).mean(0)
    coarse, fine = (_spread(lattice(across, *dense), mean_code) for dense in ((1, 1), (2, 2)))
    every = np.concatenate([codes, tiles])
    shown = fine.ground[:, None] + every @ fine.basis.transpose(0, 2, 1)
    lengths = np.asarray(shown.std(-1) * math.sqrt(shown.shape[-1]), np.float32)
    templates = unit(np.asarray(shown, np.float32))
    short = unit(cells(templates, fine.spots))
    named = np.concatenate([chosen, np.full(len(tiles), NOBODY)])
    unmix = np.stack([_unmix(basis) for basis in fine.basis])
    return Bank(named, every, coarse, fine, templates, lengths, short, unmix)


def cells(patches: F32, spots: Lattice) -> F32:
    """Means over the modules of patches (..., M): (..., k*k)."""
    k, dense = spots.modules, spots.dense
    square = patches.reshape(*patches.shape[:-1], spots.side, spots.side)
    quiet = slice(spots.quiet, spots.side - spots.quiet)
    inner = square[..., quiet, quiet]
    split = inner.reshape(*patches.shape[:-1], k, dense, k, dense)
    return np.asarray(split.mean((-3, -1)).reshape(*patches.shape[:-1], k * k), np.float32)


def turned(patches: F32, side: int) -> F32:
    """Each patch (N, M) as it looks upright if its marker's top left is corner 0, 1, 2, 3: (N, 4, M)."""
    square = patches.reshape(-1, side, side)
    views = [np.rot90(square, turn, axes=(1, 2)).reshape(len(square), side * side) for turn in range(4)]
    return np.stack(views, 1)


def shortlist(codes: Bank, views: F32, levels: I64) -> tuple[I64, I64]:
    """Name the likeliest (code, turn) of turned patches (N, 4, M), by their module means: two (N, SHORT)."""
    means = unit(cells(views, codes.fine.spots))
    keep = min(SHORT, len(codes.ids) * 4)
    best = np.empty((len(views), keep), np.int64)
    for level in np.unique(levels):
        at = np.flatnonzero(levels == level)
        alike = (means[at] @ codes.short[level].T).reshape(len(at), -1)
        best[at] = np.argpartition(-alike, keep - 1, axis=1)[:, :keep]
    turn, code = np.divmod(best, len(codes.ids))
    return code, turn


def match(codes: Bank, patches: F32, levels: I64, spans: tuple[int, ...] = (0,)) -> Match:
    """Match unit patches (N, M) at their blur level, and at the levels `spans` steps from it."""
    views = turned(patches, codes.fine.spots.side)
    code, turn = shortlist(codes, views, levels)
    rows = np.arange(len(patches))
    seen = views[rows[:, None], turn]
    tried = [np.clip(levels + span, 0, len(BLURS) - 1) for span in spans]
    likeness = np.stack([np.einsum("nsm,nsm->ns", seen, codes.templates[at[:, None], code]) for at in tried])
    every = likeness.max(0)
    first = every.argmax(1)
    best, score = code[rows, first], every[rows, first]
    level = np.stack(tried)[likeness[:, rows, first].argmax(0), rows]
    rival = np.where(code == best[:, None], -1, every).max(1)
    margin = np.log((1 - rival + _FLOOR) / (1 - score + _FLOOR))
    return Match(best, turn[rows, first], level, score, margin.astype(np.float32))


def likeliest(codes: Bank, patches: F32, levels: I64, most: int = 3) -> tuple[I64, F32]:
    """Name up to `most` different codes in use for each unit patch, the likeliest first: ids, scores (N, m)."""
    views = turned(patches, codes.fine.spots.side)
    real = np.flatnonzero(codes.ids != NOBODY)
    most = min(most, len(real))
    ids, scores = np.empty((len(views), most), np.int64), np.empty((len(views), most), np.float32)
    for level in np.unique(levels):
        at = np.flatnonzero(levels == level)
        alike = (views[at] @ codes.templates[level, real].T).max(1)
        first = np.argsort(-alike, axis=1, kind="stable")[:, :most]
        ids[at], scores[at] = codes.ids[real[first]], np.take_along_axis(alike, first, 1)
    return ids, scores


def doubts(codes: Bank, patches: F32, found: Match) -> F32:
    """How far the worst module is from what the code says, all modules weighed together: (N,).

    Upright unit patches. 0: every module as the code has it. 0.5: half way to the opposite. 1: the opposite.
    """
    target = codes.templates[found.level, found.code]
    likeness = np.maximum(np.einsum("nm,nm->n", target, patches), 0.01)[:, None]
    residual = patches - likeness * target
    worst = np.empty(len(patches), np.float32)
    for level in np.unique(found.level):
        at = np.flatnonzero(found.level == level)
        off = (residual[at] @ codes.unmix[level]) * (1 - 2 * codes.codes[found.code[at]])
        worst[at] = (off * (codes.lengths[level, found.code[at], None] / likeness[at])).max(1)
    return worst


def _unmix(basis: F32) -> F32:
    """(M, k*k) blurred modules to the (M, k*k) that takes a residual apart into modules again.

    Held towards no change by _STIFF, since blur cannot be undone in noise; then brought to the scale at
    which one module turned over reads 1.
    """
    level = basis - basis.mean(0)
    mixed = level.T @ level
    held = np.linalg.inv(mixed + np.eye(len(mixed)) * (_STIFF * np.trace(mixed) / len(mixed)))
    return np.asarray(level @ held / np.diag(held @ mixed), np.float32)


def inner_likeness(codes: Bank, patches: F32, found: Match) -> F32:
    """Correlation inside the black border only, for upright patches: (N,)."""
    spots = codes.fine.spots
    inside = (spots.at > 1) & (spots.at < spots.modules - 1)
    mask = np.outer(inside, inside).ravel()
    best = codes.templates[found.level, found.code]
    return np.asarray(np.einsum("nm,nm->n", unit(patches[:, mask]), unit(best[:, mask])), np.float32)
