"""Virtual boxes on faulty lines and the host's end of each, in virtual time: what happens next happens next."""

from __future__ import annotations

from collections.abc import Callable
from heapq import heappop, heappush
from random import Random

from companion.sim.boxes import MS, Faults, VirtualBox, Wire
from companion.wire.box_link import BoxLink, Signal
from companion.wire.box_words import BASE, BLINK, PHASE_NS
from companion.wire.lamp_looks import BLINKS, LOOKS

Hear = Callable[[str, Signal, int], None]  # box's name, its signal, when it is heard
MINUTE = 60_000 * MS


class Station:
    """One box, its two wires, and the host's end."""

    def __init__(self, number: int, now: int, wrong: Faults, luck: Random, buttons: int) -> None:
        """Plug it in."""
        self.name = f"box-{number + 1}"
        self.box = VirtualBox(
            b"virtual" + bytes((number,)), now, buttons=buttons,
            ppm=luck.uniform(-wrong.ppm, wrong.ppm), first_ticks=luck.randrange(1 << 32), boot=1,
        )  # fmt: skip
        self.link = BoxLink(now)
        self._there, self._back = Wire(wrong, luck), Wire(wrong, luck)

    def due(self) -> int:
        """When something happens next at this box."""
        due = min(self.box.due(), self.link.due())
        for wire in (self._there, self._back):
            arrives = wire.due()
            if arrives is not None and arrives < due:
                due = arrives
        return due

    def step(self, now: int) -> list[Signal]:
        """Let everything happen that is due."""
        arrives = self._there.due()
        if arrives is not None and arrives <= now:
            self.box.received(self._there.out(now), now)
        if self.box.due() <= now:
            self.box.tick(now)
        arrives, signals = self._back.due(), list[Signal]()
        if arrives is not None and arrives <= now:
            signals += self.link.received(self._back.out(now), now)
        if self.link.due() <= now:
            signals += self.link.tick(now)
        self.flush(now)
        return signals

    def flush(self, now: int) -> None:
        """Put what both ends have to say on the wires."""
        if self.box.outgoing:
            self._back.put(self.box.outgoing, now)
            self.box.outgoing = b""
        if self.link.outgoing:
            self._there.put(bytes(self.link.outgoing), now)
            self.link.outgoing.clear()

    def cut(self, cut: bool, now: int) -> None:
        """Pull the plug; or put it in again, which opens the line anew."""
        self._there.cut = self._back.cut = cut
        if not cut:
            self.link = BoxLink(now)


class BoxWorld:
    """Several boxes in one virtual time."""

    def __init__(
        self, count: int, wrong: Faults, seed: int, hear: Hear, now: int = 0, buttons: int = 6
    ) -> None:
        """Plug `count` boxes in at `now`; what they say goes to `hear`."""
        self._luck, self._wrong, self._hear = Random(seed), wrong, hear
        self.stations = [Station(n, now, wrong, self._luck, buttons) for n in range(count)]
        self._dues = [now] * count  # when something happens next at each box
        self.now = now
        self._contacts: list[tuple[int, int, int, int, bool]] = []  # when, tie-break, box, button, closed
        self._count = 0

    def press(
        self, box: int, button: int, at: int, held: int = 60 * MS, bounces: tuple[int, ...] = ()
    ) -> None:
        """A finger: the switch closes at `at` and opens `held` later; both times it bounces so many ns after."""
        for start, closed in ((at, True), (at + held, False)):
            self._contact(start, box, button, closed)
            for after in bounces:
                self._contact(start + after, box, button, not closed)
                self._contact(start + after + MS // 10, box, button, closed)

    def close_to(self, moment: int) -> None:
        """Ask every box to close up to a moment."""
        for number, station in enumerate(self.stations):
            for signal in station.link.close_to(moment, self.now):
                self._hear(station.name, signal, self.now)
            self._touched(number)

    def cut(self, box: int, cut: bool) -> None:
        """Pull a box's plug, or put it in again."""
        self.stations[box].cut(cut, self.now)
        self._touched(box)

    def shine(self, box: int, button: int, look: str) -> None:
        """A lamp's look."""
        self._light(box, button, BASE, LOOKS[look])

    def blink(self, box: int, button: int, look: str) -> None:
        """A lamp's answer."""
        self._light(box, button, BLINK, BLINKS[look])

    def beat(self, box: int, button: int, start: int, phases: tuple[int, ...]) -> None:
        """Wink with a count."""
        self._light(box, button, BLINK, phases, start)

    def due(self) -> int:
        """When something happens next."""
        due = min(self._dues)
        return min(due, self._contacts[0][0]) if self._contacts else due

    def run(self, until: int) -> None:
        """Let the world go on until then."""
        while (due := self.due()) <= until:
            before, self.now = self.now, max(self.now, due)
            while self._contacts and self._contacts[0][0] <= self.now:
                at, _, box, button, closed = heappop(self._contacts)
                self.stations[box].box.level(button, at, closed)
                self._touched(box)
            if self._wrong.reboot:
                self._stumble(self.now - before)
            for number, station in enumerate(self.stations):
                if self._dues[number] <= self.now:
                    signals = station.step(self.now)
                    self._dues[number] = station.due()
                    for signal in signals:
                        self._hear(station.name, signal, self.now)
        self.now = max(self.now, until)

    def _touched(self, number: int) -> None:
        """Something was done to a box outside its turn."""
        station = self.stations[number]
        station.flush(self.now)
        self._dues[number] = station.due()

    def _contact(self, at: int, box: int, button: int, closed: bool) -> None:
        self._count += 1
        heappush(self._contacts, (at, self._count, box, button, closed))

    def _light(
        self, box: int, button: int, layer: int, phases: tuple[int, ...], at: int | None = None
    ) -> None:
        station = self.stations[box]
        steps = tuple(phase // PHASE_NS for phase in phases)
        station.link.light(button, layer, steps, self.now if at is None else at, self.now)
        self._touched(box)

    def _stumble(self, elapsed: int) -> None:
        for number, station in enumerate(self.stations):
            if self._luck.random() < self._wrong.reboot * elapsed / MINUTE:
                station.box.reboot(self.now)
                self._touched(number)
