"""Score a finished table that nobody watched: check what is told about it, count it, explain each point."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.games.koala.finished_check import faults
from companion.games.koala.options import settle_options
from companion.games.koala.rules_score import (
    food_of,
    joined,
    leading,
    lone_question,
    points,
    score,
    seated_players,
    sides,
)
from companion.games.koala.rules_seats import CAVES, FOODS, Seat, Seats
from companion.table.game import Point, Refusal, Score
from companion.table.phrases import Phrases
from companion.table.things import Player, Words, value
from companion.table.told import BadTable, Row


@value
class Told:
    """A finished table: seats and foods clockwise, and what else counts."""

    ids: tuple[str, ...]
    seats: Seats
    foods: tuple[Mapping[str, int], ...]
    feasts: Mapping[Player, int]
    teams: Mapping[str, tuple[Player, ...]] | None
    joins: str | None
    rulings: Mapping[str, object]

    @property
    def players(self) -> tuple[Player, ...]:
        """Everybody, clockwise, white before black."""
        return seated_players(self.seats)


# What a table can look like, as `companion score koala --example` prints it.
EXAMPLE: dict[str, object] = {
    "caves": [
        {"id": "a", "white": "Mia", "black": None, "food": {"pizza": 3, "hamburger": 0, "spaghetti": 1}},
        {"id": "b", "white": "Paul", "black": None, "food": {"pizza": 1, "hamburger": 2, "spaghetti": 0}},
        {"id": "c", "white": "Ada", "black": None, "food": {"pizza": 0, "hamburger": 2, "spaghetti": 4}},
    ],
    "feasts": {"Mia": 1},
}


def finished(given: object) -> dict[str, object]:
    """The score of a table as plain data; {"error": code} where "?" must choose; BadTable names fields.

    `given`: {"caves": [{"id", "white", "black", "food": {"pizza", "hamburger", "spaghetti"}}, ...] clockwise,
    "feasts": {player: cards}, "teams": {team: [players]}, "joins": team of a lone "?" (or an event
    question_joins), "options": {ruling: setting}}; all but "caves" may be absent.
    """
    told = read(given)
    done = _scored(told)
    if isinstance(done, Refusal):
        return {"error": done.code}
    own: dict[str, object] = {str(player): count for player, count in points(done, told.players).items()}
    together = "group_points" if told.teams is None else "team_points"
    answer: dict[str, object] = {
        "player_points": own, together: dict(done.totals), "winners": list(done.winners)
    }  # fmt: skip
    if told.teams is not None and lone_question(told.teams) is not None:
        answer["question_joined"] = joined(done)
    return answer


def explained(given: object, phrases: Phrases | None = None, lang: str = "en") -> tuple[Row, ...]:
    """Every point with its rule and reason, then who scores together, then who wins and why.

    A Refusal of the rules is one row without points. Without phrases the reasons are their keys and values.
    """
    told = read(given)
    done = _scored(told)
    if isinstance(done, Refusal):
        key = f"no.{done.stem}"
        return (_row(told, Point("-", 0, done.rule, key, done.values), phrases, lang),)
    lines = (*done.lines, *_unscored(told), *_together(told, done), *_won(told, done))
    return tuple(_row(told, line, phrases, lang) for line in lines)


def read(given: object) -> Told:
    """A table as told; BadTable with every fault found."""
    found = tuple(faults(given))
    if found or not isinstance(given, Mapping):
        raise BadTable(found)
    caves: list[Mapping[str, Any]] = given["caves"]
    teams = given.get("teams")
    joins = [given["joins"]] if given.get("joins") is not None else []
    joins += [event["team"] for event in given.get("events", ())]
    rulings = settle_options(given.get("options", {}))
    if isinstance(rulings, Refusal):
        raise BadTable((rulings.code,))
    return Told(
        tuple(cave.get("id", letter) for letter, cave in zip(CAVES, caves, strict=False)),
        tuple(Seat(cave["white"], cave.get("black")) for cave in caves),
        tuple({food: cave["food"][food] for food in FOODS} for cave in caves),
        given.get("feasts", {}),
        None if teams is None else {name: tuple(members) for name, members in teams.items()},
        joins[0] if joins else None,
        rulings,
    )


def _scored(told: Told) -> Score | Refusal:
    return score(told.seats, told.foods, told.feasts, told.teams, told.joins, told.rulings)


def _unscored(told: Told) -> list[Point]:
    """The foods that bring nobody a point, and why."""
    lines = []
    for food in FOODS:
        best, count = leading(told.seats, told.foods, food, told.rulings)
        values: Words = {"food": f"@{food}", "count": count}
        if not best:
            lines.append(Point("-", 0, "KOALA-AMB-14", "score.nobody_has", values))
        elif len(best) == 1 and told.seats[best[0]].white is None:
            values = {**values, "place": f"@zone.cave:{CAVES[best[0]]}"}
            lines.append(Point("-", 0, "KOALA-AMB-13", "score.unoccupied", values))
    return lines


def _together(told: Told, done: Score) -> list[Point]:
    """Koalations or teams with their sums, and whom "?" joined."""
    people_of = _sides(told, done)
    if told.teams is None:
        return [
            Point(name, done.totals[name], "KOALA-SCO-07", "score.together", {"names": name})
            for name, people in people_of.items()
            if len(people) > 1
        ]
    lines = []
    mark, team = lone_question(told.teams), joined(done)
    if mark is not None and team is not None:
        lone = told.teams[mark][0]
        own = points(done, told.players)[lone]
        lines.append(Point(lone, own, "KOALA-TEAM-11", "score.joins", {"team": team}))
    lines += [
        Point(name, total, "KOALA-TEAM-08", "score.together", {"names": ", ".join(people_of[name])})
        for name, total in done.totals.items()
    ]
    return lines


def _sides(told: Told, done: Score) -> dict[str, tuple[Player, ...]]:
    return sides(told.seats, told.teams, joined(done))


def _won(told: Told, done: Score) -> list[Point]:
    """Who wins: by points, by the food in the caves, or together."""
    top = max(done.totals.values())
    tied = [name for name, total in done.totals.items() if total == top]
    if len(done.winners) > 1:
        rule, why = "KOALA-SCO-10", "score.shared"
    elif len(tied) > 1:
        rule, why = "KOALA-SCO-09" if told.teams is None else "KOALA-AMB-17", "score.more_food"
    else:
        rule, why = "KOALA-SCO-08" if told.teams is None else "KOALA-TEAM-08", "score.wins"
    food = {name: food_of(told.seats, told.foods, people) for name, people in _sides(told, done).items()}
    return [Point(name, top, rule, why, {"count": food[name]}) for name in done.winners]


def _row(told: Told, line: Point, phrases: Phrases | None, lang: str) -> Row:
    values = {key: _place(told, word) for key, word in line.values.items()}
    if phrases is not None:
        why = phrases.text(lang, line.why, values)
    else:
        why = " ".join([line.why, *(f"{key}={word}" for key, word in values.items())])
    return Row(line.who, line.points, line.rule, why)


def _place(told: Told, word: str | int) -> str | int:
    """A cave under the id it was told by: the rules only know its place."""
    for letter, name in zip(CAVES, told.ids, strict=False):
        if word == f"@zone.cave:{letter}":
            return f"@zone.cave:{name}" if name in list(CAVES) else name
    return word
