"""One player's turn at the simulated table: think, tell the phone or draw on paper, take bonuses, be ready."""

from __future__ import annotations

from typing import Any

from companion.sim.rescue.bot import Bot, Idea
from companion.sim.rescue.paper import Paper

TRIES = 2  # second thoughts in a turn


class Drawing:
    """A turn under way on one sheet; `say` gives what to tell the phone next."""

    def __init__(self, bot: Bot, rolled: int, last: bool) -> None:
        """The die shows `rolled`; `last`: the last turn of the game."""
        self.bot, self.rolled, self.last = bot, rolled, last
        self.start: Paper = bot.paper.copy()
        self.before = bot.paper.complete()
        self.seen: set[str] = set()
        self.gone: set[str] = set()
        self.idea: Idea | None = None
        self.stage = "think"
        self.thoughts = 0
        self.number = rolled

    def say(self) -> str:
        """The next thing to tell the phone; the paper is drawn on at the same time. "ready" ends the turn."""
        if self.stage == "think":
            self.idea = self.bot.idea(self.rolled)
            self.stage = "draw" if self.idea is not None else "bonus"
            if self.idea is not None and self.idea.volunteers:
                self.bot.paper.used += self.idea.volunteers
                self.number = self.idea.number
                return f"number:{self.idea.number}:{self.idea.volunteers}"
        if self.stage == "draw":
            return self._draw()
        return self._bonus()

    def _draw(self) -> str:
        assert self.idea is not None, "somebody who draws has an idea"
        self.bot.paper.draw(self.idea.what, self.idea.cells)
        self.seen = self.bot.paper.complete() - self.before
        self.stage = "bonus"
        return f"{self.idea.what}:{','.join(self.idea.cells)}"

    def open(self) -> list[str]:
        """The lines whose bonus may be taken now."""
        agreed, paper = self.bot.agreed, self.bot.paper
        if self.idea is None or (self.last and agreed.get("RESC-AMB-20") == "not_in_the_last_turn"):
            return []
        now = self.seen if agreed.get("RESC-AMB-05") == "no_chain" else paper.complete()
        lines = [line for line, (_, bonus) in paper.plan.lines.items() if bonus is not None]
        return [line for line in lines if line in now and line not in self.before | self.gone]

    def _bonus(self) -> str:
        left = self.open()
        if not left:
            self.stage = "ready"
            return "ready"
        line = left[self.bot.roll(len(left))]
        bonus: Any = self.bot.paper.plan.lines[line][1]
        self.gone.add(line)
        known = bonus.get("to") in self.bot.paper.connected
        wishes = self.bot.wishes(bonus)
        if wishes or (known and self.bot.agreed.get("RESC-AMB-15") != "not_usable"):
            self.bot.paper.claimed.add(line)
        return ":".join(["bonus", line, *([",".join(wishes)] if wishes else [])])

    def rub_out(self) -> int:
        """Take everything back: how many steps the phone must take back."""
        steps = (self.number != self.rolled) + (self.stage in ("bonus", "ready")) + len(self.gone)
        self.bot.paper = self.start.copy()
        self.stage, self.idea, self.number = "think", None, self.rolled
        self.seen, self.gone = set(), set()
        self.thoughts += 1
        return steps
