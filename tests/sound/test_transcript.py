"""A transcript says what was heard, when, in which lane, and whose chime it was; players of WebVTT read it."""

from __future__ import annotations

from companion.sound.clips import RATE
from companion.sound.desk import Sounded
from companion.sound.transcript import vtt


def test_a_transcript_is_in_order_of_time_and_names_the_players_of_chimes() -> None:
    sounds = [
        Sounded(2 * RATE, 3 * RATE, "prompt", "Mia:  pizza, 2."),
        Sounded(RATE, RATE + 480, "chime", "1"),
        Sounded(3723 * RATE, 3724 * RATE, "countdown", "A!", cut=True),
    ]
    assert vtt(sounds, ("Mia", "Paul")) == (
        "WEBVTT\n\n00:00:01.000 --> 00:00:01.010\n<v chime>♪ Paul\n\n"
        "00:00:02.000 --> 00:00:03.000\n<v prompt>Mia: pizza, 2.\n\n"
        "01:02:03.000 --> 01:02:04.000\n<v countdown>A! —\n"
    )


def test_marks_of_the_format_in_a_name_do_no_harm() -> None:
    told = vtt([Sounded(0, RATE, "prompt", "<b> & --> Mia\n\nX")], ())
    assert "&lt;b&gt; &amp; --&gt; Mia X" in told and told.count("-->") == 1


def test_nothing_heard_is_an_empty_transcript() -> None:
    assert vtt([], ()) == "WEBVTT\n"
