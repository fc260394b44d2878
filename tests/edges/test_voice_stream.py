"""The voice's process places sounds by the monotonic clock, whatever the device's answers wobble by."""

from __future__ import annotations

import io
import random
import sys
import threading
import types
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from companion.edges.voice import Store, stream
from companion.edges.voice.calibrate import recorded
from companion.edges.voice.stream import Stage, serve, sounding
from companion.sound.chimes import tick
from companion.sound.clips import RATE, Samples
from companion.sound.envelope import onsets
from companion.sound.heard import BLOCK
from companion.wire import voice_line as line

SECOND = 1_000_000_000
MS = 1_000_000
STEP = BLOCK * SECOND // RATE


def block(stage: Stage, now: int, lead: int) -> Samples:
    return (np.frombuffer(stage.block(BLOCK, now, lead), "<i2") / 32767).astype(np.float32)


class Device:
    """A sound card in virtual time: asks for blocks, for several at once where it likes; its answers wobble."""

    def __init__(self, stage: Stage, wobble: int = 0, holds: int = 10 * MS, burst: int = 1) -> None:
        self.stage, self.now, self.wobble, self.holds, self.burst = stage, 77 * SECOND, wobble, holds, burst
        self.chance = random.Random(5)
        self.start = self.now + holds  # when its first sample is heard
        self.samples: list[Samples] = []
        self.stalls: list[tuple[int, int]] = []

    def run(self, seconds: float) -> None:
        for number in range(round(seconds * RATE / BLOCK)):
            at = sum(map(len, self.samples))
            truth = self.start + at * SECOND // RATE - self.now
            late = self.chance.randrange(-self.wobble, self.wobble + 1) if self.wobble else 0
            asked = self.now - number % self.burst * STEP
            self.samples.append(block(self.stage, asked, truth + late))
            self.now += STEP

    def stall(self, length: int, told: bool) -> None:
        """Stand still so many ns longer than there was to play; then be filled at once, and go on."""
        if told:
            self.stage.stuttered()
        self.now += length + self.holds
        for _ in range(self.holds // STEP):
            self.samples.append(block(self.stage, self.now, self.holds))
        self.start += length
        self.stalls.append((sum(map(len, self.samples)) - self.holds * RATE // SECOND, length))
        self.now += STEP

    def heard(self) -> list[int]:
        """When each sound was heard, ns."""
        whole = np.concatenate(self.samples)
        return [self.moment(int(at)) for at in onsets(whole)]

    def moment(self, at: int) -> int:
        """When a sample was heard, ns."""
        later = sum(length for place, length in self.stalls if place > at)
        return self.start - later + at * SECOND // RATE


def counted(device: Device, clips: str, seconds: float) -> int:
    """Order a count from a device that has come to rest; when it begins, ns."""
    device.stage.obey(line.Load(clips, "de", ("KO!", "A!", "LA!")))
    device.run(2)
    start = device.now + 300 * MS
    device.stage.obey(line.Count(("KO!", "A!", "LA!"), start, seconds, "de"))
    return start


@pytest.fixture
def clips(tmp_path: Path, spoken_wav: bytes) -> str:
    Store(tmp_path, "de").render(("KO!", "A!", "LA!", "Mia", "führt"), speak=lambda words, lang: spoken_wav)
    return str(tmp_path)


@pytest.mark.parametrize(("wobble", "allowed"), [(0, 30_000), (3 * MS, MS)])
@pytest.mark.parametrize("delay", [0, 180 * MS])
def test_beats_are_heard_when_planned_though_the_device_wobbles(
    clips: str, wobble: int, allowed: int, delay: int
) -> None:
    device = Device(Stage(delay, lambda _: None), wobble)
    start = counted(device, clips, 1.5)
    device.run(3)
    for number, moment in enumerate(device.heard()):
        assert abs(moment + delay - (start + number * SECOND // 2)) < allowed
    first, second, third = device.heard()
    assert abs(third - second - SECOND // 2) < 30_000 and abs(second - first - SECOND // 2) < 30_000


@pytest.mark.parametrize("told", [True, False])
@pytest.mark.parametrize("length", [6 * MS, 60 * MS, 300 * MS])
@pytest.mark.parametrize("after", [0.2, 0.55, 0.9, 1.35])
def test_a_device_that_stands_still_in_a_count_puts_neither_later_beats_nor_its_end_off(
    clips: str, length: int, after: float, told: bool
) -> None:
    device = Device(Stage(0, lambda _: None))
    start = counted(device, clips, 1.5)
    device.run(0.3 + after)
    stalled = device.now
    device.stall(length, told)
    device.run(3)
    heard, known = device.heard(), stalled + length + (60 if told else 200) * MS
    for number in range(3):
        planned = start + number * SECOND // 2
        if not stalled - 10 * MS < planned < known:
            assert any(abs(moment - planned) < MS // 2 for moment in heard), f"beat {number}"
    whole = np.concatenate(device.samples)
    end = device.moment(int(np.flatnonzero(np.abs(whole) > 0.01)[-1]))
    assert end < max(start + 1500 * MS, known) + 3 * MS


@pytest.mark.parametrize("told", [True, False])
@pytest.mark.parametrize("holds", [50 * MS, 200 * MS])
def test_a_device_that_holds_more_is_full_again_before_it_is_believed(
    clips: str, holds: int, told: bool
) -> None:
    device = Device(Stage(0, lambda _: None), holds=holds)
    start = counted(device, clips, 2.1)
    device.run(0.4)
    device.stall(60 * MS, told)
    device.run(4)
    assert [round((moment - start) / MS) for moment in device.heard()] == [0, 700, 1400]
    end = device.moment(int(np.flatnonzero(np.abs(np.concatenate(device.samples)) > 0.01)[-1]))
    assert 2000 * MS < end - start <= 2100 * MS


@pytest.mark.parametrize("told", [True, False])
@pytest.mark.parametrize("holds", [10 * MS, 200 * MS])
def test_of_a_count_that_ended_while_the_device_stood_still_nothing_is_heard_later(
    clips: str, holds: int, told: bool
) -> None:
    device = Device(Stage(0, lambda _: None), holds=holds)
    counted(device, clips, 1.5)
    device.run(0.4)
    at = sum(map(len, device.samples))
    device.stall(2 * SECOND, told)
    device.run(3)
    assert not np.concatenate(device.samples)[at + BLOCK :].any()


def test_a_count_ordered_right_after_a_long_gap_is_whole(clips: str) -> None:
    stage = Stage(0, lambda _: None)
    device = Device(stage)
    stage.obey(line.Load(clips, "de", ("KO!", "A!", "LA!")))
    device.run(2)
    device.stall(2 * SECOND, told=True)
    start = device.now + stage.well().delay + 15 * MS
    stage.obey(line.Count(("KO!", "A!", "LA!"), start, 1.5, "de"))
    device.run(2)
    assert [round((moment - start) / MS) for moment in device.heard()] == [0, 500, 1000]


@pytest.mark.parametrize(("holds", "burst"), [(20 * MS, 4), (50 * MS, 10), (200 * MS, 20), (200 * MS, 40)])
@pytest.mark.parametrize("settled", [0.3, 1.1, 3])
def test_beats_stay_even_on_a_device_that_asks_for_many_blocks_at_once(
    clips: str, holds: int, burst: int, settled: float
) -> None:
    stage = Stage(0, lambda _: None)
    device = Device(stage, holds=holds, burst=burst)
    stage.obey(line.Load(clips, "de", ("KO!", "A!", "LA!")))
    device.run(max(settled, 2 * holds / SECOND))
    start = device.now + 300 * MS
    stage.obey(line.Count(("KO!", "A!", "LA!"), start, 1.5, "de"))
    device.run(3)
    first, second, third = device.heard()
    assert abs(third - second - SECOND // 2) < MS // 10 and abs(second - first - SECOND // 2) < 5 * MS
    end = device.moment(int(np.flatnonzero(np.abs(np.concatenate(device.samples)) > 0.01)[-1]))
    assert 480 * MS < end - third <= 505 * MS


def test_each_order_is_obeyed_and_missing_words_are_reported(clips: str) -> None:
    reports: list[line.Report] = []
    stage = Stage(0, reports.append)
    device = Device(stage)
    stage.obey(line.Load(clips, "de", ()))
    stage.obey(line.Say(("Mia", " führt ", "Zoé"), "de", "prompt"))
    device.run(2)
    assert reports == [line.Lacks("de", ("Zoé",))] and len(device.heard()) == 1
    stage.obey(line.Again())
    device.run(2)
    assert len(device.heard()) == 2
    for order in (line.Tune({"chime": 0.0}), line.Chime(0), line.Tune({"chime": 0.5}), line.Chime(0)):
        stage.obey(order)
    device.run(1)
    assert len(device.heard()) == 3
    stage.obey(line.Count(("KO!", "A!", "LA!"), device.now + 100 * MS, 3.0, "de"))
    device.run(0.5)
    stage.obey(line.Hush())
    device.run(4)
    assert len(device.heard()) == 4
    stage.obey(line.Say(("Mia",), "de", "prompt"))
    stage.obey(line.Stop())
    device.run(1)
    assert len(device.heard()) == 4


def test_an_unknown_language_is_silence_and_a_report() -> None:
    reports: list[line.Report] = []
    stage = Stage(0, reports.append)
    stage.obey(line.Say(("Mia",), "fr", "prompt"))
    assert reports == [line.Lacks("fr", ("Mia",))]


def test_the_way_to_the_ear_is_what_the_device_says_and_what_was_measured() -> None:
    stage = Stage(40 * MS, lambda _: None)
    Device(stage).run(1)
    assert 50 * MS <= stage.well().delay <= 60 * MS


def library(**parts: Any) -> types.ModuleType:
    """A stand-in for the sound library."""
    made = types.ModuleType("sounddevice")
    made.PortAudioError = type("PortAudioError", (Exception,), {})  # type: ignore[attr-defined]  # as it is called there
    for name, part in parts.items():
        setattr(made, name, part)
    return made


def served(orders: bytes = b"") -> tuple[int, line.Report]:
    out = io.BytesIO()
    status = serve(io.BytesIO(orders), out, 0, "", 1.0)
    return status, line.report(out.getvalue().splitlines()[0])


def test_without_portaudio_the_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sounddevice", None)
    status, report = served()
    assert status == 2 and isinstance(report, line.Ill) and report.why == "library"


def test_without_a_device_the_remedy_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    fake = library()

    def none(**_: Any) -> None:
        raise fake.PortAudioError("Error querying device -1")

    monkeypatch.setattr(stream, "urgent", lambda: None)
    fake.RawOutputStream = none  # type: ignore[attr-defined]  # as it is called there
    monkeypatch.setitem(sys.modules, "sounddevice", fake)
    status, report = served()
    assert status == 2 and report == line.Ill("device", "Error querying device -1")


class Written:
    """A stream of the library's kind: keeps what is written; breaks after so many blocks."""

    latency = 0.01

    def __init__(self, error: type[Exception], breaks: int | None = None, **given: Any) -> None:
        self.given, self.blocks, self.breaks, self.error = given, [], breaks, error
        self.first = threading.Event()

    def __call__(self, **given: Any) -> Written:
        self.given = given
        return self

    def __enter__(self) -> Written:
        return self

    def __exit__(self, *_: object) -> None:
        """Closed."""

    def write(self, content: bytes) -> bool:
        if self.breaks is not None and len(self.blocks) >= self.breaks:
            raise self.error("gone")
        self.blocks.append(content)
        self.first.set()
        return False


def test_the_stream_is_fed_until_the_orders_end(monkeypatch: pytest.MonkeyPatch) -> None:
    fake = library()
    written = Written(fake.PortAudioError)
    fake.RawOutputStream = written  # type: ignore[attr-defined]  # as it is called there

    class Ended(Exception):
        pass

    def ended(status: int) -> None:
        assert written.first.wait(60)
        raise Ended(status)

    monkeypatch.setitem(sys.modules, "sounddevice", fake)
    monkeypatch.setattr(stream, "_watch", lambda stage, report: None)
    monkeypatch.setattr(stream, "urgent", lambda: None)
    monkeypatch.setattr(stream.os, "_exit", ended)
    with pytest.raises(Ended, match="0"):
        serve(io.BytesIO(b"no order\n" + line.line(line.Chime(0))), io.BytesIO(), 0, "USB", 1.0)
    assert (written.given["samplerate"], written.given["device"]) == (RATE, "USB")
    assert {len(block) for block in written.blocks} == {2 * BLOCK}


def test_a_device_that_breaks_while_it_is_fed_is_told() -> None:
    fake, lost = library(), threading.Event()
    fake.RawOutputStream = Written(fake.PortAudioError, breaks=3)  # type: ignore[attr-defined]  # as it is called there
    with sounding(fake, Stage(0, lambda _: None), "", lost.set):
        assert lost.wait(60)


def test_a_recording_is_put_on_one_clock_though_its_blocks_come_late() -> None:
    sound = np.zeros(4 * RATE, np.float32)
    for at in (RATE, 2 * RATE, 3 * RATE):
        sound[at : at + len(tick())] = tick()
    blocks = [
        (at * SECOND // RATE + at % 7 * 100_000, sound[at : at + BLOCK]) for at in range(0, len(sound), BLOCK)
    ]
    assert [round(moment / MS) for moment in recorded(blocks)] == [1000, 2000, 3000]
    assert recorded([]) == ()
