"""A finished game that nobody watched: scored as the rules score it, wrong fields named by their paths."""

from __future__ import annotations

import pytest

from companion.games.rescue.finished import EXAMPLE, BadTable, explained, finished
from companion.shelf import phrases

GIVEN = {
    "players": {
        "Mia": {"round1": 5, "round2": {"trees": ["A", "D-a1"], "koalas": ["A-a1"], "hospitals": {"h4": 4}}, "badges": {"koalas_a": "first"}},
        "Paul": {"round1": {"trees": ["A"]}, "round2": {"trees": ["A", "D"], "koalas": ["A"]}, "badges": [3, 1]},
    }
}  # fmt: skip


def test_sheets_and_written_points_are_added_and_koalas_break_the_tie() -> None:
    done = finished(GIVEN)
    assert done["rounds"] == {"Mia": [5, 4], "Paul": [1, 3]}
    assert done["badges"] == {"Mia": 3, "Paul": 4}
    assert done["totals"] == {"Mia": 12, "Paul": 8}
    assert done["winners"] == ["Mia"]
    tied = finished(
        {"players": {"Mia": {"round1": 1, "round2": {"koalas": ["A-a1"]}}, "Paul": {"round1": 1}}}
    )
    assert tied["winners"] == ["Mia"]


def test_a_solo_game_has_a_rank_by_the_maps_own_table() -> None:
    assert finished({"players": {"Mia": {"round1": 21}}})["rank"] == "vice_president"
    text = 'ranks = [1, 2, 3, 4]\n[[areas]]\nid = "A"\nrows = ["K"]\n'
    assert finished({"map": text, "players": {"Mia": {"round1": 2}}})["rank"] == "treasurer"


@pytest.mark.parametrize("lang", ["en", "de"])
def test_every_point_is_explained_with_its_rule(lang: str) -> None:
    rows = explained(GIVEN, phrases()["rescue"], lang)
    assert (
        sum(row.points for row in rows if row.who == "Mia" and row.rule.startswith(("RESC-SCO", "RESC-BAD")))
        == 12
    )
    assert rows[-1].rule == "RESC-END-04"
    assert all(row.why and "{" not in row.why for row in rows)
    tie = explained({"players": {"Mia": {"round1": 1}, "Paul": {"round1": 1}}}, phrases()["rescue"], lang)
    assert [row.rule for row in tie][-2:] == ["RESC-END-05", "RESC-END-05"]


@pytest.mark.parametrize(
    ("given", "path"),
    [
        ([], "players"),
        ({}, "players"),
        ({"players": {}}, "players"),
        ({"players": {"Mia": 3}}, "players.Mia"),
        ({"players": {"Mia": {"round3": 3}}}, "players.Mia.round3"),
        ({"players": {"Mia": {"round1": "x"}}}, "players.Mia.round1"),
        ({"players": {"Mia": {"round1": {"trees": ["Q-a1"]}}}}, "players.Mia.round1.trees"),
        ({"players": {"Mia": {"round1": {"trees": "A"}}}}, "players.Mia.round1.trees"),
        ({"players": {"Mia": {"round1": {"koalas": ["B-b2"]}}}}, "players.Mia.round1.koalas"),
        ({"players": {"Mia": {"round2": {"hospitals": {"h4": 5}}}}}, "players.Mia.round2.hospitals.h4"),
        ({"players": {"Mia": {"round2": {"hospitals": [1]}}}}, "players.Mia.round2.hospitals"),
        ({"players": {"Mia": {"badges": {"koalas_a": "third"}}}}, "players.Mia.badges.koalas_a"),
        ({"players": {"Mia": {"badges": 3}}}, "players.Mia.badges"),
        ({"players": {"Mia": {}}, "options": {"RESC-AMB-99": 1}}, "options"),
        ({"players": {"Mia": {}}, "options": 3}, "options"),
        ({"players": {"Mia": {}}, "map": "x ="}, "map"),
        ({"playrs": {}}, "did you mean players"),
    ],
)
def test_each_wrong_field_is_named_by_its_path(given: object, path: str) -> None:
    with pytest.raises(BadTable, match=path):
        finished(given)


def test_a_badge_is_named_by_what_it_asks_for_as_on_the_screens() -> None:
    why = [row.why for row in explained(EXAMPLE, phrases()["rescue"], "de")]
    assert "Abzeichen 1: alle Koalas von Gebiet A" in why
    why = [row.why for row in explained(EXAMPLE, phrases()["rescue"], "en")]
    assert "merit badge 1: all koalas of area A" in why
