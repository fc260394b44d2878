"""A chime for each player: ten rhythms with tones of their own, to be told apart with closed eyes. Pure."""

from __future__ import annotations

from functools import cache

import numpy as np

from companion.sound.clips import RATE, Samples

# For each seat: the colour of the sound (how strong its overtones are), and (start in s, pitch in Hz).
_COLOURS = ((1.0,), (1.0, 0.0, 0.33, 0.0, 0.2), (1.0, 0.6, 0.4, 0.25))
_TUNES: tuple[tuple[int, tuple[tuple[float, float], ...]], ...] = (
    (0, ((0.0, 660.0),)),  # one
    (1, ((0.0, 523.0), (0.09, 784.0))),  # up
    (2, ((0.0, 784.0), (0.09, 523.0))),  # down
    (0, ((0.0, 880.0), (0.06, 880.0), (0.12, 880.0))),  # three alike
    (1, ((0.0, 440.0), (0.14, 440.0))),  # two slow ones, deep
    (2, ((0.0, 523.0), (0.06, 659.0), (0.12, 784.0))),  # a ladder up
    (0, ((0.0, 988.0), (0.06, 784.0), (0.12, 587.0))),  # a ladder down
    (1, ((0.0, 659.0), (0.05, 659.0), (0.16, 988.0))),  # short, short, high
    (2, ((0.0, 392.0), (0.16, 392.0), (0.21, 587.0))),  # long, short, high
    (0, ((0.0, 587.0), (0.07, 880.0), (0.14, 587.0))),  # there and back
)
SEATS = len(_TUNES)
_RING_S, _ATTACK_S, _LEVEL, _TICK_S = 0.09, 0.001, 0.35, 0.02


@cache
def chime(seat: int) -> Samples:
    """The chime of a seat, from 0; it is heard from its first millisecond. More than ten begin anew, higher."""
    colour, tune = _TUNES[seat % SEATS]
    raised = 2.0 ** (seat // SEATS)
    out = np.zeros(round((tune[-1][0] + 2 * _RING_S) * RATE), np.float32)
    for start, pitch in tune:
        note = _note(pitch * raised, _COLOURS[colour])
        at = round(start * RATE)
        out[at : at + len(note)] += note[: len(out) - at]
    loud: Samples = (out * (_LEVEL / np.abs(out).max())).astype(np.float32)
    return loud


def heard(seat: int) -> int:
    """For how many samples the chime of a seat is heard; what rings on behind it covers no word."""
    return len(chime(seat)) - round(_RING_S * RATE)


def tick() -> Samples:
    """A tick that is loud from its first sample on: to measure by."""
    time = np.arange(round(_TICK_S * RATE)) / RATE
    loud: Samples = (0.7 * np.cos(2 * np.pi * 1000 * time) * (1 - time / _TICK_S)).astype(np.float32)
    return loud


def _note(pitch: float, colour: tuple[float, ...]) -> Samples:
    time = np.arange(round(2 * _RING_S * RATE)) / RATE
    wave = sum(
        strength * np.sin(2 * np.pi * pitch * (number + 1) * time) for number, strength in enumerate(colour)
    )
    swell = np.minimum(time / _ATTACK_S, 1.0) * np.exp(-time * 3.5 / _RING_S)
    return np.asarray(wave * swell, np.float32)
