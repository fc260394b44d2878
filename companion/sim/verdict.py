"""Who has won, counted by hand from the cards that lie on the table: the other witness's score.

It follows the rulebook as the persons at the table would, without a ruling that a table may switch.
"""

from __future__ import annotations

from collections.abc import Mapping

from companion.sim.physical import Physical
from companion.table.things import Player, value

QUESTION = "question"


@value
class Verdict:
    """Points of each koalation, single koala or team, and who has won."""

    totals: Mapping[str, int]
    winners: tuple[str, ...]


def verdicts(table: Physical, teams: bool) -> tuple[Verdict, ...]:
    """The verdict; more than one where a lone "?" may choose between equally weak teams."""
    if not teams:
        return (_judged(table, {"+".join(seat): tuple(seat) for seat in table.seats if seat}),)
    sides: dict[str, tuple[Player, ...]] = {}
    for player, card in table.teams.items():
        face = table.face(card)
        sides[face] = (*sides.get(face, ()), player)
    if len(sides.get(QUESTION, ())) != 1:
        return (_judged(table, sides),)
    lone = sides.pop(QUESTION)
    totals = _judged(table, sides).totals
    weakest = [side for side, total in totals.items() if total == min(totals.values())]
    return tuple(_judged(table, {**sides, side: (*sides[side], *lone)}) for side in weakest)


def _judged(table: Physical, sides: Mapping[str, tuple[Player, ...]]) -> Verdict:
    """Most points; then most food in the caves where a side sits; then all of them."""
    points = table.points()
    totals = {side: sum(points[player] for player in people) for side, people in sides.items()}
    ranks = {side: (totals[side], _food(table, people)) for side, people in sides.items()}
    best = max(ranks.values())
    return Verdict(totals, tuple(side for side, rank in ranks.items() if rank == best))


def _food(table: Physical, people: tuple[Player, ...]) -> int:
    return sum(sum(table.foods(place).values()) for place in {table.seat(player) for player in people})
