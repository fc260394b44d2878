"""A map: areas of trees and koalas, bonuses at the ends of lines, hospitals, badges, shapes. Read from plain data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

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

    @property
    def bridges(self) -> int:
        """How many skybridges are printed."""
        return sum(1 for bonus in self.bonuses.values() if bonus.kind == "skybridge")


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


def parse(raw: Mapping[str, Any]) -> Map:
    """A map from plain data (a map.toml, or JSON). BadMap names the place that is wrong.

    Areas: id, rows of "K" (koala), "T" (tree alone), "." (nothing), row_bonus and col_bonus, each a list of
    words ("tree", "hospital x2", "skybridge B", "" for none) or of tables {kind, times, to}.
    """
    areas = tuple(_area(row, f"areas[{n}]") for n, row in enumerate(_list(raw, "areas")))
    shapes = raw.get("shapes")
    whole = Map(
        str(raw.get("name", "map")), areas,
        tuple(_hospital(row, f"hospitals[{n}]") for n, row in enumerate(_list(raw, "hospitals", True))),
        tuple(_badge(row, f"badges[{n}]") for n, row in enumerate(_list(raw, "badges", True))),
        str(raw.get("start_area", areas[0].id if areas else "A")),
        _number(raw, "start_volunteers", 0, 0, 20), _number(raw, "volunteer_slots", 6, 0, 20),
        PRESET if shapes is None else _shapes(shapes), str(raw.get("shapes_source", "")),
        tuple(raw.get("ranks", RULEBOOK_RANKS)), str(raw.get("source", "owner")),
        bool(raw.get("verified", False)), bool(raw.get("made_up", False)),
    )  # fmt: skip
    _whole(whole)
    return whole


def _list(raw: Mapping[str, Any], name: str, may_miss: bool = False) -> Sequence[Any]:
    rows = raw.get(name, [] if may_miss else None)
    if not isinstance(rows, list | tuple) or (not rows and not may_miss):
        raise BadMap(f"{name}: a list with at least one entry is needed")
    return rows


def _number(raw: Mapping[str, Any], name: str, default: int, low: int, high: int) -> int:
    number = raw.get(name, default)
    if type(number) is not int or not low <= number <= high:
        raise BadMap(f"{name}: a whole number from {low} to {high} is needed, not {number!r}")
    return number


def _table(row: Any, where: str) -> Mapping[str, Any]:
    if not isinstance(row, Mapping):
        raise BadMap(f"{where}: a table is needed, not {row!r}")
    return row


def _area(given: Any, where: str) -> Area:
    row = _table(given, where)
    rows = tuple(str(line) for line in _list(row, "rows"))
    name = str(row.get("id", ""))
    if not name.isalpha() or not name.isupper():
        raise BadMap(f"{where}.id: a capital letter is needed, not {name!r}")
    if len({len(line) for line in rows}) != 1 or not 1 <= len(rows[0]) <= LARGEST or len(rows) > LARGEST:
        raise BadMap(f"{where}.rows: rows of one length are needed, at most {LARGEST} x {LARGEST}")
    strange = sorted(set("".join(rows)) - set(TREE + KOALA + NOTHING))
    if strange:
        raise BadMap(
            f"{where}.rows: {strange[0]!r} is no cell; write K (koala), T (tree alone) or . (nothing)"
        )
    at = row.get("at")
    if at is not None and (len(at) != 2 or any(type(n) is not int or n < 0 for n in at)):
        raise BadMap(f"{where}.at: [row, column] on the sheet is needed, both from 0")
    ends = []
    for side, size in (("row_bonus", len(rows)), ("col_bonus", len(rows[0]))):
        given_ends = list(row.get(side, ()))
        if len(given_ends) > size:
            raise BadMap(f"{where}.{side}: {len(given_ends)} bonuses for {size} lines; take some away")
        own = [_bonus(each, f"{where}.{side}[{n}]") for n, each in enumerate(given_ends)]
        ends.append((*own, *(None,) * (size - len(own))))
    return Area(name, rows, ends[0], ends[1], None if at is None else (at[0], at[1]))


def _bonus(given: Any, where: str) -> Bonus | None:
    if given is None or given == "":
        return None
    if isinstance(given, str):
        kind, *rest = given.split()
        times = next((word[1:] for word in rest if word[:1] == "x" and word[1:].isdecimal()), "1")
        given = {"kind": kind, "times": int(times), "to": next((w for w in rest if w.isupper()), "")}
    row = _table(given, where)
    kind = str(row.get("kind"))
    if kind not in KINDS:
        raise BadMap(f"{where}: {kind!r} is no bonus; known: {', '.join(KINDS)}")
    if kind == "skybridge" and not row.get("to"):
        raise BadMap(f"{where}: a skybridge leads somewhere; write it as 'skybridge B'")
    return Bonus(kind, _number(row, "times", 1, 1, 9), str(row.get("to", "")))


def _hospital(given: Any, where: str) -> Hospital:
    row = _table(given, where)
    return Hospital(
        str(row.get("id", where)), _number(row, "size", 0, 1, 9), _number(row, "points", 0, 0, 20),
        _number(row, "penalty", 0, -20, 0),
    )  # fmt: skip


def _badge(given: Any, where: str) -> Badge:
    row = _table(given, where)
    points, need = row.get("points", ()), str(row.get("needs", ""))
    if len(points) != 2 or any(type(n) is not int for n in points) or points[0] < points[1]:
        raise BadMap(f"{where}.points: [first, later] is needed, the first not below the later")
    if need not in NEEDS:
        raise BadMap(f"{where}.needs: {need!r} is nothing a badge asks for; known: {', '.join(NEEDS)}")
    return Badge(
        str(row.get("id", where)), (points[0], points[1]), need, str(row.get("of", "")),
        _number(row, "count", 0, 0, 99),
    )  # fmt: skip


def _shapes(given: Any) -> tuple[Cells, ...]:
    rows = [given.get(str(n)) for n in range(1, 7)] if isinstance(given, Mapping) else list(given)
    if len(rows) != 6 or any(not row or any(len(cell) != 2 for cell in row) for row in rows):
        raise BadMap("shapes: six shapes are needed, each a list of [row, column]")
    return tuple(tuple((int(cell[0]), int(cell[1])) for cell in row) for row in rows)


def _whole(whole: Map) -> None:
    """What no part can tell by itself."""
    ids = [area.id for area in whole.areas]
    if len(set(ids)) != len(ids):
        raise BadMap(f"areas: {', '.join(sorted({i for i in ids if ids.count(i) > 1}))} is given twice")
    if whole.start_area not in ids:
        raise BadMap(f"start_area: there is no area {whole.start_area}; known: {', '.join(ids)}")
    for line, bonus in whole.bonuses.items():
        if bonus.to and bonus.to not in ids:
            raise BadMap(f"{line}: its skybridge leads to {bonus.to}; known areas: {', '.join(ids)}")
    for badge in whole.badges:
        if badge.needs in ("trees", "koalas") and badge.of not in ids:
            raise BadMap(f"badge {badge.id}: there is no area {badge.of!r}; known: {', '.join(ids)}")
    for things in (whole.hospitals, whole.badges):
        names = [thing.id for thing in things]
        if len(set(names)) != len(names):
            raise BadMap(f"{', '.join(sorted({n for n in names if names.count(n) > 1}))} is given twice")
    if whole.start_volunteers > whole.slots:
        raise BadMap(f"start_volunteers: {whole.start_volunteers} of {whole.slots} circles; lower it")
    if any(type(rank) is not int for rank in whole.ranks) or list(whole.ranks) != sorted(set(whole.ranks)):
        raise BadMap("ranks: the lowest score of each rank above the first, rising, is needed")
    if len(whole.ranks) != len(RANKS) - 1:
        raise BadMap(f"ranks: {len(RANKS) - 1} numbers are needed, not {len(whole.ranks)}")
