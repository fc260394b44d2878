"""Races in virtual time over a pin and three virtual boxes, judged by the photo finish; counts what must not happen."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from random import Random

from companion.sim.box_world import BoxWorld
from companion.sim.boxes import MS, Faults
from companion.table import photo_finish
from companion.table.events import Pressed
from companion.table.photo_finish import Closed, PhotoFinish, Press
from companion.table.things import BID, Player
from companion.wire.box_link import Down, Shut, Signal

SOURCES = ("box-1", "box-2", "box-3", "gpio")
GPIO_UNC = 50_000
HELD = 20 * MS


class Races:
    """One table: three boxes on lines with faults, one pin, one photo finish."""

    def __init__(self, wrong: Faults, seed: int) -> None:
        self.luck, self.finish, self.counts = Random(seed), PhotoFinish(), Counter[str]()
        self.waits: list[int] = []
        self.world = BoxWorld(3, wrong, seed, self._hear, buttons=2)
        self.world.run(6_000 * MS)

    def pair(self, apart: int) -> None:
        """Two presses `apart` ns, on two sources; judge them."""
        first, second = self.luck.sample(range(4), 2)
        at = self.world.now + self.luck.randrange(5 * MS, 15 * MS)
        for source, moment in ((first, at), (second, at + apart)):
            if SOURCES[source] != "gpio":
                self.world.press(source, 0, moment, HELD)
        pin = {first: at, second: at + apart}.get(3)
        if pin is not None:  # the kernel's stamp arrives 1 ms later, and is off by up to its uncertainty
            self.world.run(pin + MS)
            stamp = pin + self.luck.randint(-GPIO_UNC, GPIO_UNC)
            press = Press(Player("gpio"), BID, stamp, GPIO_UNC, "gpio", 0, GPIO_UNC)
            self.finish = photo_finish.heard(self.finish, press)
        self._judge(self._verdicts(), SOURCES[first], SOURCES[second])
        self.world.run(max(self.world.now, at + apart + HELD + 20 * MS))

    def _verdicts(self) -> list[Pressed]:
        out, asked = list[Pressed](), 0
        while len(out) < 2:
            want = photo_finish.wanted(self.finish) or 0
            if want > asked:
                asked = want
                self.world.close_to(want)
            ripens = photo_finish.next_ripe(self.finish)
            due = self.world.due()
            self.world.run(max(self.world.now, due if ripens is None else min(due, ripens)))
            self.finish, verdict = photo_finish.ripe(self.finish, self.world.now)
            for press in verdict.presses:
                out.append(press)
                self.waits.append(self.world.now - press.at)
            self.counts["overruled"] += verdict.overruled
            self.counts["degraded"] += sum(note.key == "buttons.degraded" for note in verdict.notes)
        return out

    def _judge(self, out: list[Pressed], first: str, second: str) -> None:
        one, other = out
        inside = abs(one.at - other.at) <= one.unc + other.unc
        tied = bool(one.tied) and bool(other.tied)
        self.counts["pairs"] += 1
        self.counts["tied"] += tied
        self.counts["untold ties"] += inside != tied
        self.counts["wrong"] += not tied and (one.player, other.player) != (first, second)

    def _hear(self, name: str, signal: Signal, now: int) -> None:
        if isinstance(signal, Down):
            press = Press(Player(name), BID, signal.at, signal.unc, name, now, signal.grain)
            self.finish = photo_finish.heard(self.finish, press)
        elif isinstance(signal, Shut):
            self.finish = photo_finish.closed(self.finish, Closed(name, signal.until, signal.unc))


def raced(pairs: int, each: int = 1_000) -> tuple[Counter[str], list[int]]:
    """So many pairs 1 ms apart, `each` at a table; every table has its own clocks, and a jitter of 0 to 16 ms.

    Virtual time: the tables are shared out to all cores, and nothing changes by that.
    """
    luck = Random(6)
    tables = [
        (seed, luck.randrange(17) * MS, min(each, pairs - seed * each)) for seed in range(-(-pairs // each))
    ]
    counts, waits = Counter[str](), list[int]()
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as pool:
        for told, waited in pool.map(_table, *zip(*tables, strict=True)):
            counts += told
            waits += waited
    return counts, waits


def _table(seed: int, jitter: int, pairs: int) -> tuple[Counter[str], list[int]]:
    races = Races(Faults(drop=0.01, jitter=jitter, ppm=200), seed)
    for _ in range(pairs):
        races.pair(MS)
    return races.counts, races.waits


def delivered(presses: int) -> tuple[int, int, int]:
    """(made, lost, doubled): presses on a line with 5 % bad bytes and 1 % of the bytes dropped."""
    heard: list[int] = []
    world = BoxWorld(
        1, Faults(flip=0.05, lose=0.01, jitter=MS), 4,
        lambda _name, signal, _now: heard.append(signal.button) if isinstance(signal, Down) else None,
    )  # fmt: skip
    world.run(20_000 * MS)
    for number in range(presses):
        world.press(0, number % 6, world.now + MS, HELD)
        world.run(world.now + 60 * MS)
    world.run(world.now + 5_000 * MS)
    wanted = [number % 6 for number in range(presses)]
    if heard == wanted:
        return presses, 0, 0
    return presses, max(0, presses - len(heard)) or 1, max(0, len(heard) - presses)
