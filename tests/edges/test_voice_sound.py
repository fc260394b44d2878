"""Real sound through a null sink: beats at their samples, chimes, cuts, a device that goes and comes.

Wide bounds only: how good it is on a quiet machine, `make bench-voice` says. Sound takes its time, so these tests
wait for it as no others do.
"""

from __future__ import annotations

import ctypes
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from queue import SimpleQueue

import numpy as np
import pytest

from companion.edges.voice import Speaker, Store, Wanted, calibrate, speaker
from companion.edges.voice.calibrate import by_microphone
from companion.sound.clips import RATE
from companion.sound.envelope import onsets
from tests.bench.sound_room import SECOND, Room, first_heard, lacking, until

pytestmark = pytest.mark.skipif(bool(lacking()) and "CI" not in os.environ, reason=lacking() or "can run")
BEATS = ("KO!", "A!", "LA!")


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Room]:
    assert not lacking(), lacking()  # in CI a missing package is a failure
    made = Room()
    patch = pytest.MonkeyPatch()
    for name, text in made.environment.items():
        patch.setenv(name, text)
    Store(made.folder / "clips", "de").render(BEATS, beats=frozenset(BEATS))
    made.open()
    yield made
    patch.undo()
    made.close()


class Sounding:
    """A voice that sounds in the room."""

    def __init__(self, room: Room) -> None:
        self.troubles: SimpleQueue[str] = SimpleQueue()
        wanted = {"de": Wanted((), frozenset(BEATS))}
        self.speaker: Speaker = speaker(wanted, folder=room.folder / "clips", trouble=self.troubles.put)
        until(lambda: self.speaker.sounds, "sound")
        time.sleep(2.5)  # a null sink stands still at first

    def count(self, seconds: float) -> int:
        """Order a count; its planned start."""
        start = time.monotonic_ns() + self.speaker.lead() + SECOND // 5
        self.speaker.count(BEATS, start, seconds, "de")
        return start


@pytest.fixture(scope="module")
def voice(room: Room) -> Iterator[Sounding]:
    made = Sounding(room)
    yield made
    made.speaker.close()


def steps(room: Room, voice: Sounding) -> tuple[list[int], int] | None:
    """The steps between the beats of a count as heard, in samples, and how far the first was from its plan in ns."""
    ear = room.ear()
    start = voice.count(1.5)
    time.sleep(2.5)
    clock, samples = ear.heard()
    ear.close()
    heard = []
    for number in range(3):
        at = clock.sample(start + number * SECOND // 2)
        heard.append(first_heard(samples, at - RATE // 25, at + RATE // 4))
    if None in heard:
        return None
    first, second, third = (at or 0 for at in heard)
    return [second - first, third - second], clock.at(first) - start


def test_beats_are_heard_at_even_steps_and_near_their_plan(room: Room, voice: Sounding) -> None:
    for _ in range(6):  # a machine that is busy with something else may starve the stream now and then
        found = steps(room, voice)
        if found is not None and all(abs(step - RATE // 2) <= RATE // 2000 for step in found[0]):
            break
    assert found is not None and max(abs(step - RATE // 2) for step in found[0]) <= RATE // 2000  # 0.5 ms
    assert abs(found[1]) < SECOND // 25


def test_a_chime_is_heard_and_a_count_cut_off(room: Room, voice: Sounding) -> None:
    ear = room.ear()
    voice.speaker.chime(0)
    time.sleep(0.7)
    voice.count(6.0)
    time.sleep(1.2)
    voice.speaker.hush()
    time.sleep(1.0)
    _, samples = ear.heard()
    ear.close()
    assert len(onsets(samples)) >= 2
    assert float(np.abs(samples[-RATE // 2 :]).max()) < 0.01


def test_the_delay_can_be_measured_by_what_is_heard(
    room: Room, voice: Sounding, monkeypatch: pytest.MonkeyPatch
) -> None:
    del voice  # the same room, another stream
    monkeypatch.setattr(calibrate, "TICKS", 6)
    found = by_microphone()
    assert found.heard >= 4 and abs(found.delay) < SECOND // 10


def test_a_device_that_is_pulled_out_in_a_count_comes_back(room: Room, voice: Sounding) -> None:
    voice.count(6.0)
    time.sleep(0.5)
    room.shut()
    assert "das Tongerät ist weg" in voice.troubles.get(timeout=60)
    voice.count(1.2)  # nobody waits for it
    room.open()
    until(lambda: voice.speaker.sounds, "sound", 60)
    time.sleep(2.5)
    ear = room.ear()
    voice.speaker.chime(1)
    time.sleep(1.0)
    _, samples = ear.heard()
    ear.close()
    assert len(onsets(samples)) >= 1


def test_a_table_that_begins_without_a_device_finds_it_later(tmp_path: Path, room: Room) -> None:
    room.shut()
    troubles: SimpleQueue[str] = SimpleQueue()
    late = speaker({}, folder=tmp_path, trouble=troubles.put)
    assert "no voice, captions only" in troubles.get(timeout=60)
    room.open()
    until(lambda: late.sounds, "sound", 60)
    assert troubles.get(timeout=60) == ""
    late.close()


HARDENED = """
import ctypes, runpy, sys
if ctypes.CDLL(None).prctl(65, 1, 0, 0, 0):  # as MemoryDenyWriteExecute does in the service
    sys.exit("this kernel knows no such thing")
sys.argv[1:] = []
runpy.run_module("companion.edges.voice.stream", run_name="__main__")
"""


@pytest.mark.skipif(
    ctypes.CDLL(None).prctl(66, 0, 0, 0, 0) < 0, reason="a kernel before 6.3 cannot forbid such memory"
)
def test_it_sounds_without_memory_that_is_written_and_run(room: Room, tmp_path: Path) -> None:
    troubles: SimpleQueue[str] = SimpleQueue()
    hardened = Speaker(tmp_path, {}, trouble=troubles.put, command=(sys.executable, "-c", HARDENED))
    until(lambda: hardened.sounds, "sound", 60)
    ear = room.ear()
    time.sleep(2.5)
    hardened.chime(0)
    time.sleep(1.0)
    _, samples = ear.heard()
    ear.close()
    hardened.close()
    assert len(onsets(samples)) >= 1
