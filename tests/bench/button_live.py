"""Boxes on ptys in real time, while another process reads camera pictures as fast as it can."""

from __future__ import annotations

import os
import pty
import resource
import subprocess
import sys
import tempfile
import threading
import time
import tty
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from random import Random

from companion.edges.boxes import Boxes, Key
from companion.edges.gpio import Board, ButtonPin
from companion.edges.mock_pins import MockPins
from companion.sim.boxes import MS, VirtualBox
from companion.table import photo_finish
from companion.table.photo_finish import Closed, Gone, PhotoFinish, Press
from companion.table.things import BID, Player

SECOND = 1_000 * MS
READER = """
import numpy as np
from companion.edges.camera import FAMILY
from companion.vision.read import Reader
reader = Reader(FAMILY, frozenset(range(200)), (12.0, 34.0))
frame = np.random.default_rng(1).integers(0, 255, (1080, 1920), dtype=np.uint8)
while True:
    reader.read(frame)
"""


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


class Room:
    """Three plugs, their boxes' edge, a pin, and a photo finish in the calling thread."""

    def __init__(self, plugs: int) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.plugs = [Plug(Path(self.folder.name), number) for number in range(plugs)]
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

    def close(self) -> None:
        self.boxes.close()
        self._stopped.set()
        self._pump.join()
        for plug in self.plugs:
            if plug.master >= 0:
                plug.pull()
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
        return "at ordinary priority"
    resource.setrlimit(resource.RLIMIT_RTTIME, (2_000_000, 3_000_000))  # a fault must not freeze the machine
    return "this process at real-time priority, since the machine is shared"


def decisions(presses: int) -> tuple[list[int], list[int], list[int], str]:
    """(pin only, with boxes, press to lamp), ns each, while a reader works at ordinary priority; and how it ran."""
    reader = subprocess.Popen([sys.executable, "-c", READER])
    try:
        how = real_time()
        alone = _timed(0, presses)[0]
        both, lamps = _timed(3, presses)
    finally:
        reader.kill()
        reader.wait()
    return alone, both, lamps, how


def _timed(plugs: int, presses: int) -> tuple[list[int], list[int]]:
    room, luck, waits, lamps = Room(plugs), Random(7), list[int](), list[int]()
    room.wait(lambda: len(room.boxes.here()) == plugs and len(room.finish.until) == plugs)
    end = time.monotonic_ns() + (2 * SECOND if plugs else 0)
    room.wait(lambda: time.monotonic_ns() > end)
    for _ in range(presses):
        time.sleep(luck.uniform(0.03, 0.05))
        while not room.queue.empty():
            room.take(0)
        if plugs and luck.random() < 0.75:
            plug = luck.choice(room.plugs)
            plug.lit_at = 0
            at = plug.level(True)
            waits.append(room.decided() - at)
            room.boxes.blink(Player(plug.board.hex()), "seen")
            room.wait(lambda plug=plug: plug.lit_at > 0)
            lamps.append(plug.lit_at - at)
            time.sleep(0.015)
            plug.level(False)
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
