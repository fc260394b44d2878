"""The screens under load: a class of phones, slow ones among them, an evening's worth of events, hostile input.

A real server and a real house in this process, 62 real WebSocket clients in another one; times on one clock.
"""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import random
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterable
from multiprocessing.connection import Connection
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import cv2
import numpy as np
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Origin

from companion.edges.archive import Archive
from companion.edges.camera import BadPicture, picture
from companion.edges.clocks import MonotonicClocks
from companion.edges.journal import Journal
from companion.edges.screen import Screen
from companion.edges.voice import Silence
from companion.house import House
from companion.shelf import phrases, shelf
from companion.table.events import Opened, Pressed, Setting, Undone
from companion.table.things import BID, Player, Zone
from companion.wire import screen_message
from companion.wire.screen_message import BadMessage

PIN, PHONES, STALLED = "271828", 60, 10
SECOND = 1_000_000_000


class Dark:
    """No lamps, no eyes."""

    def shine(self, player: Player, look: str) -> None: ...
    def blink(self, player: Player, look: str) -> None: ...
    def beat(self, player: Player, start: int, phases: tuple[int, ...]) -> None: ...
    def watch(self, zones: tuple[Zone, ...], anew: tuple[Zone, ...] = ()) -> None: ...


def memory_mb() -> float:
    """Resident memory of this process."""
    words = Path("/proc/self/status").read_text().split()
    return int(words[words.index("VmRSS:") + 1]) / 1024


class Served:
    """A house and its screens, working in threads."""

    def __init__(self, folder: Path) -> None:
        words, dark = phrases(), Dark()
        self.screen = Screen(
            lambda event, reply: self.house.put(event, reply),  # noqa: PLW0108  # made a moment later
            words, PIN, shelf=shelf(), archive=Archive(None),
        )  # fmt: skip
        self.house = House(
            shelf(), words, Journal(folder / "j.db"), MonotonicClocks(), lamps=dark, voice=Silence(), eyes=dark,
            screens=self.screen,
        )  # fmt: skip
        self.house.resume()
        self.address = f"http://127.0.0.1:{self.screen.serve('127.0.0.1', 0)}"
        self.screen.at(self.address)
        self.thread = threading.Thread(target=self.house.run, daemon=True)
        self.thread.start()
        self.at = 2

    def begin(self) -> None:
        """Open a game in which the first phones play; the others look on."""
        names = tuple(Player(f"P{number}") for number in range(10))
        done = threading.Event()
        self.house.put(Opened(Setting("koala", names, {}, 1)))
        self.house.put(Pressed(names[0], BID, time.monotonic_ns()), lambda answer: done.set())
        assert done.wait(20)

    def turn(self) -> tuple[int, int]:
        """One event, on disk when this returns: its number, and when it was asked for."""
        done = threading.Event()
        self.at = 3 - self.at  # back and forth between two steps: always possible
        before = time.monotonic_ns()
        self.house.put(Undone(self.at), lambda answer: done.set())
        assert done.wait(20)
        assert self.house.session is not None
        return self.house.session.last, before

    def close(self) -> None:
        self.screen.close()
        self.house.stop()
        self.thread.join(10)
        self.house.journal.close()


async def _client(
    url: str, origin: str, seen: list[tuple[int, int]], ready: asyncio.Event, cookie: str
) -> None:
    headers = {"cookie": cookie} if cookie else {}
    while True:
        try:
            async with connect(url, origin=Origin(origin), additional_headers=headers, max_queue=64) as line:
                async for frame in line:
                    now = time.monotonic_ns()
                    told = json.loads(frame)
                    if told["t"] == "state":
                        seen.append((told["rev"], now))
                        ready.set()
        except (ConnectionClosed, OSError):
            await asyncio.sleep(0.05)


def post(address: str, path: str, body: dict[str, str]) -> str:
    """Post, and the cookie that came back."""
    asked = urllib.request.Request(  # our own address
        address + path, json.dumps(body).encode(), {"content-type": "application/json", "origin": address}
    )
    with urllib.request.urlopen(asked, timeout=20) as answer:  # our own address
        return str(answer.headers["set-cookie"] or "").partition(";")[0]


async def _phones(pipe: Connection, address: str) -> None:
    """Sixty phones, a table screen and an operator; told by the pipe what to report."""
    base = address.replace("http", "ws") + "/ws?page="
    pages = [(f"{base}table", "")] * (PHONES + 1) + [
        (f"{base}op", await asyncio.to_thread(post, address, "/op/pin", {"pin": PIN}))
    ]
    seen: list[list[tuple[int, int]]] = [[] for _ in pages]
    ready = [asyncio.Event() for _ in pages]
    started = time.monotonic()
    tasks = [
        asyncio.create_task(_client(url, address, rows, event, cookie))
        for (url, cookie), rows, event in zip(pages, seen, ready, strict=True)
    ]
    await asyncio.gather(*(event.wait() for event in ready))
    pipe.send(time.monotonic() - started)
    stalled: list[ClientConnection] = []
    while True:
        while not pipe.poll():
            await asyncio.sleep(0.01)
        word = pipe.recv()
        if word == "stall":
            for _ in range(STALLED):  # connected, and never read from: their windows fill up
                line = await connect(f"{base}table", origin=Origin(address), max_queue=1)
                line.transport.pause_reading()
                stalled.append(line)
            pipe.send(len(stalled))
        elif word == "seen":
            pipe.send([list(rows) for rows in seen])
            for rows in seen:
                rows.clear()
        elif word == "drop":  # one screen loses its line and comes back
            number = random.randrange(PHONES)
            tasks[number].cancel()
            tasks[number] = asyncio.create_task(
                _client(pages[number][0], address, seen[number], ready[number], pages[number][1])
            )
            pipe.send(number)
        else:
            for task in tasks:
                task.cancel()
            return


def phones(pipe: Connection, address: str) -> None:
    """The other process."""
    asyncio.run(_phones(pipe, address))


def delays(asked: Iterable[tuple[int, int]], seen: list[list[tuple[int, int]]]) -> list[float]:
    """Milliseconds from each event to each screen: the first state of its number or a later one (newest wins)."""
    out = []
    for rev, at in asked:
        for rows in seen:
            arrived = [now for number, now in rows if number >= rev and now >= at]
            if arrived:
                out.append((min(arrived) - at) / 1e6)
    return out


def percentile(values: list[float], share: float) -> float:
    ordered = sorted(values)
    return round(ordered[min(len(ordered) - 1, int(share * len(ordered)))], 1)


def _paced(served: Served, pipe: Connection, count: int) -> list[float]:
    """Events at a quick table's pace, and how long each took to each screen."""
    pipe.send("seen")
    pipe.recv()
    asked = []
    for _ in range(count):
        asked.append(served.turn())
        time.sleep(0.05)
    time.sleep(0.5)
    pipe.send("seen")
    return delays(asked, pipe.recv())


def hostile_frames(count: int) -> int:
    """Crashes over mutated commands: anything but a command or BadMessage."""
    chance, crashes = random.Random(1), 0
    good = [
        json.dumps({"t": "cmd", "id": "a" * 32, "rev": 3, "do": what, "args": args}).encode()
        for what, args in (
            ("press", {"player": "Mia", "button": "bid"}), ("show", {"zone": "middle", "cards": ["pizza-01"]}),
            ("choose", {"player": "Mia", "cue": "feast", "option": "no"}), ("undo", {"to": 1}),
            ("open", {"game": "koala", "players": ["Mia", "Paul"], "options": {"teams": True}, "seed": 1}),
        )
    ]  # fmt: skip
    for _ in range(count):
        frame = bytearray(chance.choice(good))
        for _ in range(chance.randrange(1, 6)):
            kind, at = chance.randrange(4), chance.randrange(len(frame) + 1)
            if kind == 0 and at < len(frame):
                frame[at] = chance.randrange(256)
            elif kind == 1:
                del frame[at : at + chance.randrange(20)]
            elif kind == 2:
                frame[at:at] = bytes(chance.randrange(256) for _ in range(chance.randrange(8)))
            else:
                frame[at:at] = chance.choice(
                    (b"[" * 500, b'"' * 3, b"1e999", b"\\ud800", b"9" * 40, b"null", b"{}")
                )
        try:
            screen_message.command(bytes(frame)).event(1)
        except BadMessage:
            pass
        except Exception:  # what is counted here
            crashes += 1
    return crashes


def hostile_pictures(count: int, folder: Path) -> int:
    """Crashes over mutated PNG and JPEG files."""
    chance, crashes = random.Random(2), 0
    drawn = np.random.default_rng(3).integers(0, 255, (40, 60), np.uint8)
    good = [bytes(cv2.imencode(kind, drawn)[1]) for kind in (".png", ".jpg")]
    path = folder / "hostile"
    for _ in range(count):
        content = bytearray(chance.choice(good))
        for _ in range(chance.randrange(1, 9)):
            at = chance.randrange(len(content))
            if chance.random() < 0.2:
                del content[at:]
                content += b"\0"
            else:
                content[at] = chance.randrange(256)
        path.write_bytes(content)
        try:
            picture(path)
        except BadPicture:
            pass
        except Exception:  # what is counted here
            crashes += 1
    return crashes


def rows(quick: bool = False) -> list[dict[str, Any]]:
    """The table of issue figures; `quick` takes a tenth of the long counts."""
    share = 10 if quick else 1
    events, drops = 43_200 // share, 1_000 // share
    with TemporaryDirectory() as name:
        folder = Path(name)
        served = Served(folder)
        ours, theirs = multiprocessing.get_context("spawn").Pipe()
        other = multiprocessing.get_context("spawn").Process(
            target=phones, args=(theirs, served.address), daemon=True
        )
        other.start()
        ours.send(served.screen.code)
        joined = ours.recv()
        served.begin()
        calm = _paced(served, ours, 200)
        before_stall = memory_mb()
        ours.send("stall")
        ours.recv()
        with_stalled = _paced(served, ours, 200)
        stall_growth = memory_mb() - before_stall
        before = memory_mb()
        for number in range(events):
            served.turn()
            if number % (events // drops) == 0:
                ours.send("drop")
                ours.recv()
            if number % 500 == 0:
                ours.send("seen")
                ours.recv()
        growth = memory_mb() - before
        ours.send("stop")
        other.join(10)
        served.close()
        frames, pictures = 200_000 // share, 20_000 // share
        crashed = hostile_frames(frames), hostile_pictures(pictures, folder)

    def row(name: str, value: float, unit: str, goal: float | None, met: bool | None) -> dict[str, Any]:
        return {"name": name, "value": value, "unit": unit, "goal": goal, "met": met}

    return [
        row(f"{PHONES} phones, a table, an operator: all have their view", round(joined, 2), "s", 2, joined <= 2),
        row("event to all screens, p50", percentile(calm, 0.5), "ms", 20, percentile(calm, 0.5) <= 20),
        row("event to all screens, p99", percentile(calm, 0.99), "ms", 100, percentile(calm, 0.99) <= 100),
        row(f"with {STALLED} stalled screens, p99 of the others", percentile(with_stalled, 0.99), "ms", 150,
            percentile(with_stalled, 0.99) <= 150),
        row(f"memory for {STALLED} stalled screens", round(stall_growth, 1), "MB", 2, stall_growth <= 2),
        row(f"memory growth, {events} events, {drops} reconnects", round(growth, 1), "MB", 10, growth <= 10),
        row(f"crashes in {frames} hostile frames", crashed[0], "", 0, crashed[0] == 0),
        row(f"crashes in {pictures} hostile pictures", crashed[1], "", 0, crashed[1] == 0),
    ]  # fmt: skip
