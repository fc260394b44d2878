"""Points of a round, the total, the winner and the rank. Pure."""

from __future__ import annotations

from collections.abc import Mapping

from companion.games.rescue.options import Rulings, ruled
from companion.games.rescue.rules_map import RANKS, RULEBOOK_RANKS, Map
from companion.games.rescue.rules_sheet import Sheet, areas_of_koalas, areas_of_trees
from companion.table.game import Point
from companion.table.things import Words


def round_points(board: Map, sheet: Sheet, who: str, rulings: Rulings) -> tuple[Point, ...]:
    """Every point of one sheet at the end of a round, with its reason."""
    return (
        *(Point(who, 1, "RESC-SCO-03", "score.trees", {"area": a}) for a in areas_of_trees(board, sheet)),
        *(
            Point(who, 1, "RESC-SCO-04", "score.koalas", {"area": a})
            for a in areas_of_koalas(board, sheet, rulings)
        ),
        *_hospitals(board, sheet, who, rulings),
    )


def _hospitals(board: Map, sheet: Sheet, who: str, rulings: Rulings) -> list[Point]:
    out = []
    for hospital, filled in zip(board.hospitals, sheet.beds, strict=True):
        if filled >= hospital.size:
            values: Words = {"hospital": hospital.id, "size": hospital.size}
            out.append(Point(who, hospital.points, "RESC-SCO-05", "score.hospital", values))
        elif filled and hospital.penalty and ruled(rulings, 11, "if_printed"):
            short: Words = {"hospital": hospital.id, "filled": filled, "size": hospital.size}
            out.append(Point(who, hospital.penalty, "RESC-AMB-11", "score.penalty", short))
    return out


def total(lines: tuple[Point, ...]) -> int:
    """The sum of points."""
    return sum(line.points for line in lines)


def winners(
    totals: Mapping[str, int], koalas: Mapping[str, int], trees: Mapping[str, int], rulings: Rulings
) -> tuple[str, ...]:
    """Most points; of the tied most circled koalas; by another ruling then most circled trees."""
    if not totals:
        return ()
    more_trees = ruled(rulings, 10, "more_trees")

    def place(player: str) -> tuple[int, int, int]:
        return totals[player], koalas.get(player, 0), trees.get(player, 0) if more_trees else 0

    best = max(map(place, totals))
    return tuple(player for player in totals if place(player) == best)


def rank(points: int, rulings: Rulings, steps: tuple[int, ...] = RULEBOOK_RANKS) -> str:
    """The rank of a solo score, as a key; below the table the lowest one, by another ruling "none"."""
    if points < 0 and ruled(rulings, 12, "no_rank"):
        return "none"
    return RANKS[sum(1 for least in steps if points >= least)]
