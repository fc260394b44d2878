"""Is the practice map balanced? Simulated players fill it alone: scores, ranks, areas, hospitals, badges.

Two heads play: one that plans (the simulated persons' own) and one that draws anything at random. A map is
kept if planning pays, if every area, hospital and badge is reached by some and by no means by all, and if the
rulebook's ranks spread over the planners. GAMES=n plays more or fewer (200).
"""

from __future__ import annotations

import json
import os
from collections import Counter
from typing import Any

from companion.games.rescue.maps import practice
from companion.sim.rescue.bot import Bot, Idea
from companion.sim.rescue.drawing import Drawing
from companion.sim.rescue.paper import Paper, plan_of
from companion.table.luck import Luck

GAMES = int(os.environ.get("GAMES", "200"))
BOARD = practice()
PLAN = plan_of(json.dumps(BOARD.plain))


class Careless(Bot):
    """Draws anything that may be drawn."""

    def idea(self, rolled: int) -> Idea | None:
        """The first thought is the last."""
        ideas = list(self._ideas(rolled))
        return ideas[self.roll(len(ideas))] if ideas else None


def played(head: type[Bot], seed: int) -> tuple[int, Paper, list[str]]:
    """One solo game: total, the sheet, the badges."""
    bot, luck = head(Paper(PLAN, {}), {}, Luck(seed * 2 + 1)), Luck(seed)
    badges: dict[str, int] = {}
    round1 = 0
    for turn in range(1, 31):
        face, luck = luck.below(6)
        drawing = Drawing(bot, face + 1, turn == 30)
        while drawing.say() != "ready":
            pass
        for badge in BOARD.badges:
            asks = {"key": f"badge.{badge.needs}", "values": {"area": badge.of, "count": badge.count}}
            if badge.id not in badges and bot.paper.earns(asks):
                badges[badge.id] = badge.points[0 if turn <= 15 else 1]
        round1 = bot.paper.points() if turn == 15 else round1
    return round1 + bot.paper.points() + sum(badges.values()), bot.paper, list(badges)


def rows() -> list[dict[str, Any]]:
    """Means, spreads, and how often each thing is reached."""
    plans = [played(Bot, seed) for seed in range(GAMES)]
    careless = [played(Careless, seed) for seed in range(GAMES)]
    mean, plain = (sum(total for total, *_ in games) / GAMES for games in (plans, careless))
    totals = sorted(total for total, *_ in plans)
    ranks = Counter(sum(total >= step for step in BOARD.ranks) for total in totals)
    reached = Counter(
        thing
        for _, paper, badges in plans
        for thing in (
            *(f"area {a} of trees" for a in paper.whole("trees")), *(f"area {a} of koalas" for a in paper.whole("koalas")),
            *(f"hospital {h.id}" for h, n in zip(BOARD.hospitals, paper.beds, strict=True) if n == h.size),
            *(f"badge {b}" for b in badges),
        )
    )  # fmt: skip
    things = [f"area {a.id} of {kind}" for a in BOARD.areas for kind in ("trees", "koalas")]
    things += [f"hospital {h.id}" for h in BOARD.hospitals] + [f"badge {b.id}" for b in BOARD.badges]
    shares = {thing: reached[thing] / GAMES for thing in things}
    worth = [
        {"name": f"planners who reach {thing}", "value": round(100 * share), "unit": "%", "goal": "1..99", "met": 0.01 <= share <= 0.99}
        for thing, share in shares.items()
    ]  # fmt: skip
    least = min(ranks[place] for place in range(len(BOARD.ranks) + 1))
    return [
        {"name": "mean score of planners", "value": round(mean, 1), "unit": "", "goal": "13..25", "met": 13 <= mean <= 25},
        {"name": "mean score of the careless", "value": round(plain, 1), "unit": "", "goal": "< planners - 5", "met": plain < mean - 5},
        {"name": "lowest, highest of planners", "value": f"{totals[0]}..{totals[-1]}", "unit": "", "goal": None, "met": None},
        {"name": "ranks from junior to president", "value": "/".join(str(ranks[n]) for n in range(5)), "unit": "", "goal": "each", "met": least > 0},
        *worth,
    ]  # fmt: skip
