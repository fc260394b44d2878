"""Finished tables: the score cases as told from outside, and every fault with the path of its field."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_case_options import KOALA

from companion.games.koala.finished import BadTable, explained, finished
from companion.shelf import LANGS, phrases

HERE = Path(__file__).parent
FILES = (HERE.parents[1] / "cases" / "koala.cases.json", HERE / "own.cases.json")
CASES = {
    case["id"]: case
    for path in FILES
    for case in json.loads(path.read_text("utf-8"))["cases"]
    if case["kind"] == "score"
}


def table() -> dict[str, Any]:
    """Five players of two teams and a question mark."""
    foods = ((3, 0, 0), (0, 3, 0), (0, 0, 0), (0, 0, 0), (0, 0, 2))
    caves = [
        {"id": "abcde"[i], "white": f"P{i + 1}", "black": None,
         "food": dict(zip(("pizza", "hamburger", "spaghetti"), food, strict=True))}
        for i, food in enumerate(foods)
    ]  # fmt: skip
    return {
        "caves": caves, "feasts": {"P4": 1, "P5": 2},
        "teams": {"A": ["P1", "P2"], "B": ["P3", "P4"], "?": ["P5"]},
    }  # fmt: skip


def told(case: dict[str, Any]) -> dict[str, Any]:
    """A score case as one object."""
    given = {key: value for key, value in case["given"].items() if key not in KOALA.WISHES}
    wishes = KOALA.wishes(case["given"])
    return {
        **given, **({"options": wishes} if wishes else {}), **({"events": case["events"]} if case["events"] else {})
    }  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_a_score_case_told_from_outside_scores_the_same(name: str) -> None:
    """The keys of `expect`, no more and no less."""
    assert finished(told(CASES[name])) == CASES[name]["expect"]


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("lang", LANGS)
def test_the_explanation_adds_up_to_the_score(name: str, lang: str) -> None:
    """Rows of single reasons sum up to each player's points; every row has a rule and a sentence."""
    answer, rows = finished(told(CASES[name])), explained(told(CASES[name]), phrases()["koala"], lang)
    assert all(row.rule.startswith("KOALA-") and row.why for row in rows)
    if "error" in answer:
        assert [row.points for row in rows] == [0]
        return
    own = answer["player_points"]
    assert isinstance(own, dict)
    single = {"KOALA-SCO-02", "KOALA-SCO-03", "KOALA-SCO-04", "KOALA-SCO-05", "KOALA-SCO-06"}
    sums = dict.fromkeys(own, 0)
    for row in rows:
        if row.rule in single:
            sums[row.who] += row.points
    assert sums == own
    winners = answer["winners"]
    assert isinstance(winners, list)
    assert [row.who for row in rows[-len(winners) :]] == winners


def test_the_choice_of_the_question_mark_is_told_in_either_way() -> None:
    """As a field, or as the cases' event."""
    drawn = table()
    drawn["feasts"] = {"P1": 0, "P3": 1}
    assert finished(drawn)["question_joined"] == "B"
    drawn["feasts"] = {"P3": 1, "P4": 2, "P1": 0, "P5": 0}
    drawn["caves"][0]["food"]["pizza"] = 0
    drawn["feasts"] = {"P3": 2}
    assert finished(drawn) == {"error": "choose_team:A,B"}
    assert finished({**drawn, "joins": "B"}) == finished(
        {**drawn, "events": [{"e": "question_joins", "team": "B"}]}
    )
    assert finished({**drawn, "joins": "Z"}) == {"error": "not_a_lowest_team"}


def test_caves_keep_the_ids_they_are_told_by() -> None:
    """The explanation names cave c where c is told first, and any other name as it is."""
    given = {"caves": copy.deepcopy(table()["caves"])}
    given["caves"][0]["id"], given["caves"][2]["id"], given["caves"][1]["id"] = "c", "a", "the window"
    whys = [row.why for row in explained(given, phrases()["koala"])]
    assert "most pizza (3) in cave C" in whys
    assert "most hamburger (3) in the window" in whys


def test_what_brings_nobody_a_point_is_explained_too() -> None:
    """A food nobody has, and one that lies most in an unoccupied cave."""
    given = {"caves": [
        {"white": "P1", "black": "P4", "food": {"pizza": 1, "hamburger": 2, "spaghetti": 0}},
        {"white": "P2", "food": {"pizza": 0, "hamburger": 0, "spaghetti": 0}},
        {"white": "P3", "food": {"pizza": 0, "hamburger": 0, "spaghetti": 0}},
        {"white": None, "food": {"pizza": 5, "hamburger": 0, "spaghetti": 0}},
    ]}  # fmt: skip
    rows = {(row.rule, row.why) for row in explained(given) if row.who == "-"}
    assert rows == {
        ("KOALA-AMB-13", "score.unoccupied food=@pizza count=5 place=@zone.cave:d"),
        ("KOALA-AMB-14", "score.nobody_has food=@spaghetti count=0"),
    }


SET: tuple[tuple[tuple[Any, ...], Any, str], ...] = (
    (("caves",), {}, "caves must be a list"),
    (("caves", 2, "food", "pizza"), 23, "caves[2].food.pizza must be a whole number from 0 to 22"),
    (("caves", 2, "food", "pizza"), True, "caves[2].food.pizza must be a whole number"),
    (("caves", 2, "food", "pizza"), -1, "caves[2].food.pizza must be a whole number"),
    (("caves", 2, "food", "piza"), 1, "caves[2].food knows no 'piza'; did you mean 'pizza'?"),
    (("caves", 2, "food"), None, "caves[2].food must be an object"),
    (("caves", 1, "white"), 7, "caves[1].white must be a player's name or null"),
    (("caves", 1, "white"), "", "caves[1].white must be a player's name or null"),
    (("caves", 1, "white"), "P1", "caves[1].white: P1 is at caves[0].white already"),
    (("caves", 1, "black"), "P2", "caves[1].black: P2 is at caves[1].white already"),
    (("caves", 1, "id"), "a", "caves: the id 'a' is given to 2 caves"),
    (("caves", 1, "wite"), "P2", "caves[1] knows no 'wite'; did you mean 'white'?"),
    (("caves", 0, "food", "pizza"), 20, ""),
    (("caves", 4), 5, "caves[4] must be an object"),
    (("feasts",), [], "feasts must be an object"),
    (("feasts", "P4"), 9, "feasts.P4 must be a whole number from 0 to 8"),
    (("feasts", "P4"), 7, "feasts: 9 feast cards in all, but there are only 8"),
    (("feasts", "P9"), 1, "feasts.P9: no such player is seated"),
    (("teams", "A"), ["P1", "P9"], "teams.A[1]: no player 'P9' is seated"),
    (("teams", "A"), ["P1", "P3"], "teams.B[0]: P3 is in team A already"),
    (("teams", "A"), ["P1"], "teams.A has 1 players"),
    (("teams", "A"), "P1", "teams.A must be a list of players"),
    (("teams",), 5, "teams must be an object"),
    (("joins",), 5, "joins must be a team"),
    (("events",), [{"e": "joins"}], "events[0] must be"),
    (("events",), [{"e": "question_joins", "team": None}], "events[0].team must be a team"),
    (("options",), {"KOALA-AMB-13": 1}, "options.KOALA-AMB-13 must be one of empty_compete"),
    (("options",), {"KOALA-AMB-99": 1}, "options knows no 'KOALA-AMB-99'; did you mean 'KOALA-AMB-"),
    (("feast",), {}, "the table knows no 'feast'; did you mean 'feasts'?"),
)


@pytest.mark.parametrize(("path", "value", "says"), SET, ids=[f"{p}={v}" for p, v, _ in SET])
def test_a_fault_names_its_field(path: tuple[Any, ...], value: object, says: str) -> None:
    """One wrong field in a right table; no words: it is right."""
    given = table()
    holder: Any = given
    for key in path[:-1]:
        holder = holder[key]
    holder[path[-1]] = value
    if not says:
        assert "winners" in finished(given)
        return
    with pytest.raises(BadTable) as wrong:
        finished(given)
    assert says in str(wrong.value)


def test_impossible_tables_are_refused() -> None:
    """More cards than there are, caves that do not fit the players, somebody behind nobody, teams of three."""
    given = table()
    for cave in given["caves"]:
        cave["food"]["hamburger"] = 5
    with pytest.raises(BadTable, match="25 hamburger cards in all, but there are only 22"):
        finished(given)
    given = {"caves": table()["caves"][:3]}
    given["caves"][0]["black"] = "P4"
    with pytest.raises(BadTable, match="4 players have 4 caves, unoccupied ones included, not 3"):
        finished(given)
    given["caves"][0]["white"] = None
    with pytest.raises(BadTable, match=r"caves\[0\]\.black: P4 cannot stand behind nobody"):
        finished(given)
    with pytest.raises(BadTable, match="the team variant needs 4 players, 3 are seated"):
        finished({"caves": table()["caves"][:3], "teams": {"A": ["P1", "P2"], "?": ["P3"]}})


junk = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 30) | st.text(max_size=3) | st.floats(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@given(junk, st.lists(st.sampled_from(["caves", "feasts", "teams", "joins", "events", "options", "x"])), junk)
def test_whatever_is_told_is_scored_or_refused(whole: object, keys: list[str], part: object) -> None:
    """No input ends in any other error."""
    for given_ in (whole, {**table(), **dict.fromkeys(keys, part)}):
        try:
            answer = finished(given_)
        except BadTable as wrong:
            assert wrong.faults
        else:
            assert answer.keys() & {"error", "winners"}
