"""How a simulated player thinks: which number, which drawing, which use of a bonus. By the own paper only."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from companion.sim.rescue.paper import Agreed, Paper
from companion.table.luck import Luck
from companion.table.things import value


@value
class Idea:
    """A drawing: number, volunteers for it, trees or koalas, the cells."""

    number: int
    volunteers: int
    what: str
    cells: tuple[str, ...]


class Bot:
    """One player's head and paper."""

    def __init__(self, paper: Paper, agreed: Agreed, luck: Luck) -> None:
        """`agreed`: the rulings that the table switched."""
        self.paper, self.agreed, self.luck = paper, agreed, luck

    def roll(self, n: int) -> int:
        """A number from 0 to n-1."""
        number, self.luck = self.luck.below(n)
        return number

    def chance(self, p: float) -> bool:
        """Whether something with this probability happens."""
        return self.roll(1_000_000) < p * 1_000_000

    def idea(self, rolled: int) -> Idea | None:
        """The best drawing this player sees; None: nothing can be drawn at all."""
        best, most = None, -1.0
        for idea in self._ideas(rolled):
            worth = self._worth(idea) + self.roll(1000) / 2000
            if worth > most:
                best, most = idea, worth
        return best

    def _ideas(self, rolled: int) -> Iterator[Idea]:
        left = self.paper.circled - self.paper.used
        fits = False
        for number, volunteers in around(rolled):
            if volunteers > left or (volunteers and not self.chance(0.3)):
                continue
            for what in ("rehome", "plant"):
                for cells in self.paper.ways(number, what):
                    fits = fits or not volunteers
                    yield Idea(number, volunteers, what, tuple(sorted(cells)))
        if fits and self.agreed.get("RESC-AMB-19") == "must_use_the_shape":
            return
        for what in ("rehome", "plant"):
            for cell in sorted(self.paper.free(what)):
                yield Idea(rolled, 0, what, (cell,))

    def _worth(self, idea: Idea) -> float:
        """Koalas that close lines first, then many circles at once, volunteers only for something."""
        worth = len(idea.cells) - 1.2 * idea.volunteers
        if idea.what == "rehome":
            worth += 0.6 * len(idea.cells) + 1.5 * self._closed(set(idea.cells))
        return worth + 0.15 * sum(self._near(cell) for cell in idea.cells)

    def _closed(self, cells: set[str]) -> float:
        """How many bonuses these koalas bring, skybridges the dearest."""
        worth = 0.0
        for own, bonus in self.paper.plan.lines.values():
            wanted = set(own) & self.paper.plan.koalas
            if bonus and wanted & cells and wanted <= self.paper.koalas | cells:
                new = bonus["kind"] == "skybridge" and bonus["to"] not in self.paper.connected
                worth += (3 if new else 1) * bonus["times"]
        return worth

    def _near(self, cell: str) -> int:
        """Whether the area is nearly full of trees."""
        trees = self.paper.plan.trees[cell.partition("-")[0]]
        return sum(tree in self.paper.trees for tree in trees) * 4 // len(trees)

    def wishes(self, bonus: Mapping[str, Any]) -> list[str]:
        """What a bonus is used for, as often as it says and can be; the paper is drawn on meanwhile."""
        all_or_nothing = self.agreed.get("RESC-AMB-06") == "all_or_nothing"
        if all_or_nothing and not self._often_enough(bonus):
            return []
        done = []
        for _ in range(bonus["times"]):
            choice = self.paper.choice(bonus)
            if not choice:
                break
            target = self._target(bonus, choice)
            self.paper.use(bonus, target)
            done.append(target)
        return done

    def _often_enough(self, bonus: Mapping[str, Any]) -> bool:
        kind, times = bonus["kind"], int(bonus["times"])
        if kind == "volunteer":
            return int(self.paper.plan.told["slots"]) - self.paper.circled >= times
        if kind == "hospital":
            pairs = zip(self.paper.plan.told["hospitals"], self.paper.beds, strict=True)
            return sum(int(hospital["size"]) - filled for hospital, filled in pairs) >= times
        if kind == "skybridge":
            once = self.agreed.get("RESC-AMB-15") == "not_usable"
            return bool(self.paper.choice(bonus)) and (times == 1 or not once)
        return len(self.paper.choice(bonus)) >= times

    def _target(self, bonus: Mapping[str, Any], choice: list[str]) -> str:
        if bonus["kind"] == "hospital":
            begun = [id for id in choice if self._filled(id)]
            return begun[0] if begun else choice[self.roll(len(choice))]
        if bonus["kind"] == "koala":
            return max(choice, key=lambda cell: (self._closed({cell}), cell))
        if bonus["kind"] == "tree":
            return max(choice, key=lambda cell: (self._near(cell), cell))
        return choice[0]

    def _filled(self, hospital: str) -> int:
        ids = [each["id"] for each in self.paper.plan.told["hospitals"]]
        return self.paper.beds[ids.index(hospital)]


def around(rolled: int) -> Iterator[tuple[int, int]]:
    """Every number and the fewest volunteers it takes: one step each on the ring of six."""
    for want in range(1, 7):
        up, down = (want - rolled) % 6, (rolled - want) % 6
        yield want, min(up, down)
