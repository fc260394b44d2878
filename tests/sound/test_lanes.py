"""Countdown before prompt before chatter; nothing stale, nothing twice, nothing over a count. In virtual time."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from companion.sound import lanes as policy
from companion.sound.clips import RATE
from companion.sound.lanes import AT_ONCE, PATIENCE, PAUSE, TWICE, Lanes, Line

BLOCK = RATE // 200


class Evening:
    """Lanes in virtual time; what begins is written down with its moment."""

    def __init__(self) -> None:
        self.lanes, self.now = Lanes(), 0
        self.begun: list[tuple[str, int]] = []
        self.cuts: list[int] = []

    def say(self, text: str, lane: str = "prompt", seconds: float = 1.0) -> Evening:
        self.lanes = policy.said(self.lanes, Line((text,), lane, round(seconds * RATE)), self.now)
        return self

    def later(self, seconds: float) -> Evening:
        for _ in range(round(seconds * RATE / BLOCK)):
            while True:
                self.lanes, deed = policy.step(self.lanes, self.now, self.now + BLOCK)
                if deed.cut:
                    self.cuts.append(self.now)
                if deed.begin is None:
                    break
                self.begun.append((deed.begin.words[0], deed.at))
            self.now += BLOCK
        return self

    def count(self, seconds: float = 3.0) -> Evening:
        self.lanes = policy.counted(self.lanes, self.now, self.now + round(seconds * RATE))
        return self

    def said(self) -> list[str]:
        return [text for text, _ in self.begun]


def test_a_line_begins_at_once_and_the_next_right_after_it() -> None:
    evening = Evening().say("a").say("b", seconds=0.5).say("c").later(3)
    assert evening.begun == [("a", 0), ("b", RATE + PAUSE), ("c", RATE + PAUSE + RATE // 2 + PAUSE)]


def test_no_two_lines_overlap() -> None:
    evening = Evening()
    for number in range(30):
        evening.say(f"line {number}", ("prompt", "chatter")[number % 2], 0.3 + number % 7 / 5).later(0.37)
    starts = [at for _, at in evening.begun]
    assert len(starts) > 8
    for (text, at), after in zip(evening.begun, starts[1:], strict=False):
        length = round((0.3 + int(text.split()[1]) % 7 / 5) * RATE)
        assert after >= at + length or any(at < cut <= after for cut in evening.cuts)


def test_a_newer_breath_replaces_what_was_not_begun() -> None:
    evening = Evening().say("long", seconds=3).later(1).say("old").later(0.5).say("new").later(4)
    assert evening.said() == ["long", "new"]


def test_lines_of_one_breath_keep_together() -> None:
    evening = Evening().say("a").later((AT_ONCE - BLOCK) / RATE).say("b").later(3)
    assert evening.said() == ["a", "b"]


def test_a_prompt_cuts_chatter_short_within_a_block() -> None:
    evening = Evening().say("gossip", "chatter", 3).later(1).say("now").later(0.1)
    assert evening.begun == [("gossip", 0), ("now", RATE)] and evening.cuts == [RATE]


def test_chatter_waits_behind_a_prompt() -> None:
    evening = Evening().say("prompt").later(0.3).say("gossip", "chatter").later(2)
    assert evening.begun == [("prompt", 0), ("gossip", RATE + PAUSE)]


def test_a_lane_nobody_knows_is_chatter() -> None:
    assert Evening().say("x", "gossip").say("y").later(3).said() == ["y", "x"]


def test_late_news_is_no_news() -> None:
    for lane, patience in zip(("prompt", "chatter"), PATIENCE[1:], strict=True):
        wait = patience / RATE
        assert Evening().count(wait - 0.5).say("x", lane).later(wait + 2).said() == ["x"]
        assert Evening().count(wait + 0.5).say("x", lane).later(wait + 2).said() == []


def test_the_same_words_are_not_said_twice_in_a_row_but_later_again() -> None:
    evening = Evening().say("no").say("no").later(0.5).say("no").later(1).say("no").later(2)
    assert evening.said() == ["no"]
    assert evening.later(TWICE / RATE).say("no").later(1).said() == ["no", "no"]


def test_a_count_cuts_speech_off_and_nothing_is_said_until_its_end() -> None:
    evening = Evening().say("story", seconds=5).later(1).count(2).say("wait").later(1.9)
    assert evening.cuts == [RATE] and evening.said() == ["story"]
    evening.later(1)
    assert evening.begun[1] == ("wait", 3 * RATE + PAUSE)


def test_a_count_called_off_lets_the_next_line_begin_at_once() -> None:
    evening = Evening().count(3).later(1)
    evening.lanes = policy.hushed(evening.lanes, evening.now)
    evening.say("Mia leads").later(0.5)
    assert evening.begun == [("Mia leads", RATE)]
    assert evening.lanes.count is None


def test_again_repeats_the_last_breath_whole_even_right_away() -> None:
    evening = Evening().say("old").later(3).say("a").say("b").later(3)
    evening.lanes = policy.again(evening.lanes, evening.now)
    evening.later(3)
    assert evening.said() == ["old", "a", "b", "a", "b"]
    evening.lanes = policy.again(evening.lanes, evening.now)
    assert evening.later(3).said()[-2:] == ["a", "b"]


def test_again_with_nothing_said_yet_says_nothing() -> None:
    assert policy.again(Lanes(), 5) == Lanes()


def test_a_correction_forgets_what_was_said_and_says_only_the_new() -> None:
    evening = Evening().say("Mia leads").say("with three").later(0.5)
    evening.lanes = policy.stopped(evening.lanes, evening.now)
    evening.say("Paul leads").later(3)
    assert evening.begun == [("Mia leads", 0), ("Paul leads", RATE // 2)]


def test_the_corrected_words_may_be_those_just_said() -> None:
    evening = Evening().say("Mia leads").later(0.5)
    evening.lanes = policy.stopped(evening.lanes, evening.now)
    assert evening.say("Mia leads").later(2).said() == ["Mia leads", "Mia leads"]


def test_a_mute_lane_is_not_heard_and_does_not_block_others() -> None:
    evening = Evening().say("waits", "chatter")
    evening.lanes = policy.muted(evening.lanes, frozenset({"chatter"}), evening.now)
    assert evening.say("gossip", "chatter").say("now").later(3).said() == ["now"]


def test_a_lane_muted_in_the_middle_of_a_line_gives_the_floor_to_the_next() -> None:
    evening = Evening().say("story", "chatter", 5).later(1)
    evening.lanes = policy.muted(evening.lanes, frozenset({"chatter"}), evening.now)
    assert evening.say("now").later(0.5).begun == [("story", 0), ("now", RATE)] and evening.cuts == []


def test_a_breath_once_begun_is_spoken_to_its_end_however_long_it_is() -> None:
    evening = Evening()
    for name in "abcdef":
        evening.say(name, seconds=2.0)
    assert evening.later(14).said() == ["a", "b", "c", "d", "e", "f"]


def test_the_rest_of_a_long_breath_gives_way_to_what_is_newer() -> None:
    evening = Evening()
    for name in "abcdef":
        evening.say(name, seconds=2.0)
    assert evening.later(5).say("new").later(9).said() == ["a", "b", "c", "new"]


def test_the_rest_of_a_breath_that_a_count_broke_off_does_not_come_late() -> None:
    evening = Evening().say("a", seconds=2.0).say("b").later(1).count(6).later(12)
    assert evening.said() == ["a"]


@pytest.mark.parametrize("talked", [None, "chatter", "prompt"])
@pytest.mark.parametrize("order", [None, policy.hushed, policy.stopped, policy.again])
def test_whatever_was_said_and_ordered_no_words_begin_over_a_chime(
    talked: str | None, order: Callable[[Lanes, int], Lanes] | None
) -> None:
    evening = Evening()
    if talked is not None:
        evening.say("the turn is over", lane=talked, seconds=2).later(0.5)
    else:
        evening.later(0.5)
    if order is policy.hushed:
        evening.lanes = policy.counted(evening.lanes, evening.now, evening.now + 3 * RATE)
    ends = evening.now + RATE // 4
    evening.lanes = policy.chimed(evening.lanes, ends)
    if order is not None:
        evening.lanes = order(evening.lanes, evening.now)
    evening.say("Mia leads").later(4)
    assert min(at for words, at in evening.begun if at > RATE // 2) >= ends
    assert "Mia leads" in [words for words, _ in evening.begun]


def test_words_wait_for_the_end_of_a_chime_and_what_is_being_said_goes_on() -> None:
    evening = Evening()
    evening.lanes = policy.chimed(evening.lanes, RATE // 4)
    assert evening.say("Mia leads").later(2).begun == [("Mia leads", RATE // 4)]
    evening.say("story", seconds=2).later(0.5)
    evening.lanes = policy.chimed(evening.lanes, evening.now + RATE // 4)
    assert evening.say("next").later(3).begun[1:] == [("story", 2 * RATE), ("next", 4 * RATE + PAUSE)]
