"""One drawing: circles in the rolled shape, or a single one; what may be drawn and why not. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from companion.games.rescue.options import Rulings, ruled
from companion.games.rescue.rules_map import Cell, Map
from companion.games.rescue.rules_shapes import congruent
from companion.games.rescue.rules_sheet import Sheet, free_koalas, free_trees
from companion.table.game import Refusal

PLANT, REHOME = "plant", "rehome"
COLUMNS = "abcdefghijkl"


def name(cell: Cell) -> str:
    """A cell as people write it: area, column, row: "A-b3"."""
    return f"{cell[0]}-{COLUMNS[cell[2]]}{cell[1] + 1}"


def named(word: str) -> Cell | None:
    """The cell of a name; None if it is none."""
    area, dash, place = word.partition("-")
    if not dash or place[:1] not in COLUMNS or len(place) > 3 or not place[1:].isdecimal():
        return None
    return area, int(place[1:]) - 1, COLUMNS.index(place[0])


def names(cells: Iterable[Cell]) -> str:
    """Cells in reading order: "A-a1,A-b1"."""
    return ",".join(name(cell) for cell in sorted(cells))


def check(
    board: Map, sheet: Sheet, number: int, what: str, cells: Sequence[Cell], rulings: Rulings
) -> Refusal | None:
    """Why these circles may not be drawn for this number; None if they may."""
    return (
        _form(board, number, what, cells)
        or _place(board, sheet, what, cells)
        or _single(board, sheet, number, cells, rulings)
    )


def _rule(what: str, plant: int, rehome: int) -> str:
    return f"RESC-PLA-{plant:02d}" if what == PLANT else f"RESC-REH-{rehome:02d}"


def _form(board: Map, number: int, what: str, cells: Sequence[Cell]) -> Refusal | None:
    """Right as a form, wherever it lies: trees of one area, each once, a single one or the entire shape."""
    twice = [cell for n, cell in enumerate(cells) if cell in cells[:n]]
    if twice:
        return Refusal(_rule(what, 5, 6), "same_cell_twice", {"cell": name(twice[0])})
    strange = [cell for cell in cells if cell not in board.trees]
    if strange:
        return Refusal(_rule(what, 1, 1), "no_such_cell", {"cell": name(strange[0])})
    if len({area for area, _, _ in cells}) > 1:
        areas = ", ".join(sorted({area for area, _, _ in cells}))
        return Refusal("RESC-TUR-05", "one_area_only", {"areas": areas})
    shape = board.shapes[number - 1]
    if len(cells) == 1:
        return None
    if len(cells) < len(shape):
        return Refusal(_rule(what, 4, 5), "entire_shape", {"count": len(cells), "size": len(shape)})
    if not congruent([(row, col) for _, row, col in cells], shape):
        return Refusal(_rule(what, 1, 1), "wrong_shape", {"number": number})
    return None


def _place(board: Map, sheet: Sheet, what: str, cells: Sequence[Cell]) -> Refusal | None:
    """Right as a place: a connected area, and cells that are free for it."""
    area = cells[0][0]
    if area not in sheet.connected:
        return Refusal(_rule(what, 2, 3), "area_not_connected", {"area": area})
    for cell in cells:
        fault = why_not(board, sheet, what, cell)
        if fault is not None:
            return fault
    return None


def why_not(board: Map, sheet: Sheet, what: str, cell: Cell) -> Refusal | None:
    """Why this tree or koala may not be circled, wherever its area is; None if it may."""
    values = {"cell": name(cell)}
    if what == PLANT:
        return Refusal("RESC-PLA-05", "tree_already_circled", values) if cell in sheet.trees else None
    if cell not in board.koalas:
        return Refusal("RESC-AMB-03", "no_koala_here", values)
    if cell not in sheet.trees:
        return Refusal("RESC-REH-02", "koala_needs_circled_tree", values)
    return Refusal("RESC-REH-06", "koala_already_circled", values) if cell in sheet.koalas else None


def _single(board: Map, sheet: Sheet, number: int, cells: Sequence[Cell], rulings: Rulings) -> Refusal | None:
    """By another ruling a shape that fits must be used."""
    if len(cells) != 1 or not ruled(rulings, 19, "must_use_the_shape"):
        return None
    if shapes(board, sheet, number, PLANT) or shapes(board, sheet, number, REHOME):
        size = len(board.shapes[number - 1])
        return Refusal("RESC-AMB-19", "entire_shape", {"count": 1, "size": size})
    return None


def shapes(board: Map, sheet: Sheet, number: int, what: str) -> tuple[frozenset[Cell], ...]:
    """Every legal way to draw the whole shape now, in reading order."""
    free = free_trees(board, sheet) if what == PLANT else free_koalas(board, sheet)
    return tuple(laid for laid in board.placements[number] if free >= laid)


def singles(
    board: Map, sheet: Sheet, number: int, what: str, rulings: Rulings
) -> tuple[frozenset[Cell], ...]:
    """Every legal single circle."""
    free = free_trees(board, sheet) if what == PLANT else free_koalas(board, sheet)
    if free and ruled(rulings, 19, "must_use_the_shape") and any(
        shapes(board, sheet, number, each) for each in (PLANT, REHOME)
    ):  # fmt: skip
        return ()
    return tuple(frozenset({cell}) for cell in sorted(free))


def stuck(board: Map, sheet: Sheet) -> bool:
    """Whether not even a single circle can be drawn."""
    return not free_trees(board, sheet) and not free_koalas(board, sheet)
