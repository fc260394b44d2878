"""How well the voice keeps time: real sound through a null sink, its monitor recorded, onsets found by envelope.

While the figures are taken the reader reads pictures at full load in the table's own process, as at a real table.
The delay of the device is calibrated first by what is heard, as `companion voice --calibrate` does.
The whole takes half an hour: `python -m tests.bench voice --only rhythm,answers` takes these of its parts.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import numpy as np

from companion.edges.clocks import MonotonicClocks, brisk
from companion.edges.journal import Journal
from companion.edges.voice import Speaker, Store, Wanted, speaker
from companion.house import House
from companion.shelf import phrases
from companion.sound.clips import RATE, Samples, wav
from companion.sound.envelope import offset, silence_from
from companion.table.cues import Press
from companion.table.events import Event, Move, Opened, Setting
from companion.table.game import Game, Score, Step
from companion.table.session import Box
from companion.table.things import BID, Deck, Player
from companion.vision.read import Reader
from companion.wiring import Fingers
from tests.bench.bench_frames import FAMILY, SIDES, frame
from tests.bench.sound_room import SECOND, Ear, Room, Stalls, first_heard, lacking, until

MS = 1_000_000
COUNTS = (("KO!", "A!", "LA!"), ("Ku!", "Ka!", "König!"))
STEP_S, BETWEEN_S = 0.4, 0.4
WAY = 100 * MS  # what the machine did longer before a sound was heard has nothing to do with it
TONE = "a steady tone"
PLAYERS = (Player("Mia"), Player("Paul"))


@dataclass(frozen=True)
class Size:
    """How long each part is."""

    beats: int
    presses: int
    cuts: int
    tone_s: float
    idle_s: float


FULL = Size(beats=504, presses=120, cuts=40, tone_s=600, idle_s=600)
QUICK = Size(beats=60, presses=30, cuts=10, tone_s=20, idle_s=15)


class Quiet:
    """Lamps, eyes and screens that do nothing."""

    def shine(self, *_: object) -> None:
        """Nothing."""

    blink = beat = watch = show = shine


def bell() -> Game[int]:
    """A made-up game for this bench: every press is right, and answered."""

    def apply(state: int, move: Move) -> Step[int]:
        del move
        return Step(state + 1)

    return Game(
        name="bell", setup=lambda setting, deck: Step(0), apply=apply,
        legal=lambda state: tuple(Press(player, BID, "bid") for player in PLAYERS),
        score=lambda state: Score((), {}, ()), view=lambda state, viewer: {},
    )  # fmt: skip


class Written(Journal):
    """The journal, with how long each event took until it was on disk."""

    took: list[float]

    def append(self, number: int, event: Event) -> None:
        started = time.monotonic()
        super().append(number, event)
        self.__dict__.setdefault("took", []).append((time.monotonic() - started) * 1000)


class Table:
    """A real house on the real clock, a journal on disk, mock pins pressed by a finger, and the real voice."""

    def __init__(self, folder: Path, voice: Speaker) -> None:
        self.house: House
        self._built = threading.Event()
        self.thread = threading.Thread(target=self._work, args=(folder, voice), daemon=True)
        self.thread.start()
        self._built.wait()
        self.fingers = Fingers(PLAYERS, self.house)
        self.fingers.board.start()
        self.house.put(Opened(Setting("bell", PLAYERS, {})))
        until(lambda: self.house.session is not None, "a game")

    def _work(self, folder: Path, voice: Speaker) -> None:
        journal, box, dark = Written(folder / "journal.db"), Box(bell(), Deck("bell", (), ())), Quiet()
        self.journal = journal
        self.house = House(
            {"bell": box}, phrases(), journal, MonotonicClocks(), lamps=dark, voice=voice, eyes=dark, screens=dark
        )  # fmt: skip
        self._built.set()
        brisk()
        self.house.run()
        journal.close()

    def press(self, player: Player) -> int:
        """Press now; when that was, ns."""
        now = time.monotonic_ns()
        self.fingers.press(player, BID, now)
        return now

    def close(self) -> None:
        self.house.stop()
        self.thread.join()
        self.fingers.board.close()


@contextmanager
def reading() -> Iterator[list[int]]:
    """The reader at full load in a thread of this process; how many pictures it has read."""
    picture, _ = frame(list(range(40)), SIDES[0], 1)
    reader, ended, count = Reader(FAMILY, range(1000)), threading.Event(), [0]

    def work() -> None:
        while not ended.is_set():
            reader.read(picture)
            count[0] += 1

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    try:
        yield count
    finally:
        ended.set()
        thread.join()


def clips(folder: Path) -> Wanted:
    """What the bench says, rendered by espeak-ng; and a tone of 20 s by a program of its own."""
    beats = frozenset(beat for count in COUNTS for beat in count)
    Store(folder, "de").render(beats, beats=beats)
    time_ = np.arange(20 * RATE) / RATE
    tone = wav((0.5 * np.sin(2 * np.pi * 500 * time_)).astype(np.float32))
    Store(folder, "de").render((TONE,), speak=lambda words, lang: tone)
    return Wanted((), beats)


class Bench:
    """The room, its voice and its ear."""

    def __init__(self, room: Room, folder: Path, wanted: Wanted) -> None:
        self.room, self.folder, self.wanted = room, folder, wanted
        self.troubles: SimpleQueue[str] = SimpleQueue()
        self.chance = random.Random(7)

    def voice(self, delay_ms: float = 0.0) -> Speaker:
        made = speaker({"de": self.wanted}, folder=self.folder, trouble=self.troubles.put, delay_ms=delay_ms)
        self.sounding(made)
        return made

    def sounding(self, voice: Speaker) -> float:
        """Wait until it sounds; a null sink takes some time at first."""
        took = until(lambda: voice.sounds, "sound")
        time.sleep(3.0)
        return took


def counted(voice: Speaker, number: int) -> list[tuple[str, int]]:
    """Order counts one after the other; each beat with its planned moment."""
    planned: list[tuple[str, int]] = []
    for turn in range(number):
        beats = COUNTS[turn % 2]
        seconds = STEP_S * len(beats)
        start = time.monotonic_ns() + voice.lead() + 5 * MS
        voice.count(beats, start, seconds, "de")
        planned += [(beat, start + round(place * STEP_S * SECOND)) for place, beat in enumerate(beats)]
        time.sleep(seconds + BETWEEN_S)
    return planned


def moments(ear: Ear, planned: list[tuple[str, int]], reach_ms: int = 60) -> list[int | None]:
    """When each planned beat was heard."""
    clock, samples = ear.heard()
    found: list[int | None] = []
    for _, moment in planned:
        at = clock.sample(moment)
        reach = reach_ms * RATE // 1000
        place = first_heard(samples, at - reach, at + 5 * reach)
        found.append(None if place is None else clock.at(place))
    return found


def calibration(bench: Bench) -> float:
    """The delay of this room in ms: what the ear hears of beats, less what was planned."""
    voice, ear = bench.voice(), bench.room.ear()
    planned = counted(voice, 6)
    time.sleep(0.5)
    heard = [moment for moment in moments(ear, planned) if moment is not None]
    found = offset([moment for _, moment in planned], heard)
    ear.close()
    voice.close()
    assert found is not None, "the beats were not heard"
    return found.delay / MS


def rhythm(bench: Bench, voice: Speaker, size: Size, stalls: Stalls) -> list[dict[str, Any]]:
    ear = bench.room.ear()
    planned = counted(voice, size.beats // 3)
    time.sleep(0.5)
    heard = moments(ear, planned)
    ear.close()
    unheard = [place + 1 for place, moment in enumerate(heard) if moment is None]
    if unheard:
        print(f"    not heard: the beats {', '.join(map(str, unheard))}", file=sys.stderr, flush=True)
    errors, uneven, still = [], [], 0
    for first in range(0, len(planned), 3):
        here = [
            (h, p)
            for h, (_, p) in zip(heard[first : first + 3], planned[first : first + 3], strict=True)
            if h
        ]
        errors += [abs(h - p) / MS for h, p in here]
        uneven += [abs((h - here[0][0]) - (p - here[0][1])) / MS for h, p in here[1:]]
        off = [h for h, p in here[1:] if abs((h - here[0][0]) - (p - here[0][1])) > MS / 2]
        still += sum(stalls.between(here[0][1] - WAY, h) for h in off)
    return [
        row("beats heard", len(planned) - len(unheard), "", len(planned), not unheard),
        row("beat error inside a count, p99", float(np.percentile(uneven, 99)), "ms", 0.5),
        row("beat error inside a count, max", max(uneven), "ms", 0.5),
        row("beats more than 0.5 ms off", sum(error > 0.5 for error in uneven), f"of {len(uneven)}", None),
        row("of these, the machine stood still in their count", still, "", None),
        row("audible onset from plan, p95", float(np.percentile(errors, 95)), "ms", 2.0),
        row("audible onset from plan, max", max(errors), "ms", None),
    ]


def stand_still(seconds: float) -> None:
    """Stop the voice's process for so long."""
    ours = ("pgrep", "-P", str(os.getpid()), "-f", "companion.edges.voice.stream")
    voices = [int(pid) for pid in subprocess.run(ours, capture_output=True, check=True).stdout.split()]
    for pid in voices:
        os.kill(pid, signal.SIGSTOP)
    time.sleep(seconds)
    for pid in voices:
        os.kill(pid, signal.SIGCONT)


def held_up(bench: Bench, voice: Speaker, size: Size, _: Stalls) -> list[dict[str, Any]]:
    """The voice's process is stopped between two beats, longer than its device has sound: how late later beats are."""
    ear, planned = bench.room.ear(), []
    for turn in range(size.cuts):
        start = time.monotonic_ns() + voice.lead() + 5 * MS
        voice.count(COUNTS[0], start, 3 * STEP_S, "de")
        planned += [("A!", start + round(STEP_S * SECOND)), ("LA!", start + round(2 * STEP_S * SECOND))]
        time.sleep((start - time.monotonic_ns()) / SECOND + STEP_S / 2)
        stand_still(0.015 + 0.005 * (turn % 8))
        time.sleep(2.5 * STEP_S + BETWEEN_S)
    heard = moments(ear, planned)
    ear.close()
    off = [abs(h - p) / MS for h, (_, p) in zip(heard, planned, strict=True) if h is not None]
    return [
        row(
            "beats heard after their voice stood still for 15 to 50 ms",
            len(off),
            "",
            len(planned),
            len(off) == len(planned),
        ),
        row("beat off the clock after that, median", float(np.median(off)), "ms", None),
        row("beat off the clock after that, p95", float(np.percentile(off, 95)), "ms", 2.0),
    ]


def pressed(bench: Bench, table: Table, number: int) -> list[tuple[str, int]]:
    """Press at odd moments; each with its moment."""
    out = []
    for turn in range(number):
        time.sleep(0.45 + bench.chance.random() / 3)
        out.append(("chime", table.press(PLAYERS[turn % 2])))
    time.sleep(0.6)
    return out


def late(ear: Ear, presses: list[tuple[str, int]]) -> list[float]:
    """How long after each press its chime was heard, ms."""
    clock, samples = ear.heard()
    out = []
    for _, moment in presses:
        at = clock.sample(moment)
        place = first_heard(samples, at, at + RATE * 2 // 5, 0.2)
        out.append(float("inf") if place is None else (place - at) * 1000 / RATE)
    return out


def in_memory() -> Path:
    """A folder without a disk, where there is one: a shared machine's disk is no part of the voice."""
    return Path(tempfile.mkdtemp(dir="/dev/shm" if Path("/dev/shm").is_dir() else None))


def answers(bench: Bench, table: Table, size: Size, where: str) -> list[dict[str, Any]]:
    ear = bench.room.ear()
    table.journal.took.clear()
    presses = pressed(bench, table, size.presses)
    took = late(ear, presses)
    ear.close()
    written = table.journal.took
    return [
        row(f"its event written down, p95, {where}", float(np.percentile(written, 95)), "ms", None),
        row(f"press to sound, median, {where}", float(np.median(took)), "ms", None),
        row(f"press to sound, p95, {where}", float(np.percentile(took, 95)), "ms", 25.0),
        row(f"press to sound, max, {where}", max(took), "ms", None),
    ]


def cut_off(bench: Bench, voice: Speaker, size: Size, _: Stalls) -> list[dict[str, Any]]:
    ear = bench.room.ear()
    cuts = []
    for _ in range(size.cuts):
        voice.count(COUNTS[0], time.monotonic_ns() + voice.lead(), 3.0, "de")
        time.sleep(2.3 + bench.chance.random() / 5)  # in the middle of LA!
        cuts.append(time.monotonic_ns())
        voice.hush()
        time.sleep(0.4)
    clock, samples = ear.heard()
    ear.close()
    took = []
    for moment in cuts:
        at = clock.sample(moment)
        if float(np.abs(samples[at - RATE // 20 : at]).max()) > 0.05:
            took.append((silence_from(samples[: at + RATE // 4], at) - at) * 1000 / RATE)
    return [
        row("counts heard until they were cut off", len(took), f"of {len(cuts)}", None),
        row("cut-off, median", float(np.median(took)), "ms", None),
        row("cut-off, p95", float(np.percentile(took, 95)), "ms", 20.0),
        row("cut-off, max", max(took), "ms", None),
    ]


def steady(bench: Bench, voice: Speaker, size: Size, stalls: Stalls) -> list[dict[str, Any]]:
    """A tone that never ends: every missing, doubled or silent sample shows in its phase."""
    ear, stutters = bench.room.ear(), voice.stutters
    until_ = time.monotonic() + size.tone_s
    while time.monotonic() < until_:
        voice.stop()
        voice.say((TONE,), "de", "prompt")
        time.sleep(min(20.3, max(3.0, until_ - time.monotonic())))
    voice.stop()
    clock, samples = ear.heard()
    ear.close()
    breaks, whole = broken(samples)
    moments_ = [clock.at(place) for place in breaks]
    still = sum(stalls.between(moment - WAY, moment) for moment in moments_)
    return [
        row("tone heard under load", round(whole / RATE), "s", None),
        row("underruns: breaks of the tone's phase", len(breaks), "", 0),
        row("of these, the machine stood still just before", still, "", None),
        row("underruns: told by the device", voice.stutters - stutters, "", 0),
    ]


def broken(samples: Samples, pitch: int = 500) -> tuple[list[int], int]:
    """Where a tone's phase jumps while it sounds (samples), and how many samples of it there are."""
    width = RATE // 100  # whole periods
    parts = samples[: len(samples) // width * width].reshape(-1, width)
    turn = np.exp(-2j * np.pi * pitch * np.arange(width) / RATE)
    phases = parts @ turn / width
    sounding = np.abs(phases) > 0.8 * np.percentile(np.abs(phases), 90)
    jump = np.abs(np.angle(phases[1:] * np.conj(phases[:-1]))) > 0.05
    places = list(np.flatnonzero(jump & sounding[1:] & sounding[:-1]))
    edges = np.flatnonzero(np.diff(np.concatenate([[0], sounding.astype(np.int8), [0]])))
    # shorter than the pause between two tones: a hole
    places += [end for end, begin in zip(edges[1::2], edges[2::2], strict=False) if begin - end < 15]
    return sorted(int(place) * width for place in places), int(sounding.sum()) * width


def after_idle(bench: Bench, table: Table, size: Size) -> list[dict[str, Any]]:
    ear = bench.room.ear()
    usual = late(ear, pressed(bench, table, 8))
    ear.close()
    time.sleep(size.idle_s)
    ear = bench.room.ear()
    first = late(ear, pressed(bench, table, 1))[0]
    ear.close()
    return [
        row(f"first sound after {size.idle_s:.0f} s idle", first, "ms", round(max(25.0, *usual), 1)),
    ]


def device_loss(bench: Bench) -> list[dict[str, Any]]:
    """Begin without a device; give it; pull it out in the middle of a count; give it back. Presses go on all along."""
    bench.room.shut()
    folder = in_memory()
    started = time.monotonic()
    voice = speaker({"de": bench.wanted}, folder=bench.folder, trouble=bench.troubles.put)
    table = Table(folder, voice)
    began = (time.monotonic() - started) * 1000
    waits: list[float] = []
    told = bench.troubles.get(timeout=20)
    waits += _played(table, 3)
    bench.room.open()
    found = bench.sounding(voice)
    back: list[float] = []
    for _ in range(3):
        voice.count(COUNTS[0], time.monotonic_ns() + voice.lead(), 3.0, "de")
        time.sleep(1.0)
        _drained(bench.troubles)
        bench.room.shut()
        waits += _played(table, 6)
        assert bench.troubles.get(timeout=20)
        bench.room.open()
        back.append(bench.sounding(voice))
        waits += _played(table, 3)
    heard = _heard_again(bench, table)
    table.close()
    voice.close()
    assert told
    return [
        row("game opened without a sound device after", began, "ms", 1000.0),
        row("sound found once there is a device", found, "s", None),
        row("device lost and returned in mid-count, sound back after", max(back), "s", 10.0),
        row("presses answered by a chime after the device's return", heard, "of 5", 5, heard == 5),
        row("longest turn of the game meanwhile", max(waits), "ms", 100.0),
    ]


def _heard_again(bench: Bench, table: Table) -> int:
    ear = bench.room.ear()
    presses = pressed(bench, table, 5)
    heard = sum(took < 400 for took in late(ear, presses))
    ear.close()
    return heard


def _played(table: Table, presses: int) -> list[float]:
    """Press and wait until the game has gone on; how long each turn took, ms."""
    out = []
    for _ in range(presses):
        before, started = table.house.session, time.monotonic()
        table.press(PLAYERS[0])
        until(lambda before=before: table.house.session is not before, "the next turn")  # type: ignore[misc]  # mypy cannot infer a default's lambda
        out.append((time.monotonic() - started) * 1000)
        time.sleep(0.1)
    return out


def _drained(queue: SimpleQueue[str]) -> None:
    while not queue.empty():
        queue.get_nowait()


def row(name: str, value: float, unit: str, goal: float | None, met: bool | None = None) -> dict[str, Any]:
    """A line of the table; met if the value is at most the goal."""
    shown = round(value, 3) if isinstance(value, float) else value
    verdict = met if met is not None or goal is None else value <= goal
    print(f"    {name}: {shown} {unit}", file=sys.stderr, flush=True)  # half an hour is long without a word
    return {"name": name, "value": shown, "unit": unit, "goal": goal, "met": verdict}


PARTS = ("rhythm", "held", "cuts", "steady", "answers", "idle", "loss")


def rows(quick: bool = False, only: str = "") -> list[dict[str, Any]]:
    """All figures, or those of the parts named; a machine without the packages gets none, and is told which."""
    if lacking():
        raise SystemExit(lacking())
    chosen = tuple(only.split(",")) if only else PARTS
    if not set(chosen) <= set(PARTS):
        raise SystemExit(f"bench-voice has the parts {', '.join(PARTS)}, not {only!r}")
    size, room = QUICK if quick else FULL, Room()
    os.environ.update(room.environment)
    room.open()
    folder = room.folder / "clips"
    bench = Bench(room, folder, clips(folder))
    out: list[dict[str, Any]] = []
    try:
        delay = calibration(bench)
        out.append(row("delay of this device, calibrated", delay, "ms", None))
        voice = bench.voice(delay)
        table = Table(in_memory(), voice)
        out += under_load(bench, voice, table, size, chosen)
        if "idle" in chosen:
            out += after_idle(bench, table, size)
        table.close()
        voice.close()
        if "loss" in chosen:
            out += device_loss(bench)
    finally:
        room.close()
    return out


def under_load(
    bench: Bench, voice: Speaker, table: Table, size: Size, chosen: tuple[str, ...]
) -> list[dict[str, Any]]:
    """What is measured while the reader reads, and how much it read and the machine stood still meanwhile."""
    out: list[dict[str, Any]] = []
    with reading() as pictures:
        started, stalls = time.monotonic(), Stalls(bench.room.folder)
        for name, part in (("rhythm", rhythm), ("held", held_up), ("cuts", cut_off), ("steady", steady)):
            if name in chosen:
                out += part(bench, voice, size, stalls)
        if "answers" in chosen:
            out += answers(bench, table, size, "journal in memory")
            slow = Table(Path(tempfile.mkdtemp(dir=bench.room.folder)), voice)
            out += answers(bench, slow, size, "journal on this disk")
            slow.close()
        still = stalls.close()
        out.append(row("control: the machine stood still for more than 5 ms", len(still), "times", None))
        out.append(row("control: longest of these", max(still, default=0.0), "ms", None))
        speed = pictures[0] / (time.monotonic() - started)
        out.append(row("load meanwhile: pictures of 40 cards read", speed, "1/s", None))
    return out
