"""A cut of the power, modelled: what a journal's process wrote and did not sync may be there, in part, or not at all.

Run as a program of its own it writes a journal (`python unsynced.py JOURNAL EVENTS SESSIONS`) and marks each event
that `append` has acknowledged; `recorded` runs it under `unsynced.c`, which notes every write and sync in order;
`images` are the folders that a cut at a random moment may leave on the disk.
"""

from __future__ import annotations

import os
import random
import shutil
import struct
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from companion.edges.journal import Journal
from companion.table.events import Chosen, Event, Opened, Pressed, Rang, Setting, Shown, Undone
from companion.table.events import Clock as ClockName
from companion.table.things import BID, CardId, Player, Zone

NAMES = ("Mia", "Paul", "Ada", "Ben")
FOLDER = "kept"
MARKS = "marks"  # the file in which acknowledged events are marked: to the model it is no file
HEAD = struct.Struct("<IIQQ")
SECTOR = 512  # what a card writes whole or not at all


def events_of(count: int) -> list[Event]:
    """So many events of all kinds."""
    names = tuple(Player(name) for name in NAMES)
    made: list[Event] = [Opened(Setting("koala", names, {}, 1))]
    for number in range(1, count):
        made.append(
            (
                Pressed(names[number % 4], BID, number),
                Shown(Zone("middle"), (CardId(f"pizza-{number % 22 + 1:02d}"),)),
                Chosen(names[0], "feast", "no"),
                Rang(ClockName("quiet", number)),
                Undone(number),
            )[number % 5]
        )
    return made


def write(path: Path, count: int, sessions: int, careless: bool = False) -> None:
    """Write the events in so many sittings; mark each when `append` has returned.

    `careless`: as a journal would that syncs nothing, so that the model itself can be held to something.
    """
    events, done = events_of(count), 0
    with (path.parent / MARKS).open("wb", buffering=0) as marks:
        for sitting in range(1, sessions + 1):
            journal = Journal(path)
            if careless:
                journal._base.execute("PRAGMA synchronous=OFF")
            for number in range(done + 1, count * sitting // sessions + 1):
                journal.append(number, events[number - 1])
                marks.write(struct.pack("<I", number))
                done = number
            journal.close()


@dataclass(frozen=True)
class Act:
    """One thing done to a file: w write, t truncate, s sync, u unlink; d: the folder is synced.

    m: so many events are acknowledged. A synced file is taken to be in its folder, as on ext4.
    """

    kind: str
    name: str
    at: int = 0
    content: bytes = b""


def recorded(folder: Path, count: int, sessions: int, careless: bool = False) -> list[Act]:
    """What a process that writes a journal of `count` events did to its files. Needs gcc."""
    folder.mkdir(exist_ok=True)
    library, log, kept = folder / "unsynced.so", folder / "log", folder / FOLDER
    source = Path(__file__).with_suffix(".c")
    subprocess.run(["gcc", "-shared", "-fPIC", "-O1", "-o", str(library), str(source), "-ldl"], check=True)
    kept.mkdir()
    ran = {"LD_PRELOAD": str(library), "UNSYNCED_FOLDER": str(kept.resolve()), "UNSYNCED_LOG": str(log)}
    subprocess.run(
        [sys.executable, __file__, str(kept.resolve() / "j.db"), str(count), str(sessions), *(["careless"] if careless else [])],
        check=True, env={**os.environ, **ran},
    )  # fmt: skip
    return list(_acts(log.read_bytes()))


def _acts(log: bytes) -> Iterator[Act]:
    at = 0
    while at < len(log):
        kind, long, offset, count = HEAD.unpack_from(log, at)
        at += HEAD.size
        name = Path(log[at : at + long].decode()).name
        content = log[at + long : at + long + count]
        at += long + count
        if name == MARKS:
            yield Act("m", name, struct.unpack("<I", content)[0])
        elif name.startswith("j.db"):
            yield Act(chr(kind), name, offset, content)
        elif kind == ord("s") and name == FOLDER:
            yield Act("d", name)


@dataclass
class Disk:
    """What is surely on the disk, and what was asked for since the last sync of each file."""

    sure: dict[str, bytearray] = field(default_factory=dict)
    open: list[Act] = field(default_factory=list)
    acknowledged: int = 0

    def do(self, act: Act) -> None:
        """One more act."""
        if act.kind == "m":
            self.acknowledged = act.at
        elif act.kind == "d":
            self._deleted()
        elif act.kind == "s":
            for done in [each for each in self.open if each.name == act.name]:
                _apply(self.sure, done)
            self.open = [each for each in self.open if each.name != act.name]
        else:
            self.open.append(act)

    def _deleted(self) -> None:
        """What was deleted before the folder was synced stays so."""
        for name in {act.name for act in self.open if act.kind == "u"}:
            last = max(at for at, act in enumerate(self.open) if (act.kind, act.name) == ("u", name))
            self.sure.pop(name, None)
            self.open = [act for at, act in enumerate(self.open) if act.name != name or at > last]

    def after_cut(self, chance: random.Random) -> dict[str, bytes]:
        """The files after a cut now: of what was not synced, some is there, some in part, in any order."""
        files = {name: bytearray(content) for name, content in self.sure.items()}
        share = chance.choice((0.0, 0.3, 0.7, 1.0))
        there = [act for act in self._of_files_that_are_there(files, chance) if chance.random() < share]
        if chance.random() < 0.5:
            chance.shuffle(there)
        for act in there:
            _apply(files, _torn(act, chance) if chance.random() < 0.3 else act)
        return {name: bytes(content) for name, content in files.items()}

    def _of_files_that_are_there(self, files: dict[str, bytearray], chance: random.Random) -> list[Act]:
        """What was asked for of the files that bear their names after the cut.

        A file that was deleted and made anew is another file: the cut leaves the old one or the new one, and
        what was written to the one never stands in the other.
        """
        out: list[Act] = []
        for name in dict.fromkeys(act.name for act in self.open):
            lives: list[list[Act]] = [[]]
            for act in self.open:
                if act.name == name and act.kind == "u":
                    lives.append([])
                elif act.name == name:
                    lives[-1].append(act)
            life = chance.randrange(len(lives))
            if life > 0:
                files.pop(name, None)
            out += lives[life]
        return out


def _torn(act: Act, chance: random.Random) -> Act:
    """A write of which only some sectors in a row arrived."""
    sectors = (len(act.content) + SECTOR - 1) // SECTOR
    if act.kind != "w" or sectors < 2:
        return act
    first = chance.randrange(sectors)
    last = chance.randrange(first, sectors)
    return Act("w", act.name, act.at + first * SECTOR, act.content[first * SECTOR : (last + 1) * SECTOR])


def _apply(files: dict[str, bytearray], act: Act) -> None:
    if act.kind == "u":
        files.pop(act.name, None)
        return
    content = files.setdefault(act.name, bytearray())
    if act.kind == "t":
        del content[act.at :]
        content.extend(bytes(act.at - len(content)))
    else:
        content.extend(bytes(max(0, act.at - len(content))))
        content[act.at : act.at + len(act.content)] = act.content


def images(acts: list[Act], count: int, seed: int) -> Iterator[tuple[dict[str, bytes], int]]:
    """So many folders after a cut at a random act, each with the number of events acknowledged before it."""
    chance, disk = random.Random(seed), Disk()
    moments = sorted(chance.randrange(len(acts) + 1) for _ in range(count))
    done = 0
    for moment in moments:
        for act in acts[done:moment]:
            disk.do(act)
        done = moment
        yield disk.after_cut(chance), disk.acknowledged


@dataclass
class Found:
    """Over all images: not a clean prefix, acknowledged events lost, and how many events came back at most."""

    images: int = 0
    unclean: int = 0
    lost: int = 0
    most: int = 0


def survived(acts: list[Act], events: list[Event], count: int, seed: int) -> Found:
    """Open a journal in each image and hold it against what was written. In memory: the cut is in the image."""
    found, memory = Found(), Path("/dev/shm")
    with TemporaryDirectory(dir=memory if memory.is_dir() else None) as folder:
        for number, (files, acknowledged) in enumerate(images(acts, count, seed)):
            spot = Path(folder) / f"cut-{number}"
            spot.mkdir()
            for name, content in files.items():
                (spot / name).write_bytes(content)
            journal = Journal(spot / "j.db")
            back = list(journal.events())
            journal.close()
            found.images += 1
            found.unclean += back != events[: len(back)]
            found.lost += max(0, acknowledged - len(back))
            found.most = max(found.most, len(back))
            shutil.rmtree(spot)
    return found


if __name__ == "__main__":
    write(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), careless="careless" in sys.argv)
