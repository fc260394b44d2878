"""One player's sheet: what is circled and filled in, and what follows from it. Pure."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from companion.games.rescue.options import Rulings, ruled
from companion.games.rescue.rules_map import Badge, Cell, Map
from companion.table.things import value


@value
class Sheet:
    """Everything drawn on a sheet. Volunteers: `circled` at any time, of these `used` (filled in)."""

    trees: frozenset[Cell]
    koalas: frozenset[Cell]
    connected: frozenset[str]
    circled: int
    used: int
    beds: tuple[int, ...]  # circles filled in each hospital, in the order of the map
    claimed: frozenset[str] = frozenset()  # lines whose bonus circle is filled in
    bridges: int = 0  # skybridges traced

    @property
    def volunteers(self) -> int:
        """Circled and not yet filled in."""
        return self.circled - self.used


def fresh(board: Map) -> Sheet:
    """A sheet before the first turn."""
    none: frozenset[Cell] = frozenset()
    start = frozenset({board.start_area})
    return Sheet(none, none, start, board.start_volunteers, 0, (0,) * len(board.hospitals))


def full_of_koalas(board: Map, cells: Collection[Cell], sheet: Sheet, rulings: Rulings) -> bool:
    """Whether every koala among these trees is circled; where trees without one block, never with such a tree."""
    wanted = board.koalas.intersection(cells)
    if not wanted or (ruled(rulings, 3, "every_tree") and len(wanted) < len(cells)):
        return False
    return sheet.koalas >= wanted


def complete(board: Map, sheet: Sheet, rulings: Rulings) -> frozenset[str]:
    """The rows and columns whose koalas are all circled."""
    own = board.koalas_of_lines if ruled(rulings, 2, "per_area") else board.koalas_through
    strict, circled = ruled(rulings, 3, "every_tree"), sheet.koalas
    return frozenset(
        line for line, (koalas, on_every_tree) in own.items()
        if koalas <= circled and (on_every_tree or not strict)
    )  # fmt: skip


def areas_of_trees(board: Map, sheet: Sheet) -> tuple[str, ...]:
    """The areas completely filled with trees."""
    return tuple(area.id for area in board.areas if sheet.trees >= board.trees_of[area.id])


def areas_of_koalas(board: Map, sheet: Sheet, rulings: Rulings) -> tuple[str, ...]:
    """The areas completely filled with koalas."""
    return tuple(
        area.id for area in board.areas if full_of_koalas(board, board.trees_of[area.id], sheet, rulings)
    )


def finished(board: Map, sheet: Sheet) -> tuple[str, ...]:
    """The hospitals with all circles filled."""
    pairs = zip(board.hospitals, sheet.beds, strict=True)
    return tuple(hospital.id for hospital, filled in pairs if filled >= hospital.size)


def free_trees(board: Map, sheet: Sheet) -> frozenset[Cell]:
    """Trees that may be circled now, one at a time."""
    return frozenset(cell for cell in board.trees - sheet.trees if cell[0] in sheet.connected)


def free_koalas(board: Map, sheet: Sheet) -> frozenset[Cell]:
    """Koalas that may be circled now, one at a time: on circled trees, in connected areas."""
    there = board.koalas & sheet.trees
    return frozenset(cell for cell in there - sheet.koalas if cell[0] in sheet.connected)


def earned(board: Map, sheet: Sheet, rulings: Rulings) -> tuple[str, ...]:
    """The badges whose requirements a sheet fulfils."""
    return tuple(badge.id for badge in board.badges if _fulfilled(board, sheet, badge, rulings))


def _fulfilled(board: Map, sheet: Sheet, badge: Badge, rulings: Rulings) -> bool:
    if badge.needs == "trees":
        return sheet.trees >= board.trees_of[badge.of]
    if badge.needs == "koalas":
        return full_of_koalas(board, board.trees_of[badge.of], sheet, rulings)
    have: Mapping[str, int] = {
        "skybridges": sheet.bridges, "volunteers": sheet.circled, "hospitals": len(finished(board, sheet))
    }  # fmt: skip
    return have[badge.needs] >= badge.count
