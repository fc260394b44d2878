"""Points at the end: majorities, feasts, koalations, teams; every point with the rule that gives it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.games.koala.rules_seats import CAVES, FOODS, Food, Seats
from companion.table.game import Point, Refusal, Score
from companion.table.things import Player, Words

QUESTION = "question"  # the team of those who drew a question mark
MOST, TIED = 2, 1
Teams = Mapping[str, Sequence[Player]]


def score(
    seats: Seats, foods: Sequence[Food], feasts: Mapping[Player, int], teams: Teams | None = None,
    joins: str | None = None, rulings: Mapping[str, object] = {},  # noqa: B006  # read only
) -> Score | Refusal:  # fmt: skip
    """Score a finished table. Without teams the groups are koalations and single koalas ("Mia+Paul").

    `joins`: the team that "?" chose; a Refusal "choose_team:A,B" asks for it.
    """
    lines = [*_majorities(seats, foods, rulings), *_feasts(seats, feasts)]
    if teams is not None:
        return _by_teams(seats, foods, lines, teams, joins, rulings)
    totals = {_group(seat.white, seat.black): 0 for seat in seats if seat.white is not None}
    groups = {player: name for name in totals for player in name.split("+")}
    for line in lines:
        totals[groups[line.who]] += line.points
    cards = {
        _group(seat.white, seat.black): sum(food.values())
        for seat, food in zip(seats, foods, strict=True)
        if seat.white is not None
    }
    return Score(tuple(lines), totals, _best(totals, cards))


def points(score: Score, players: Sequence[Player]) -> dict[Player, int]:
    """Each player's own points."""
    out = dict.fromkeys(players, 0)
    for line in score.lines:
        out[Player(line.who)] += line.points
    return out


def _group(white: Player | None, black: Player | None) -> str:
    return "+".join(player for player in (white, black) if player is not None)


def _majorities(seats: Seats, foods: Sequence[Food], rulings: Mapping[str, object]) -> list[Point]:
    """The cave with most of a food: 2 points to each in front of it; a tie: 1; unoccupied ones compete."""
    lines: list[Point] = []
    for food in FOODS:
        compete = [
            place for place, seat in enumerate(seats)
            if seat.white is not None or rulings.get("KOALA-AMB-13") != "empty_compete_false"
        ]  # fmt: skip
        most = max((foods[place][food] for place in compete), default=0)
        if most == 0 and rulings.get("KOALA-AMB-14") != "tie_of_zeros":
            continue
        best = [place for place in compete if foods[place][food] == most]
        each, why = (MOST, "score.most") if len(best) == 1 else (TIED, "score.tied")
        rule = {"score.tied": "KOALA-SCO-05"}.get(why, "KOALA-SCO-02" if food == "pizza" else "KOALA-SCO-03")
        for place in best:
            for player in (seats[place].white, seats[place].black):
                if player is not None:
                    values: Words = {"food": f"@{food}", "count": most, "place": f"@zone.cave:{CAVES[place]}"}
                    lines.append(Point(player, each, rule, why, values))
    return lines


def _feasts(seats: Seats, feasts: Mapping[Player, int]) -> list[Point]:
    seated = [player for seat in seats for player in (seat.white, seat.black) if player is not None]
    return [
        Point(player, feasts[player], "KOALA-SCO-06", "score.feasts", {"count": feasts[player]})
        for player in seated
        if feasts.get(player, 0) > 0
    ]


def _best(totals: Mapping[str, int], cards: Mapping[str, int]) -> tuple[str, ...]:
    """Most points; then more food cards in the cave; then a shared victory."""
    top = max(totals.values(), default=0)
    tied = [name for name, total in totals.items() if total == top]
    most = max((cards[name] for name in tied), default=0)
    return tuple(name for name in tied if cards[name] == most)


def _by_teams(
    seats: Seats, foods: Sequence[Food], lines: Sequence[Point], teams: Teams, joins: str | None,
    rulings: Mapping[str, object],
) -> Score | Refusal:  # fmt: skip
    """Teammates add cave points and own feasts; a lone "?" joins the team with fewest points."""
    own: dict[str, int] = dict.fromkeys((who for members in teams.values() for who in members), 0)
    if rulings.get("KOALA-AMB-18") == "once":
        lines = _once(seats, lines, teams)
    for line in lines:
        own[line.who] += line.points
    totals = {name: sum(own[who] for who in members) for name, members in teams.items()}
    members = {name: tuple(team) for name, team in teams.items()}
    mark = next((name for name in ("?", QUESTION) if name in members), None)
    joined: tuple[str, ...] = ()
    if mark is not None and len(members[mark]) == 1:
        alone = totals.pop(mark)
        lowest: list[str] = [name for name, total in totals.items() if total == min(totals.values())]
        if joins is not None and joins not in lowest:
            return Refusal("KOALA-TEAM-11", "not_a_lowest_team", {"teams": ", ".join(lowest)})
        if joins is None and len(lowest) > 1 and rulings.get("KOALA-AMB-16") != "first_of_them":
            return Refusal("KOALA-TEAM-11", f"choose_team:{','.join(lowest)}", {"teams": ", ".join(lowest)})
        team = joins or lowest[0]
        totals[team] += alone
        members[team] = (*members[team], *members.pop(mark))
        joined = (f"joined:{team}",)
    cards = {name: _team_cards(seats, foods, team) for name, team in members.items()}
    if rulings.get("KOALA-AMB-17") == "shared":
        cards = dict.fromkeys(cards, 0)
    return Score(tuple(lines), totals, _best(totals, cards), joined)


def _once(seats: Seats, lines: Sequence[Point], teams: Teams) -> list[Point]:
    """Without the second majority of two teammates at one cave (KOALA-AMB-18)."""
    mates = {frozenset(team) for team in teams.values()}
    black = {seat.black for seat in seats if frozenset((seat.white, seat.black)) in mates}
    return [line for line in lines if line.rule == "KOALA-SCO-06" or line.who not in black]


def _team_cards(seats: Seats, foods: Sequence[Food], team: Sequence[Player]) -> int:
    """The food in the caves where the team sits, each cave once."""
    return sum(
        sum(food.values())
        for seat, food in zip(seats, foods, strict=True)
        if seat.white in team or seat.black in team
    )
