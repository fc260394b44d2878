"""At the auction: presses claim, cards bid, an unanswered count ends it."""

from __future__ import annotations

from table import Koala

from companion.table.things import Player


def test_the_first_food_revealed_opens_the_auction_at_once() -> None:  # KOALA-REV-03 KOALA-REV-05
    game = Koala().dealt()
    assert game.lay("bump-01") == "" and game.phase == "reveal_action"
    assert game.choose("Mia", "act.bump", "left:Paul") == ""
    assert [game.press(name) for name in game.state.unsettled] == [""]
    assert game.lay("leapfrog-01") == "" and game.said == ["say.ignored", "say.reveal"]
    assert game.lay("spaghetti-03") == "" and game.phase == "auction"


def test_a_bid_is_a_press_and_then_the_cards() -> None:
    game = Koala().auction()
    assert game.press("Paul") == "" and game.said == ["say.lay"]
    assert game.lay("pizza-02") == "" and game.said == ["say.leads"]
    assert game.view["middle"]["next"] == 2
    assert game.state.hands[Player("Paul")] == 2


def test_cards_laid_before_the_press_are_the_pressers_bid() -> None:
    game = Koala().auction()
    assert game.lay("pizza-02") == "" and game.said == ["say.press_first"]
    assert game.press("Ada") == "" and game.view["middle"]["leader"] == ["Ada"]


def test_an_invalid_bid_goes_back_and_changes_nothing_else() -> None:
    game = Koala().auction().bid("Paul", "pizza-02")
    hands = dict(game.state.hands)
    assert game.press("Ada") == ""
    assert game.lay("hamburger-01") == "" and game.said == ["say.take_back"]
    assert game.view["middle"]["take_back"] == ["hamburger"]
    assert game.view["middle"]["leader"] == ["Paul"] and game.state.hands == hands
    assert game.take("hamburger-01") == "" and game.view["middle"]["take_back"] == []


def test_too_few_cards_wait_for_the_rest_until_the_lay_clock() -> None:
    game = Koala().auction().bid("Paul", "pizza-02")
    game.press("Ada")
    assert game.lay("pizza-03") == "" and game.said == []
    assert game.lay("pizza-04") == "" and game.view["middle"]["leader"] == ["Ada"]
    game.press("Ben")
    game.lay("pizza-05")
    assert game.ring("lay") == "" and game.said == ["say.take_back"]


def test_who_presses_second_has_the_floor_when_the_first_lays_nothing() -> None:
    game = Koala().auction()
    game.press("Paul")
    assert game.press("Ada") == "" and game.said == ["say.waits"]
    assert game.ring("lay") == ""
    assert game.lay("pizza-02") == "" and game.view["middle"]["leader"] == ["Ada"]


def test_two_lay_at_once_and_the_first_press_is_told_apart() -> None:
    game = Koala().auction()
    game.press("Paul")
    game.press("Ada")
    assert game.lay("pizza-02", "pizza-03") == "" and game.said == ["say.separate"]
    assert game.take("pizza-03") == "" and game.view["middle"]["leader"] == ["Paul"]


def test_presses_too_close_to_call_go_to_the_one_nearer_to_the_starter() -> None:  # KOALA-AMB-02
    game = Koala().auction()
    assert game.press("Ben", at=100, tied=(Player("Paul"),)) == ""
    assert game.press("Paul", at=101, tied=(Player("Ben"),)) == ""
    assert [claim.players for claim in game.state.middle.claims] == [("Paul",), ("Ben",)]


def test_by_the_other_ruling_the_stamp_decides_however_close() -> None:  # KOALA-AMB-02
    game = Koala(**{"KOALA-AMB-02": "time_stamp"}).auction()
    game.press("Ben", at=100, tied=(Player("Paul"),))
    game.press("Paul", at=101, tied=(Player("Ben"),))
    assert game.state.middle.claims[0].players == ("Ben",)


def test_the_leader_cannot_outbid_himself_nor_bid_more_than_he_holds() -> None:
    game = Koala().auction().bid("Paul", "pizza-02").bid("Ada", "pizza-03", "pizza-04")
    assert game.press("Ada") == "self_outbid"
    assert game.press("Paul") == "more_cards_than_hand"


def test_no_call_before_the_least_quiet_and_only_by_the_starter() -> None:  # KOALA-AUC-16 KOALA-AUC-18
    game = Koala().auction()
    assert game.call("Mia") == "call_too_early"
    assert game.ring("quiet") == ""
    assert game.call("Paul") == "call_not_start_player"
    assert game.call("Mia") == "" and game.phase == "call"


def test_a_valid_bid_cancels_the_count_which_begins_again_at_the_next_pause() -> None:
    game = Koala().auction()
    game.ring("quiet")
    game.ring("pause")
    assert game.waits() == {"call"}
    assert game.press("Ben") == "" and game.waits() == {"call", "lay"}
    assert game.lay("pizza-02") == "" and game.phase == "auction" and game.waits() == {"quiet"}


def test_a_press_inside_the_count_waits_for_its_cards_though_the_count_runs_out() -> None:
    game = Koala().auction()
    game.ring("quiet")
    game.ring("pause")
    game.press("Ben")
    assert game.ring("call") == "" and game.phase == "call"
    assert game.press("Ada") == "auction_over"
    assert game.lay("pizza-02") == "" and game.phase == "auction"


def test_an_invalid_bid_does_not_save_an_auction_whose_count_has_run_out() -> None:  # KOALA-AMB-31
    game = Koala().auction()
    game.ring("quiet")
    game.ring("pause")
    game.press("Ben")
    game.ring("call")
    assert game.lay("bump-01") == ""
    assert game.phase == "reveal" and game.state.bonus == ("pizza-01",)


def test_cards_set_aside_go_to_the_next_winner() -> None:
    game = Koala().auction().counted_out()
    assert game.phase == "reveal" and game.view["middle"]["bonus"] == ["pizza"]
    game.auction("hamburger-01").bid("Paul", "hamburger-02").counted_out()
    assert game.show("cave:b", "pizza-01", "hamburger-01", "hamburger-02") == ""
    assert game.view["seats"][1]["food"] == {"pizza": 1, "hamburger": 2, "spaghetti": 0}
    assert game.state.starter == "Paul"


def test_a_late_press_is_named_and_nothing_changes() -> None:  # KOALA-AMB-30
    game = Koala().auction().bid("Paul", "pizza-02").counted_out()
    before = game.state
    assert game.press("Ada") == "auction_over" and game.state == before


def test_the_winner_takes_every_card_and_no_other() -> None:
    game = Koala().auction().bid("Paul", "pizza-02").counted_out()
    assert game.show("cave:b", "pizza-01") == "cave_misses"
    assert game.show("cave:b", "pizza-01", "pizza-02", "bump-01") == "cave_has_more"
    assert game.show("cave:b", "pizza-01", "pizza-02") == "" and game.phase == "action_wait"


def test_a_koalation_bids_together_and_says_who_paid() -> None:  # KOALA-SET-07 KOALA-MOV-05
    seven = ("Mia", "Paul", "Ada", "Ben", "Cleo", "Emil", "Finn")
    game = Koala(*seven).auction().bid("Paul", "pizza-02")
    game.press("Mia")
    assert game.press("Finn") == "" and game.state.middle.claims[0].players == ("Mia", "Finn")
    assert game.lay("pizza-03", "pizza-04") == "" and game.view["middle"]["leader"] == ["Mia", "Finn"]
    game.counted_out()
    assert game.phase == "split" and game.choose("Mia", "split", "1+1") == ""
    assert game.state.hands["Mia"] == 2 and game.state.hands["Finn"] == 2
    assert game.ring("ask") == "" and game.state.starter == "Mia"  # KOALA-AMB-07
    assert game.show("cave:a", "pizza-01", "pizza-02", "pizza-03", "pizza-04") == ""


def test_it_ends_by_itself_when_no_hand_can_bid_more() -> None:
    game = Koala("Mia", "Paul", "Ada").auction()
    game.bid("Paul", "pizza-02").bid("Ada", "pizza-03", "pizza-04").bid(
        "Mia", "pizza-05", "pizza-06", "pizza-07"
    )
    assert game.phase == "collect" and game.said == ["say.highest", "say.wins"]


def test_by_the_other_ruling_it_waits_for_the_call() -> None:  # KOALA-AMB-09
    game = Koala("Mia", "Paul", "Ada", **{"KOALA-AMB-09": "call_only"}).auction()
    game.bid("Paul", "pizza-02").bid("Ada", "pizza-03", "pizza-04").bid(
        "Mia", "pizza-05", "pizza-06", "pizza-07"
    )
    assert game.phase == "auction"


def test_a_card_that_belongs_to_a_cave_is_sent_back_there() -> None:
    game = Koala().auction().bid("Paul", "pizza-02").counted_out()
    game.show("cave:b", "pizza-01", "pizza-02")
    game.set(phase="reveal")
    assert game.show("middle", "pizza-01") == "belongs_elsewhere"
    assert game.show("middle", "feast-01") == "foreign_card"
    assert game.show("middle", "nobody-01") == "foreign_card"
