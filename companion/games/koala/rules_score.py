"""Points at the end: majorities, feasts, koalations, teams; every point with the rule that gives it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.games.koala.options import ruled
from companion.games.koala.rules_seats import CAVES, FOODS, Food, Seat, Seats
from companion.table.game import Point, Refusal, Score
from companion.table.things import Player, Words

QUESTION = "question"  # the team of those who drew a question mark
MOST, TIED = 2, 1
TEAM = 2  # members of a team
Teams = Mapping[str, Sequence[Player]]


def score(
    seats: Seats, foods: Sequence[Food], feasts: Mapping[Player, int], teams: Teams | None = None,
    joins: str | None = None, rulings: Mapping[str, object] = {},
) -> Score | Refusal:  # fmt: skip
    """Score a finished table. Without teams the groups are koalations and single koalas ("Mia+Paul").

    `joins`: the team that "?" chose; a Refusal "choose_team:A,B" asks for it.
    """
    lines = [*_majorities(seats, foods, rulings), *_feasts(seats, feasts)]
    if teams is not None:
        fault = team_fault(seated_players(seats), teams)
        return fault or _by_teams(seats, foods, lines, teams, joins, rulings)
    together = sides(seats)
    totals = _totals(lines, together)
    cards = {name: food_of(seats, foods, people) for name, people in together.items()}
    return Score(tuple(lines), totals, _best(totals, cards))


def sides(
    seats: Seats, teams: Teams | None = None, joined: str | None = None
) -> dict[str, tuple[Player, ...]]:
    """Who scores together, by name: koalations and single koalas, or teams. `joined`: the team of a lone "?"."""
    if teams is None:
        groups = ((seat.white, seat.black) for seat in seats if seat.white is not None)
        return {"+".join(filter(None, pair)): tuple(filter(None, pair)) for pair in groups}
    found = {name: tuple(members) for name, members in teams.items()}
    mark = lone_question(teams)
    if mark is not None and joined is not None:
        found[joined] = (*found[joined], *found.pop(mark))
    return found


def joined(score: Score) -> str | None:
    """The team that a lone "?" joined; None if there was none."""
    notes = (note.removeprefix("joined:") for note in score.notes if note.startswith("joined:"))
    return next(notes, None)


def _totals(lines: Sequence[Point], together: Mapping[str, Sequence[Player]]) -> dict[str, int]:
    return {name: sum(line.points for line in lines if line.who in who) for name, who in together.items()}


def seated_players(seats: Seats) -> tuple[Player, ...]:
    """Everybody, clockwise, white before black."""
    return tuple(player for seat in seats for player in (seat.white, seat.black) if player is not None)


def team_fault(players: Sequence[Player], teams: Teams) -> Refusal | None:
    """Why teams cannot be scored: somebody is in none, or a team has not two members; only "?" may be alone."""
    known = {player for members in teams.values() for player in members}
    missing = [player for player in players if player not in known]
    if missing:
        return Refusal("KOALA-TEAM-03", "no_team", {"names": ", ".join(missing)})
    for name, members in teams.items():
        if len(members) != TEAM and name != lone_question(teams):
            values: Words = {"team": f"@{name}", "names": ", ".join(members)}
            return Refusal("KOALA-TEAM-02", "no_pair", values)
    return None


def points(score: Score, players: Sequence[Player]) -> dict[Player, int]:
    """Each player's own points."""
    out = dict.fromkeys(players, 0)
    for line in score.lines:
        out[Player(line.who)] += line.points
    return out


def leading(
    seats: Seats,
    foods: Sequence[Food],
    food: str,
    rulings: Mapping[str, object] = {},
) -> tuple[tuple[int, ...], int]:
    """The caves with most of a food, and how many cards; no cave where nobody has any (KOALA-AMB-14).

    Unoccupied caves compete too (KOALA-AMB-13): one alone in front means that nobody scores.
    """
    compete = [
        place for place, seat in enumerate(seats)
        if seat.white is not None or ruled(rulings, 13, "empty_compete")
    ]  # fmt: skip
    most = max((foods[place][food] for place in compete), default=0)
    if most == 0 and ruled(rulings, 14, "nobody"):
        return (), 0
    return tuple(place for place in compete if foods[place][food] == most), most


def _majorities(seats: Seats, foods: Sequence[Food], rulings: Mapping[str, object]) -> list[Point]:
    """The cave with most of a food: 2 points to each in front of it; a tie: 1."""
    lines: list[Point] = []
    for food in FOODS:
        best, most = leading(seats, foods, food, rulings)
        for place in best:
            values: Words = {"food": f"@{food}", "count": most, "place": f"@zone.cave:{CAVES[place]}"}
            for player in (seats[place].white, seats[place].black):
                if player is None:
                    continue
                if len(best) > 1:
                    lines.append(Point(player, TIED, "KOALA-SCO-05", "score.tied", values))
                else:
                    lines.append(Point(player, MOST, _rule(seats[place], player, food), "score.most", values))
    return lines


def _rule(seat: Seat, player: Player, food: str) -> str:
    if player == seat.black:
        return "KOALA-SCO-04"
    return "KOALA-SCO-02" if food == "pizza" else "KOALA-SCO-03"


def _feasts(seats: Seats, feasts: Mapping[Player, int]) -> list[Point]:
    return [
        Point(player, feasts[player], "KOALA-SCO-06", "score.feasts", {"count": feasts[player]})
        for player in seated_players(seats)
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
    if ruled(rulings, 18, "once"):
        lines = _once(seats, lines, teams)
    mark, side = lone_question(teams), None
    if mark is not None:
        others = {name: members for name, members in teams.items() if name != mark}
        found = _joined(_totals(lines, others), joins, rulings)
        if isinstance(found, Refusal):
            return found
        side = found
    together = sides(seats, teams, side)
    totals = _totals(lines, together)
    notes = () if side is None else (f"joined:{side}",)
    cards = {name: food_of(seats, foods, people) for name, people in together.items()}
    if ruled(rulings, 17, "shared"):
        cards = dict.fromkeys(cards, 0)
    return Score(tuple(lines), totals, _best(totals, cards), notes)


def lone_question(teams: Teams) -> str | None:
    """The team of a single "?", who joins another one at the end; None if nobody or two drew it."""
    return next((name for name in ("?", QUESTION) if len(teams.get(name, ())) == 1), None)


def _joined(totals: Mapping[str, int], joins: str | None, rulings: Mapping[str, object]) -> str | Refusal:
    """The team with fewest points that "?" joins; between equally weak ones he chooses (KOALA-AMB-16)."""
    lowest = sorted(name for name, total in totals.items() if total == min(totals.values()))
    told = {"teams": ", ".join(lowest)}
    if joins is not None and joins not in lowest:
        return Refusal("KOALA-TEAM-11", "not_a_lowest_team", told)
    if joins is None and len(lowest) > 1 and ruled(rulings, 16, "question_chooses"):
        return Refusal("KOALA-TEAM-11", f"choose_team:{','.join(lowest)}", told)
    return joins or lowest[0]


def _once(seats: Seats, lines: Sequence[Point], teams: Teams) -> list[Point]:
    """Without the second majority of two teammates at one cave (KOALA-AMB-18)."""
    mates = {frozenset(team) for team in teams.values()}
    black = {seat.black for seat in seats if frozenset((seat.white, seat.black)) in mates}
    return [line for line in lines if line.rule == "KOALA-SCO-06" or line.who not in black]


def food_of(seats: Seats, foods: Sequence[Food], people: Sequence[Player]) -> int:
    """The food in the caves where people sit who score together, each cave once."""
    return sum(
        sum(food.values())
        for seat, food in zip(seats, foods, strict=True)
        if seat.white in people or seat.black in people
    )
