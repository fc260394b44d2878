"""Spoken clips: WAV bytes to samples and back, and beats mixed at even steps into one sound. Pure.

One sound for a whole count, because players started one for each beat are up to 100 ms off.
"""

from __future__ import annotations

import io
import wave
from array import array
from collections.abc import Sequence

from companion.table.things import CompanionError, value

SECOND = 1_000_000_000
_AUDIBLE = 0.05  # of the loudest sample: where a syllable begins to be heard
_LOUDEST = 32767


class BadClip(CompanionError, ValueError):
    """Bytes that are no mono 16-bit WAV, or clips that do not go together."""


@value
class Clip:
    """Mono sound: 16-bit samples at a rate in Hz."""

    rate: int
    samples: tuple[int, ...]


def clip(content: bytes) -> Clip:
    """The sound of a WAV file; BadClip if it is none, or not mono 16 bit."""
    try:
        with wave.open(io.BytesIO(content)) as file:
            if (file.getnchannels(), file.getsampwidth()) != (1, 2):
                raise BadClip(f"mono of 16 bit, not {file.getnchannels()} x {8 * file.getsampwidth()} bit")
            rate, frames = file.getframerate(), file.readframes(file.getnframes())
    except (wave.Error, EOFError, OSError) as fault:
        raise BadClip(f"no WAV file: {fault or 'it ends too early'}") from fault
    samples = array("h")
    samples.frombytes(frames[: len(frames) // 2 * 2])
    return Clip(rate, tuple(samples))


def wav(sound: Clip) -> bytes:
    """The sound as a WAV file."""
    out = io.BytesIO()
    with wave.open(out, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(sound.rate)
        file.writeframes(array("h", sound.samples).tobytes())
    return out.getvalue()


def onset(sound: Clip) -> int:
    """The first sample that is heard: speech programs put up to 50 ms of silence before some syllables."""
    loud = max(map(abs, sound.samples), default=0) * _AUDIBLE
    return next((place for place, sample in enumerate(sound.samples) if abs(sample) > loud), 0)


def counted(beats: Sequence[Clip], seconds: float) -> Clip:
    """Beats at even steps, each heard from its step on; it ends after `seconds`. BadClip: mixed rates."""
    rates = {beat.rate for beat in beats}
    if len(rates) != 1:
        raise BadClip(f"beats of one rate are wanted, not of {sorted(rates)} Hz")
    rate = rates.pop()
    length = round(seconds * rate)
    mixed = [0] * length
    for number, beat in enumerate(beats):
        start = number * length // len(beats)
        for place, sample in enumerate(beat.samples[onset(beat) :][: length - start], start):
            mixed[place] += sample
    return Clip(rate, tuple(max(-_LOUDEST, min(_LOUDEST, sample)) for sample in mixed))


def later(sound: Clip, ns: int) -> Clip:
    """What is left of a sound that should have begun `ns` ago."""
    return Clip(sound.rate, sound.samples[max(0, ns) * sound.rate // SECOND :])
