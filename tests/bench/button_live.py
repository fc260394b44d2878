"""Boxes on ptys in real time, while a thread of the same process reads pictures of cards as fast as it can.

That is how a table lives: one process with the boxes' thread, the pins' and the camera's. The boxes themselves are
another process, as a box is another machine.
"""

from __future__ import annotations

import os
import pty
import resource
import tempfile
import threading
import time
import tty
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from queue import Empty, SimpleQueue
from random import Random

from companion.edges.boxes import Boxes, Key
from companion.edges.clocks import brisk
from companion.edges.gpio import Board, ButtonPin
from companion.edges.mock_pins import MockPins
from companion.sim.boxes import MS, VirtualBox
from companion.table import photo_finish
from companion.table.photo_finish import Closed, Gone, PhotoFinish, Press
from companion.table.things import BID, Player
from companion.vision.read import Reader
from tests.bench.bench_frames import FAMILY, SIDES, frame

SECOND = 1_000 * MS


class Plug:
    """A virtual box on a pty. `pump` lets it live; the threads of a bench call it."""

    def __init__(self, folder: Path, number: int) -> None:
        self.link, self.board = folder / f"box-{number}", f"bench  {number}".encode()
        self.box = VirtualBox(self.board, time.monotonic_ns(), buttons=1)
        self.lock, self.lit_at = threading.Lock(), 0
        self.master = -1
        self.put_in()

    def put_in(self) -> None:
        self.master, self._far = pty.openpty()
        tty.setraw(self._far)
        os.set_blocking(self.master, False)
        self.box.reboot(time.monotonic_ns(), 0)
        self.link.symlink_to(os.ttyname(self._far))

    def pull(self) -> None:
        self.link.unlink()
        os.close(self.master)
        os.close(self._far)
        self.master = -1

    def pump(self) -> None:
        with self.lock:
            if self.master < 0:
                return
            now = time.monotonic_ns()
            with suppress(BlockingIOError):
                self.box.received(os.read(self.master, 4096), now)
            self.box.tick(now)
            if self.box.outgoing:
                os.write(self.master, self.box.outgoing)
                self.box.outgoing = b""
            if self.lit_at == 0 and self.box.lit(0, now):
                self.lit_at = now

    def level(self, closed: bool) -> int:
        with self.lock:
            now = time.monotonic_ns()
            self.box.level(0, now, closed)
        self.pump()
        return now


class Far:
    """Plugs in a process of their own, as boxes have processors of their own."""

    def __init__(self, folder: Path, plugs: int) -> None:
        context = get_context("spawn")
        self._wire, far = context.Pipe()
        self._process = context.Process(target=_boxes, args=(folder, plugs, far), daemon=True)
        self._process.start()
        self.boards: list[bytes] = self._wire.recv()

    def level(self, number: int, closed: bool) -> int:
        """Close or open a box's button; when that was."""
        self._wire.send((number, closed))
        at: int = self._wire.recv()
        return at

    def lit_at(self, number: int) -> int:
        """When this box's lamp went on after its last press; 0: not yet."""
        self._wire.send((number, None))
        at: int = self._wire.recv()
        return at

    def close(self) -> None:
        self._wire.send(None)
        self._process.join()


def _boxes(folder: Path, plugs: int, wire: Connection) -> None:
    real_time()
    here = [Plug(folder, number) for number in range(plugs)]
    wire.send([plug.board for plug in here])
    while True:
        if wire.poll(0.0005):
            word = wire.recv()
            if word is None:
                break
            number, closed = word
            if closed:
                here[number].lit_at = 0
            wire.send(here[number].lit_at if closed is None else here[number].level(closed))
        for plug in here:
            plug.pump()
    for plug in here:
        plug.pull()


class Room:
    """Plugs here or far, their boxes' edge, a pin, and a photo finish in the calling thread."""

    def __init__(self, plugs: int = 0, far: int = 0) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.plugs = [Plug(Path(self.folder.name), number) for number in range(plugs)]
        self.far = Far(Path(self.folder.name), far) if far else None
        self.queue: SimpleQueue[Press | Closed | Gone] = SimpleQueue()
        self.finish, self.pins = PhotoFinish(), MockPins()
        self.boxes = Boxes(
            lambda board, _: (Key(Player(board), BID),), self.queue.put, lambda *_: None,
            ports=[f"{self.folder.name}/box-*"],
        )  # fmt: skip
        self.board = Board(self.pins.factory, [ButtonPin(Player("pin"), BID, 2)], [], self.queue.put)
        self._stopped = threading.Event()
        self._pump = threading.Thread(target=self._pumping, daemon=True)
        self._pump.start()
        self.boxes.start()

    def wait(self, holds: Callable[[], bool], patience: float = 30.0) -> None:
        end = time.monotonic() + patience
        while not holds():
            if time.monotonic() > end:
                raise TimeoutError("a box does not come")
            self.take(MS)

    def take(self, patience: int) -> None:
        """Hear one thing, or wait so long."""
        try:
            word = self.queue.get(timeout=patience / SECOND)
        except Empty:
            return
        if isinstance(word, Press):
            self.finish = photo_finish.heard(self.finish, word)
        elif isinstance(word, Closed):
            self.finish = photo_finish.closed(self.finish, word)
        else:
            self.finish = photo_finish.gone(self.finish, word.source)

    def decided(self) -> int:
        """Wait for the decision on the press that was just made; when it was."""
        asked, end = 0, time.monotonic_ns() + 2 * SECOND
        while (now := time.monotonic_ns()) < end:
            self.finish, verdict = photo_finish.ripe(self.finish, now)
            if verdict.presses:
                return now
            want = photo_finish.wanted(self.finish) or 0
            if want > asked:
                asked = want
                self.boxes.close_to(want)
            ripens = photo_finish.next_ripe(self.finish)
            self.take(min(5 * MS, max(0, ripens - now) if ripens is not None else 5 * MS))
        raise TimeoutError("a press is never decided")

    def lit(self, number: int) -> int:
        """Wait for the lamp of a far plug; when it went on."""
        assert self.far is not None
        far = self.far
        self.wait(lambda: far.lit_at(number) > 0)
        return far.lit_at(number)

    def close(self) -> None:
        self.boxes.close()
        self._stopped.set()
        self._pump.join()
        for plug in self.plugs:
            if plug.master >= 0:
                plug.pull()
        if self.far is not None:
            self.far.close()
        self.board.close()
        self.folder.cleanup()

    def _pumping(self) -> None:
        while not self._stopped.wait(0.0005):
            for plug in self.plugs:
                plug.pump()


def real_time() -> str:
    """Run before the other work of a shared machine, where that is allowed; how it is run in words."""
    try:
        os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(1))
    except (PermissionError, OSError):
        return "all at ordinary priority"
    resource.setrlimit(resource.RLIMIT_RTTIME, (2_000_000, 3_000_000))  # a fault must not freeze the machine
    return "pins, boxes and decision before other work of a shared machine, the reader's thread not"


def at_ease() -> None:
    """Run like any other process again."""
    os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))


@contextmanager
def reading() -> Iterator[None]:
    """A thread of this process reads a table of forty cards without pause."""
    picture, _ = frame(list(range(40)), SIDES[0], 1)
    reader, ended = Reader(FAMILY, range(1000)), threading.Event()

    def work() -> None:
        while not ended.is_set():
            reader.read(picture)

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def decisions(presses: int) -> tuple[list[int], list[int], list[int], str]:
    """(pin only, with boxes, press to lamp), ns each, while a reader works; and how it ran, in words.

    The reader's thread stays at ordinary priority.
    """
    brisk()
    with reading():
        how = real_time()
        try:
            alone = _timed(0, presses)[0]
            both, lamps = _timed(3, presses)
        finally:
            at_ease()
    return alone, both, lamps, how


def _timed(boxes: int, presses: int) -> tuple[list[int], list[int]]:
    room, luck, waits, lamps = Room(far=boxes), Random(7), list[int](), list[int]()
    room.wait(lambda: len(room.boxes.here()) == boxes and len(room.finish.until) == boxes)
    end = time.monotonic_ns() + (2 * SECOND if boxes else 0)
    room.wait(lambda: time.monotonic_ns() > end)
    for _ in range(presses):
        time.sleep(luck.uniform(0.03, 0.05))
        while not room.queue.empty():
            room.take(0)
        if room.far is not None and luck.random() < 0.75:
            far, number = room.far, luck.randrange(boxes)
            at = far.level(number, True)
            waits.append(room.decided() - at)
            room.boxes.blink(Player(far.boards[number].hex()), "seen")
            lamps.append(room.lit(number) - at)
            time.sleep(0.015)
            far.level(number, False)
        else:
            at = time.monotonic_ns()
            room.pins.press(2, at, 10 * MS)
            waits.append(room.decided() - at)
    room.close()
    return sorted(waits), sorted(lamps)


def unplugged(times: int) -> tuple[list[int], list[int], int, int]:
    """(seen after, playable after) ns each, and how many files and threads were left over."""
    room, seen, back = Room(1), list[int](), list[int]()
    plug = room.plugs[0]
    room.wait(lambda: len(room.finish.until) == 1)
    files, threads = len(list(Path("/proc/self/fd").iterdir())), threading.active_count()
    for _ in range(times):
        with plug.lock:
            plug.pull()
        at = time.monotonic_ns()
        room.wait(lambda: not room.finish.until)
        seen.append(time.monotonic_ns() - at)
        with plug.lock:
            plug.put_in()
        at = time.monotonic_ns()
        room.wait(lambda: len(room.finish.until) == 1)
        back.append(time.monotonic_ns() - at)
    left = len(list(Path("/proc/self/fd").iterdir())) - files, threading.active_count() - threads
    room.close()
    return sorted(seen), sorted(back), *left
