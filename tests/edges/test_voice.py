"""The voice speaks, counts, falls silent, and never keeps anybody waiting."""

from __future__ import annotations

import os
import shutil
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from queue import SimpleQueue

import pytest

from companion import house
from companion.edges import voice as voices
from companion.edges.voice import Silence, Speaker, VoiceError, espeak, voice
from companion.wire.clips import Clip, clip, counted, onset, wav

BEATS = ("KO", "A", "LA")
SOON = 60  # seconds until a test gives a thread up; none takes this long


def tone(text: str, lang: str) -> bytes:
    """A clip that tells by its length and first sample what it says."""
    return wav(Clip(1000, (0,) * len(lang) + (1000 + len(text),) * (100 + len(text))))


class Room:
    """A speaker whose player hands each sound to the test, and ends when the test lets it."""

    def __init__(self, folder: Path) -> None:
        """Two pipes: what is played, and leave to end."""
        self.heard_pipe, self.leave_pipe = folder / "heard", folder / "leave"
        for pipe in (self.heard_pipe, self.leave_pipe):
            os.mkfifo(pipe)
        self.troubles: SimpleQueue[str] = SimpleQueue()
        player = ("sh", "-c", f'cat "$0" > {self.heard_pipe}; read word < {self.leave_pipe}')
        self.speaker = Speaker(tone, player, folder / "clips", self.troubles.put)

    def heard(self) -> Clip:
        """Wait for the next sound."""
        return clip(self.heard_pipe.read_bytes())

    def leave(self) -> None:
        """Let what plays come to its end."""
        self.leave_pipe.write_text("end\n")


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    made = Room(tmp_path)
    yield made
    made.speaker.close()


def words(text: str, lang: str = "en") -> Clip:
    """The sound of a sentence."""
    return clip(tone(text, lang))


@pytest.mark.parametrize("made", ["silence", "speaker"])
def test_silence_is_a_voice_too(made: str, tmp_path: Path) -> None:
    speaker: house.Voice = Silence() if made == "silence" else Speaker(tone, ("true",), tmp_path)
    speaker.say("hello", "en", "prompt")
    speaker.count(BEATS, 0, 1.5, "en")
    speaker.hush()
    assert isinstance(speaker, Silence)
    speaker.close()


def test_a_breath_is_spoken_in_order_one_after_another(room: Room) -> None:
    for text in ("one", "three", "seven"):
        room.speaker.say(text, "de", "prompt")
    for text in ("one", "three", "seven"):
        assert room.heard() == words(text, "de")
        room.leave()


def test_a_count_is_one_sound_with_its_beats_in_place(room: Room) -> None:
    room.speaker.count(BEATS, time.monotonic_ns() + 10_000_000, 1.5, "en")
    whole = counted([words(beat) for beat in BEATS], 1.5)
    sound = room.heard()
    assert sound.samples == whole.samples[len(whole.samples) - len(sound.samples) :]
    room.leave()


def test_a_count_cuts_speech_off_and_hush_cuts_the_count_off(room: Room) -> None:
    room.speaker.say("a long story", "en", "chatter")
    assert room.heard() == words("a long story")
    room.speaker.count(BEATS, time.monotonic_ns(), 60, "en")
    assert room.heard().rate == 1000
    room.speaker.hush()
    room.speaker.say("next", "en", "prompt")
    assert room.heard() == words("next")
    room.leave()


def test_a_count_called_off_before_it_begins_is_never_heard(room: Room) -> None:
    room.speaker.count(BEATS, time.monotonic_ns() + SOON * 1_000_000_000, 1.5, "en")
    room.speaker.hush()
    room.speaker.say("next", "en", "prompt")
    assert room.heard() == words("next")
    room.leave()


def test_hush_leaves_sentences_alone(room: Room) -> None:
    room.speaker.say("one", "en", "prompt")
    assert room.heard() == words("one")
    room.speaker.hush()
    room.speaker.say("two!", "en", "prompt")
    room.leave()
    assert room.heard() == words("two!")
    room.leave()


def test_closing_ends_thread_and_player_in_the_middle_of_a_sentence(room: Room) -> None:
    room.speaker.say("a long story", "en", "prompt")
    room.heard()
    room.speaker.close()
    assert "voice" not in [thread.name for thread in threading.enumerate()]


def test_a_sentence_is_spoken_once_and_then_kept(tmp_path: Path) -> None:
    spoken: SimpleQueue[str] = SimpleQueue()

    def synth(text: str, lang: str) -> bytes:
        spoken.put(text)
        return tone(text, lang)

    for text in ("same", "same", "other"):
        pipe = tmp_path / "heard"
        pipe.unlink(missing_ok=True)
        os.mkfifo(pipe)
        player = ("sh", "-c", f'cat "$0" > {pipe}')
        speaker = Speaker(synth, player, tmp_path / "clips")
        speaker.say(text, "en", "prompt")
        assert clip(pipe.read_bytes()) == words(text)
        speaker.close()
    assert [spoken.get_nowait(), spoken.get_nowait()] == ["same", "other"]
    assert spoken.empty()


def test_old_clips_are_cleared_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(voices, "KEPT", 2)
    for age in range(5):
        kept = tmp_path / f"{age}.wav"
        kept.touch()
        os.utime(kept, (1000 - age, 1000 - age))
    Speaker(tone, ("true",), tmp_path).close()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["0.wav", "1.wav"]


@pytest.mark.parametrize(
    ("player", "word"),
    [
        (("sh", "-c", "echo no soundcards >&2; exit 1"), "no soundcards"),
        (("no-such-player",), "no-such-player"),
    ],
)
def test_a_player_that_fails_is_named_and_the_voice_goes_on(
    tmp_path: Path, player: tuple[str, ...], word: str
) -> None:
    troubles: SimpleQueue[str] = SimpleQueue()
    speaker = Speaker(tone, player, tmp_path, troubles.put)
    speaker.say("one", "en", "prompt")
    assert word in troubles.get(timeout=SOON)
    speaker.say("two", "en", "prompt")
    speaker.close()


def test_a_voice_that_is_well_again_says_so(tmp_path: Path) -> None:
    troubles: SimpleQueue[str] = SimpleQueue()
    speaker = Speaker(
        tone, ("sh", "-c", f"rm {tmp_path}/once || exit 0; exit 1"), tmp_path / "clips", troubles.put
    )
    (tmp_path / "once").touch()
    speaker.say("one", "en", "prompt")
    assert troubles.get(timeout=SOON).startswith("sh: ")
    speaker.say("two", "en", "prompt")
    assert troubles.get(timeout=SOON) == ""
    speaker.close()


def test_without_programs_the_voice_is_silence_and_names_the_packages(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PATH", "")
    troubles: list[str] = []
    assert type(voice(trouble=troubles.append)) is Silence
    assert troubles == ["no voice, captions only: `apt install espeak-ng alsa-utils`"]


@pytest.mark.skipif(shutil.which("espeak-ng") is None, reason="needs the Debian package espeak-ng")
class TestEspeak:
    """The real program, where it is installed."""

    @pytest.mark.parametrize("lang", ["en", "de"])
    def test_it_speaks_both_languages(self, lang: str) -> None:
        sound = clip(espeak("Koala", lang))
        assert len(sound.samples) > sound.rate // 5
        assert max(sound.samples) > 1000

    def test_text_that_looks_like_an_option_is_only_spoken(self) -> None:
        assert clip(espeak("--version", "en")).samples

    def test_a_language_it_does_not_know_is_said(self) -> None:
        with pytest.raises(VoiceError, match="espeak-ng"):
            espeak("Koala", "xx")

    def test_its_silence_before_a_syllable_does_not_make_the_count_limp(self) -> None:
        beats = [clip(espeak(beat, "de")) for beat in BEATS]
        sound = counted(beats, 3)
        step = sound.rate
        for number in range(3):
            part = Clip(sound.rate, sound.samples[number * step : (number + 1) * step])
            assert onset(part) * 1000 / sound.rate < 5
