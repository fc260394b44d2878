"""Finished tables of Ku-Ka-König: the score cases as told from outside, and every fault with the path of its field."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games.kukakoenig.finished import BadTable, explained, finished
from companion.shelf import LANGS, phrases

HERE = Path(__file__).parent
FILES = (HERE.parents[1] / "cases" / "kukakoenig.cases.json", HERE / "own.cases.json")
CASES = {
    case["id"]: case
    for path in FILES
    for case in json.loads(path.read_text("utf-8"))["cases"]
    if case["kind"] in ("score", "final", "keep")
}
TABLES = CASES["KUKA-C068"]["given"]["tables"]


@pytest.mark.parametrize("name", CASES)
def test_a_kuka_case_told_from_outside_scores_the_same(name: str) -> None:
    assert finished(CASES[name]["given"]) == CASES[name]["expect"]


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if case["kind"] == "score"])
@pytest.mark.parametrize("lang", LANGS)
def test_the_reasons_add_up_to_each_players_points(name: str, lang: str) -> None:
    told = {**CASES[name]["given"], "detail": False}
    answer, rows = finished(told), explained(told, phrases()["kukakoenig"], lang)
    assert all(row.rule.startswith("KUKA-") and row.why and "{" not in row.why for row in rows)
    if "error" in answer:
        assert len(rows) == 1
        return
    for player, total in answer.items():
        mine = [row.points for row in rows if row.who == player and row.rule != "KUKA-SCO-03"]
        assert sum(mine) == total


def test_a_whole_game_tells_both_scorings_the_way_back_to_the_box_and_the_winner() -> None:
    told = {"first": TABLES, "second": TABLES}
    answer = finished(told)
    assert answer["totals"] == {"Ada": 80, "Bob": 68, "Cy": 44}
    assert (answer["winners"], answer["to_box"]) == (["Ada"], 19)
    rows = explained(told, phrases()["kukakoenig"], "en")
    back = {row.who: row.why for row in rows if row.rule == "KUKA-END1-04"}
    assert back["Bob"] == "back into the box, 6 in all: 2 × church, 2 × farmer, 1 × farmer's wife, 3-card"
    assert rows[-1].who == "Ada"


def test_a_tie_is_explained() -> None:
    rows = explained({"scores": {"A": [1, 2], "B": [2, 1]}}, phrases()["kukakoenig"], "de")
    assert [row.rule for row in rows[-2:]] == ["KUKA-AMB-09", "KUKA-AMB-09"]
    broken = explained({"scores": {"A": [1, 2], "B": [2, 1]}, "options": {"KUKA-AMB-09": "second_scoring"}})
    assert [row.who for row in broken if row.rule == "KUKA-AMB-09"] == ["A"]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"tables": []}, "tables must be an object of 1 to 4 players"),
        ({"tables": {"A": 3}}, "tables.A must be an object"),
        ({"tables": {"A": {"kings": 3}}}, "tables.A knows no 'kings'; did you mean 'king'?"),
        ({"tables": {"A": {"king": -1}}}, "tables.A.king must be a whole number from 0 to 112, not -1"),
        ({"tables": {"A": {"king": True}}}, "tables.A.king must be a whole number"),
        ({"tables": {"A": {"vp": 3}}}, "tables.A.vp must be a list"),
        ({"tables": {"A": {"animals": {"pig": "x"}}}}, "tables.A.animals.pig must be a whole number"),
        ({"tables": {"": {}}}, "tables: '' is no player's name"),
        ({"tables": TABLES, "first": TABLES}, "tell either tables, or first and second, or scores"),
        ({"first": TABLES, "second": {"A": {}}}, "first and second must tell of the same players"),
        ({"scores": {"A": [1], "B": [1, 2]}}, "some players have one scoring"),
        ({"scores": {"A": [-1]}}, r"scores.A\[0\] must be a whole number"),
        ({"scores": {"A": 3}}, "scores.A must be a list"),
        ({"tables": TABLES, "green": ["kings"]}, "green knows no 'kings'; did you mean 'king'?"),
        ({"tables": TABLES, "detail": 1}, "detail must be true or false"),
        ({"tables": TABLES, "options": {"KUKA-AMB-7": "x"}}, "did you mean 'KUKA-AMB-07'"),
        ({"tables": TABLES, "options": {"KUKA-AMB-07": "x"}}, "options.KUKA-AMB-07 must be one of"),
        ({"tables": TABLES, "opt": {}}, "the table knows no 'opt'"),
    ],
)
def test_each_fault_is_named_by_its_place(change: dict[str, Any], says: str) -> None:
    with pytest.raises(BadTable, match=says):
        finished(copy.deepcopy(change))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@given(
    st.dictionaries(st.sampled_from(["tables", "first", "second", "scores", "green", "options", "x"]), JSON)
    | JSON
)
def test_anything_told_is_scored_or_its_faults_are_named(told: Any) -> None:
    try:
        finished(told)
    except BadTable as wrong:
        assert wrong.faults
