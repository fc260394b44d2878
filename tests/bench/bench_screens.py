"""The screens under load: a class of phones, slow ones among them, a day's worth of events, hostile input.

A real server and a real house in this process, 62 real WebSocket clients in another one; times on one clock. Every
phone takes a seat of its own first; forty of them play Rescue in a classroom, with a sheet that only they see.
"""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import os
import random
import re
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
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
from companion.edges.screen.rights import SEAT, TABLE, Rights
from companion.edges.screen.sockets import Client, Sockets
from companion.edges.voice import Silence
from companion.house import House
from companion.shelf import phrases, shelf
from companion.table.events import Chosen, Event, Opened, Pressed, Setting, Undone
from companion.table.things import Player, Zone

PIN, PHONES, STALLED = "271828", 60, 10
REV = re.compile(rb'"t":"state".*?"rev":(\d+)', re.DOTALL)


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
        self.at, self.steps = 1, (1, 2)

    def begin(self) -> None:
        """A class begins: a teacher and forty children, each with a view of his own; the other phones look on."""
        names = tuple(Player(f"P{number}") for number in range(41))
        self._do(Opened(Setting("rescue", names, {"classroom": True}, 1)))
        first = self.house.session
        assert first is not None
        self._do(Chosen(names[0], "die", "5"))
        self.steps = (first.last, first.last + 1)

    def _do(self, event: Event) -> None:
        done = threading.Event()
        self.house.put(event, lambda answer: done.set())
        assert done.wait(20), event

    def turn(self) -> tuple[int, int]:
        """One event, on disk when this returns: its number, and when it was asked for."""
        self.at = 1 - self.at  # back and forth between two steps: always possible
        before = time.monotonic_ns()
        self._do(Undone(self.steps[self.at]))
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
                while True:
                    frame = await line.recv(decode=False)
                    now = time.monotonic_ns()
                    rev = REV.search(
                        frame
                    )  # sixty phones parse at once; this one process must not wait for itself
                    if rev is not None:
                        seen.append((int(rev[1]), now))
                        ready.set()
        except (ConnectionClosed, OSError):
            await asyncio.sleep(0.05)


async def post(address: str, path: str, body: dict[str, str]) -> str:
    """Post, and the cookie that came back."""
    host = address.removeprefix("http://")
    name, _, port = host.partition(":")
    reads, writes = await asyncio.open_connection(name, int(port))
    told = json.dumps(body).encode()
    head = f"POST {path} HTTP/1.1\r\nhost: {host}\r\norigin: {address}\r\ncontent-type: application/json\r\n"
    writes.write(f"{head}content-length: {len(told)}\r\nconnection: close\r\n\r\n".encode() + told)
    answer = (await reads.read()).decode()
    writes.close()
    assert answer.startswith("HTTP/1.1 200"), answer[:200]
    line = next(each for each in answer.split("\r\n") if each.lower().startswith("set-cookie:"))
    return line.partition(":")[2].strip().partition(";")[0]


async def _join(address: str, code: str) -> list[tuple[str, str]]:
    """Sixty phones take their seats at once, an operator enters: where each connects, and with which cookie."""
    base = address.replace("http", "ws") + "/ws?page="
    claims = [post(address, "/j/claim", {"code": code, "name": f"P{number}"}) for number in range(PHONES)]
    *cookies, operator = await asyncio.gather(*claims, post(address, "/op/pin", {"pin": PIN}))
    seats = [(f"{base}seat", cookie) for cookie in cookies]
    return [*seats, (f"{base}table", ""), (f"{base}op", operator)]


async def _phones(pipe: Connection, address: str) -> None:
    """Sixty phones, a table screen and an operator; told by the pipe what to report."""
    code = await asyncio.to_thread(pipe.recv)
    base = address.replace("http", "ws") + "/ws?page="
    started = time.monotonic()
    pages = await _join(address, code)
    seen: list[list[tuple[int, int]]] = [[] for _ in pages]
    ready = [asyncio.Event() for _ in pages]
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


def heard(pipe: Connection) -> Any:
    """What the phones' process answers; it must not be waited for when it is gone."""
    assert pipe.poll(120), "the phones do not answer"
    return pipe.recv()


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
    heard(pipe)
    asked = []
    for _ in range(count):
        asked.append(served.turn())
        time.sleep(0.05)
    time.sleep(0.5)
    pipe.send("seen")
    return delays(asked, heard(pipe))


GOOD = [
    json.dumps({"t": "cmd", "id": "a" * 32, "rev": 3, "do": what, "args": args}).encode()
    for what, args in (
        ("press", {"player": "Mia", "button": "bid"}), ("show", {"zone": "middle", "cards": ["pizza-01"]}),
        ("choose", {"player": "Mia", "cue": "feast", "option": "no"}), ("undo", {"to": 1}),
        ("open", {"game": "koala", "players": ["Mia", "Paul"], "options": {"teams": True}, "seed": 1}),
    )
]  # fmt: skip


def mutated(chance: random.Random) -> bytes:
    """A command with bytes changed, lost and put in."""
    frame = bytearray(chance.choice(GOOD))
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
    return bytes(frame)


def hostile_frames(count: int) -> tuple[int, int]:
    """Crashes and changes of state over mutated commands of a phone that may only watch, and of one with a seat.

    Each frame goes the way of a real one, from the socket's hearing to the house; only the radio is left out, since
    it would end the connection at the twentieth frame of a second. A phone whose frame still means something in
    its own name is no attack: a change is what comes of anything else.
    """
    asked: list[Event] = []
    sockets = Sockets(
        lambda event, reply: asked.append(event), Rights(PIN, time.monotonic), lambda: 1, "bench"
    )
    watcher, player = (Client(None, role) for role in (TABLE, f"{SEAT}Mia"))  # type: ignore[arg-type]  # nothing is sent
    chance, crashes = random.Random(1), 0

    async def hear() -> None:
        nonlocal crashes
        for number in range(count):
            client = watcher if number % 2 else player
            try:
                sockets._hear(client, mutated(chance))
            except Exception:  # what is counted here
                crashes += 1

    asyncio.run(hear())
    own = sum(isinstance(event, Pressed | Chosen) and event.player == "Mia" for event in asked)
    return crashes, len(asked) - own


@contextmanager
def unheard() -> Iterator[None]:
    """The picture libraries warn of each of thousands of broken files, past Python's own stderr."""
    kept, nowhere = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)


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
        joined = heard(ours)
        served.begin()
        calm = _paced(served, ours, 200)
        before_stall = memory_mb()
        ours.send("stall")
        heard(ours)
        with_stalled = _paced(served, ours, 200)
        stall_growth = memory_mb() - before_stall
        before = memory_mb()
        for number in range(events):
            served.turn()
            if number % (events // drops) == 0:
                ours.send("drop")
                heard(ours)
            if number % 500 == 0:
                ours.send("seen")
                heard(ours)
        growth = memory_mb() - before
        ours.send("stop")
        other.join(10)
        served.close()
        frames, pictures = 200_000 // share, 20_000 // share
        with unheard():
            crashed = hostile_frames(frames), hostile_pictures(pictures, folder)

    def row(name: str, value: float, unit: str, goal: float | None, met: bool | None) -> dict[str, Any]:
        return {"name": name, "value": value, "unit": unit, "goal": goal, "met": met}

    return [
        row(f"{PHONES} phones, a table, an operator: seated, with their view", round(joined, 2), "s", 2, joined <= 2),
        row("event to all screens, p50", percentile(calm, 0.5), "ms", 20, percentile(calm, 0.5) <= 20),
        row("event to all screens, p99", percentile(calm, 0.99), "ms", 100, percentile(calm, 0.99) <= 100),
        row(f"with {STALLED} stalled screens, p99 of the others", percentile(with_stalled, 0.99), "ms", 150,
            percentile(with_stalled, 0.99) <= 150),
        row(f"memory for {STALLED} stalled screens", round(stall_growth, 1), "MB", 2, stall_growth <= 2),
        row(f"memory growth, {events} events, {drops} reconnects", round(growth, 1), "MB", 10, growth <= 10),
        row(f"crashes in {frames} hostile frames", crashed[0][0], "", 0, crashed[0][0] == 0),
        row("changes of state by them", crashed[0][1], "", 0, crashed[0][1] == 0),
        row(f"crashes in {pictures} hostile pictures", crashed[1], "", 0, crashed[1] == 0),
    ]  # fmt: skip
