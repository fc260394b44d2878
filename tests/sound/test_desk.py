"""The desk mixes at exact samples: beats even by their onset, cuts short, everything in virtual time."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from companion.sound import chimes
from companion.sound.clips import RATE, Clip, Samples
from companion.sound.desk import FADE, Desk, Sounded
from companion.sound.envelope import onsets, silence_from
from companion.sound.transcript import vtt

BLOCK = RATE // 200
LATE = {
    "KO!": 0,
    "A!": 110,
    "LA!": 2_560,
    "Ku!": 40,
    "Ka!": 900,
    "König!": 2_000,
}  # silence before each syllable


def syllable(words: str) -> Clip:
    """A hum of 0.3 s behind silence, to be told from others by its pitch."""
    hum = 0.4 * np.cos(2 * np.pi * (150 + 10 * len(words)) * np.arange(round(0.3 * RATE)) / RATE)
    lead = LATE.get(words, 0)
    return Clip(np.concatenate([np.zeros(lead), hum]).astype(np.float32), lead)


def desk(*without: str) -> Desk:
    return Desk(lambda lang, words: None if words in without else syllable(words))


def run(table: Desk, seconds: float, block: int = BLOCK) -> Samples:
    return np.concatenate([table.block(block) for _ in range(round(seconds * RATE / block))])


@pytest.mark.parametrize("beats", [("KO!", "A!", "LA!"), ("Ku!", "Ka!", "König!")])
@pytest.mark.parametrize("block", [64, 240, 1024])
def test_beats_are_heard_at_even_steps_whatever_silence_they_bring(
    beats: tuple[str, ...], block: int
) -> None:
    table = desk()
    table.count(table.beats(beats, "de", 3.0), 12_345, 3.0)
    heard = onsets(run(table, 4, block))
    assert heard.tolist() == [12_345, 12_345 + RATE, 12_345 + 2 * RATE]


def test_the_last_beat_sounds_until_the_count_ends_and_no_longer() -> None:
    table = desk()
    table.count(table.beats(("KO!", "A!", "LA!"), "de", 3.0), RATE, 3.0)
    heard = run(table, 5)
    end = silence_from(heard, 3 * RATE + 100)
    assert 4 * RATE - RATE // 20 < end <= 4 * RATE


def test_a_count_that_is_late_begins_in_its_middle_and_ends_in_time() -> None:
    table = desk()
    run(table, 2)
    table.count(table.beats(("KO!", "A!", "LA!"), "de", 3.0), RATE // 2, 3.0)
    assert onsets(run(table, 3)).tolist() == [RATE // 2]  # only LA! is left: at 2.5 s


@pytest.mark.parametrize("moved", [False, True])
def test_a_beat_that_begins_in_its_middle_begins_without_a_click(moved: bool) -> None:
    table, late = desk(), RATE // 10
    table.count(table.beats(("KO!", "A!", "LA!"), "de", 3.0), RATE // 2 if moved else -late, 3.0)
    if moved:
        table.shift(-RATE // 2 - late)
    assert np.abs(np.diff(run(table, 0.1), prepend=0.0)).max() < 0.02


def test_a_count_that_is_over_when_it_comes_is_not_heard_and_lets_what_is_said_finish() -> None:
    told: list[Sounded] = []
    table = Desk(lambda lang, words: syllable(words), heard=told.append)
    for text in ("one", "two"):
        table.say(table.spoken((text,), "en", "prompt"))
    run(table, 0.1)
    table.count(table.beats(("KO!", "A!", "LA!"), "en", 1.5), -3 * RATE, 1.5)
    run(table, 2)
    assert [each.words for each in told] == ["one", "two"] and told[0].ends <= told[1].at


def test_a_beat_without_a_clip_is_silent_and_the_others_keep_their_places() -> None:
    table = desk("A!")
    table.count(table.beats(("KO!", "A!", "LA!"), "de", 3.0), 0, 3.0)
    assert onsets(run(table, 3)).tolist() == [0, 2 * RATE]


def test_a_count_called_off_falls_silent_within_a_fade() -> None:
    table = desk()
    table.count(table.beats(("KO!", "A!", "LA!"), "de", 3.0), 0, 3.0)
    run(table, 2.2)
    table.hush()
    rest = run(table, 2)
    assert silence_from(rest, 0) <= FADE and not len(onsets(rest[FADE:]))


def test_a_count_moved_to_and_fro_ends_where_it_would_have() -> None:
    table = desk()
    table.count(table.beats(("KO!", "A!", "LA!"), "de", 3.0), 0, 3.0)
    run(table, 2.1)
    for _ in range(40):
        table.shift(-60)
        table.shift(60)
    end = silence_from(run(table, 1), RATE // 10)
    assert abs(end - silence_from(steady()[round(2.1 * RATE) :], RATE // 10)) < FADE


def steady() -> Samples:
    table = desk()
    table.count(table.beats(("KO!", "A!", "LA!"), "de", 3.0), 0, 3.0)
    return run(table, 3.1)


def test_a_beat_whose_end_is_over_when_its_count_is_moved_fades() -> None:
    table = desk()
    table.count(table.beats(("KO!", "A!", "LA!"), "de", 3.0), 0, 3.0)
    before = run(table, 2.5)[-1]
    table.shift(-RATE)
    rest = run(table, 0.5)
    assert silence_from(rest, 0) <= FADE and np.abs(np.diff(rest, prepend=before)).max() < 0.05


def test_a_count_called_off_stays_silent_though_the_next_one_is_moved() -> None:
    table = desk()
    table.count(table.beats(("KO!", "A!", "LA!"), "de", 3.0), table.at + RATE // 10, 3.0)
    table.hush()
    table.count((), table.at, 3.0)
    table.shift(-RATE // 10)
    assert not run(table, 0.5).any()


def test_a_count_cuts_a_sentence_off() -> None:
    table = desk()
    table.say(table.spoken(("a long story",), "en", "prompt"))
    run(table, 0.1)
    table.count((), table.at, 1.0)
    assert silence_from(run(table, 0.5), 0) <= FADE


def test_a_prompt_cuts_in_on_chatter() -> None:
    table = desk()
    table.say(table.spoken(("gossip", "gossip", "gossip"), "en", "chatter"))
    run(table, 0.1)
    table.say(table.spoken(("now",), "en", "prompt"))
    cut = table.at
    run(table, 0.02)
    assert [voice for voice in (table.lanes.playing,) if voice] == [
        table.spoken(("now",), "en", "prompt").line
    ]
    assert table.lanes.begun[-1][1] == cut


def test_sentences_of_a_breath_do_not_overlap() -> None:
    table = desk()
    for text in ("one", "two", "three"):
        table.say(table.spoken((text,), "en", "prompt"))
    assert len(onsets(run(table, 2))) == 3


def test_a_chime_sounds_at_once_over_anything() -> None:
    table = desk()
    table.say(table.spoken(("story",), "en", "prompt"))
    run(table, 1)
    table.chime(3)
    assert onsets(table.block(BLOCK))[0] < RATE // 1000


@pytest.mark.parametrize("seat", range(10))
def test_the_answer_to_a_press_begins_when_its_chime_has_been_heard(seat: int) -> None:
    table, words = desk(), desk().spoken(("Mia",), "en", "prompt")
    table.chime(seat)
    table.say(words)
    heard = run(table, 1.5)
    assert onsets(heard)[0] < RATE // 1000
    begins = int(np.flatnonzero(np.abs(heard - run_of_chime(seat, len(heard))) > 0.05)[0])
    assert chimes.heard(seat) <= begins < RATE // 3
    assert np.abs(chimes.chime(seat)[begins:]).max(initial=0.0) < 0.04  # what rings on covers no word


def run_of_chime(seat: int, frames: int) -> Samples:
    table = desk()
    table.chime(seat)
    return run(table, frames / RATE)


def test_a_mute_chime_holds_nothing_up() -> None:
    table = desk()
    table.tune({"chime": 0.0})
    table.chime(8)
    table.say(table.spoken(("Mia",), "en", "prompt"))
    assert onsets(run(table, 1))[0] < RATE // 1000


def test_a_lane_is_mute_in_the_middle_of_a_word_and_without_a_click() -> None:
    table = desk()
    table.say(table.spoken(("story",), "en", "prompt"))
    run(table, 0.1)
    table.tune({"prompt": 0.0})
    rest = run(table, 0.5)
    assert silence_from(rest, 0) <= FADE and np.abs(np.diff(rest)).max() < 0.02


def test_each_sound_is_reported_once_it_has_ended() -> None:
    told: list[Sounded] = []
    table = Desk(lambda lang, words: syllable(words), heard=told.append)
    table.say(table.spoken(("Mia", ", ", "reveal."), "en", "prompt"))
    run(table, 1)
    table.chime(3)
    table.count(table.beats(("KO!", "A!", "LA!"), "en", 3.0), table.at, 3.0)
    run(table, 1.1)
    table.hush()
    table.tune({"chime": 0.0})
    table.chime(4)
    run(table, 1)
    assert [(each.lane, each.words, each.cut) for each in told] == [
        ("prompt", "Mia, reveal.", False), ("chime", "3", False), ("countdown", "KO!", False),
        ("countdown", "A!", True),
    ]  # fmt: skip
    assert told[0].at == 0 and told[3].ends == round(2.1 * RATE) + FADE
    assert all(each.at < each.ends for each in told)


def mute(table: Desk) -> None:
    table.tune({"prompt": 0.0, "chime": 0.0})


def soft(table: Desk) -> None:
    table.tune({"prompt": 0.1})


@pytest.mark.parametrize(("tune", "loudest"), [(mute, 0.0), (soft, 0.041)])
def test_each_lane_has_its_own_volume(tune: Callable[[Desk], None], loudest: float) -> None:
    table = desk()
    tune(table)
    table.say(table.spoken(("story",), "en", "prompt"))
    assert float(np.abs(run(table, 0.5)).max()) <= loudest
    table.count(table.beats(("KO!",), "de", 1.0), table.at, 1.0)
    assert float(np.abs(run(table, 0.5)).max()) > 0.3


def test_missing_words_are_named_and_the_rest_is_heard() -> None:
    spoken = desk("Zoé").spoken(("Zoé", " draws ", "3"), "en", "prompt")
    assert spoken.missing == ("Zoé",) and len(onsets(spoken.sound)) == 1


def test_longer_pauses_for_children() -> None:
    slow = Desk(lambda lang, words: syllable(words), pauses=3.0)
    parts = ("Mia", ": ", "pizza")
    assert len(slow.spoken(parts, "en", "prompt").sound) > len(desk().spoken(parts, "en", "prompt").sound)


def test_again_and_stop_are_heard_as_such() -> None:
    table = desk()
    table.say(table.spoken(("one",), "en", "prompt"))
    run(table, 1)
    table.again()
    assert len(onsets(run(table, 1))) == 1
    table.again()
    run(table, 0.1)
    table.stop()
    assert silence_from(run(table, 1), 0) <= FADE


def test_the_desk_forgets_sounds_that_are_over() -> None:
    table = desk()
    for number in range(50):
        table.say(table.spoken((f"text {number}",), "en", "prompt"))
        run(table, 1)
    assert len(table._sounds) < 5 and len(table._voices) < 3
    assert not table.talking


def test_a_bare_sound_is_nobodys_chime_is_never_cut_and_has_no_words_in_the_transcript() -> None:
    heard: list[Sounded] = []
    table = Desk(lambda _, __: None, {"chatter": 0.0, "chime": 0.0}, heard=heard.append)
    table.sound([(100, np.full(RATE, 0.5, np.float32))])
    run(table, 0.1)
    table.stop()
    run(table, 2)
    assert [(each.lane, each.words, each.cut) for each in heard] == [("sound", "", False)]
    assert "<v sound>" in vtt(heard, ("Mia",))
