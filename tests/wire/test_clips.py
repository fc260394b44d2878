"""Clips survive the way through WAV; beats sit at even steps, whatever silence they came with."""

from __future__ import annotations

import io
import wave

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.wire.clips import SECOND, BadClip, Clip, clip, counted, later, onset, wav

SAMPLES = st.lists(st.integers(-32768, 32767), max_size=50).map(tuple)


@given(st.sampled_from([8000, 22050, 48000]), SAMPLES)
def test_a_clip_survives_the_way_through_wav(rate: int, samples: tuple[int, ...]) -> None:
    assert clip(wav(Clip(rate, samples))) == Clip(rate, samples)


@given(SAMPLES, st.integers(0, 143))
def test_a_wav_cut_off_anywhere_is_a_shorter_clip_or_a_bad_one(samples: tuple[int, ...], cut: int) -> None:
    try:
        assert len(clip(wav(Clip(8000, samples))[:cut]).samples) <= len(samples)
    except BadClip:
        return


@pytest.mark.parametrize("content", [b"", b"RIFF", b"ID3 is no wave", b"RIFF\x00\x00\x00\x00WAVE"])
def test_other_bytes_are_a_bad_clip(content: bytes) -> None:
    with pytest.raises(BadClip):
        clip(content)


def test_stereo_is_refused_by_name() -> None:
    out = io.BytesIO()
    with wave.open(out, "wb") as file:
        file.setnchannels(2)
        file.setsampwidth(2)
        file.setframerate(8000)
    with pytest.raises(BadClip, match="2 x 16 bit"):
        clip(out.getvalue())


def test_faint_noise_before_a_syllable_is_not_its_onset() -> None:
    assert onset(Clip(1000, (0, 3, -3, 0, 900, -1000))) == 4
    assert onset(Clip(1000, (0, 0))) == 0
    assert onset(Clip(1000, ())) == 0


def test_beats_are_heard_at_even_steps_whatever_silence_they_bring() -> None:
    beats = [Clip(1000, (0,) * quiet + (500,) * 100 + (0,) * 50) for quiet in (53, 0, 3)]
    sound = counted(beats, 1.5)
    starts = [
        place for place in range(1500) if sound.samples[place] and (not place or not sound.samples[place - 1])
    ]
    assert starts == [0, 500, 1000]
    assert len(sound.samples) == 1500


def test_long_beats_run_into_each_other_and_the_last_ends_with_the_count() -> None:
    sound = counted([Clip(10, (20_000,) * 99)] * 3, 3)
    assert len(sound.samples) == 30
    assert sound.samples[0] == 20_000
    assert sound.samples[-1] == 32767


def test_beats_of_two_rates_are_refused() -> None:
    with pytest.raises(BadClip, match=r"8000, 22050"):
        counted([Clip(8000, (1,)), Clip(22050, (1,))], 1)


def test_a_late_count_begins_in_its_middle_so_that_it_ends_in_time() -> None:
    sound = Clip(1000, tuple(range(100)))
    assert later(sound, SECOND // 25).samples == tuple(range(40, 100))
    assert later(sound, -5) == sound
    assert later(sound, SECOND).samples == ()
