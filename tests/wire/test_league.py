"""A league counts each game once, shares places rightly, and forgets who was deleted."""

from __future__ import annotations

import random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from companion.wire import league
from companion.wire.league import Row


def game(name: str, totals: dict[str, int], winners: list[str], **more: Any) -> dict[str, Any]:
    players = [player for group in totals for player in group.split("+")]
    return {
        "id": name,
        "game": "koala",
        "on": 86_400,
        "players": players,
        "totals": totals,
        "winners": winners,
        **more,
    }


def test_the_same_game_twice_is_counted_once() -> None:
    one = game("a", {"Mia": 5, "Paul": 3}, ["Mia"], table="1")
    table = league.league([one, {**one, "table": "2"}, one])
    assert table.rows == (
        Row(1, "Mia", 1, 1, 1.0, 5, "1970-01-02"),
        Row(2, "Paul", 1, 0, 0.0, 3, "1970-01-02"),
    )
    assert (table.games, table.out) == (1, 0)


def test_a_game_that_does_not_count_somewhere_counts_nowhere() -> None:
    one = game("a", {"Mia": 5, "Paul": 3}, ["Mia"])
    table = league.league([one, {**one, "counts": False}, one, game("b", {"Ada": 1, "Mia": 2}, ["Mia"])])
    assert (table.games, table.out, [row.name for row in table.rows]) == (1, 1, ["Mia", "Ada"])


def test_teams_ties_and_those_without_points_are_placed_rightly() -> None:
    table = league.league([
        game("a", {"Mia+Paul": 5, "Ada": 5}, ["Mia+Paul", "Ada"]),
        {**game("b", {"Ben": 1}, ["Ben"]), "players": ["Ben", "Ada", "Mia"]},
    ])  # fmt: skip
    rows = {row.name: row for row in table.rows}
    assert [(rows[name].wins, rows[name].beaten, rows[name].points) for name in ("Ben", "Mia", "Paul", "Ada")] == [
        (1, 1.0, 1), (1, 0.333, 5), (1, 0.5, 5), (1, 0.333, 5),
    ]  # fmt: skip
    assert [(row.place, row.name) for row in table.rows] == [(1, "Ben"), (2, "Paul"), (3, "Ada"), (3, "Mia")]


def test_a_winner_by_a_tie_break_has_left_behind_whoever_had_as_much() -> None:
    rows = league.league([game("a", {"Mia": 5, "Paul": 5}, ["Paul"])]).rows
    assert [(row.name, row.beaten) for row in rows] == [("Paul", 1.0), ("Mia", 0.0)]


def test_one_person_has_one_row_however_the_name_is_typed_and_the_deleted_none() -> None:
    table = league.league(
        [game("a", {"Mia ": 1, "– 2": 3}, ["– 2"]), game("b", {"mia": 1, "Paul": 0}, ["mia"])]
    )
    assert [(row.name, row.games, row.wins) for row in table.rows] == [("Mia", 2, 1), ("Paul", 1, 0)]


def test_only_one_game_is_taken_where_one_is_named() -> None:
    both = [game("a", {"Mia": 1}, ["Mia"]), {**game("b", {"Ada": 1}, ["Ada"]), "game": "wine"}]
    assert [row.name for row in league.league(both, "wine").rows] == ["Ada"]


def test_every_form_says_the_same_and_no_name_becomes_markup_or_a_formula() -> None:
    table = league.league([game("a", {"<b>Mia": 5, "=1+1": 3}, ["<b>Mia"])])
    assert "<b>" not in league.as_html(table, "de") and "&lt;b&gt;Mia" in league.as_html(table, "de")
    assert "'=1+1" not in league.text(table, "en") and "\n2,'=1" in league.as_csv(table)
    assert league.plain(table)["rows"][0]["wins"] == 1 and "100%" in league.text(table, "en")
    assert "http" not in league.as_html(table, "en")


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5), st.integers(0, 5)), max_size=8), st.randoms())
def test_the_order_of_the_games_changes_nothing(points: list[tuple[int, ...]], chance: random.Random) -> None:
    games = []
    for number, each in enumerate(points):
        totals = dict(zip(("Mia", "Paul", "Ada"), each, strict=True))
        best = max(each)
        games.append(game(str(number), totals, [name for name in totals if totals[name] == best], on=number))
    mixed = games + games[: len(games) // 2]
    chance.shuffle(mixed)
    table = league.league(mixed)
    assert table.rows == league.league(games).rows
    assert sum(row.games for row in table.rows) == 3 * len(games)
    assert [row.place for row in table.rows] == sorted(row.place for row in table.rows)
