"""A glass under the Ageing card stays where it is, whatever card reaches for it; an offer stays sealed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from any_course import Course
from hypothesis import given
from hypothesis import strategies as st
from wine_table import Wine, card

from companion.edges.screen.projection import Projection
from companion.games.wine import rules_black, rules_hand
from companion.games.wine.options import settle_options
from companion.games.wine.rules_glasses import MIDDLE, Done, Table
from companion.games.wine.rules_hand import Raised
from companion.games.wine.state import pointed, ruled
from companion.house import News
from companion.table import crank
from companion.table.cues import Choose
from companion.table.events import Chosen, Pressed
from companion.table.game import Operator, Refusal, Seat
from companion.table.game import Table as Everybody
from companion.table.things import BID, Player
from companion.wire import screen_message

A, B, C = (Player(name) for name in "ABC")
Act = Callable[[Table, int], Done | Refusal]
ACTS: dict[str, Act] = {
    "thief": lambda t, slot: rules_hand.thief(t, A, "red", B, slot, "red"),
    "lobbyists": lambda t, slot: rules_black.lobbyists(t, A, "red", B, slot, "red"),
    "fine": lambda t, slot: rules_black.lobbyists(t, B, "red", C, 1, "white", C, slot),
    "blind_test": lambda t, slot: rules_hand.blind_test(t, A, B, slot, "red", "white"),
    "contest": lambda t, slot: rules_hand.contest(
        t, A, "red", {B: Raised(1.0, "white", slot), C: Raised(2.0, "red", 1)}
    ),
    "slowest": lambda t, slot: rules_hand.contest(
        t, A, "red", {B: Raised(2.0, "red", slot), C: Raised(1.0, "red", 1)}
    ),
    "charity": lambda t, slot: rules_hand.charity(t, A, B, C, slot),
}

TAKING = {"glass", "fine", "give", "pass", "place"}  # questions whose answer moves a glass to somebody else


def table(aged: int, **options: object) -> Table:
    """Three players; B has most glasses, one of them under the Ageing card."""
    settled = settle_options({name.replace("AMB_", "WINE-AMB-"): of for name, of in options.items()})
    assert not isinstance(settled, Refusal)
    hands = {A: 3, B: 3, C: 3}
    return Table((A, B, C), {A: 2, B: 3, C: 2}, hands, frozenset(), {B: aged}, rulings=settled)


@pytest.mark.parametrize("act", ACTS)
@given(aged=st.integers(1, 3), slot=st.integers(1, 3))
def test_no_card_takes_the_glass_under_the_ageing_card(act: str, aged: int, slot: int) -> None:
    """WINE-AGE-02, WINE-AMB-14: every card that takes a glass takes any other one."""
    done = ACTS[act](table(aged), slot)
    if slot == aged:
        assert isinstance(done, Refusal)
        assert done.code == "protected"
    else:
        assert isinstance(done, Done)
        assert done.table.glasses[B] == 2
        assert done.table.aged == {B: aged - (slot < aged)}


@pytest.mark.parametrize("act", ["blind_test", "contest", "slowest"])
def test_by_the_ruling_that_the_protected_take_part_it_is_won_like_any_other(act: str) -> None:
    done = ACTS[act](table(2, AMB_14="protected_take_part"), 2)
    assert isinstance(done, Done)
    assert (done.table.glasses[B], done.table.aged) == (2, {})


@pytest.mark.parametrize("slot", [0, 4, -1])
def test_a_contest_takes_no_glass_that_is_not_there(slot: int) -> None:
    done = ACTS["contest"](table(1), slot)
    assert isinstance(done, Refusal)
    assert done.code == "no_such_glass"


def test_in_a_course_of_play_no_question_offers_a_glass_under_the_ageing_card() -> None:
    """Wherever a card asks for a glass, each glass offered is put under the Ageing card: it is offered no more."""
    asked: set[tuple[str, str]] = set()
    for seed in range(30):
        for session in Course("wine", seed, strange=0.0).sessions():
            state = session.state
            if any(ruled(state, n, of) for n, of in ((14, "protected_take_part"), (11, "protection_yields"))):
                break
            cues = [cue for cue in session.cues if isinstance(cue, Choose) and cue.what in TAKING]
            for cue in cues if state.phase != "sommelier_lost" else []:  # the Sommelier has ended Ageing
                for option in cue.options:
                    owner, slot = pointed(option if ":" in option else f"{cue.player}:{option}")
                    if owner == MIDDLE or len(state.rows[owner]) < 2:
                        continue
                    aged = session.box.game.legal(replace(state, aged={owner: slot}))
                    assert not any(
                        option in each.options
                        for each in aged
                        if isinstance(each, Choose) and (each.player, each.what) == (cue.player, cue.what)
                    ), (seed, state.phase, option)
                    asked.add((state.phase, cue.what))
    assert {what for _, what in asked} == TAKING
    assert {phase for phase, _ in asked} >= {"thieves", "lobbyists", "blind_test", "contest_won"}


def contest_lost_by_the_aged() -> Wine:
    """Paul shows a wrong glass first and is asked which it was; his second lies under the Ageing card."""
    game = Wine("Mia", "Paul", "Ada", extension="all").later().set(aged={Player("Paul"): 2})
    game.play("contest")
    game.choose("Mia", "wine", "red")
    game.press("Paul")
    game.press("Ada")
    game.row("Paul", "white")
    game.row("Ada", "red")
    assert game.phase == "contest_won"
    return game


def test_at_the_table_too_the_aged_glass_is_neither_offered_nor_taken_in_a_contest() -> None:
    game = contest_lost_by_the_aged()
    assert game.options("place") == ("1", "3")
    assert game.choose("Paul", "place", "2") == "protected"
    assert game.choose("Paul", "place", "3") == ""
    assert game.state.aged == {"Paul": 2}


def auction(pressed: int) -> Wine:
    """An auction in which Paul, who holds three cards, has pressed so often."""
    game = Wine("Mia", "Paul", "Ada", extension="all").later()
    game.press("Mia")
    game.set(lost=(99,), rows={**game.state.rows, "Ada": game.state.rows["Ada"][1:]})
    game.draw("auction")
    for _ in range(pressed):
        assert game.press("Paul") == ""
    return game


def outputs(game: Wine) -> list[Any]:
    """What screens, steps and lamps carry; not the number of the step, which counts the presses."""
    viewers = (Everybody(), Operator(), *(Seat(name) for name in game.names))
    looks = [crank.look(game.session, viewer) for viewer in viewers]
    projected = [
        screen_message.state(
            {k: v for k, v in Projection().state(game.session, News(), role).items() if k == "view"}
        )
        for role in ("table", *(f"seat:{name}" for name in game.names))
    ]
    return [looks, projected, game.session.cues, crank.wake(game.session)]


@pytest.mark.parametrize("pressed", [0, 1, 2, 3])
def test_a_sealed_offer_is_told_by_no_screen_and_by_no_refusal(pressed: int) -> None:
    """WINE-AUC-01: neither how many cards were offered, nor aloud that one more would be too many."""
    game = auction(pressed)
    if pressed:
        assert outputs(game) == outputs(auction(1))
    for event in (
        Pressed(Player("Paul"), BID, 9), Chosen(Player("Paul"), "offer", "99"), Chosen(Player("Paul"), "offer", "-1"),
        Chosen(Player("Paul"), "offer", "x"), Chosen(Player("Ada"), "offer", "4"),
    ):  # fmt: skip
        answer = crank.advance({"wine": game.session.box}, game.session, event)
        if isinstance(answer, Refusal):
            assert not answer.aloud
            assert not [of for of in answer.values.values() if isinstance(of, int) or str(of).isdecimal()]
        else:
            assert isinstance(event, Pressed) and pressed < 3


def test_a_press_too_many_is_refused() -> None:
    game = auction(3)
    assert game.press("Paul") == "offer_exceeds_hand"
    assert card("auction") == game.state.card
