"""The whole service as a process of its own, as it is installed: killed, hung, crashed, and played in meanwhile."""

from __future__ import annotations

import json
import os
import random
import re
import select
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

from websockets.exceptions import WebSocketException
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from companion.edges import journal

NAMES = ("Mia", "Paul", "Ada", "Ben")
UNIT = (Path(__file__).parents[2] / "deploy" / "companion.service").read_text("utf-8")


def of_unit(name: str) -> float:
    """Seconds that the unit gives."""
    found = re.search(rf"^{name}=(\d+)(ms)?$", UNIT, re.MULTILINE)
    assert found is not None, name
    return int(found[1]) / (1000 if found[2] else 1)


class Service:
    """`companion run` with a journal that outlives it, and bytecode beside it as an installation has."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.process: subprocess.Popen[str] | None = None
        self.address = self.pin = ""
        self.spent = 0.0  # s of CPU until it served
        self._lines = ExitStack()
        self.env = {**os.environ, "PYTHONPYCACHEPREFIX": str(folder / "bytecode"), "PYTHONUNBUFFERED": "1"}
        self.env.pop("PYTHONDONTWRITEBYTECODE", None)

    def start(self, *options: str, **more: str) -> float:
        """Start it; seconds until it serves."""
        began = time.monotonic()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "companion", "run", "--host", "127.0.0.1", "--port", "0", "--journal",
             str(self.folder / "j.db"), *options],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env={**self.env, **more},
        )  # fmt: skip
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if line.startswith("Table screen"):
                self.address = line.split()[-1].removesuffix("/table")
            if line.startswith("Operator"):
                self.pin = line.split()[-1]
            if line.startswith("Ctrl-C"):
                break
        self.spent = _cpu(self.process.pid)
        with urllib.request.urlopen(f"{self.address}/healthz", timeout=20) as answer:  # our own
            assert answer.status == 200
        return time.monotonic() - began

    def kill(self) -> None:
        """As if the plug were pulled, as far as a process can know."""
        assert self.process is not None
        self.process.send_signal(signal.SIGKILL)
        self.process.communicate(timeout=20)
        self._lines.close()

    def line(self, page: str, path: str, body: dict[str, str]) -> ClientConnection:
        """A live line with the cookie that a post brings."""
        asked = urllib.request.Request(  # our own address
            f"{self.address}{path}", json.dumps(body).encode(),
            {"content-type": "application/json", "origin": self.address},
        )  # fmt: skip
        with urllib.request.urlopen(asked, timeout=20) as answer:  # our own address
            cookie = answer.headers["set-cookie"].partition(";")[0]
        url = self.address.replace("http", "ws") + f"/ws?page={page}"
        return self._lines.enter_context(
            connect(url, origin=Origin(self.address), additional_headers={"cookie": cookie})
        )

    def operator(self) -> Guest:
        """The operator."""
        return Guest(self.line("op", "/op/pin", {"pin": self.pin}))

    def phone(self, code: str, name: str) -> Guest:
        """A player's phone."""
        return Guest(self.line("seat", "/j/claim", {"code": code, "name": name}))


class Guest:
    """Somebody at a screen who answers whatever the game waits for, at random."""

    def __init__(self, line: ClientConnection) -> None:
        self.line = line
        self.state: dict[str, Any] = {}
        while not self.state:
            self._hear()

    def _hear(self) -> dict[str, Any]:
        told: dict[str, Any] = json.loads(self.line.recv(timeout=20))
        if told["t"] == "state":
            self.state = told
        return told

    def do(self, what: str, args: dict[str, Any], chance: random.Random) -> int:
        """One command; the number of the event if it was acknowledged, else 0."""
        name = f"{chance.getrandbits(128):032x}"
        self.line.send(
            json.dumps({"t": "cmd", "id": name, "rev": self.state["rev"], "do": what, "args": args})
        )
        while (told := self._hear())["t"] != "ack" or told["id"] != name:
            pass
        return int(told["rev"]) if told["ok"] else 0

    def act(self, chance: random.Random) -> int:
        """Whatever can be done now; the event's number, or 0."""
        if self.state["game"] is None:
            opening = {"game": "koala", "players": list(NAMES), "options": {}, "seed": 1}
            return self.do("open", opening, chance)
        cues = [cue for cue in self.state.get("cues", ()) if cue["is"] in ("press", "choose", "show", "wait")]
        if self.state["role"] == "operator" and (not cues or chance.random() < 0.1):
            return self.do("undo", {"to": chance.randrange(1, max(2, self.state["rev"]))}, chance)
        if not cues:
            self._hear()
            return 0
        cue = chance.choice(cues)
        if cue["is"] == "press":
            return self.do("press", {"player": cue["player"], "button": cue["button"]}, chance)
        if cue["is"] == "choose":
            option = chance.choice(cue["options"] or ["no"])
            return self.do("choose", {"player": cue["player"], "cue": cue["cue"], "option": option}, chance)
        if cue["is"] == "wait":
            return self.do("ring", {"name": cue["name"], "lap": cue["lap"]}, chance)
        cards = [f"{kind}-{chance.randrange(1, 23):02d}" for kind in ("pizza", "hamburger", "spaghetti")]
        return self.do("show", {"zone": cue["zone"], "cards": cards[: chance.randrange(1, 4)]}, chance)


def _played(service: Service, chance: random.Random) -> int:
    """An operator and a phone do what they can until the service is gone; the newest event acknowledged."""
    newest, phone = 0, None
    with suppress(WebSocketException, OSError, TimeoutError, EOFError):
        operator = service.operator()
        newest = operator.act(chance)
        join = operator.state.get("join") or {}
        with suppress(urllib.error.HTTPError):
            phone = service.phone(join.get("code", ""), chance.choice(NAMES))
        while True:
            guest = (
                phone if phone is not None and phone.state.get("cues") and chance.random() < 0.5 else operator
            )
            newest = max(newest, guest.act(chance))
    return newest


def kills(count: int, folder: Path) -> dict[str, Any]:
    """Acknowledged events lost, broken journals, seconds from start to serving, events acknowledged."""
    service, chance = Service(folder), random.Random(5)
    first, lost, broken, starts, told, before = service.start(), 0, 0, list[float](), 0, 0
    for _ in range(count):
        bomb = threading.Timer(chance.uniform(0.02, 0.35), lambda: os.kill(_pid(service), signal.SIGKILL))
        bomb.start()
        newest = _played(service, chance)
        bomb.join()
        service.kill()
        kept = journal.verify(folder / "j.db")
        broken += bool(kept.fault)
        lost += max(0, newest - kept.rows)
        told, before = told + max(0, kept.rows - before), kept.rows
        starts.append(service.start())
    service.kill()
    return {"first": first, "lost": lost, "broken": broken, "starts": starts, "events": told}


def _cpu(pid: int) -> float:
    """Seconds of CPU that a process has had, all its threads together."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _pid(service: Service) -> int:
    assert service.process is not None
    return service.process.pid


def crashed_in_a_row(count: int, folder: Path) -> tuple[int, float]:
    """Started and killed again and again, half of them before they serve: starts that did not serve then, slowest."""
    service, chance, dead, slowest = Service(folder), random.Random(9), 0, 0.0
    for number in range(count):
        if number % 2:
            service.process = subprocess.Popen(
                [sys.executable, "-m", "companion", "run", "--host", "127.0.0.1", "--port", "0", "--journal",
                 str(folder / "j.db")],
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=service.env,
            )  # fmt: skip
            time.sleep(chance.uniform(0.05, 0.4))
            service.kill()
            continue
        try:
            slowest = max(slowest, service.start())
            service.kill()
        except (OSError, AssertionError):
            dead += 1
            service.kill()
    return dead, slowest


def hung(folder: Path) -> float:
    """Seconds from a process that stands still to another one that serves, by the unit's own watchdog and restart.

    What systemd would do is done here: no feed for WatchdogSec, the process is killed; RestartSec later it starts.
    """
    patience, pause = of_unit("WatchdogSec"), of_unit("RestartSec")
    path = folder / "notify"
    path.unlink(missing_ok=True)
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as ears:
        ears.bind(str(path))
        service = Service(folder)
        service.start(NOTIFY_SOCKET=str(path))
        fed = time.monotonic()
        settle = time.monotonic() + 2
        stopped = 0.0
        while True:
            if select.select([ears], [], [], 0.01)[0]:
                told = ears.recv(4096)
                fed = time.monotonic() if b"WATCHDOG=1" in told else fed
            if not stopped and time.monotonic() > settle:
                stopped = time.monotonic()
                os.kill(_pid(service), signal.SIGSTOP)
            if stopped and time.monotonic() - fed > patience:
                break
        service.kill()
        time.sleep(pause)
        service.start(NOTIFY_SOCKET=str(path))
        back = time.monotonic() - stopped
        service.kill()
    return back


def cold(service: Service) -> float:
    """Seconds from the start to a game that is open, its first event on the disk."""
    began = time.monotonic()
    service.start()
    service.operator().act(random.Random(1))
    took = time.monotonic() - began
    service.kill()
    return took
