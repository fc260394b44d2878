"""Clips survive WAV of any rate and width, begin where they are heard, and are equally loud."""

from __future__ import annotations

import io
import wave

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.sound.clips import (
    RATE,
    BadClip,
    Clip,
    Samples,
    clip,
    drawn_out,
    levelled,
    onset,
    resampled,
    trimmed,
    wav,
)  # fmt: skip


def tone(pitch: float, seconds: float, rate: int = RATE, loud: float = 0.5) -> Samples:
    """A sine that is loud from its first samples on."""
    return (loud * np.cos(2 * np.pi * pitch * np.arange(round(seconds * rate)) / rate)).astype(np.float32)


def behind(silence: int, sound: Samples) -> Samples:
    """A sound after so many silent samples."""
    return np.concatenate([np.zeros(silence, np.float32), sound])


@given(st.lists(st.integers(-32767, 32767), max_size=50))
def test_a_clip_survives_the_way_through_wav(numbers: list[int]) -> None:
    samples = np.array(numbers, np.float32) / 32767
    assert np.allclose(clip(wav(samples)).samples, samples, atol=1 / 30_000)


@given(st.lists(st.integers(-32768, 32767), max_size=50), st.integers(0, 143))
def test_a_wav_cut_off_anywhere_is_a_shorter_clip_or_a_bad_one(numbers: list[int], cut: int) -> None:
    samples = np.array(numbers, np.float32) / 32768
    try:
        assert len(clip(wav(samples)[:cut]).samples) <= len(samples)
    except BadClip:
        return


@pytest.mark.parametrize("content", [b"", b"RIFF", b"ID3 is no wave", b"RIFF\x00\x00\x00\x00WAVE"])
def test_other_bytes_are_a_bad_clip(content: bytes) -> None:
    with pytest.raises(BadClip):
        clip(content)


def written(channels: int, width: int, rate: int, frames: bytes) -> bytes:
    out = io.BytesIO()
    with wave.open(out, "wb") as file:
        file.setnchannels(channels)
        file.setsampwidth(width)
        file.setframerate(rate)
        file.writeframes(frames)
    return out.getvalue()


def test_an_owner_may_record_in_stereo_and_eight_or_thirty_two_bit() -> None:
    both = np.array([[16384, 0], [16384, 0]], "<i2").tobytes()
    assert np.allclose(clip(written(2, 2, RATE, both)).samples, 0.25, atol=1e-3)
    assert np.allclose(clip(written(1, 1, RATE, bytes([192, 192]))).samples, 0.5, atol=1e-3)
    assert np.allclose(clip(written(1, 4, RATE, np.array([2**30], "<i4").tobytes())).samples, 0.5, atol=1e-3)


def test_twenty_four_bit_is_refused_with_the_remedy() -> None:
    with pytest.raises(BadClip, match="save it as 16 bit"):
        clip(written(1, 3, RATE, b"\0\0\0"))


@pytest.mark.parametrize("rate", [8_000, 22_050, 44_100, 96_000])
def test_a_tone_keeps_pitch_loudness_and_onset_at_any_rate(rate: int) -> None:
    sound = resampled(behind(rate // 10, tone(440, 0.5, rate)), rate)
    assert abs(len(sound) - round(0.6 * RATE)) <= 1
    assert abs(onset(sound) - RATE // 10) < RATE // 1000
    spectrum = np.abs(np.fft.rfft(sound[RATE // 5 : RATE // 5 + RATE // 10]))
    assert abs(int(spectrum.argmax()) * 10 - 440) <= 10
    assert abs(float(np.abs(sound[RATE // 5 : RATE // 2]).max()) - 0.5) < 0.02


def test_faint_noise_before_a_syllable_is_not_its_onset() -> None:
    assert onset(np.array([0, 0.003, -0.003, 0, 0.9, -1], np.float32)) == 4
    assert onset(np.zeros(2, np.float32)) == 0
    assert onset(np.zeros(0, np.float32)) == 0


def test_trimming_leaves_four_ms_before_the_onset_and_a_faded_end() -> None:
    sound = behind(RATE // 20, np.concatenate([tone(300, 0.2), np.zeros(RATE // 2, np.float32)]))
    kept = trimmed(Clip(sound, onset(sound)))
    assert kept.onset == onset(kept.samples) == round(0.004 * RATE)
    assert abs(len(kept.samples) - round(0.216 * RATE)) < RATE // 200
    assert abs(float(kept.samples[-1])) < 0.01


def test_silence_trims_to_nothing() -> None:
    assert len(trimmed(Clip(np.zeros(100, np.float32))).samples) == 0


@pytest.mark.parametrize("loud", [0.01, 0.2, 1.0])
def test_loud_and_soft_clips_come_out_alike_and_none_too_loud(loud: float) -> None:
    found = levelled(Clip(tone(300, 0.3, loud=loud))).samples
    assert 0.1 < float(np.sqrt(np.mean(np.square(found)))) < 0.13
    assert float(np.abs(found).max()) < 0.9
    spiky = np.zeros(1000, np.float32)
    spiky[500] = loud
    assert float(np.abs(levelled(Clip(spiky)).samples).max()) < 0.9


@pytest.mark.parametrize("seconds", [0.5, 1.0, 1.37])
def test_a_syllable_is_held_until_the_end_without_a_gap(seconds: float) -> None:
    swell = np.sin(np.linspace(0, np.pi, round(0.3 * RATE)), dtype=np.float32)
    sound = Clip(tone(150, 0.3) * swell, 10)
    want = round(seconds * RATE)
    held = drawn_out(sound, want)
    assert want - RATE // 70 <= len(held.samples) - held.onset <= want
    loud = np.array([np.abs(part).max() for part in np.array_split(held.samples, round(seconds * 50))])
    assert loud[2:-3].min() > 0.1  # no hole in it
    assert np.abs(np.diff(held.samples)).max() < 0.05  # no click where periods meet


def test_a_syllable_longer_than_its_place_is_faded_short() -> None:
    held = drawn_out(Clip(tone(150, 1.0), 5), RATE // 2)
    assert len(held.samples) == RATE // 2 + 5
    assert abs(float(held.samples[-1])) < 0.01
