"""Spoken clips: WAV bytes to samples and back; where they begin to be heard; trimmed, levelled, drawn out. Pure.

A rhythm lies in what is heard, not in where files begin: speech programs put up to 55 ms of silence before some
syllables and none before others. So every clip knows its audible onset, and beats are placed by it.
"""

from __future__ import annotations

import io
import wave
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from companion.table.things import CompanionError

RATE = 48_000  # Hz, of everything that is mixed
Samples: TypeAlias = NDArray[np.float32]  # mono, -1 to 1

_AUDIBLE = 0.05  # of the loudest sample: where a syllable begins to be heard
_TAIL = 0.015  # of the loudest sample: what comes after the last of these is silence
_LEAD_S, _FADE_S = 0.004, 0.012  # kept before the onset; faded out behind the end
_LOUD, _PEAK = 0.11, 0.89  # root mean square of what is heard (-19 dBFS), and the most of one sample
_WIDTHS = {1: np.uint8, 2: np.int16, 4: np.int32}


class BadClip(CompanionError, ValueError):
    """Bytes that are no WAV file of whole-numbered samples."""


@dataclass(frozen=True, slots=True, eq=False)  # arrays are not compared by ==
class Clip:
    """Mono sound at RATE, and the sample at which it begins to be heard."""

    samples: Samples
    onset: int = 0


def clip(content: bytes) -> Clip:
    """The sound of a WAV file, of whatever rate and width, its channels mixed; BadClip if it is none."""
    try:
        with wave.open(io.BytesIO(content)) as file:
            channels, width, rate = file.getnchannels(), file.getsampwidth(), file.getframerate()
            frames = file.readframes(file.getnframes())
    except (wave.Error, EOFError, OSError) as fault:
        raise BadClip(f"no WAV file: {fault or 'it ends too early'}") from fault
    if width not in _WIDTHS or rate <= 0:
        raise BadClip(f"8, 16 or 32 bit are read, not {8 * width} at {rate} Hz: save it as 16 bit WAV")
    whole = len(frames) // (channels * width) * channels * width
    raw = np.frombuffer(frames[:whole], _WIDTHS[width]).reshape(-1, channels).mean(axis=1)
    level = (raw - 128) / 128 if width == 1 else raw / 2 ** (8 * width - 1)
    samples = resampled(level.astype(np.float32), rate)
    return Clip(samples, onset(samples))


def wav(samples: Samples) -> bytes:
    """The sound as a WAV file, mono, 16 bit, RATE."""
    out = io.BytesIO()
    with wave.open(out, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes(pcm(samples))
    return out.getvalue()


def pcm(samples: Samples) -> bytes:
    """16-bit samples, little-endian; what is too loud is cut."""
    return (np.clip(samples, -1.0, 1.0) * 32767.0).round().astype("<i2").tobytes()


def resampled(samples: Samples, rate: int) -> Samples:
    """The same sound at RATE: its spectrum is kept up to the lower of the two limits."""
    if rate == RATE or not len(samples):
        return samples.astype(np.float32)
    pad = min(len(samples), rate // 20)  # the spectrum of a piece joins its ends: keep them apart
    spectrum = np.fft.rfft(np.concatenate([samples, np.zeros(pad, np.float32)]))
    long = round((len(samples) + pad) * RATE / rate)
    kept = min(len(spectrum), long // 2 + 1)
    whole = np.zeros(long // 2 + 1, complex)
    whole[:kept] = spectrum[:kept]
    out = np.fft.irfft(whole, long) * (long / (len(samples) + pad))
    return out[: round(len(samples) * RATE / rate)].astype(np.float32)


def onset(samples: Samples) -> int:
    """The first sample that is heard; 0 in silence."""
    loudness = np.abs(samples)
    top = float(loudness.max(initial=0.0))
    return int(np.argmax(loudness > top * _AUDIBLE)) if top > 0 else 0


def trimmed(sound: Clip) -> Clip:
    """Without the silence before and after: 4 ms stay before the onset, the end is faded."""
    loudness = np.abs(sound.samples)
    top = float(loudness.max(initial=0.0))
    if top == 0.0:
        return Clip(sound.samples[:0])
    start = max(0, sound.onset - round(_LEAD_S * RATE))
    last = int(np.flatnonzero(loudness > top * _TAIL)[-1]) + 1
    fade = round(_FADE_S * RATE)
    kept = sound.samples[start : last + fade].copy()
    kept[-fade:] *= np.linspace(1.0, 0.0, len(kept[-fade:]), dtype=np.float32)
    return Clip(kept, sound.onset - start)


def levelled(sound: Clip) -> Clip:
    """As loud as every other clip: by what is heard of it, and no sample beyond the peak."""
    heard = sound.samples[np.abs(sound.samples) > _AUDIBLE * np.abs(sound.samples).max(initial=0.0)]
    if not len(heard):
        return sound
    gain = min(_LOUD / float(np.sqrt(np.mean(np.square(heard)))), _PEAK / float(np.abs(sound.samples).max()))
    return Clip((sound.samples * np.float32(gain)).astype(np.float32), sound.onset)


def drawn_out(sound: Clip, length: int) -> Clip:
    """A syllable held until it has `length` samples from its onset: a "LA!" that ends when the count ends.

    Its vowel is repeated by whole periods of the voice, blended into each other. A longer one is faded short.
    """
    want = length + sound.onset
    have = sound.samples
    if not len(have) or len(have) >= want:
        return Clip(_faded(have[: max(0, want)]), sound.onset)
    at, period = _vowel(have)
    blend = np.linspace(0.0, 1.0, period, dtype=np.float32)
    turn = have[at : at + period] * blend + have[at + period : at + 2 * period] * (1 - blend)
    times = max(0, (want - len(have)) // period)
    held = np.concatenate([have[: at + period], np.tile(turn, times), have[at + period :]])
    return Clip(_faded(held[:want].astype(np.float32)), sound.onset)


def _faded(samples: Samples) -> Samples:
    out = samples.copy()
    fade = min(len(out), round(_FADE_S * RATE))
    if fade:
        out[-fade:] *= np.linspace(1.0, 0.0, fade, dtype=np.float32)
    return out


def _vowel(samples: Samples) -> tuple[int, int]:
    """Where a syllable is loudest, and its period there, in samples (70 to 350 Hz)."""
    window = min(len(samples) // 3, RATE // 25)
    power = np.convolve(np.square(samples), np.ones(window, np.float32), "valid")
    low, high = RATE // 350, max(RATE // 350 + 1, min(RATE // 70, window))
    at = min(int(power.argmax()), max(0, len(samples) - window - 2 * high))
    here = samples[at : at + window]
    alike = [float(np.dot(here, samples[at + lag : at + lag + window])) if at + lag + window <= len(samples) else -1.0
             for lag in range(low, high)]  # fmt: skip
    return at, low + int(np.argmax(alike))
