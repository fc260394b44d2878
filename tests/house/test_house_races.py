"""Presses before their deadline, in the order in which they were made."""

from __future__ import annotations

import pytest
from house_table import MIDDLE, NAMES, Evening, auction

from companion.table.effects import Say
from companion.table.events import Opened, Pressed, Setting, Shown
from companion.table.photo_finish import MS, Closed, Gone, Press
from companion.table.things import BID, CALL, CardId


def test_raw_presses_are_ordered_by_their_time_at_the_source() -> None:
    evening = auction()
    now = evening.clocks.now()
    evening.house.put(Press(NAMES[2], BID, now + 2 * MS))
    evening.house.put(Press(NAMES[1], BID, now + 1 * MS))
    evening.later(50)
    claims = [claim.players for claim in getattr(evening.state(), "middle").claims]  # noqa: B009  # as above
    assert claims == [("Paul",), ("Ada",)]


def test_a_press_before_its_time_is_told_with_how_much_too_early_it_was() -> None:
    evening = Evening().put(
        Opened(Setting("koala", NAMES, {})), Pressed(NAMES[0], BID, 1), Pressed(NAMES[0], BID, 2)
    )  # fmt: skip
    evening.put(Pressed(NAMES[1], BID, evening.clocks.now(), 1 * MS)).later(240)
    evening.put(Shown(MIDDLE, (CardId("pizza-01"),)))
    told = Say("buttons.early", {"name": NAMES[1], "ms": "240"}, "chatter")
    assert told in evening.devices.news.captions
    evening.later(150).put(Pressed(NAMES[1], BID, evening.clocks.now(), 1 * MS))
    assert told not in evening.devices.news.captions  # once


@pytest.mark.parametrize("waited", [0.5, 1_500.0])  # ms: inside the press's own uncertainty; long ago
def test_a_press_is_no_false_start_when_nobody_can_say_so_or_it_meant_something_else(waited: float) -> None:
    evening = Evening().put(
        Opened(Setting("koala", NAMES, {})), Pressed(NAMES[0], BID, 1), Pressed(NAMES[0], BID, 2)
    )  # fmt: skip
    evening.put(Pressed(NAMES[1], BID, evening.clocks.now(), 1 * MS)).later(waited)
    evening.put(Shown(MIDDLE, (CardId("pizza-01"),)))
    assert all(say.key != "buttons.early" for say in evening.devices.news.captions)


def test_every_lamp_winks_at_the_onset_of_each_beat_until_a_bid_ends_the_count() -> None:
    evening = auction().later(2_005).later(2_005)
    assert evening.phase() == "call"
    (call,) = (clock for clock in evening.house.news.clocks if clock.beats)
    told = evening.devices.beats[-len(NAMES) :]
    assert [player for player, _, _ in told] == list(NAMES)
    start, phases = told[0][1:]
    onsets = [start + sum(phases[:place]) for place in range(0, len(phases), 2)]
    wanted = [call.ends + (beat / 3 - 1) * call.seconds * 1_000 * MS for beat in range(3)]
    assert all(abs(onset - want) <= 10 * MS for onset, want in zip(onsets, wanted, strict=True))
    evening.later(500).put(Pressed(NAMES[1], BID, evening.clocks.now()))
    evening.put(Shown(MIDDLE, (CardId("pizza-01"), CardId("pizza-02"))))
    assert evening.devices.beats[-len(NAMES) :] == [(player, 0, ()) for player in NAMES]


def test_a_press_at_the_end_of_la_counts_though_it_arrives_after_it() -> None:  # KOALA-AMB-23
    evening = auction().later(2_005).later(2_005)
    assert evening.phase() == "call"
    end = evening.clocks.due()
    assert end is not None
    evening.later((end - evening.clocks.now()) / MS + 1)  # the end has come, its ring still waits
    evening.house.put(Press(NAMES[1], BID, end))
    evening.later(50)
    assert evening.phase() == "call"
    evening.put(Shown(MIDDLE, (CardId("pizza-01"), CardId("pizza-02"))))
    assert evening.phase() == "auction"


def test_a_press_after_the_end_of_la_is_too_late() -> None:
    evening = auction().later(2_005).later(2_005)
    end = evening.clocks.due()
    assert end is not None
    evening.later((end - evening.clocks.now()) / MS + 2)
    evening.house.put(Press(NAMES[1], BID, end + MS))
    evening.later(50)
    assert evening.phase() == "reveal"


def test_the_count_is_voiced_and_cut_off_by_a_valid_bid() -> None:
    evening = auction().later(4_010)
    assert "count KO! A! LA!" in evening.devices.did
    evening.put(Pressed(NAMES[1], BID, 9), Shown(MIDDLE, (CardId("pizza-01"), CardId("pizza-02"))))
    assert "hush" in evening.devices.did


@pytest.mark.parametrize("counting", [False, True])
def test_after_the_power_came_back_clocks_wait_and_it_is_said(counting: bool) -> None:
    evening = auction().put(Pressed(NAMES[1], BID, 9))
    if counting:
        evening = auction().later(4_010)  # KO! - A! - LA! has begun
    at_once, later = (Evening(tuple(evening.devices.rows)) for _ in range(2))
    at_once.house.resume()
    later.house.resume(15.0)
    assert later.clocks.due() is None and "watch middle" in later.devices.did
    assert [did for did in later.devices.did if did.startswith("say")] == [
        "say We go on where we were. The clocks wait a moment."
    ]
    before = later.state()
    later.later(14_999)  # by now voice and lamps have come up, too
    assert later.state() == before and "count KO! A! LA!" not in later.devices.did
    later.later(2)
    first, then = at_once.clocks.due(), later.clocks.due()
    assert first is not None and then is not None and then - first == 15_000 * MS
    assert later.state() == before and ("count KO! A! LA!" in later.devices.did) is counting
    evening = Evening((Opened(Setting("koala", NAMES, {})),))
    evening.house.resume(15.0)  # nothing runs: nothing needs to be said
    assert not [did for did in evening.devices.did if did.startswith("say")]


def test_a_press_in_the_grace_after_a_restart_counts_and_its_clock_begins_at_once() -> None:
    evening = Evening(tuple(auction().devices.rows))
    evening.house.resume(15.0)
    evening.put(Pressed(NAMES[1], BID, 9))
    due = evening.clocks.due()
    assert due is not None and due < evening.clocks.now() + 15_000 * MS
    evening.later(20_000)  # what is waited for then is not begun a second time
    assert evening.devices.did.count("count KO! A! LA!") <= 1


def counted(slow: int) -> tuple[Evening, int, int]:
    """An evening with a running count: with its start as ordered from the voice, and its end."""
    evening = auction()
    starts: list[tuple[int, float]] = []
    evening.devices.slow = slow
    evening.house.voice.count = (  # type: ignore[method-assign]  # the order itself is what this is about
        lambda beats, start_ns, seconds, lang: starts.append((start_ns, seconds))
    )
    before = evening.clocks.now()
    while not starts:
        evening.later(10)
    end = evening.clocks.due()
    assert end is not None and starts[0][0] >= before
    return evening, starts[0][0], end


@pytest.mark.parametrize("slow", [0, 30 * MS, 250 * MS])
def test_a_count_ends_when_its_last_beat_has_been_heard(slow: int) -> None:
    evening, start, end = counted(slow)
    assert end - start == 3_000 * MS  # KO, A, LA: a second each, from the first one's sound
    assert start - slow - 10 * MS <= evening.clocks.now() <= start - slow + 10 * MS
    clock = evening.devices.news.clocks[0]
    assert (clock.ends, clock.seconds) == (end, 3.0)  # the screens count the same beats


def test_a_bid_inside_the_last_beat_counts_though_the_speaker_is_slow() -> None:
    evening, _, end = counted(250 * MS)
    evening.later((end - evening.clocks.now()) / MS - 1)
    evening.house.put(Press(NAMES[1], BID, evening.clocks.now()))
    evening.later(50)
    assert evening.phase() == "call"
    evening.put(Shown(MIDDLE, (CardId("pizza-01"), CardId("pizza-02"))))
    assert evening.phase() == "auction"


def test_a_count_called_off_starts_anew_after_the_next_quiet() -> None:
    evening = auction().later(4_010)
    evening.put(Pressed(NAMES[1], BID, 9), Shown(MIDDLE, (CardId("pizza-01"), CardId("pizza-02"))))
    evening.devices.did.clear()
    evening.later(3_900)
    assert "count KO! A! LA!" not in evening.devices.did
    evening.later(200)
    assert evening.devices.did.count("count KO! A! LA!") == 1


def test_the_starting_player_may_count_before_the_quiet_is_over_but_not_at_once() -> None:
    evening = auction().put(Pressed(NAMES[0], CALL, 4))
    assert evening.phase() == "auction" and evening.devices.news.refusal is not None
    evening.later(2_005).put(Pressed(NAMES[0], CALL, 5))
    assert evening.phase() == "call" and "count KO! A! LA!" in evening.devices.did


def test_a_press_a_moment_too_late_is_told_apart_from_a_wrong_one() -> None:
    evening = auction().later(2_005).later(2_005)
    end = evening.clocks.due()
    assert evening.phase() == "call" and end is not None
    evening.later((end - evening.clocks.now()) / MS + 20)
    assert evening.phase() not in ("call", "auction")
    evening.devices.did.clear()
    evening.put(Pressed(NAMES[1], BID, evening.clocks.now()))
    assert "blink Paul late" in evening.devices.did
    evening.later(1_500)
    evening.devices.did.clear()
    evening.put(Pressed(NAMES[1], BID, evening.clocks.now()))
    assert "blink Paul no" in evening.devices.did


def test_an_open_box_is_asked_to_close_and_its_earlier_press_wins() -> None:
    evening, asked = auction(), list[int]()
    evening.house.presses.ask = asked.append
    now = evening.clocks.now()
    evening.house.put(Closed("box-1", now))
    evening.house.put(Press(NAMES[2], BID, now + 2 * MS))
    evening.later(10)
    assert asked == [now + 2 * MS]
    evening.house.put(Press(NAMES[1], BID, now + 1 * MS, 0, "box-1"))
    evening.house.put(Closed("box-1", now + 3 * MS))
    evening.later(1)
    claims = [claim.players for claim in getattr(evening.state(), "middle").claims]  # noqa: B009  # as above
    assert claims == [("Paul",), ("Ada",)]
    assert any(say.key == "buttons.margin" for say in evening.devices.news.captions)


def test_presses_by_which_each_answers_for_himself_are_no_race() -> None:
    """A class that is ready at once does not fill the screens with milliseconds; who rolls first is told."""
    evening = Evening().put(Opened(Setting("rescue", NAMES, {"depth": "light"}, 7)))
    told: list[str] = []
    for players in (NAMES[:2], NAMES):
        at = evening.clocks.now()
        for number, player in enumerate(players):
            evening.house.put(Press(player, BID, at + number * MS))
        evening.later(300)
        told.append(" ".join(say.key for say in evening.devices.news.captions))
    assert evening.phase() != "draw"  # all of them are ready
    assert "buttons.margin" in told[0] and "buttons.margin" not in told[1]


def test_a_box_that_is_gone_is_not_waited_for() -> None:
    evening = auction()
    now = evening.clocks.now()
    evening.house.put(Closed("box-1", now))
    evening.house.put(Press(NAMES[2], BID, now + 2 * MS))
    evening.later(10)
    assert evening.house.presses.waiting
    evening.house.put(Gone("box-1"))
    evening.later(1)
    assert not evening.house.presses.waiting
