"""Cards from hand at the table: thieves and STOP, green, blue, what a turn allows and what it refuses."""

from __future__ import annotations

import pytest
from wine_table import Wine, card

from companion.games.wine.rules_deck import Pile


def thief(game: Wine, glass: str = "Paul:2") -> Wine:
    """A red thief points at a glass."""
    assert game.play("thieves_red") == "" and game.phase == "thieves"
    assert game.choose("Mia", "glass", glass) == ""
    return game


def test_a_thief_that_is_right_takes_the_glass_to_the_right_end_of_the_row() -> None:
    """WINE-THI-01 to 03."""
    game = Wine().later()
    assert game.play("thieves_red") == "" and game.phase == "thieves"
    assert game.options("glass")[0] == "Paul:1" and "Mia:1" not in game.options("glass")
    assert game.choose("Mia", "glass", "Mia:1") == "own_glass"
    assert game.choose("Mia", "glass", "Paul:4") == "no_such_glass"
    assert game.choose("Mia", "glass", "Paul:2") == "" and game.phase == "stop_window"
    assert game.ring("stop") == "" and game.phase == "show"
    assert game.row("Paul", "red") == "" and game.phase == "down"
    assert "say.stolen" in game.keys
    assert game.counts() == {"Mia": 4, "Paul": 2, "Ada": 3, "Ben": 3, "middle": 0}
    assert game.state.rows["Mia"][-1] == 5 and game.view["hands"]["Mia"] == 2
    assert game.row("Paul", "red") == "turn_down"
    assert game.row("Paul") == "" and game.phase == "turn"


def test_a_thief_that_is_wrong_goes_to_the_owner_of_the_glass() -> None:
    """WINE-THI-04: the glass stays in its place."""
    game = thief(Wine().later())
    assert game.choose("Paul", "stop", "no_stop") == ""
    assert game.row("Paul", "white") == "" and "say.kept" in game.keys
    assert game.view["hands"] == {"Mia": 2, "Paul": 4, "Ada": 3, "Ben": 3}
    assert game.state.rows["Paul"] == (4, 5, 6)


def test_stop_by_button_and_card_takes_the_thief_without_a_glass_being_shown() -> None:
    game = thief(Wine().later())
    assert game.press("Ben") == "stop_only_by_target"
    assert game.press("Paul") == "" and game.phase == "stop_lay"
    assert game.show("played", card("thieves_red"), card("grape_picker")) == "only_stop_now"
    assert game.show("played", card("thieves_red"), card("stop")) == ""
    assert game.keys == ["say.stopped"] and game.phase == "turn"
    assert game.view["hands"] == {"Mia": 2, "Paul": 3, "Ada": 3, "Ben": 3}


def test_stop_by_card_alone_counts_too_and_without_a_card_the_time_runs_out() -> None:
    game = thief(Wine().later())
    assert game.show("played", card("thieves_red"), card("stop")) == "" and game.keys == ["say.stopped"]
    late = thief(Wine().later())
    late.press("Paul")
    assert late.ring("stop") == "" and late.phase == "show" and late.keys[0] == "say.no_stop"
    assert late.press("Paul") == "stop_too_late" and late.press("Ben") == "not_waited_for"
    assert late.view["hands"]["Paul"] == 3


def test_an_empty_hand_gets_no_window_and_the_middle_neither() -> None:
    game = Wine().later().set(hands={"Mia": 3, "Paul": 0, "Ada": 3, "Ben": 3})
    assert thief(game).phase == "show"
    middle = Wine("Mia", "Paul", variant_2_3=True).later()
    assert middle.play("thieves_red") == ""
    assert middle.choose("Mia", "glass", "Paul:1") == "middle_first"
    assert middle.choose("Mia", "glass", "middle:2") == "" and middle.phase == "show"
    assert middle.row("middle", "white") == "" and middle.keys == ["say.thief_into_deck"]
    assert middle.view["pile"] == 47 and middle.press("Mia") == "" and middle.phase == "turn"


def test_the_thief_card_must_lie_there_until_it_is_done() -> None:
    """A card taken back is named."""
    game = thief(Wine().later())
    assert game.show("played") == "put_back"
    assert game.refused is not None and game.refused.values == {"card": "@thieves"}


def test_a_second_card_beside_the_one_in_play_has_to_wait() -> None:
    game = Wine().later()
    game.play("thieves_red")
    assert game.show("played", card("thieves_red"), card("oenologist")) == "one_after_the_other"
    assert game.show("played", card("thieves_red"), card("stop")) == "stop_is_a_reaction"
    assert game.show("played", card("thieves_red"), card("stop"), card("auditor")) != ""


def test_the_last_glass_stolen_puts_its_owner_out_and_ends_a_game_of_two() -> None:
    """WINE-OBJ-01, WINE-OBJ-02, WINE-OBJ-03; then, and only then, the map."""
    game = Wine("Mia", "Paul").later()
    game.set(rows={**game.state.rows, "Paul": (4,)})
    thief(game, "Paul:1").ring("stop")
    assert game.row("Paul", "red") == "" and game.keys[:1] == ["say.out"]
    assert game.row("Paul") == "" and game.phase == "finale" and game.view["map"] is None
    assert game.press("Paul") == "eliminated_player"
    assert game.row("Mia", "white", "white") == "nothing_new"
    assert game.row("Mia", "red", "white", "white", "rose") == "" and game.phase == "over"
    assert game.view["winner"] == "Mia" and game.session.over
    glasses = {each["glass"]: each for each in game.view["map"]["glasses"]}
    assert glasses[1]["wine"] == "red" and glasses[4]["way"] == [[0, "Paul"], [1, "Mia"]]
    assert game.view["map"]["players"][0] == {
        "player": "Mia",
        "hits": 1,
        "misses": 0,
        "deeds": {"thief_right": 1},
    }


def test_a_whole_turn_ends_with_a_drawn_card_and_the_next_player() -> None:
    """WINE-SET-11, WINE-SET-01: three glasses, three cards, in turn."""
    game = Wine().ready()
    assert game.draw("stop") == "press_before_drawing"
    assert game.press("Paul") == "not_your_turn"
    assert game.play("tipsy_taster") == ""
    game.choose("Mia", "swap", "Paul:1")
    assert game.choose("Mia", "swap_with", "Ada:3") == "" and game.phase == "turn"
    assert game.state.rows["Paul"][0] == 9 and game.state.rows["Ada"][2] == 4
    assert game.play("grape_picker") == "first_round_one_card"
    assert game.press("Mia") == "" and game.phase == "draw"
    assert game.press("Mia") == "must_draw"
    assert game.draw("stop") == "" and game.phase == "turn"
    assert game.view["turn"] == "Paul" and game.view["pile"] == 39 and game.view["chance"] == 35.9


def test_green_cards_in_any_number_and_order_and_one_thief_between() -> None:
    """WINE-TUR-02, WINE-TUR-04, WINE-GRN-01."""
    game = Wine().later().set(hands={"Mia": 4, "Paul": 0, "Ada": 0, "Ben": 0})
    game.play("oenologist")
    assert game.options("look")[:2] == ("Mia:1", "Mia:2") and game.choose("Mia", "look", "Ben:3") == ""
    assert (
        game.phase == "looking" and game.view["camera"] == "away" and game.session.cues[0].why == "cue.looked"
    )  # type: ignore[union-attr]  # a Press
    assert game.press("Mia") == "" and game.keys == ["say.camera_back"]
    thief(game).row("Paul", "white")
    game.row("Paul")
    assert game.play("thieves_white") == "one_thief_per_turn"
    assert game.play("tipsy_taster") == "" and game.choose("Mia", "swap", "Mia:1") == ""
    assert game.choose("Mia", "swap_with", "Mia:1") == "protected_or_not_there"
    assert game.choose("Mia", "swap_with", "Mia:3") == "" and game.state.rows["Mia"] == (3, 2, 1)


def test_a_grape_picker_takes_one_card_that_may_be_played_at_once() -> None:
    """WINE-GRP-01, WINE-GRP-02."""
    game = Wine().later()
    assert game.play("grape_picker") == "" and game.choose("Mia", "pick", "Ben") == ""
    assert game.view["hands"] == {"Mia": 3, "Paul": 3, "Ada": 3, "Ben": 2}
    assert game.play("thieves_red") == ""


@pytest.mark.parametrize("face", ["sneaky_taster", "tipsy_taster"])
def test_tasters_swap_any_two_glasses_unseen(face: str) -> None:
    """WINE-TIP-01, WINE-TIP-02, WINE-TIP-03; WINE-SNE-01, WINE-SNE-02: after the sneaky one nobody is sure."""
    game = Wine(extension="all").later()
    game.play(face)
    game.choose("Mia", "swap", "Paul:1")
    assert game.choose("Mia", "swap_with", "Ada:1") == ""
    if face == "tipsy_taster":
        assert game.state.rows["Paul"][0] == 7 and not game.state.unsure
        return
    assert game.phase == "under_the_table" and game.view["camera"] == "away"
    assert game.press("Mia") == "" and game.state.rows["Paul"][0] == 4 and game.state.unsure == {4, 7}


def test_auditor_and_meteorologist_look_alone() -> None:
    """WINE-AUD-01, WINE-MET-01, WINE-OEN-01: with the camera off until the button."""
    game = Wine(extension="all").later()
    for face, said in (("auditor", "say.audit"), ("meteorologist", "say.weather")):
        assert game.play(face) == "" and game.keys == [said] and game.view["camera"] == "away"
        assert (
            game.press("Paul") == "not_your_turn" and game.press("Mia") == "" and game.view["camera"] == "on"
        )


def test_vintage_protects_until_the_own_next_turn() -> None:
    game = Wine(extension="all").later()
    assert game.play("vintage") == "" and game.view["rows"][0]["vintage"] is True and game.phase == "turn"
    assert game.play("oenologist") == "blue_excludes_others" and game.play("charity") == "one_blue_per_turn"
    game.press("Mia")
    game.draw("stop")
    game.play("thieves_red")
    assert game.choose("Paul", "glass", "Mia:1") == "protected" and "Mia:1" not in game.options("glass")


def test_ageing_shows_a_glass_before_it_is_covered_and_protected() -> None:
    """WINE-AGE-01; a Sommelier ends it."""
    game = Wine(extension="all").later()
    game.play("ageing")
    assert game.choose("Mia", "age", "Mia:2") == "" and game.keys == ["say.age_show"]
    assert game.row("Mia", "rose") == "" and game.view["rows"][0]["aged"] == 2
    assert game.row("Mia") == "" and game.press("Mia") == ""
    assert game.draw("sommelier_red") == "" and game.view["rows"][0]["aged"] is None


def test_a_blind_test_is_won_when_the_owner_names_another_wine() -> None:
    game = Wine(extension="all").later()
    game.play("blind_test")
    assert (
        game.choose("Mia", "glass", "Ada:1") == ""
        and game.choose("Mia", "announce", "red") == "not_waited_for"
    )
    assert game.choose("Ada", "announce", "red") == "" and game.view["wine"] is None
    assert game.row("Ada", "rose") == "" and "say.blind_won" in game.keys and game.counts()["Mia"] == 4
    kept = Wine(extension="all").later()
    kept.play("blind_test")
    kept.choose("Mia", "glass", "Ada:1")
    kept.choose("Ada", "announce", "red")
    assert kept.row("Ada", "red") == "" and kept.keys == ["say.blind_kept"] and kept.counts()["Ada"] == 3


def test_charity_moves_a_glass_of_the_richest_unseen() -> None:
    game = Wine(extension="all").later()
    game.play("charity")
    assert game.phase == "charity" and game.choose("Paul", "giver", "Ada") == "tie_card_player_chooses"
    assert game.choose("Mia", "giver", "Ada") == "" and game.phase == "charity_to"
    assert game.choose("Ada", "to", "Ada") == "bad_receiver" and game.choose("Ada", "to", "Ben") == ""
    assert game.choose("Ada", "give", "Ada:2") == "" and game.state.rows["Ben"] == (10, 11, 12, 8)
    assert game.phase == "turn" and game.play("contest") == "one_blue_per_turn"


def test_a_contest_is_judged_by_the_time_stamps_of_the_buttons() -> None:
    """WINE-CON-01, WINE-CON-02: what counts is the press, not when the camera has seen the glass."""
    game = Wine(extension="all").later()
    game.play("contest")
    assert game.choose("Mia", "wine", "red") == "" and game.phase == "contest_race"
    assert game.press("Mia") == "not_in_the_contest"
    assert game.press("Ben", at=3_000_000_000) == "" and game.press("Ben") == "already_pressed"
    assert game.press("Paul", at=1_000_000_000) == "" and game.press("Ada", at=2_000_000_000) == ""
    assert game.row("Paul", "red") == "" and game.row("Ada", "white") == ""
    assert game.row("Ben", "white") == "" and game.phase == "contest_won" and game.state.chooser == "Ada"
    assert game.choose("Ada", "place", "9") == "no_such_glass"
    assert game.choose("Ada", "place", "3") == "" and game.state.rows["Mia"][-1] == 9
    assert game.view["down"] == ["Paul", "Ada", "Ben"]


def test_who_turns_no_glass_over_in_time_is_slowest_and_presses_too_close_go_by_turn_order() -> None:
    game = Wine(extension="all").later()
    game.play("contest")
    game.choose("Mia", "wine", "red")
    game.row("Paul", "red")
    game.row("Ben", "red")
    assert game.ring("contest") == "" and game.state.chooser == "Ada"
    tied = Wine("Mia", "Paul", "Ada", extension="all").later()
    tied.play("contest")
    tied.choose("Mia", "wine", "red")
    tied.press("Ada", at=1_000_000_000)
    tied.press("Paul", at=1_000_500_000, tied=("Ada",))
    tied.row("Paul", "red")
    tied.row("Ada", "red")
    assert tied.state.chooser == "Ada"


def test_five_cards_must_be_brought_down_to_four_before_drawing() -> None:
    game = Wine().later().set(hands={"Mia": 6, "Paul": 3, "Ada": 3, "Ben": 3})
    assert game.view["limits"]["discard"] == 2 and game.draw("stop") == "hand_limit"
    assert game.press("Mia") == "" and game.phase == "discard"
    assert game.draw("stop") == "hand_limit" and game.press("Mia") == "hand_limit"
    assert game.play("sommelier_red") == "black_is_never_in_hand"
    assert game.play("stop") == "" and game.phase == "discard"
    assert game.play("stop", 1) == "" and game.phase == "draw" and game.view["hands"]["Mia"] == 4
    assert game.draw("stop", 2) == "" and game.view["turn"] == "Paul" and game.view["hands"]["Mia"] == 5


def test_a_card_that_by_the_count_was_not_in_the_deck_is_believed_and_no_chance_is_above_all() -> None:
    """WINE-NB-03: the card lies there, so the count was wrong; at the table nobody is held up by it."""
    game = Wine().later().set(pile=Pile(14, 14))
    game.press("Mia")
    assert game.draw("oenologist") == "" and game.view["turn"] == "Paul"
    assert (game.view["pile"], game.view["chance"]) == (14, 100.0)


@pytest.mark.parametrize(
    ("cards", "wrong"),
    [(("stop-01",), "stop_is_a_reaction"), (("wine_fair-01",), "black_is_never_in_hand"),
     (("glass-01",), "glass_here"), (("nobody-01",), "foreign_card"), (("charity-01",), "not_mixed_in"),
     (("oenologist-01", "oenologist-02"), "one_card_at_a_time")],
)  # fmt: skip
def test_a_wrong_card_is_refused_by_name_and_changes_nothing(cards: tuple[str, ...], wrong: str) -> None:
    game = Wine().later()
    before = game.state
    assert game.show("played", *cards) == wrong and game.state == before
    assert "red" not in str(game.refused) and "white" not in str(game.refused)


def test_a_card_from_the_discard_pile_is_sent_back_there() -> None:
    game = Wine().later()
    game.play("oenologist")
    game.choose("Mia", "look", "Paul:1")
    game.press("Mia")
    assert game.show("played") == "" and game.play("oenologist") == "belongs_elsewhere"
