"""Can the device be trusted: the whole service killed at random moments, damaged journals, hostile files, cold starts.

Hangs, crashes in a row, installation and removal are measured in a Debian of its own: make test-deploy.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
import urllib.request
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from companion.config import BadConfig, parse
from companion.edges import journal
from companion.edges.journal import Journal, JournalError
from companion.table.events import Chosen, Opened, Pressed, Rang, Setting, Shown, Undone
from companion.table.events import Clock as ClockName
from companion.table.things import BID, CardId, Player, Zone
from companion.wire import journal_line
from companion.wire.journal_line import BadLine

NAMES = ("Mia", "Paul", "Ada", "Ben")


class Service:
    """`companion run` as a process of its own, with a journal that outlives it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.process: subprocess.Popen[str] | None = None
        self.address = self.pin = ""

    def start(self) -> float:
        """Start it; seconds until it serves."""
        began = time.monotonic()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "companion", "run", "--host", "127.0.0.1", "--port", "0", "--journal",
             str(self.folder / "j.db")],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        )  # fmt: skip
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if line.startswith("Table screen"):
                self.address = line.split()[-1].removesuffix("/table")
            if line.startswith("Operator"):
                self.pin = line.split()[-1]
            if line.startswith("Ctrl-C"):
                break
        with urllib.request.urlopen(f"{self.address}/healthz", timeout=20) as answer:  # our own
            assert answer.status == 200
        return time.monotonic() - began

    def kill(self) -> None:
        """As if the plug were pulled, as far as a process can know."""
        assert self.process is not None
        self.process.send_signal(signal.SIGKILL)
        self.process.communicate(timeout=20)

    def operator(self) -> ClientConnection:
        """The operator's line."""
        asked = urllib.request.Request(  # our own address
            f"{self.address}/op/pin", json.dumps({"pin": self.pin}).encode(),
            {"content-type": "application/json", "origin": self.address},
        )  # fmt: skip
        with urllib.request.urlopen(asked, timeout=20) as answer:  # our own address
            cookie = answer.headers["set-cookie"].partition(";")[0]
        url = self.address.replace("http", "ws") + "/ws?page=op"
        return connect(url, origin=Origin(self.address), additional_headers={"cookie": cookie})


def _state(line: ClientConnection) -> Any:
    while (told := json.loads(line.recv(timeout=20)))["t"] != "state":
        pass
    return told


def _acknowledged(line: ClientConnection, number: int, until: float, chance: random.Random) -> int:
    """Go back and forth until the moment comes; the newest event that was acknowledged."""
    newest, at = _state(line)["rev"], 1
    told_open = newest > 0
    while time.monotonic() < until:
        if not told_open:
            what, args = "open", {"game": "koala", "players": list(NAMES), "options": {}, "seed": 1}
            told_open = True
        elif newest < 2:
            what, args = "press", {"player": "Mia", "button": "bid"}
        else:
            at = 3 - at
            what, args = "undo", {"to": at}
        name = f"{number:08x}{chance.getrandbits(96):024x}"
        line.send(json.dumps({"t": "cmd", "id": name, "rev": newest, "do": what, "args": args}))
        while True:
            told = json.loads(line.recv(timeout=20))
            if told["t"] == "ack" and told["id"] == name:
                newest = told["rev"] if told["ok"] else newest
                break
            if told["t"] == "state":
                newest = max(newest, 0)
    return newest


def kills(count: int, folder: Path) -> tuple[int, int, list[float]]:
    """Acknowledged events lost, broken journals, and seconds from each start to serving."""
    service, chance = Service(folder), random.Random(5)
    lost, broken, starts = 0, 0, [service.start()]
    for number in range(count):
        moment = time.monotonic() + chance.uniform(0.02, 0.4)
        newest = 0
        try:
            with service.operator() as line:
                newest = _acknowledged(line, number, moment, chance)
                service.kill()
        except (ConnectionClosed, TimeoutError):
            pass
        kept = journal.verify(folder / "j.db")
        broken += bool(kept.fault)
        lost += max(0, newest - kept.rows)
        starts.append(service.start())
    service.kill()
    return lost, broken, starts


def _events(count: int) -> list[Any]:
    names = tuple(Player(name) for name in NAMES)
    made: list[Any] = [Opened(Setting("koala", names, {}, 1))]
    for number in range(1, count):
        made.append(
            (
                Pressed(names[number % 4], BID, number), Shown(Zone("middle"), (CardId(f"pizza-{number % 22 + 1:02d}"),)),
                Chosen(names[0], "feast", "no"), Rang(ClockName("quiet", number)), Undone(number),
            )[number % 5]
        )  # fmt: skip
    return made


def crash_images(count: int, folder: Path) -> int:
    """Images of a journal cut, flipped or zeroed anywhere, its log included: how many did not come back as a prefix."""
    whole, chance, wrong = folder / "whole.db", random.Random(6), 0
    written = Journal(whole)
    events = _events(200)
    for number, event in enumerate(events, 1):
        written.append(number, event)
    images = {
        ending: Path(f"{whole}{ending}").read_bytes()
        for ending in ("", "-wal")
        if Path(f"{whole}{ending}").exists()
    }
    written.close()
    for number in range(count):
        spot = folder / f"image-{number}"
        spot.mkdir()
        for ending, content in images.items():
            (spot / f"j.db{ending}").write_bytes(content)
        _damage(spot / f"j.db{chance.choice(list(images))}", chance)
        try:
            again = Journal(spot / "j.db")
            back = list(again.events())
            again.close()
            wrong += back != events[: len(back)]
        except JournalError:
            wrong += not (spot / "j.db").exists()  # refused in words, and the file is still there
        shutil.rmtree(spot)
    return wrong


def _damage(path: Path, chance: random.Random) -> None:
    content = bytearray(path.read_bytes())
    kind, at = chance.randrange(3), chance.randrange(len(content))
    if kind == 0:
        del content[at:]
    elif kind == 1:
        content[at] ^= 1 << chance.randrange(8)
    else:
        content[at : at + 512] = bytes(min(512, len(content) - at))
    path.write_bytes(content)


def _mutated(text: str, chance: random.Random) -> str:
    letters = list(text)
    for _ in range(chance.randrange(1, 6)):
        kind, at = chance.randrange(3), chance.randrange(len(letters) + 1)
        if kind == 0:
            letters[at:at] = chance.choice(
                ['"', "[", "]", "=", "\n", "9" * 30, "{", "}", "\x00", "é", "nan", "-1", "1e400"]
            )
        elif kind == 1:
            del letters[at : at + chance.randrange(1, 12)]
        elif at < len(letters):
            letters[at] = chr(chance.randrange(1, 256))
    return "".join(letters)


def hostile_settings(count: int) -> int:
    """Crashes over mutated settings: anything but settings or BadConfig."""
    good = Path("deploy/companion.toml").read_text("utf-8").replace("# ", "")
    chance, crashes = random.Random(7), 0
    for _ in range(count):
        try:
            parse(_mutated(good, chance), "fuzz")
        except BadConfig:
            pass
        except Exception:  # what is counted here
            crashes += 1
    return crashes


def hostile_rows(count: int) -> int:
    """Crashes over mutated journal rows: anything but an event or BadLine."""
    lines = [journal_line.encode(event).decode() for event in _events(12)]
    chance, crashes = random.Random(8), 0
    for number in range(count):
        try:
            journal_line.decode(_mutated(chance.choice(lines), chance).encode(), number)
        except BadLine:
            pass
        except Exception:  # what is counted here
            crashes += 1
    return crashes


def rows(quick: bool = False) -> list[dict[str, Any]]:
    """The table; `quick` takes a tenth of each count."""
    share = 10 if quick else 1
    killed, images, files = 100 // share, 10_000 // share, 50_000 // share
    with TemporaryDirectory() as name:
        folder = Path(name)
        lost, broken, starts = kills(killed, folder)
        with closing(sqlite3.connect(folder / "j.db")) as base:
            events = base.execute("SELECT COUNT(*) FROM events").fetchone()[0]
        wrong = crash_images(images, folder)
    settings, written = hostile_settings(files), hostile_rows(files)
    p95 = sorted(starts)[min(len(starts) - 1, int(0.95 * len(starts)))]

    def row(what: str, figure: float, unit: str, goal: float | None, met: bool | None) -> dict[str, Any]:
        return {"name": what, "value": figure, "unit": unit, "goal": goal, "met": met}

    load = os.getloadavg()[0]
    return [
        row(f"acknowledged events lost, {killed} kills, {events} events", lost, "", 0, lost == 0),
        row("journals broken by a kill", broken, "", 0, broken == 0),
        row("from start to serving, p95", round(p95, 2), "s", 1, p95 <= 1),
        row("from start to serving, fastest", round(min(starts), 2), "s", 2, min(starts) <= 2),
        row(f"crash images that are no clean prefix, of {images}", wrong, "", 0, wrong == 0),
        row(f"crashes over {files} hostile settings files", settings, "", 0, settings == 0),
        row(f"crashes over {files} hostile journal rows", written, "", 0, written == 0),
        row("other work on this machine meanwhile (load)", round(load, 1), "", None, None),
    ]  # fmt: skip
