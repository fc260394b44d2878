"""A day of play in one process: evening after evening in virtual time, while real screens look on.

`python -m tests.bench.trust_day FOLDER EVENTS` serves and plays; it prints its address, and then how it is.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path
from typing import Any

from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake
from websockets.typing import Origin

from companion.edges.archive import Archive
from companion.edges.journal import Journal
from companion.edges.logbook import Logbook
from companion.edges.screen import Screen
from companion.running.parts import Both
from companion.running.records import Chronicle, Diary
from companion.shelf import deck, folders, phrases, shelf
from companion.sim.evening import Told, play
from companion.sim.evenings import evening
from companion.table.events import Opened, Setting
from companion.table.luck import Luck
from companion.table.things import Player
from companion.wiring import NAMES, Fingers, StillRig

CLIENTS, FEW = 60, {"koala": 5, "karnivore": 4, "kukakoenig": 3, "wine": 4, "rescue": 4}


class DayRig(StillRig):
    """A table at which one evening follows another."""

    def again(self, setting: Setting) -> None:
        """The next game."""
        assert self.fingers is not None
        self.fingers.board.close()
        self.fingers = Fingers(setting.players, self.house)
        self.house.put(Opened(setting, 1_800_000_000 + setting.seed))
        self.house.step()


def how() -> dict[str, int]:
    """Memory in kB, open files, threads."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return {
        "rss": pages * os.sysconf("SC_PAGE_SIZE") // 1024, "files": sum(1 for _ in Path("/proc/self/fd").iterdir()),
        "threads": threading.active_count(),
    }  # fmt: skip


def day(folder: Path, events: int) -> None:
    """Play until so many events have happened."""
    games = [game for game in folders() if game in FEW]
    seats = {game: tuple(Player(name) for name in NAMES[: FEW[game]]) for game in games}
    rig = DayRig(Setting(games[0], seats[games[0]], {}, 0), Journal(folder / "day.db"))
    archive, book = Archive(folder / "day.games.db"), Logbook(folder / "day.log")
    screen = Screen(rig.house.put, phrases(), "000000", shelf=shelf(), archive=archive, now=rig.clocks.now)
    rig.house.screens = Both(screen, rig.ears, Chronicle(archive, book.note, "en"), [Diary(book.note)])
    port = screen.serve("127.0.0.1", 0)
    seed, told = 0, 0
    while (done := rig.session().last) < events:
        game = games[seed % len(games)]
        if seed:
            rig.again(Setting(game, seats[game], {}, seed))
        played = evening(game)
        body = played.seat(deck(played.folder), seats[game], Luck(seed), {})
        play(played, rig, body, Told(), mess=0.05)
        seed += 1
        if seed == len(games):  # every game has been there once: what is loaded once is loaded
            say({"port": port, **how()})
            sys.stdin.readline()  # all screens are there
        elif seed > len(games) and done >= told:
            told += events // 10
            say({"events": rig.session().last, "games": seed, "hours": rig.clocks.now() / 3.6e12, **how()})
    say({"events": rig.session().last, "games": seed, "hours": rig.clocks.now() / 3.6e12, **how(), "end": 1})
    sys.stdin.readline()  # all screens have gone
    say(how())
    screen.close()
    rig.close()
    archive.close()


def say(told: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(told) + "\n")
    sys.stdout.flush()


async def _client(address: str, chance: random.Random, counts: dict[str, int], there: asyncio.Event) -> None:
    """A screen that looks on, and loses its line now and then."""
    while True:
        with suppress(ConnectionClosed, OSError, InvalidHandshake, TimeoutError):
            async with connect(f"ws://{address}/ws?page=table", origin=Origin(f"http://{address}")) as line:
                stays = chance.randrange(20, 200)
                async for _ in line:
                    there.set()
                    counts["states"] += 1
                    stays -= 1
                    if stays == 0:
                        break
        counts["lines"] += 1
        await asyncio.sleep(chance.uniform(0, 0.2))


async def _watched(folder: Path, events: int) -> tuple[list[dict[str, Any]], dict[str, int]]:
    child = subprocess.Popen(
        [sys.executable, "-m", "tests.bench.trust_day", str(folder), str(events)], stdin=subprocess.PIPE,
        stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert child.stdin is not None and child.stdout is not None
    told = [json.loads(child.stdout.readline())]
    address = f"127.0.0.1:{told[0]['port']}"
    counts = {"states": 0, "lines": 0}
    there = [asyncio.Event() for _ in range(CLIENTS)]
    tasks = [
        asyncio.create_task(_client(address, random.Random(number), counts, event))
        for number, event in enumerate(there)
    ]
    await asyncio.wait_for(asyncio.gather(*(event.wait() for event in there)), 60)
    child.stdin.write("go\n")
    child.stdin.flush()
    while line := await asyncio.to_thread(child.stdout.readline):
        told.append(json.loads(line))
        if "end" in told[-1]:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            await asyncio.sleep(2)  # until the server has seen them go
            child.stdin.write("bye\n")
            child.stdin.flush()
    if child.wait(30) != 0:
        raise RuntimeError(f"the day ended with {child.returncode}")
    return told, counts


def watched(folder: Path, events: int) -> tuple[list[dict[str, Any]], dict[str, int]]:
    """A day with sixty screens: how the table was before, in the course of it and after; what the screens got."""
    return asyncio.run(_watched(folder, events))


if __name__ == "__main__":
    day(Path(sys.argv[1]), int(sys.argv[2]))
