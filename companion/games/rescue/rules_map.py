"""A map: areas of trees and koalas, bonuses at the ends of lines, hospitals, badges, shapes. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from companion.games.rescue.rules_shapes import PRESET, Cells, placements
from companion.table.things import CompanionError, value

Cell = tuple[str, int, int]  # area, row, column; both from 0
TREE, KOALA, NOTHING = "T", "K", "."  # a tree without a koala, a tree with one, no tree
KINDS = ("tree", "koala", "volunteer", "hospital", "skybridge")
NEEDS = ("trees", "koalas", "skybridges", "volunteers", "hospitals")
RANKS = ("junior", "secretary", "treasurer", "vice_president", "president")
RULEBOOK_RANKS = (13, 17, 21, 25)  # the lowest score of each rank above the first
LARGEST = 12  # rows or columns of an area


class BadMap(CompanionError, ValueError):
    """A map contradicts itself; the text names the place and the remedy."""


@value
class Bonus:
    """What the circle at the end of a line gives, how often, and for a skybridge where it leads."""

    kind: str
    times: int = 1
    to: str = ""


@value
class Area:
    """A group of trees with a sign. `at` is where its upper left cell is printed: row, column on the sheet."""

    id: str
    rows: tuple[str, ...]
    row_bonus: tuple[Bonus | None, ...]
    col_bonus: tuple[Bonus | None, ...]
    at: tuple[int, int] | None = None

    @property
    def width(self) -> int:
        """Columns of the area."""
        return len(self.rows[0])


@value
class Hospital:
    """Circles to fill, the points on its roof, and what it costs when begun and not finished."""

    id: str
    size: int
    points: int
    penalty: int = 0


@value
class Badge:
    """A merit badge: what it asks for, and the points of its larger and its smaller circle."""

    id: str
    points: tuple[int, int]
    needs: str  # one of NEEDS
    of: str = ""  # the area, for trees and koalas
    count: int = 0  # how many, for the others


@dataclass(frozen=True)
class Map:
    """A sheet as it is printed. Compared by its fields; what follows from them is worked out once."""

    name: str
    areas: tuple[Area, ...]
    hospitals: tuple[Hospital, ...] = ()
    badges: tuple[Badge, ...] = ()
    start_area: str = "A"
    start_volunteers: int = 0
    slots: int = 6
    shapes: tuple[Cells, ...] = PRESET
    shapes_source: str = ""
    ranks: tuple[int, ...] = RULEBOOK_RANKS
    source: str = "owner"
    verified: bool = False
    made_up: bool = False

    @cached_property
    def trees(self) -> frozenset[Cell]:
        """Every tree."""
        return frozenset(cell for area in self.areas for cell in _cells(area, TREE + KOALA))

    @cached_property
    def koalas(self) -> frozenset[Cell]:
        """Every tree with a printed koala."""
        return frozenset(cell for area in self.areas for cell in _cells(area, KOALA))

    @cached_property
    def area(self) -> Mapping[str, Area]:
        """Each area under its sign."""
        return {area.id: area for area in self.areas}

    @cached_property
    def trees_of(self) -> Mapping[str, frozenset[Cell]]:
        """The trees of each area."""
        return {area.id: frozenset(_cells(area, TREE + KOALA)) for area in self.areas}

    @cached_property
    def lines(self) -> Mapping[str, frozenset[Cell]]:
        """The trees of each row and column that holds a koala: "A:row0", "A:col2"."""
        found: dict[str, frozenset[Cell]] = {}
        for area in self.areas:
            for axis, size in (("row", len(area.rows)), ("col", area.width)):
                for n in range(size):
                    own = frozenset(c for c in self.trees_of[area.id] if c[1 if axis == "row" else 2] == n)
                    if own & self.koalas:
                        found[f"{area.id}:{axis}{n}"] = own
        return found

    @cached_property
    def through(self) -> Mapping[str, frozenset[Cell]]:
        """The same lines, prolonged through every area that is printed in the same row or column."""
        spots = {cell: _printed(self.area[cell[0]], cell) for cell in self.trees}
        found = {}
        for line, own in self.lines.items():
            axis = 0 if ":row" in line else 1
            here = {spots[cell][axis] for cell in own}
            found[line] = own | {
                cell for cell, spot in spots.items() if None not in here and spot[axis] in here
            }
        return found

    @cached_property
    def koalas_of_lines(self) -> Mapping[str, tuple[frozenset[Cell], bool]]:
        """The koalas of each line, and whether each of its trees has one."""
        return {line: (cells & self.koalas, cells <= self.koalas) for line, cells in self.lines.items()}

    @cached_property
    def koalas_through(self) -> Mapping[str, tuple[frozenset[Cell], bool]]:
        """The same for the prolonged lines."""
        return {line: (cells & self.koalas, cells <= self.koalas) for line, cells in self.through.items()}

    @cached_property
    def bonuses(self) -> Mapping[str, Bonus]:
        """The bonus of each line that has one, in the order of the sheet."""
        found = {}
        for area in self.areas:
            for axis, own in (("row", area.row_bonus), ("col", area.col_bonus)):
                for n, bonus in enumerate(own):
                    if bonus is not None:
                        found[f"{area.id}:{axis}{n}"] = bonus
        return found

    @cached_property
    def placements(self) -> Mapping[int, tuple[frozenset[Cell], ...]]:
        """For each number every way its shape lies on trees of one area, flipped and turned."""
        return {
            number: tuple(
                frozenset((area.id, row, col) for row, col in laid)
                for area in self.areas
                for laid in placements(shape, _grid(area))
            )
            for number, shape in enumerate(self.shapes, start=1)
        }

    @cached_property
    def plain(self) -> Mapping[str, object]:
        """The printed sheet as plain data, for screens."""
        return {
            "name": self.name, "made_up": self.made_up, "verified": self.verified,
            "shapes_source": self.shapes_source, "start": self.start_area,
            "start_volunteers": self.start_volunteers, "slots": self.slots,
            "shapes": [[list(cell) for cell in shape] for shape in self.shapes],
            "areas": [_plain_area(area) for area in self.areas],
            "hospitals": [
                {"id": each.id, "size": each.size, "points": each.points, "penalty": each.penalty}
                for each in self.hospitals
            ],
        }  # fmt: skip


def _plain_area(area: Area) -> dict[str, object]:
    ends = {"row_bonus": area.row_bonus, "col_bonus": area.col_bonus}
    return {
        "id": area.id, "rows": list(area.rows), "at": None if area.at is None else list(area.at),
        **{
            side: [None if one is None else {"kind": one.kind, "times": one.times, "to": one.to} for one in own]
            for side, own in ends.items()
        },
    }  # fmt: skip


def _grid(area: Area) -> frozenset[tuple[int, int]]:
    return frozenset((row, col) for _, row, col in _cells(area, TREE + KOALA))


def _cells(area: Area, kinds: str) -> list[Cell]:
    return [
        (area.id, row, col)
        for row, line in enumerate(area.rows)
        for col, kind in enumerate(line)
        if kind in kinds
    ]


def _printed(area: Area, cell: Cell) -> tuple[int | None, int | None]:
    if area.at is None:
        return None, None
    return area.at[0] + cell[1], area.at[1] + cell[2]
