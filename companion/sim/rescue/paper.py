"""A sheet of paper and whoever draws on it: the other witness. Written from the rulebook, apart from the game.

It knows the map only as the public screen shows it, and names its cells as they are printed: "A-b3".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any

COLUMNS = "abcdefghijkl"
Agreed = Mapping[str, object]
Cells = frozenset[str]


class Plan:
    """A printed map: its cells, lines, areas, and every way a shape can be drawn on it."""

    def __init__(self, told: Mapping[str, Any]) -> None:
        """Read the map as a screen shows it."""
        self.told = told
        self.trees: dict[str, list[str]] = {}
        self.koalas: set[str] = set()
        self.lines: dict[str, tuple[list[str], dict[str, Any] | None]] = {}
        for area in told["areas"]:
            self._area(area)
        self.laid = {n + 1: list(self._laid(shape)) for n, shape in enumerate(told["shapes"])}

    def _area(self, area: Mapping[str, Any]) -> None:
        sign, rows = area["id"], area["rows"]
        spots = {(r, c): kind for r, line in enumerate(rows) for c, kind in enumerate(line) if kind != "."}
        self.trees[sign] = [_cell(sign, r, c) for r, c in spots]
        self.koalas |= {_cell(sign, r, c) for (r, c), kind in spots.items() if kind == "K"}
        for r in range(len(rows)):
            self.lines[f"{sign}-row{r}"] = (
                [_cell(sign, r, c) for rr, c in spots if rr == r],
                area["row_bonus"][r],
            )
        for c in range(len(rows[0])):
            self.lines[f"{sign}-col{c}"] = (
                [_cell(sign, r, c) for r, cc in spots if cc == c],
                area["col_bonus"][c],
            )

    def _laid(self, shape: Iterable[Iterable[int]]) -> Iterator[Cells]:
        """All eight ways round, slid over every area."""
        spots = [tuple(spot) for spot in shape]
        seen = set()
        for way in range(8):
            turned = [(c, r) if way & 1 else (r, c) for r, c in spots]
            turned = [(r * (-1 if way & 2 else 1), c * (-1 if way & 4 else 1)) for r, c in turned]
            for sign, trees in self.trees.items():
                for down in range(-12, 13):
                    for right in range(-12, 13):
                        cells = frozenset(_cell(sign, r + down, c + right) for r, c in turned)
                        if cells.issubset(trees) and cells not in seen:
                            seen.add(cells)
                            yield cells


def _cell(sign: str, row: int, col: int) -> str:
    return f"{sign}-{COLUMNS[col]}{row + 1}" if row >= 0 and 0 <= col < len(COLUMNS) else "nowhere"


@cache
def plan_of(text: str) -> Plan:
    """The plan of a map, by its text: a series of games is played on few maps."""
    import json  # noqa: PLC0415  # only here is a map a text

    return Plan(json.loads(text))


class Paper:
    """One sheet."""

    def __init__(self, plan: Plan, agreed: Agreed) -> None:
        """A blank one."""
        self.plan, self.agreed = plan, agreed
        told = plan.told
        self.trees: set[str] = set()
        self.koalas: set[str] = set()
        self.connected = {told["start"]}
        self.circled, self.used = _start(told), 0
        self.beds = [0] * len(told["hospitals"])
        self.claimed: set[str] = set()
        self.numbers: list[int] = []

    def copy(self) -> Paper:
        """The same sheet once more: to rub out what was drawn since."""
        other = Paper(self.plan, self.agreed)
        other.trees, other.koalas, other.connected = set(self.trees), set(self.koalas), set(self.connected)
        other.circled, other.used, other.beds = self.circled, self.used, list(self.beds)
        other.claimed, other.numbers = set(self.claimed), list(self.numbers)
        return other

    def full(self, cells: Iterable[str]) -> bool:
        """Whether every koala among these trees is circled."""
        every = list(cells)
        wanted = [cell for cell in every if cell in self.plan.koalas]
        if self.agreed.get("RESC-AMB-03") == "every_tree" and len(wanted) < len(every):
            return False
        return bool(wanted) and all(cell in self.koalas for cell in wanted)

    def complete(self) -> set[str]:
        """The lines whose koalas are all circled."""
        return {line for line, (cells, _) in self.plan.lines.items() if self.full(cells)}

    def free(self, what: str) -> set[str]:
        """The cells that may be circled now."""
        own = {cell for cell in self._all() if cell.partition("-")[0] in self.connected}
        if what == "plant":
            return own - self.trees
        return {cell for cell in own & self.trees & self.plan.koalas if cell not in self.koalas}

    def _all(self) -> set[str]:
        return {cell for trees in self.plan.trees.values() for cell in trees}

    def ways(self, number: int, what: str) -> list[Cells]:
        """Every way to draw the whole shape."""
        free = self.free(what)
        return [laid for laid in self.plan.laid[number] if laid <= free]

    def draw(self, what: str, cells: Iterable[str]) -> None:
        """Circle them."""
        (self.trees if what == "plant" else self.koalas).update(cells)

    def choice(self, bonus: Mapping[str, Any]) -> list[str]:
        """What a bonus can be used for now."""
        kind = bonus["kind"]
        if kind in ("tree", "koala"):
            return sorted(self.free("plant" if kind == "tree" else "rehome"))
        if kind == "volunteer":
            return ["volunteer"] if self.circled < self.plan.told["slots"] else []
        if kind == "hospital":
            pairs = zip(self.plan.told["hospitals"], self.beds, strict=True)
            return [hospital["id"] for hospital, filled in pairs if filled < hospital["size"]]
        again = bonus["to"] in self.connected
        return [] if again and self.agreed.get("RESC-AMB-15") == "not_usable" else [bonus["to"]]

    def use(self, bonus: Mapping[str, Any], target: str) -> None:
        """Do it once."""
        kind = bonus["kind"]
        if kind in ("tree", "koala"):
            self.draw("plant" if kind == "tree" else "rehome", [target])
        elif kind == "volunteer":
            self.circled += 1
        elif kind == "hospital":
            ids = [hospital["id"] for hospital in self.plan.told["hospitals"]]
            self.beds[ids.index(target)] += 1
        else:
            self.connected.add(target)

    def whole(self, kind: str) -> list[str]:
        """The areas full of trees or of koalas."""
        return [
            sign for sign, trees in self.plan.trees.items()
            if (self.trees.issuperset(trees) if kind == "trees" else self.full(trees))
        ]  # fmt: skip

    def hospitals(self) -> int:
        """Points of finished hospitals, and what begun ones cost."""
        points = 0
        for hospital, filled in zip(self.plan.told["hospitals"], self.beds, strict=True):
            if filled == hospital["size"]:
                points += hospital["points"]
            elif filled and self.agreed.get("RESC-AMB-11") != "never":
                points += hospital["penalty"]
        return points

    def points(self) -> int:
        """What a round gives now."""
        return len(self.whole("trees")) + len(self.whole("koalas")) + self.hospitals()

    def earns(self, asks: Mapping[str, Any]) -> bool:
        """Whether it fulfils a badge, told as its phrase."""
        need, values = asks["key"].removeprefix("badge."), asks["values"]
        if need in ("trees", "koalas"):
            return values["area"] in self.whole(need)
        have = {
            "skybridges": len(self.connected) - 1, "volunteers": self.circled,
            "hospitals": sum(n == h["size"] for n, h in zip(self.beds, self.plan.told["hospitals"], strict=True)),
        }  # fmt: skip
        return need in have and have[need] >= values["count"]


def _start(told: Mapping[str, Any]) -> int:
    return int(told["start_volunteers"])
