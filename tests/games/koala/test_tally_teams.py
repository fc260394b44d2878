"""Score only, in teams: no team card may be missing, and no pair may be none."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from table import SHELF

from companion.games.koala.rules_score import QUESTION, score, team_fault
from companion.games.koala.rules_seats import FOODS, Seat
from companion.shelf import LANGS, phrases
from companion.table import crank
from companion.table.crank import Turn
from companion.table.effects import Say
from companion.table.events import Chosen, Event, Opened, Setting, Shown
from companion.table.game import Refusal, Table
from companion.table.things import CardId, Player, Zone

FOUR = tuple(map(Player, ("Mia", "Paul", "Ada", "Ben")))
RIGHT = ("team_1-01", "team_2-01", "team_1-02", "team_2-02")


class Tally:
    """One count; Mia has pizza and everybody lays down the team card named."""

    def __init__(self, *cards: str) -> None:
        self.said: list[str] = []
        turn = crank.advance(SHELF, None, Opened(Setting("koala-tally", FOUR, {"teams": True})))
        assert isinstance(turn, Turn)
        self.session = turn.session
        self.look("pizza-01")
        for _ in range(8):
            self.go("next")
        for card in cards:
            self.look(card)
            self.go("next")

    def hear(self, event: Event) -> str:
        turn = crank.advance(SHELF, self.session, event)
        if isinstance(turn, Refusal):
            return turn.code
        self.session = turn.session
        self.told = [effect for effect in turn.effects if isinstance(effect, Say)]
        self.said = [effect.key for effect in self.told]
        return ""

    def look(self, card: str) -> str:
        return self.hear(Shown(Zone("look"), (CardId(card),))) if card else ""

    def go(self, option: str) -> str:
        return self.hear(Chosen(FOUR[0], "tally", option))

    @property
    def view(self) -> Any:
        return crank.look(self.session, Table())


def test_two_right_pairs_are_scored() -> None:
    tally = Tally(*RIGHT)
    assert tally.session.over and tally.view["score"]["winners"] == ["team_1"]
    assert tally.told[-1].values == {"names": "@team_1"}  # a word of the game, not its code


@pytest.mark.parametrize("missing", range(4))
@pytest.mark.parametrize("back", [False, True], ids=["shown at the end", "after going back"])
def test_a_missing_team_card_is_named_and_waited_for(missing: int, back: bool) -> None:
    """Whoever's it is: the count does not end, and ends right once the card is shown."""
    tally = Tally(*("" if place == missing else card for place, card in enumerate(RIGHT)))
    assert not tally.session.over and tally.said == ["tally.one_team_card"]
    assert tally.view["prompt"]["values"]["name"] == FOUR[missing] and tally.view["score"] is None
    if back:
        assert tally.go("back") == "" and tally.view["place"] == f"team:{FOUR[missing]}"
    assert tally.look(RIGHT[missing]) == ""
    while not tally.session.over:
        assert back and tally.go("next") == ""
    assert tally.view["score"]["winners"] == ["team_1"]


def test_cards_that_make_no_pairs_are_named_and_can_be_mended() -> None:
    tally = Tally("team_1-01", "team_2-01", "team_1-02", "team_3-01")
    assert not tally.session.over and tally.said == ["no.no_pair"]
    assert tally.go("back") == "" and tally.view["place"] == "team:Paul"
    assert [tally.go("clear"), tally.look("team_3-02")] == ["", ""]
    while not tally.session.over:
        assert tally.go("next") == ""
    assert tally.view["score"]["totals"] == {"team_1": 2, "team_3": 0}


def test_two_team_cards_at_one_place_are_named() -> None:
    tally = Tally(*RIGHT[:3])
    assert [tally.look(RIGHT[3]), tally.look("team_3-01")] == ["", ""]
    assert tally.go("next") == "" and tally.said == ["tally.one_team_card"]
    assert not tally.session.over


@pytest.mark.parametrize("lang", LANGS)
def test_what_is_wrong_is_a_sentence(lang: str) -> None:
    words = phrases()["koala-tally"]
    for tally in (Tally("", *RIGHT[1:]), Tally("team_1-01", "team_2-01", "team_1-02", "team_3-01")):
        prompt = tally.view["prompt"]
        assert len(words.text(lang, prompt["key"], prompt["values"])) > len(prompt["key"])


SEATS = tuple(Seat(player) for player in FOUR)
TEAMS = st.dictionaries(
    st.sampled_from(["team_1", "team_2", "team_3", QUESTION]),
    st.lists(st.sampled_from(FOUR), max_size=3, unique=True),
)


@given(TEAMS)
def test_whatever_the_teams_are_they_are_scored_or_refused(teams: dict[str, list[Player]]) -> None:
    """No set of teams ends in another error, and none is scored that has a fault."""
    foods = [dict.fromkeys(FOODS, place) for place in range(4)]
    done = score(SEATS, foods, {FOUR[3]: 1}, teams)
    fault = team_fault(FOUR, teams)
    assert isinstance(done, Refusal) or fault is None
    assert fault is None or done == fault
