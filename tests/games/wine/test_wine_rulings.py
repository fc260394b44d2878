"""Every ruling has a default and, but for one that the rules themselves decide, a real alternative at the table."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from wine_table import Wine, card

from companion.games.wine import rules_black, rules_deck, rules_hand, rules_turn
from companion.games.wine.options import OPTIONS, RULINGS, extras, option, ruled, settle_options
from companion.games.wine.rules_deck import Pile
from companion.games.wine.rules_glasses import MIDDLE, Table
from companion.games.wine.rules_hand import Raised
from companion.table.game import Refusal
from companion.table.rulings import BadOption
from companion.table.things import Player

A, B, C, D = (Player(name) for name in "ABCD")


def table(ruling: int | None = None, **changes: Any) -> Table:
    """Three players with three glasses and three cards each; `ruling`: the one that is switched."""
    chosen: dict[str, object] = {}
    if ruling is not None:
        switched = next(each for each in RULINGS if each.id == f"WINE-AMB-{ruling:02d}")
        chosen = {switched.id: switched.allowed[1]}
    spread = Table((A, B, C), dict.fromkeys((A, B, C), 3), dict.fromkeys((A, B, C), 3), rulings=chosen)
    return replace(spread, **changes)


def turn(ruling: int | None = None, **changes: Any) -> rules_turn.Turn:
    return replace(rules_turn.Turn(3, rulings=table(ruling).rulings), **changes)


def code(answer: object) -> str:
    return answer.code if isinstance(answer, Refusal) else ""


def note(answer: object) -> str:
    return answer.code if isinstance(answer, Refusal) else answer.note  # type: ignore[attr-defined]  # a Done


def test_there_are_thirty_five_rulings_and_one_has_no_alternative() -> None:
    """WINE-AMB-17: two last glasses lost at once cannot happen; test_wine_properties shows it."""
    assert [ruling.id for ruling in RULINGS] == [f"WINE-AMB-{n:02d}" for n in range(1, 36)]
    assert [ruling.id[-2:] for ruling in RULINGS if len(ruling.allowed) == 1] == ["17"]


def test_01_the_limit_before_drawing() -> None:
    assert code(rules_turn.draw(turn(hand=5), "stop")) == "hand_limit"
    assert code(rules_turn.draw(turn(1, hand=5), "stop")) == ""
    assert code(rules_turn.draw(turn(1, hand=6), "stop")) == "hand_limit"


def test_02_played_cards_stay_out_or_go_back() -> None:
    for ruled_so, left in (("stay_out", 40), ("back_into_deck", 41)):
        game = Wine(AMB_02=ruled_so).later()
        game.play("oenologist")
        game.choose("Mia", "look", "Paul:1")
        game.press("Mia")
        assert game.view["pile"] == left
        assert ("oenologist-01" in game.state.spent) == (left == 40)


def test_03_a_picked_card_in_the_first_round() -> None:
    first = turn(first=True, greens=1)
    assert code(rules_turn.play(first, "thieves", picked=True)) == "first_round_one_card"
    assert code(rules_turn.play(turn(3, first=True, greens=1), "thieves", picked=True)) == ""
    assert code(rules_turn.play(turn(3, first=True, greens=1), "thieves")) == "first_round_one_card"


def test_04_the_chance_right_after_a_black_card() -> None:
    after = rules_deck.drawn(Pile(40, 14), "wine_fair")
    assert isinstance(after, Pile)
    assert rules_deck.chance(after, table().rulings) == 35.0
    assert rules_deck.chance(after, table(4).rulings) == 33.3  # 13 of 39


def test_05_stop_in_the_first_round() -> None:
    for ruled_so, answer in (("stop_does_not_count", ""), ("stop_counts", "first_round_one_card")):
        game = Wine(AMB_05=ruled_so).ready()
        game.play("thieves_red")
        game.choose("Mia", "glass", "Paul:1")
        game.press("Paul")
        assert game.show("played", card("thieves_red"), card("stop")) == "" and game.phase == "turn"
        game.press("Mia")
        game.draw("oenologist", 4)
        assert game.view["turn"] == "Paul" and game.play("grape_picker") == answer


def test_06_the_thief_that_was_stopped() -> None:
    assert rules_hand.stopped(table(), B).table.hands[B] == 3
    assert rules_hand.stopped(table(6), B).table.hands[B] == 2


def test_07_the_hand_of_who_is_out() -> None:
    for ruled_so, left in (("hand_discarded", 40), ("hand_into_deck", 43)):
        game = Wine(AMB_07=ruled_so).later()
        game.set(rows={**game.state.rows, "Paul": game.state.rows["Paul"][:1]})
        game.play("thieves_red")
        game.choose("Mia", "glass", "Paul:1")
        game.ring("stop")
        game.row("Paul", "red")
        assert game.view["out"] == ["Paul"] and game.view["hands"]["Paul"] == 0 and game.view["pile"] == left


def test_08_a_second_try_at_the_sommelier() -> None:
    game = Wine(AMB_08="second_try").later()
    game.press("Mia")
    game.draw("sommelier_red")
    assert game.row("Mia", "white") == "" and game.phase == "second_try"
    assert game.row("Mia") == "" and game.phase == "show"
    assert game.row("Mia", "red") == "" and "say.right" in game.keys and game.counts()["Mia"] == 3
    usual = Wine().later()
    usual.press("Mia")
    usual.draw("sommelier_red")
    assert usual.row("Mia", "white") == "" and usual.phase == "sommelier_lost"


def test_09_charity_between_equals() -> None:
    assert code(rules_hand.giver_of(table(), A)) == "tie_card_player_chooses"
    assert rules_hand.giver_of(table(), A, B, A) == B
    assert rules_hand.giver_of(table(9), A) == B


def test_10_a_tie_at_the_auction() -> None:
    offers = {A: 2, B: 2, C: 0}
    hands = {A: 3, B: 5, C: 3}
    assert rules_black.leading(table(hands=hands), offers) == (A, B)
    assert rules_black.leading(table(10, hands=hands), offers) == (B,)


def test_11_lobbyists_when_all_is_protected() -> None:
    for ruling, seen in ((None, "protected"), (11, "target_lost")):
        spread = table(ruling, vintage=frozenset({B, C}))
        assert note(rules_black.lobbyists(spread, A, "red", B, 1, "red")) == seen


def test_12_who_chooses_after_a_wrong_guess_at_the_middle() -> None:
    assert rules_black.chooser_of(table(middle=3), A, MIDDLE) == B
    assert rules_black.chooser_of(table(12, middle=3), A, MIDDLE) == A


def test_13_wrong_before_slow() -> None:
    raised = {B: Raised(1.0, "white"), C: Raised(2.0, "red")}
    assert rules_hand.contest_loser(table(), A, "red", raised) == B
    assert rules_hand.contest_loser(table(13), A, "red", raised) == C
    assert rules_hand.contest_loser(table(), A, "red", {B: Raised(None, None), C: Raised(2.0, "red")}) == B


def test_14_contest_and_blind_test_against_protection() -> None:
    assert rules_hand.contestants(table(vintage=frozenset({B})), A) == (C,)
    assert rules_hand.contestants(table(14, vintage=frozenset({B})), A) == (B, C)
    assert code(rules_hand.blind_fault(table(vintage=frozenset({B})), A, B, 1)) == "protected"
    assert code(rules_hand.blind_fault(table(14, vintage=frozenset({B})), A, B, 1)) == ""


def test_15_farandole_with_vintage() -> None:
    assert rules_black.dancers(table(vintage=frozenset({B}))) == (A, C)
    assert rules_black.dancers(table(15, vintage=frozenset({B}))) == (A, B, C)


def test_16_how_long_vintage_lasts() -> None:
    for ruled_so, after in (("until_own_turn", False), ("through_own_turn", True)):
        game = Wine("Mia", "Paul", extension="all", AMB_16=ruled_so).later()
        game.play("vintage")
        game.press("Mia")
        game.draw("stop")
        assert game.view["rows"][0]["vintage"] is True
        game.press("Paul")
        game.draw("stop", 1)
        assert game.view["turn"] == "Mia" and game.view["rows"][0]["vintage"] is after
        game.press("Mia")
        game.show("drawn", card("stop", 2))
        assert game.view["turn"] == "Paul" and game.view["rows"][0]["vintage"] is False


def test_18_where_a_won_glass_goes() -> None:
    for ruled_so, place in (("right_end", -1), ("left_end", 0)):
        game = Wine(AMB_18=ruled_so).later()
        game.play("thieves_red")
        game.choose("Mia", "glass", "Paul:2")
        game.ring("stop")
        game.row("Paul", "red")
        assert game.state.rows["Mia"][place] == 5
        assert (
            next(say for say in game.said if say.key == "say.stolen").values["end"] == f"@end.{ruled_so[:-4]}"
        )


def test_19_a_turn_without_a_card() -> None:
    assert rules_turn.must_discard(turn()) == 0
    assert rules_turn.must_discard(turn(19)) == 1
    assert rules_turn.must_discard(turn(19, greens=1)) == 0 == rules_turn.must_discard(turn(19, hand=0))


@pytest.mark.parametrize(
    ("ruling", "card_name", "cue"), [(20, "tipsy_taster", "swap"), (33, "oenologist", "look")]
)
def test_20_and_33_green_cards_on_protected_glasses(ruling: int, card_name: str, cue: str) -> None:
    alternative = {20: "any_two", 33: "any_glass"}[ruling]
    for options, offered in (({}, False), ({f"AMB_{ruling}": alternative}, True)):
        game = Wine(**options).later()
        game.set(vintage=frozenset({"Paul", "Mia"}), aged={"Ada": 1})
        game.play(card_name)
        glasses = game.options(cue)
        assert ("Paul:1" in glasses) is offered and ("Ada:1" in glasses) is offered
        assert {"Mia:1", "Ada:2", "Ben:1"} <= set(glasses)  # the own Vintage binds others only


def test_21_which_lost_glass_is_auctioned() -> None:
    for ruled_so, glass in (("last_lost", 9), ("first_lost", 4)):
        game = Wine(extension="all", AMB_21=ruled_so).later()
        rows = {**game.state.rows, "Paul": (5, 6), "Ada": (7, 8)}
        game.set(lost=(4, 9), rows=rows)
        game.press("Mia")
        game.draw("auction")
        game.choose("Ada", "offer", "2")
        game.ring("offer")
        assert game.state.rows["Ada"][-1] == glass and game.view["hands"]["Ada"] == 1


def test_22_stop_for_the_last_glass() -> None:
    one = {A: 3, B: 1, C: 3}
    assert note(rules_hand.thief(table(glasses=one), A, "red", B, 1, None, B)) == "stopped"
    assert note(rules_hand.thief(table(22, glasses=one), A, "red", B, 1, None, B)) == "no_stop_for_last_glass"
    for ruled_so, phase in (("stop_first", "stop_window"), ("no_stop_for_last_glass", "show")):
        game = Wine(AMB_22=ruled_so).later()
        game.set(rows={**game.state.rows, "Paul": (4,)})
        game.play("thieves_red")
        assert game.choose("Mia", "glass", "Paul:1") == "" and game.phase == phase


def test_23_the_cards_the_meteorologist_saw() -> None:
    for ruled_so, said in (("order_unchanged", "say.weather"), ("any_order", "say.weather_order")):
        game = Wine(extension="all", AMB_23=ruled_so).later()
        game.play("meteorologist")
        assert game.keys == [said] and game.view["camera"] == "away"


def test_24_the_direction_of_play() -> None:
    for ruled_so, following in (("clockwise", "Paul"), ("anticlockwise", "Ben")):
        game = Wine(AMB_24=ruled_so).ready()
        game.press("Mia")
        game.draw("stop")
        assert game.view["turn"] == following


def test_25_a_glass_that_lobbyists_guessed_wrong() -> None:
    for ruled_so, row in (("in_place", (4, 5, 6)), ("right_end", (5, 6, 4))):
        game = Wine(AMB_25=ruled_so).later().set(aged={"Paul": 3})
        game.press("Mia")
        game.draw("lobbyists_red")
        game.choose("Mia", "glass", "Paul:1")
        assert game.row("Paul", "white") == "" and game.state.rows["Paul"] == row
        assert game.view["rows"][1]["aged"] == 3 - (ruled_so == "right_end")
        assert ("say.to_right_end" in game.keys) is (ruled_so == "right_end")


def test_26_a_sixth_card_won_from_a_thief() -> None:
    full = {A: 3, B: 5, C: 3}
    assert rules_hand.robbed(table(hands=full), A, "red", B, 1, "white").table.hands[B] == 6
    assert rules_hand.robbed(table(26, hands=full), A, "red", B, 1, "white").table.hands[B] == 5


def test_27_blue_in_the_first_round() -> None:
    assert code(rules_turn.play(turn(first=True), "charity")) == ""
    assert code(rules_turn.play(turn(27, first=True), "charity")) == "first_round_one_card"
    assert code(rules_turn.play(turn(27), "charity")) == ""


def test_28_who_pays_at_the_auction() -> None:
    offers = {A: 2, B: 1, C: 3}
    for ruling, hands in ((None, {A: 3, B: 3, C: 0}), (28, {A: 1, B: 2, C: 0})):
        done = rules_black.auction(table(ruling, lost=1), A, offers)
        assert note(done) == "auction:C" and done.table.hands == hands  # type: ignore[union-attr]  # note says so


def test_29_discarding_without_need() -> None:
    assert code(rules_turn.discard(turn())) == "discard_only_to_get_below_5"
    assert code(rules_turn.discard(turn(29))) == ""
    game = Wine(AMB_29="whenever_wanted").later()
    assert game.choose("Mia", "turn", "discard") == "" and game.phase == "discard"
    assert game.play("stop") == "" and game.phase == "turn" and game.view["hands"]["Mia"] == 2
    assert Wine().later().choose("Mia", "turn", "discard") == "discard_only_to_get_below_5"


def test_30_a_wrong_guess_under_the_own_vintage() -> None:
    for ruling, seen in ((None, "protected"), (30, "drawer_lost:chosen_by_B")):
        spread = table(ruling, vintage=frozenset({A}))
        assert note(rules_black.lobbyists(spread, A, "red", B, 1, "white")) == seen


def test_31_vintage_at_the_wine_fair_and_the_sommelier() -> None:
    shielded = frozenset({A})
    assert rules_black.showing(table(vintage=shielded)) == (B, C)
    assert rules_black.showing(table(31, vintage=shielded)) == (A, B, C)
    assert note(rules_black.sommelier(table(vintage=shielded), A, "red", None)) == "protected"
    assert note(rules_black.sommelier(table(31, vintage=shielded), A, "red", "white")) == "lost"


def test_32_charity_when_the_richest_has_vintage() -> None:
    rich = {A: 3, B: 5, C: 4}
    assert rules_hand.givers(table(glasses=rich, vintage=frozenset({B}))) == (C,)
    assert rules_hand.givers(table(32, glasses=rich, vintage=frozenset({B}))) == (B,)


def test_34_green_cards_on_the_middle() -> None:
    for ruled_so, offered in (("middle_too", True), ("not_the_middle", False)):
        game = Wine("Mia", "Paul", variant_2_3=True, AMB_34=ruled_so).later()
        game.play("oenologist")
        assert ("middle:2" in game.options("look")) is offered


def test_35_a_grape_picker_at_empty_hands() -> None:
    game = Wine().later().set(hands={"Mia": 3, "Paul": 0, "Ada": 2, "Ben": 0})
    game.play("grape_picker")
    assert game.options("pick") == ("Ada",) and game.choose("Mia", "pick", "Paul") == "nothing_to_pick"
    vain = Wine(AMB_35="allowed_in_vain").later().set(hands={"Mia": 3, "Paul": 0, "Ada": 2, "Ben": 0})
    vain.play("grape_picker")
    assert vain.choose("Mia", "pick", "Paul") == "" and vain.view["hands"]["Mia"] == 2


@pytest.mark.parametrize("ruling", RULINGS, ids=lambda ruling: ruling.id)
def test_every_value_of_a_ruling_can_be_chosen_and_is_seen(ruling: Any) -> None:
    for chosen in ruling.allowed:
        assert option({ruling.id: chosen}, ruling.id) == chosen
        assert [v for v in ruling.allowed if ruled({ruling.id: chosen}, int(ruling.id[-2:]), v)] == [chosen]


@pytest.mark.parametrize(
    ("name", "value", "wrong"),
    [("WINE-AMB-5", "x", "unknown_option"), ("stop_ss", 1, "unknown_option"), ("WINE-AMB-05", "stop", "wrong_value"),
     ("variant_2_3", 1, "wrong_value"), ("extra.farandole", 3, "wrong_value"), ("stop_s", -1, "wrong_value")],
)  # fmt: skip
def test_a_wrong_option_is_refused_by_name(name: str, value: object, wrong: str) -> None:
    refused = settle_options({name: value})
    assert isinstance(refused, Refusal) and refused.code == wrong and refused.values["option"] == name
    with pytest.raises(BadOption, match=wrong):
        option({name: value}, name)


def test_the_extension_may_be_mixed_in_card_by_card() -> None:
    """WINE-EXT-01, WINE-SET-08, WINE-SET-10."""
    assert extras({}) == {} and sum(extras({"extension": "all"}).values()) == 19
    assert extras({"extra.farandole": 2, "extra.ageing": 1}) == {"farandole": 2, "ageing": 1}
    game = Wine(extra_farandole=2).later()
    assert game.view["pile"] == 42 and game.view["black"] == 16
    assert game.play("charity") == "not_mixed_in"
    assert len(OPTIONS) == len({each.id for each in OPTIONS})
