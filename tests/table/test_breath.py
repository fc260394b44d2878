"""Urgent speech first, one breath together, stale speech never."""

from __future__ import annotations

from companion.table.breath import AT_ONCE, Breath, Sentence, drawn, said


def after(*came: tuple[int, str, str]) -> list[str]:
    """What would be said, in order, of (time, lane, text)."""
    breath = Breath()
    for now, lane, text in came:
        breath = said(breath, Sentence(text, "en", lane), now)
    out: list[str] = []
    while True:
        breath, sentence = drawn(breath)
        if sentence is None:
            return out
        out.append(sentence.text)


def test_sentences_of_one_breath_are_all_said_in_order() -> None:
    assert after((0, "prompt", "a"), (5, "prompt", "b"), (AT_ONCE, "prompt", "c")) == ["a", "b", "c"]


def test_a_newer_breath_replaces_what_was_not_begun() -> None:
    assert after((0, "prompt", "a"), (AT_ONCE + 1, "prompt", "b")) == ["b"]


def test_chatter_replaces_no_prompt_and_waits_behind_it() -> None:
    assert after((0, "prompt", "a"), (10 * AT_ONCE, "chatter", "b")) == ["a", "b"]
    assert after((0, "chatter", "a"), (1, "prompt", "b"), (2, "countdown", "c")) == ["c", "b", "a"]


def test_a_lane_nobody_knows_comes_last_and_fails_nothing() -> None:
    assert after((0, "gossip", "a"), (1, "chatter", "b")) == ["b", "a"]


def test_the_same_words_twice_in_a_breath_are_said_twice() -> None:
    assert after((0, "prompt", "a"), (1, "prompt", "a")) == ["a", "a"]
