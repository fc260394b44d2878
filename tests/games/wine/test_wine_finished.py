"""A finished table of wine that nobody watched: who won, who went when, and what cannot be, by its field."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games.wine.finished import BadTable, explained, finished
from companion.shelf import LANGS, phrases

ENDED = {"glasses": {"Mia": 0, "Paul": 5, "Ada": 0}, "out": ["Ada", "Mia"]}


def test_the_last_with_glasses_wins_and_the_others_follow_in_the_order_they_went() -> None:
    assert finished(ENDED) == {
        "winner": "Paul", "winners": ["Paul"], "glasses": ENDED["glasses"], "places": ["Paul", "Mia", "Ada"]
    }  # fmt: skip
    rows = explained(ENDED)
    assert [(row.who, row.points) for row in rows] == [("Paul", 1), ("Mia", 0), ("Ada", 0)]
    assert rows[0].rule == "WINE-OBJ-03" and rows[1].why == "score.went place=2"


def test_while_several_have_glasses_nobody_has_won() -> None:
    assert finished({"glasses": {"Mia": 1, "Paul": 2}}) == {"error": "not_over", "left": ["Mia", "Paul"]}
    assert "Mia, Paul" in explained({"glasses": {"Mia": 1, "Paul": 2}}, phrases()["wine"], "de")[0].why


@pytest.mark.parametrize("lang", LANGS)
def test_reasons_are_sentences_in_each_language(lang: str) -> None:
    rows = explained({**ENDED, "out": ["Ada"]}, phrases()["wine"], lang)
    assert len({row.why for row in rows}) == 3 and all("{" not in row.why for row in rows)


@pytest.mark.parametrize(
    ("given_", "named"),
    [([], "no table"), ({}, "glasses: wanted"), ({"glasses": {"Mia": 1}}, "glasses: wanted"),
     ({"glasses": {"Mia": -1, "Paul": 1}}, "glasses.Mia"), ({"glasses": {"Mia": True, "Paul": 1}}, "glasses.Mia"),
     ({"glasses": {"Mia": 18, "Paul": 18}}, "36 in all"), ({"glasses": {"Mia": 0, "Paul": 0}}, "0 in all"),
     ({**ENDED, "out": ["Paul"]}, r"out\[0\]: Paul still"), ({**ENDED, "out": ["Ben"]}, "no player"),
     ({**ENDED, "out": ["Ada", "Ada"]}, "twice"), ({**ENDED, "out": 3}, "out: wanted"), ({**ENDED, "wins": 1}, "wins: unknown"),
     ({**ENDED, "options": {"x": 1}}, "unknown_option"), ({**ENDED, "options": 1}, "options: wanted")],
)  # fmt: skip
def test_what_cannot_be_is_named_by_its_field(given_: Any, named: str) -> None:
    with pytest.raises(BadTable, match=named):
        finished(given_)


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=5),
        lambda x: (
            st.lists(x, max_size=3)
            | st.dictionaries(st.sampled_from(["glasses", "out", "options", "Mia", "Paul"]), x, max_size=4)
        ),
        max_leaves=12,
    )
)
def test_anything_told_is_scored_or_refused_with_reasons(told: Any) -> None:
    try:
        finished(told)
    except BadTable as fault:
        assert fault.faults
