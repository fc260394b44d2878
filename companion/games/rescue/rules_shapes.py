"""The shapes of the six numbers: flipped, turned and laid on a grid of trees. Pure.

The rulebook does not print them. The preset comes from a public program that copied the publisher's sheets
(ravecat/d20, "koala_rescue_club"); nobody has held it against a sheet here, so it is called unverified.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import cache

Spot = tuple[int, int]  # row, column
Cells = tuple[Spot, ...]

PRESET_NAME = "unverified"
PRESET: tuple[Cells, ...] = (
    ((0, 0), (0, 1)),  # 1: two in a line
    ((0, 0), (0, 1)),  # 2: two in a line
    ((0, 0), (0, 1), (0, 2)),  # 3: three in a line
    ((0, 0), (0, 1), (1, 0)),  # 4: a corner of three
    ((0, 0), (0, 1), (0, 2), (1, 0)),  # 5: an L of four
    ((0, 0), (0, 1), (0, 2), (1, 1)),  # 6: a T of four
)


def settled(cells: Collection[Spot]) -> Cells:
    """The same form with its upper left corner at 0, 0, in reading order."""
    top, left = min(row for row, _ in cells), min(col for _, col in cells)
    return tuple(sorted((row - top, col - left) for row, col in cells))


@cache  # a handful of shapes, asked for again at every drawing
def forms(shape: Cells) -> tuple[Cells, ...]:
    """Every form of a shape: four turns, each also flipped; equal ones once."""
    found: dict[Cells, None] = {}
    turned: Collection[Spot] = shape
    for _ in range(4):
        turned = [(col, -row) for row, col in turned]
        found[settled(turned)] = None
        found[settled([(row, -col) for row, col in turned])] = None
    return tuple(sorted(found))


def congruent(cells: Collection[Spot], shape: Cells) -> bool:
    """Whether cells form the shape, in whatever way it is turned or flipped."""
    return bool(cells) and settled(cells) in forms(shape)


def placements(shape: Cells, grid: Collection[Spot]) -> tuple[frozenset[Spot], ...]:
    """Every way to lay a shape on a grid, in reading order."""
    free = frozenset(grid)
    found: dict[Cells, None] = {}
    for top, left in sorted(_corners(free)):
        for form in forms(shape):
            laid = tuple((row + top, col + left) for row, col in form)
            if free.issuperset(laid):
                found[laid] = None
    return tuple(frozenset(laid) for laid in found)


def _corners(free: frozenset[Spot]) -> set[Spot]:
    """Where the box around a form may have its upper left corner: that corner need not be a tree itself."""
    if not free:
        return set()
    last_row, last_col = max(row for row, _ in free), max(col for _, col in free)
    return {(row, col) for row in range(last_row + 1) for col in range(last_col + 1)}
