"""Module grids of what is printed: our families, DataMatrix for its own reader, and marker-like strangers."""

from __future__ import annotations

from functools import cache

import numpy as np

from companion.vision.markers import IMITABLE_5X5, modules

OURS = "aruco-5x5-1000"
APRIL = "apriltag-36h11"
MATRIX = "datamatrix-10"
USED = 450  # codes on the table; more than any game has


@cache
def grids(family):
    """(N, k, k) 0/1 module grids, and the id that each one is read as."""
    if family == MATRIX:
        return _matrix()
    grid = modules(family)
    barred = IMITABLE_5X5 if family == OURS else frozenset()
    ids = np.array([i for i in range(len(grid)) if i not in barred][:USED])
    return grid[ids], ids


def _matrix():
    import zxingcpp

    made = []
    for number in range(USED):
        symbol = zxingcpp.create_barcode(f"{number + 100:03d}", zxingcpp.BarcodeFormat.DataMatrix)
        made.append(np.asarray(symbol.to_image(scale=1, add_quiet_zones=False)) > 127)
    return np.stack(made).astype(np.uint8), np.arange(USED)


@cache
def strangers(cells=5, apart=4, many=400, seed=7):
    """Framed random insides that differ from every code of ours, in every turn, in `apart` modules or more."""
    chance = np.random.default_rng(seed)
    codes = modules(OURS)[:, 1:-1, 1:-1]
    every = np.concatenate([np.rot90(codes, turn, axes=(1, 2)) for turn in range(4)]).reshape(-1, cells**2)
    found = []
    while len(found) < many:
        inside = (chance.random((4000, cells**2)) < chance.uniform(0.35, 0.65)).astype(np.int32)
        near = (inside.sum(1)[:, None] + every.sum(1)[None] - 2 * inside @ every.astype(np.int32).T).min(1)
        found.extend(inside[near >= apart])
    return np.pad(np.stack(found[:many]).reshape(-1, cells, cells).astype(np.uint8), ((0, 0), (1, 1), (1, 1)))
