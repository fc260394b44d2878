"""A table that nobody watched: dishes, winner, reasons; what cannot be is named by its field."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.karnivore.finished import BadTable, explained, finished
from companion.shelf import phrases

WON = {"players": {"Mia": ["cameleon", "oystrich", "octoturtle"], "Ben": ["salamingo"]}}


def test_whoever_has_three_dishes_has_won() -> None:
    assert finished(WON) == {"dishes": {"Mia": 3, "Ben": 1}, "winners": ["Mia"], "over": True}
    assert finished({"players": {"Mia": []}}) == {"dishes": {"Mia": 0}, "winners": [], "over": False}


def test_every_dish_is_explained_in_words() -> None:
    rows = explained(WON, phrases()["karnivore"], "de")
    assert [(row.who, row.points, row.rule) for row in rows] == [
        ("Mia", 1, "KARN-HUN-14"), ("Mia", 1, "KARN-HUN-14"), ("Mia", 1, "KARN-VIC-01"), ("Ben", 1, "KARN-HUN-14"),
        ("Mia", 0, "KARN-VIC-01"),
    ]  # fmt: skip
    assert rows[0].why == "Vorspeise: Cameleon"
    assert explained(WON)[0].why == "score.dish dish=@appetizer animal=cameleon"


@pytest.mark.parametrize(
    ("given_", "says"),
    [([], "a table is an object"), ({"players": {}}, "players: an object"), ({"players": {"Mia": "a"}}, "players.Mia: a list"),
     ({"players": {"Mia": ["a", "b", "c", "d"]}}, "players.Mia: 4 animals"), ({"players": {"Mia": ["a"], "Ben": ["a"]}}, "a was hunted 2 times"),
     ({"players": {"Mia": ["a", "b", "c"], "Ben": ["d", "e", "f"]}}, "Mia, Ben have a dessert"), ({"players": {"M": []}, "x": 1}, "x: no such field"),
     ({"players": {str(n): [] for n in range(7)}}, "7 play")],
)  # fmt: skip
def test_what_cannot_be_is_named(given_: object, says: str) -> None:
    with pytest.raises(BadTable, match=says):
        finished(given_)


@settings(deadline=None)
@given(
    st.recursive(
        st.one_of(st.none(), st.integers(), st.text(max_size=3)),
        lambda each: st.one_of(
            st.lists(each, max_size=3),
            st.dictionaries(st.sampled_from(["players", "Mia", "x"]), each, max_size=3),
        ),
        max_leaves=8,
    )
)
def test_anything_is_scored_or_named(given_: object) -> None:
    try:
        assert set(finished(given_)) == {"dishes", "winners", "over"}
    except BadTable as fault:
        assert fault.faults
