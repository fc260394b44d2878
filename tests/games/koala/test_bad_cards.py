"""Bad cards: who may show them, till when, and whose they are."""

from __future__ import annotations

import pytest
from table import Koala

from companion.table.things import Player

BAD = ("bump-02", "leapfrog-02", "bump-03")
WORSE = ("pizza-11", "pizza-12", "pizza-13")
HANDS = {"Mia": 2, "Paul": 1, "Ada": 3, "Ben": 0}


def refilling(**options: object) -> Koala:
    """Mia, Paul, Ada and Ben refill in this order; Ada has three cards, Ben none."""
    game = Koala(**options).dealt()
    order = tuple(Player(name) for name in HANDS)
    return game.set(phase="refill", queue=order, hands={Player(n): h for n, h in HANDS.items()}, back="")


@pytest.mark.parametrize("pressed", [False, True], ids=["before the press", "after it"])
@pytest.mark.parametrize("name", HANDS)
def test_whoever_shows_bad_cards_gets_three_new_ones_and_nobody_else(name: str, pressed: bool) -> None:
    """At every place of the order, before and after the press: each hand and the pile are right at the end."""
    game = refilling()
    pile = game.state.pile
    for player in HANDS:
        if player != name or pressed:
            assert game.press(player) == ""
        if player == name:
            assert game.show("action", *BAD) == ""
            assert game.said[0] == "say.bad_cards"
            if game.view["refill"]["player"] != name:  # the next one is at turn: he says that they are his
                assert game.said[1:] == ["say.or_yours"] and name in game.view["refill"]["whose"]
                assert game.press(name) == "" and game.said == ["say.bad_cards"]
            turn = game.view["refill"]
            assert (turn["player"], turn["draw"], turn["again"]) == (name, 3, True)
            assert game.press(name) == ""
    assert game.phase == "reveal" and game.state.round == 2
    assert set(game.state.hands.values()) == {3}
    assert pile - game.state.pile == sum(3 - hand for hand in HANDS.values()) + 3


def test_the_next_player_who_has_drawn_shows_before_he_presses() -> None:  # KOALA-REF-05
    game = refilling()
    game.press("Mia")
    assert game.show("action", *BAD) == "" and game.said == ["say.bad_cards", "say.or_yours"]
    assert game.press("Ada") == "draw_in_order"
    assert game.press("Paul") == "" and game.state.queue[0] == "Ada"
    assert game.state.hands["Paul"] == 3 and game.view["refill"]["whose"] == []
    assert game.press("Mia") == "draw_in_order"


def test_who_draws_nothing_takes_no_time_from_who_drew_before_him() -> None:  # KOALA-AMB-11
    game = refilling()
    assert [game.press(name) for name in ("Mia", "Paul")] == ["", ""]
    assert game.ring("ask") == "" and game.state.queue == ("Ben",)  # Ada has three cards
    assert game.show("action", *BAD) == "" and game.view["refill"]["whose"] == ["Paul", "Ada"]
    assert game.press("Paul") == "" and game.press("Paul") == "" and game.state.queue == ("Ben",)
    assert game.press("Ben") == "" and set(game.state.hands.values()) == {3}


def test_at_the_end_of_the_round_the_last_two_may_both_be_meant() -> None:
    game = refilling().set(queue=(Player("Paul"), Player("Ada")))
    assert [game.press(name) for name in ("Paul", "Ada")] == ["", ""]
    pile = game.state.pile
    assert game.show("action", *BAD) == "" and game.view["refill"]["player"] == "Ada"
    assert game.press("Paul") == "" and game.state.queue == ("Paul",)
    assert game.press("Paul") == "" and game.phase == "reveal" and game.state.round == 2
    assert game.state.pile == pile - 3


def test_cards_that_are_not_bad_are_refused_whosesoever_they_are() -> None:
    game = refilling()
    game.press("Mia")
    assert game.show("action", "bump-02", "pizza-02", "pizza-03") == "bad_cards_not_valid"
    assert game.show("action", "bump-02") == "bad_cards_show_3"


def test_what_was_drawn_for_bad_cards_is_kept() -> None:  # KOALA-REF-07
    game = refilling()
    game.show("action", *BAD)
    assert game.press("Mia") == "" and game.state.queue[0] == "Paul"
    assert game.show("action", *BAD, *WORSE) == ""
    assert game.press("Mia") == "bad_cards_once"
    assert game.press("Paul") == "" and game.state.queue[0] == "Ada"


def test_the_first_card_of_the_next_round_ends_the_time_to_show() -> None:  # KOALA-AMB-11
    game = refilling()
    for player in HANDS:
        game.press(player)
    assert game.phase == "reveal"
    assert game.lay("pizza-01") == ""
    assert game.show("action", *BAD) != "" and game.phase == "auction"


def test_by_the_other_ruling_only_who_has_drawn_shows() -> None:  # KOALA-AMB-11
    game = refilling(**{"KOALA-AMB-11": "after_drawing_only"})
    assert [game.press(name) for name in ("Mia", "Paul")] == ["", ""]
    assert game.show("action", *BAD) == "" and game.view["refill"]["player"] == "Paul"
    assert [game.press(name) for name in ("Paul", "Ada")] == ["", ""]
    assert game.state.queue == ("Ben",)
    assert game.show("action", *BAD, *WORSE) == "" and game.view["refill"]["player"] == "Ben"


def test_a_pile_too_short_for_new_cards_ends_the_game() -> None:  # KOALA-END-01
    game = refilling().set(pile=1, queue=(Player("Mia"), Player("Paul")))
    assert game.press("Mia") == ""
    assert game.show("action", *BAD) == "" and game.view["refill"]["player"] == "Mia"
    assert game.press("Mia") == "" and game.phase == "scan" and game.said[0] == "say.pile_short"
