"""Who has won, counted by hand from the cards that lie on the table: the other witness's score.

Written from the rulebook, apart from the game's own score. `agreed` are the rulings that a table switched.
"""

from __future__ import annotations

from collections.abc import Mapping

from companion.sim.koala.physical import FOODS, Physical
from companion.table.things import Player, value

QUESTION = "question"
Agreed = Mapping[str, object]


@value
class Verdict:
    """Points of each koalation, single koala or team, and who has won."""

    totals: Mapping[str, int]
    winners: tuple[str, ...]


def points(table: Physical, agreed: Agreed) -> dict[Player, int]:
    """Each person's points: feast cards, and the caves with most of a food."""
    counted = {player: len(cards) for player, cards in table.feasts.items()}
    deserted_count = agreed.get("KOALA-AMB-13") != "empty_compete_false"
    for food in FOODS:
        counts = [
            table.foods(place)[food] if seat or deserted_count else -1
            for place, seat in enumerate(table.seats)
        ]  # fmt: skip
        most = max(counts)
        if most == 0 and agreed.get("KOALA-AMB-14") != "tie_of_zeros":
            continue
        best = [seat for seat, count in zip(table.seats, counts, strict=True) if count == most]
        for seat in best:
            for player in _paid(table, seat, agreed):
                counted[player] += 2 if len(best) == 1 else 1
    return counted


def _paid(table: Physical, seat: list[Player], agreed: Agreed) -> list[Player]:
    """Both of a koalation; by another ruling teammates in one koalation once."""
    faces = [table.face(table.teams[player]) for player in seat if player in table.teams]
    once = agreed.get("KOALA-AMB-18") == "once" and len(faces) == 2 and faces[0] == faces[1]
    return seat[:1] if once else seat


def verdicts(table: Physical, agreed: Agreed) -> tuple[Verdict, ...]:
    """The verdict; more than one where a lone "?" may choose between equally weak teams."""
    if not table.teams:
        return (_judged(table, agreed, {"+".join(seat): tuple(seat) for seat in table.seats if seat}),)
    sides: dict[str, tuple[Player, ...]] = {}
    for player, card in table.teams.items():
        face = table.face(card)
        sides[face] = (*sides.get(face, ()), player)
    if len(sides.get(QUESTION, ())) != 1:
        return (_judged(table, agreed, sides),)
    lone = sides.pop(QUESTION)
    totals = _judged(table, agreed, sides).totals
    weakest = [side for side, total in totals.items() if total == min(totals.values())]
    return tuple(_judged(table, agreed, {**sides, side: (*sides[side], *lone)}) for side in weakest)


def _judged(table: Physical, agreed: Agreed, sides: Mapping[str, tuple[Player, ...]]) -> Verdict:
    """Most points; then, but for another ruling on teams, most food in the caves where a side sits."""
    counted = points(table, agreed)
    totals = {side: sum(counted[player] for player in people) for side, people in sides.items()}
    shared = bool(table.teams) and agreed.get("KOALA-AMB-17") == "shared"
    food = {side: 0 if shared else _food(table, people) for side, people in sides.items()}
    ranks = {side: (totals[side], food[side]) for side in sides}
    best = max(ranks.values())
    return Verdict(totals, tuple(side for side, rank in ranks.items() if rank == best))


def _food(table: Physical, people: tuple[Player, ...]) -> int:
    return sum(sum(table.foods(place).values()) for place in {table.seat(player) for player in people})
