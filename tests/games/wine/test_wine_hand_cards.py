"""Cards from hand at the table: thieves and STOP, green, blue, what a turn allows and what it refuses."""

from __future__ import annotations

from wine_table import Wine


def test_a_thief_that_is_right_takes_the_glass_to_the_right_end_of_the_row() -> None:
    game = Wine().later()
    assert game.play("thieves_red") == "" and game.phase == "thieves"
    assert game.options("glass")[0] == "Paul:1" and "Mia:1" not in game.options("glass")
    assert game.choose("Mia", "glass", "Paul:2") == "" and game.phase == "stop_window"
    assert game.ring("stop") == "" and game.phase == "show"
    assert game.row("Paul", "red") == "" and game.phase == "down"
    assert "say.stolen" in game.keys
    assert game.counts() == {"Mia": 4, "Paul": 2, "Ada": 3, "Ben": 3, "middle": 0}
    assert game.state.rows["Mia"][-1] == 5 and game.view["hands"]["Mia"] == 2
    assert game.row("Paul") == "" and game.phase == "turn"


def test_a_thief_that_is_wrong_goes_to_the_owner_of_the_glass() -> None:
    game = Wine().later()
    game.play("thieves_red")
    game.choose("Mia", "glass", "Paul:2")
    assert game.choose("Paul", "stop", "no_stop") == ""
    assert game.row("Paul", "white") == "" and "say.kept" in game.keys
    assert game.view["hands"] == {"Mia": 2, "Paul": 4, "Ada": 3, "Ben": 3}
    assert game.counts()["Paul"] == 3


def test_stop_by_button_and_card_takes_the_thief_without_a_glass_being_shown() -> None:
    game = Wine().later()
    game.play("thieves_red")
    game.choose("Mia", "glass", "Paul:2")
    assert game.press("Ben") == "stop_only_by_target"
    assert game.press("Paul") == "" and game.phase == "stop_lay"
    assert game.show("played", *(game.state.lying["played"]), "stop-01") == ""
    assert game.keys == ["say.stopped"] and game.phase == "turn"
    assert game.view["hands"] == {"Mia": 2, "Paul": 3, "Ada": 3, "Ben": 3}


def test_a_whole_turn_ends_with_a_drawn_card_and_the_next_player() -> None:
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
