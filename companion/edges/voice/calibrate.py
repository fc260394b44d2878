"""How long a sound takes from the device to the ear: heard by a microphone, or tapped by a person in time."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

import numpy as np

from companion.edges.voice.stream import LATENCY_S, Stage, sounding, urgent
from companion.edges.voice.synth import VoiceError
from companion.sound.chimes import tick
from companion.sound.clips import RATE, Samples
from companion.sound.envelope import Offset, offset, onsets
from companion.sound.heard import BLOCK

SECOND = 1_000_000_000
STEP_S, TICKS, WARM_S = 0.75, 16, 3.0  # a null sink stands still for 2 s at first
Tap = Callable[[], None]  # waits for one tap


def by_microphone(device: str = "", microphone: str = "") -> Offset:
    """Ticks are played and recorded; how much later they are heard than the device says, in ns."""
    heard: list[tuple[int, Samples]] = []  # when its first sample was taken up, and a block

    def take(content: Any, frames: int, times: Any, status: Any) -> None:
        del status
        age = (times.currentTime - times.inputBufferAdcTime) * SECOND
        samples = (np.frombuffer(content, "<i2") / 32768).astype(np.float32)
        start = time.monotonic_ns() - round(age if 0 < age < SECOND else frames * SECOND / RATE)
        heard.append((start, samples))

    library = _library()
    try:
        with library.RawInputStream(
            samplerate=RATE, blocksize=BLOCK, channels=1, dtype="int16", latency=LATENCY_S,
            device=microphone or None, callback=take,
        ):  # fmt: skip
            planned = _ticking(library, device, lambda: time.sleep(STEP_S))
    except (library.PortAudioError, ValueError) as fault:
        raise VoiceError(
            f"no microphone or speaker ({fault}): plug them in, or use `companion voice --tap`"
        ) from fault
    return _judged(offset(planned, recorded(heard)), "turn the speaker up, put the microphone beside it")


def recorded(blocks: Sequence[tuple[int, Samples]]) -> tuple[int, ...]:
    """The moments (ns) of the onsets in blocks, each given with the moment of its first sample."""
    if not blocks:
        return ()
    lengths = np.cumsum([0, *(len(samples) for _, samples in blocks)])
    starts = [start - int(at) * SECOND / RATE for (start, _), at in zip(blocks, lengths, strict=False)]
    origin = float(np.median(starts))  # one clock for the whole recording: single blocks come late
    whole = np.concatenate([samples for _, samples in blocks])
    floor = max(0.01, 0.25 * float(np.abs(whole).max(initial=0.0)))
    return tuple(round(origin + int(at) * SECOND / RATE) for at in onsets(whole, floor))


def by_tapping(device: str = "", tap: Tap | None = None) -> Offset:
    """A person taps along with the ticks; how much later they are heard than the device says, in ns."""
    taps: list[int] = []

    def one() -> None:
        (tap or _enter)()
        taps.append(time.monotonic_ns())

    library = _library()
    try:
        planned = _ticking(library, device, one)
    except (library.PortAudioError, ValueError) as fault:
        raise VoiceError(f"no speaker ({fault}): plug one in, or name it with --device") from fault
    return _judged(offset(planned, taps[4:]), "tap in time with every tick, from the first on")


def _judged(found: Offset | None, remedy: str) -> Offset:
    if found is None:
        raise VoiceError(f"the ticks were not made out: {remedy}, and try again")
    return found


def _ticking(library: Any, device: str, between: Callable[[], None]) -> tuple[int, ...]:
    """Play ticks at even steps while `between` is done as often; their planned moments, ns."""
    stage = Stage(0, lambda _: None)
    before = os.sched_getscheduler(0), os.sched_getparam(0)
    urgent()
    try:
        return _ticked(library, device, stage, between)
    finally:
        with suppress(OSError):
            os.sched_setscheduler(0, *before)


def _ticked(library: Any, device: str, stage: Stage, between: Callable[[], None]) -> tuple[int, ...]:
    with sounding(library, stage, device, lambda: None):
        time.sleep(WARM_S)
        first = time.monotonic_ns() + SECOND // 2
        planned = tuple(first + round(number * STEP_S * SECOND) for number in range(TICKS))
        stage.sound([(moment, tick()) for moment in planned])
        for _ in planned:
            between()
        time.sleep(max(0.0, (planned[-1] - time.monotonic_ns()) / SECOND) + 1.0)
    return planned


def _enter() -> None:
    if not sys.stdin.readline():
        raise VoiceError("tapping needs a keyboard: press Enter with each tick")


def _library() -> Any:
    try:
        import sounddevice  # noqa: PLC0415  # needs PortAudio, which a bare machine lacks
    except (ImportError, OSError) as fault:
        raise VoiceError(f"{fault}: `sudo apt install libportaudio2`") from fault
    return sounddevice
