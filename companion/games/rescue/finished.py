"""Score a finished game that nobody watched: check what is told about the sheets, count them, explain each point."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from companion.games.rescue.finished_check import faults
from companion.games.rescue.maps import chosen
from companion.games.rescue.options import MAP, settle_options
from companion.games.rescue.rules_draw import named
from companion.games.rescue.rules_map import Cell, Map
from companion.games.rescue.rules_score import rank, round_points, total, winners
from companion.games.rescue.rules_sheet import Sheet, fresh
from companion.table.game import Point, Refusal
from companion.table.phrases import Phrases
from companion.table.things import value
from companion.table.told import BadTable, Row


@value
class Counted:
    """A finished game: every point, the sums of each player, who has won, the rank of a solo player."""

    lines: tuple[Point, ...]
    rounds: Mapping[str, tuple[int, int]]
    badges: Mapping[str, int]
    totals: Mapping[str, int]
    koalas: Mapping[str, int]
    winners: tuple[str, ...]
    rank: str


# What a table can look like, as `companion score rescue --example` prints it.
EXAMPLE: dict[str, object] = {
    "players": {
        "Mia": {
            "round1": 5,
            "round2": {"trees": ["A", "B-a1"], "koalas": ["A"]},
            "badges": {"koalas_a": "first"},
        },
        "Paul": {"round1": 4, "round2": 11},
    }
}


def finished(given: object) -> dict[str, object]:
    """The score of a game as plain data; BadTable names fields.

    `given`: {"map": the text of a map.toml or its data (absent: the practice map), "players": {name: {"round1",
    "round2": points, or {"trees", "koalas": cells "A-b3" or whole areas "A", "hospitals": {id: circles}},
    "badges": {badge: "first" or "later"}, or a list of points}}, "options": {ruling: setting}}.
    """
    done = counted(given)
    answer: dict[str, object] = {
        "rounds": {player: list(points) for player, points in done.rounds.items()}, "badges": dict(done.badges),
        "totals": dict(done.totals), "koalas": dict(done.koalas), "winners": list(done.winners),
    }  # fmt: skip
    return {**answer, "rank": done.rank} if done.rank else answer


def explained(given: object, words: Phrases | None = None, lang: str = "en") -> tuple[Row, ...]:
    """Every point with its rule and reason, the totals, who wins and why. Without phrases: keys and values."""
    done = counted(given)
    totals = [Point(player, points, "RESC-END-02", "score.total") for player, points in done.totals.items()]
    lines = (*done.lines, *totals, *_won(done))
    return tuple(Row(line.who, line.points, line.rule, _said(line, words, lang)) for line in lines)


def _said(line: Point, words: Phrases | None, lang: str) -> str:
    if words is None:
        return " ".join([line.why, *(f"{key}={word}" for key, word in line.values.items())])
    return words.text(lang, line.why, line.values)


def _won(done: Counted) -> list[Point]:
    top = max(done.totals.values())
    tied = [player for player, points in done.totals.items() if points == top]
    if done.rank:
        return [Point(tied[0], top, "RESC-SOLO-06", "score.rank", {"rank": f"@rank.{done.rank}"})]
    if len(tied) == 1:
        return [Point(tied[0], top, "RESC-END-04", "score.wins")]
    why = "score.wins_koalas" if len(done.winners) == 1 else "score.shared"
    return [Point(player, top, "RESC-END-05", why, {"count": done.koalas[player]}) for player in done.winners]


def counted(given: object) -> Counted:
    """Count a finished game; BadTable with every fault found."""
    found = tuple(faults(given))
    if found or not isinstance(given, Mapping):
        raise BadTable(found)
    rulings = settle_options(given.get("options", {}))
    assert not isinstance(rulings, Refusal), "checked just now"
    board = chosen({MAP: given.get("map")}, rulings)
    assert not isinstance(board, Refusal), "checked just now"
    players: Mapping[str, Any] = given["players"]
    lines: list[Point] = []
    rounds, badges, koalas, trees = {}, {}, {}, {}
    for player, told in players.items():
        parts = [_round(board, told.get(f"round{n}", 0), player, n, rulings) for n in (1, 2)]
        rounds[player] = total(parts[0][0]), total(parts[1][0])
        koalas[player], trees[player] = len(parts[1][1].koalas), len(parts[1][1].trees)
        own = _badges(board, told.get("badges", {}), player)
        badges[player] = total(own)
        lines += [*parts[0][0], *parts[1][0], *own]
    totals = {player: sum(rounds[player]) + badges[player] for player in players}
    solo = len(players) == 1
    steps = () if board is None else (board.ranks,)
    title = rank(next(iter(totals.values())), rulings, *steps) if solo else ""
    return Counted(
        tuple(lines), rounds, badges, totals, koalas, winners(totals, koalas, trees, rulings), title
    )


def _round(
    board: Map | None, told: Any, player: str, number: int, rulings: Mapping[str, object]
) -> tuple[tuple[Point, ...], Sheet]:
    """A round's points, from the sheet or as they were written down."""
    none: frozenset[Cell] = frozenset()
    blank = fresh(board) if board is not None else Sheet(none, none, frozenset(), 0, 0, ())
    if type(told) is int or board is None:
        lines = (Point(player, told, "RESC-SCO-07", "score.round_told", {"round": number}),) if told else ()
        return lines, blank
    sheet = replace(
        blank, trees=_cells(board, told.get("trees", ()), board.trees),
        koalas=_cells(board, told.get("koalas", ()), board.koalas),
        beds=tuple(told.get("hospitals", {}).get(hospital.id, 0) for hospital in board.hospitals),
    )  # fmt: skip
    points = round_points(board, sheet, player, rulings)
    return tuple(replace(p, values={**p.values, "round": number}) for p in points), sheet


def _cells(board: Map, words: Any, known: frozenset[Cell]) -> frozenset[Cell]:
    """Cells by name; an area's letter stands for all of its cells."""
    found: set[Cell] = set()
    for word in words:
        cell = named(word)
        found |= board.trees_of[word] & known if word in board.area else {cell} if cell is not None else set()
    return frozenset(found)


def _badges(board: Map | None, told: Any, player: str) -> tuple[Point, ...]:
    if isinstance(told, list):
        return tuple(
            Point(player, points, "RESC-BAD-03", "score.badge", {"badge": n})
            for n, points in enumerate(told, 1)
        )
    own = [] if board is None else list(enumerate(board.badges, 1))
    return tuple(
        Point(
            player, badge.points[0 if told[badge.id] == "first" else 1],
            "RESC-BAD-03" if told[badge.id] == "first" else "RESC-BAD-04", f"score.badge_{badge.needs}",
            {"badge": n, "area": badge.of, "count": badge.count},
        )
        for n, badge in own if badge.id in told
    )  # fmt: skip
