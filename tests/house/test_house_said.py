"""What is said, written and shone for what happens."""

from __future__ import annotations

from dataclasses import replace

import pytest
from house_table import MIDDLE, NAMES, Evening, auction

from companion.house import Trouble, Wish
from companion.shelf import shelf
from companion.table.crank import Turn
from companion.table.events import Chosen, Corrected, Opened, Pressed, Setting, Shown
from companion.table.game import Refusal
from companion.table.things import BID, CardId, Player


@pytest.mark.parametrize("before", [None, "koala"])
def test_a_game_that_cannot_be_opened_says_so_in_its_own_words_and_ends_no_evening(
    before: str | None,
) -> None:
    """Whatever is asked for, with nothing on the table or another game that is over."""
    evening = Evening()
    if before is not None:
        evening = auction()
        assert evening.house.session is not None
        done = replace(evening.house.session.head, cues=())
        evening.house.session = replace(evening.house.session, head=done)
    rows = len(evening.devices.rows)
    for game in shelf():
        evening.put(Opened(Setting(game, NAMES[:1] if game != "rescue" else (), {})))
        assert evening.devices.did[-1].startswith("say "), game
    assert evening.devices.did[-1] == "say Koala and Wine is for 2 to 6 players."
    assert evening.devices.news.refusal is None  # its words are not those of what is on the screens
    for odd in (Setting("@moon", NAMES, {}), Setting("koala", NAMES, {"teams": "@moon", "@x": "@y"})):
        evening.put(Opened(odd))
    assert len(evening.devices.rows) == rows


def test_a_second_game_is_refused_by_the_name_of_the_first() -> None:
    evening = auction().put(Opened(Setting("wine", NAMES, {})))
    assert evening.devices.did[-1].startswith("say ") and "Koala" in evening.devices.did[-1]
    assert evening.devices.news.refusal is not None


def test_a_phone_that_answers_nonsense_ends_no_evening() -> None:
    evening = auction()
    for cue in ("@moon", "act.bump"):
        evening.put(Chosen(NAMES[0], cue, "@moon, @sun"), Chosen(Player("@moon"), cue, "x"))
    evening.put(Pressed(Player("@moon"), BID, 3), Shown(MIDDLE, (CardId("@moon"),)))
    assert evening.phase() == "auction"


def test_the_reply_comes_with_the_answer() -> None:
    evening, answers = auction(), []
    evening.house.put(Pressed(NAMES[1], BID, 3), answers.append)
    evening.house.put(Pressed(Player("Nobody"), BID, 3), answers.append)
    evening.house.step()
    assert [type(answer) for answer in answers] == [Turn, Refusal]


def test_trouble_of_a_device_is_shown_until_it_is_well() -> None:
    evening = auction()
    evening.house.put(Trouble("camera", "no picture"))
    evening.house.step()
    assert evening.devices.news.health == {"camera": "no picture"}
    evening.house.put(Trouble("camera", ""))
    evening.house.step()
    assert evening.devices.news.health == {}


def test_a_press_is_answered_with_the_chime_of_its_player_before_anything_is_said() -> None:
    evening = auction()
    evening.devices.did.clear()
    evening.put(Pressed(NAMES[2], BID, 3))
    said = [did for did in evening.devices.did if did.startswith(("chime", "say"))]
    assert said[0] == "chime 2" and said[1].startswith("say Ada")


def test_names_are_learned_when_players_join_and_after_a_restart() -> None:
    assert "know Mia Paul Ada Ben in en" in auction().devices.did
    again = Evening(tuple(auction().devices.rows))
    again.house.resume()
    assert "know Mia Paul Ada Ben in en" in again.devices.did


def test_a_caption_stays_through_silent_turns_and_refusals_until_something_else_is_said() -> None:
    evening = auction()
    caption = evening.devices.news.captions
    assert caption[-1].key == "say.auction"
    evening.later(2_005)  # the least quiet is over: nothing is said of it
    assert evening.devices.news.captions is caption
    evening.put(Pressed(Player("Nobody"), BID, 3))
    assert evening.devices.news.captions is caption and evening.devices.news.refusal is not None
    evening.put(Pressed(NAMES[1], BID, 4))
    assert evening.devices.news.captions[-1].key == "say.lay" and evening.devices.news.refusal is None


def test_captions_of_one_moment_stand_together_as_they_are_heard_in_one_breath() -> None:
    evening = auction().later(500).put(Pressed(NAMES[1], BID, 9)).later(60).put(Pressed(NAMES[2], BID, 10))
    assert [say.key for say in evening.devices.news.captions] == ["say.lay", "say.waits"]
    evening.later(200).put(Shown(MIDDLE, (CardId("pizza-01"), CardId("pizza-02"))))
    assert [say.key for say in evening.devices.news.captions] == ["say.leads"]


def test_a_correction_leaves_no_caption_of_what_is_no_longer_true() -> None:
    evening = auction().later(500)
    evening.put(Pressed(NAMES[1], BID, 9), Shown(MIDDLE, (CardId("pizza-01"), CardId("pizza-02"))))
    evening.put(Corrected(len(evening.devices.rows), (CardId("pizza-01"), CardId("hamburger-02"))))
    assert [say.key for say in evening.devices.news.captions] == ["say.take_back"]


def test_a_correction_stops_what_is_said_and_says_only_the_new_result() -> None:
    evening = auction().put(
        Pressed(NAMES[1], BID, 9), Shown(MIDDLE, (CardId("pizza-01"), CardId("pizza-02")))
    )
    number = len(evening.devices.rows)
    evening.devices.did.clear()
    evening.put(Corrected(number, (CardId("pizza-01"), CardId("pizza-02"), CardId("pizza-03"))))
    spoken = [did for did in evening.devices.did if did.startswith(("say", "stop"))]
    assert spoken[0] == "stop" and len(spoken) == 2
    assert "Paul" in spoken[1] and "Corrected" not in spoken[1]


def test_a_screen_may_have_the_last_words_again_and_other_volumes() -> None:
    evening = auction()
    evening.house.put(Wish(again=True, loud={"chatter": 0.0}))
    evening.house.step()
    assert evening.devices.did[-2:] == ["tune {'chatter': 0.0}", "again"]


def test_a_press_that_is_refused_hides_no_sentence_about_what_is_wrong_on_the_table() -> None:
    """Which card is missing stays written until that is right; the press is answered by its lamp and the voice."""
    evening = auction().put(Shown(MIDDLE, ()))
    wrong = evening.devices.news.refusal
    assert wrong is not None
    evening.put(Pressed(Player("Nobody"), BID, 3))
    assert evening.devices.news.refusal is wrong
    assert evening.devices.did[-2:] == ["blink Nobody no", "say Nobody does not play in this game."]
    evening.put(Chosen(NAMES[0], "none", "x"))  # another mistake than a press takes its place
    assert evening.devices.news.refusal not in (None, wrong)


def test_of_two_refused_presses_the_newer_one_is_written() -> None:
    evening = auction().put(Pressed(Player("Nobody"), BID, 3), Pressed(Player("No one"), BID, 4))
    refusal = evening.devices.news.refusal
    assert refusal is not None and refusal.values == {"name": "No one"}
