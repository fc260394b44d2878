"""The voice's own process: one stream held open, fed by the mixing desk. `python -m companion.edges.voice.stream`.

A process of its own, because a block of sound is due every 2.5 ms, while the table's process reads pictures; and
because a sound library that hangs when a device is pulled out must never take a game with it. It ends when
the device is gone or its orders end; the table starts it anew.
"""

from __future__ import annotations

import argparse
import gc
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, BinaryIO

from companion.edges.voice.store import Store
from companion.sound.clips import RATE, Clip, Samples, pcm
from companion.sound.desk import Beat, Desk
from companion.sound.heard import BLOCK, Heard
from companion.wire import voice_line as line

SECOND = 1_000_000_000
LATENCY_S = 0.01  # asked of the device: a machine that stands still for longer is heard to
GONE_S = 2.5  # so long without a block wanted: the device is gone (a null sink stands still for 2 s at first)
REPORT_S = 0.25
SETTLED = RATE  # samples: what a stream stutters before is its beginning
Done = Callable[[], None]


class Clips:
    """All clips at hand, by language and words. Asked by the thread that reads orders."""

    def __init__(self) -> None:
        """Nothing yet."""
        self._stores: dict[str, Store] = {}

    def load(self, folder: str, lang: str, words: tuple[str, ...]) -> None:
        """Read an index anew, and the clips of these words."""
        store = Store(Path(folder), lang)
        store.warm()
        for each in words:
            store.find(each)
        self._stores[lang] = store

    def find(self, lang: str, words: str) -> Clip | None:
        """A clip, or None."""
        store = self._stores.get(lang)
        return store.find(words) if store is not None else None


class Stage:
    """Orders in, blocks out: the desk between two threads."""

    def __init__(self, delay: int, report: Callable[[line.Report], None], pauses: float = 1.0) -> None:
        """`delay` as for Heard; `report` tells the table; pauses between words are so many times as long."""
        self.clips, self.heard, self.stutters, self.asked = Clips(), Heard(delay), 0, 0
        self.desk = Desk(self.clips.find, pauses=pauses)
        self._begins, self._ends = 0, 0  # when the newest count is to begin and to end, monotonic ns
        self._report = report
        self._ready: SimpleQueue[Done] = SimpleQueue()

    def obey(self, order: line.Order) -> None:
        """Prepare an order here; the stream's thread carries it out at its next block."""
        desk = self.desk
        match order:
            case line.Load():
                self.clips.load(order.folder, order.lang, order.words)
            case line.Say():
                spoken = desk.spoken(order.parts, order.lang, order.lane)
                if spoken.missing:
                    self._report(line.Lacks(order.lang, spoken.missing))
                self._ready.put(lambda: desk.say(spoken))
            case line.Count():
                beats = desk.beats(order.beats, order.lang, order.seconds)
                self._ready.put(lambda: self._count(beats, order.start, order.seconds))
            case line.Chime():
                self._ready.put(lambda: desk.chime(order.seat))
            case line.Tune():
                self._ready.put(lambda: desk.tune(order.loud))
            case line.Hush():
                self._ready.put(desk.hush)
            case line.Stop():
                self._ready.put(desk.stop)
            case line.Again():
                self._ready.put(desk.again)

    def sound(self, sounds: Sequence[tuple[int, Samples]]) -> None:
        """Sounds to be heard at moments (monotonic ns), beside everything else."""
        self._ready.put(lambda: self.desk.sound([(self.heard.place(at), each) for at, each in sounds]))

    def block(self, frames: int, now: int, lead: float) -> bytes:
        """The next block: asked for `now`, heard `lead` ns later."""
        self.asked = now
        self.heard.note(self.desk.at, now, lead)
        with suppress(Empty):
            while True:
                self._ready.get_nowait()()
        self._keep_time(now)
        return pcm(self.desk.block(frames))

    def stuttered(self) -> None:
        """The device had nothing to play for a moment."""
        self.stutters += self.desk.at > SETTLED
        self.heard.anew()

    def _count(self, beats: tuple[Beat, ...], start: int, seconds: float) -> None:
        self._begins, self._ends = start, start + round(seconds * SECOND)
        self.desk.count(beats, self.heard.place(start), seconds)

    def _keep_time(self, now: int) -> None:
        """If the device stood still in the middle of a count, the beats to come and its end keep to the clock.

        The table's clock rings at the end of the count whatever is heard: a "LA!" that comes later would be a lie.
        """
        counted = self.desk.counted
        if counted is None:
            return
        if now >= self._ends:  # what is asked for from now on is heard later still
            self.desk.hush()
        elif off := self.heard.drift(self._begins, counted):
            self.desk.shift(off)

    def well(self) -> line.Well:
        """How it is."""
        spare = BLOCK * SECOND // RATE  # an order waits for the next block
        return line.Well(round(self.heard.lead) + self.heard.delay + spare, self.stutters)


def urgent() -> None:
    """Before all other work of this machine, where that is allowed; all threads begun from now on."""
    gc.freeze()  # what is there now stays: to search it for garbage would take longer than a block lasts
    with suppress(OSError, AttributeError):
        os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(5))
        return
    with suppress(OSError):
        os.nice(-10)


@contextmanager
def sounding(
    library: Any, stage: Stage, device: str, lost: Callable[[], None], latency_s: float = LATENCY_S
) -> Iterator[None]:
    """A stream that is fed while this lasts, by a thread of its own; `lost` is called when the device goes.

    It writes and waits, and is not called back: callbacks need memory that a hardened service may not have.
    """
    ended = threading.Event()
    with library.RawOutputStream(
        samplerate=RATE, blocksize=BLOCK, channels=1, dtype="int16", latency=latency_s, device=device or None
    ) as stream:  # fmt: skip
        lead = stream.latency * SECOND

        def feed() -> None:
            try:
                while not ended.is_set():
                    if stream.write(stage.block(BLOCK, time.monotonic_ns(), lead)):
                        stage.stuttered()
            except library.PortAudioError:
                lost()

        thread = threading.Thread(target=feed, name="stream", daemon=True)
        thread.start()
        try:
            yield
        finally:
            ended.set()
            thread.join()


def _gone(report: Callable[[line.Report], None]) -> None:
    """The device is no more: the table starts a new process, which looks for it."""
    report(line.Ill("gone"))
    os._exit(3)  # the library may hang in its own closing


def _watch(stage: Stage, report: Callable[[line.Report], None]) -> None:
    """Tell how it is, as soon as it changes; end the process when the device does not ask any more."""
    told: line.Well | None = None
    while True:
        time.sleep(REPORT_S)
        if time.monotonic_ns() - stage.asked > GONE_S * SECOND:
            _gone(report)
        now = stage.well()
        if told is None or abs(now.delay - told.delay) > 1_000_000 or now.stutters != told.stutters:
            told = now
            report(now)


def serve(
    orders: BinaryIO, reports: BinaryIO, delay: int, device: str, pauses: float, latency_s: float = LATENCY_S
) -> int:
    """Sound until the orders end; the exit status."""
    writing = threading.Lock()

    def report(what: line.Report) -> None:
        with writing, suppress(OSError):
            reports.write(line.line(what))
            reports.flush()

    try:
        import sounddevice  # noqa: PLC0415  # needs PortAudio, which a bare machine lacks
    except (ImportError, OSError) as fault:
        report(line.Ill("library", str(fault)))
        return 2
    stage = Stage(delay, report, pauses)
    urgent()  # the sound library's own threads, too
    try:
        stage.asked = time.monotonic_ns() + 3 * SECOND  # some devices take their time at first
        with sounding(sounddevice, stage, device, lambda: _gone(report), latency_s):
            threading.Thread(target=_watch, args=(stage, report), name="watch", daemon=True).start()
            for content in orders:
                with suppress(line.BadOrder):
                    stage.obey(line.order(content))
            os._exit(0)  # the library may hang in its own closing
    except (sounddevice.PortAudioError, ValueError) as fault:
        report(line.Ill("device", str(fault)))
        return 2


def main() -> int:
    """Read the command line and serve."""
    parser = argparse.ArgumentParser(prog="companion.edges.voice.stream")
    parser.add_argument("--delay-ms", type=float, default=0.0)
    parser.add_argument("--device", default="")
    parser.add_argument("--pauses", type=float, default=1.0)
    parser.add_argument("--buffer-ms", type=float, default=LATENCY_S * 1000)
    given = parser.parse_args()
    sys.setswitchinterval(0.0005)  # the thread that reads orders must not hold a block up
    delay = round(given.delay_ms * 1_000_000)
    return serve(
        sys.stdin.buffer, sys.stdout.buffer, delay, given.device, given.pauses, given.buffer_ms / 1000
    )


if __name__ == "__main__":
    sys.exit(main())
