"""What the tests of this folder need of a rig: switches that a program can close, boxes, a lamp that can be seen.

`real` drives the pins of a Raspberry Pi. `mock` has mock pins and a virtual box on a pty, `simavr` the UNO's image in
the simulator: so the same tests run everywhere and do not rot.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
import tomllib
from collections.abc import Callable
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any

from companion.edges.boxes import Boxes, Key
from companion.edges.gpio import Board, ButtonPin, PinError, pi_factory
from companion.edges.mock_pins import MockPins
from companion.table.photo_finish import Closed, Gone, Press
from companion.table.things import BID, Player

ROOT = Path(__file__).parents[1]
MS, SECOND = 1_000_000, 1_000_000_000
A, B, BOX = Player("pin a"), Player("pin b"), Player("box")
DEFAULTS = {"out_a": 5, "in_a": 6, "out_b": 13, "in_b": 19, "edges": 40, "soak_hours": 0.0005}


class NoRig(Exception):
    """There is no rig here, or it lacks a part; the text says which."""


class Rig:
    """Pins and one box; what they say is in `heard`."""

    def __init__(self, kind: str, wired: dict[str, Any], factory: Any) -> None:
        self.kind, self.wired, self.factory = kind, wired, factory
        self.heard: SimpleQueue[Press | Closed | Gone] = SimpleQueue()
        self.troubles: dict[str, str] = {}
        keys = [ButtonPin(A, BID, wired["in_a"]), ButtonPin(B, BID, wired["in_b"])]
        self.board = Board(factory, keys, [], self.heard.put)
        self.boxes = Boxes(
            lambda _board, count: (Key(BOX, BID), *[None] * (count - 1)), self.heard.put,
            self.troubles.__setitem__, ports=[wired["box"]],
        )  # fmt: skip

    def start(self) -> None:
        """Let pins and boxes work."""
        self.board.start()
        self.boxes.start()

    def close_switch(self, *lines: str) -> tuple[int, int]:
        """Close switches ("a", "b") at once; the times (ns) between which it happened."""
        raise NotImplementedError

    def open_switch(self, *lines: str) -> None:
        """Open them."""
        raise NotImplementedError

    def unplug(self) -> None:
        """Pull the box's plug."""
        self._run("unplug")

    def plug(self) -> None:
        """Put it in again."""
        self._run("plug")

    def lamp(self) -> bool:
        """Whether the box's first lamp is lit."""
        raise NotImplementedError

    def take(self, wanted: Callable[[Any], bool], seconds: float) -> Any:
        """The next word that is wanted; None if there is none so long."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            try:
                word = self.heard.get(timeout=left)
            except Empty:
                return None
            if wanted(word):
                return word
        return None

    def ready(self, seconds: float = 60.0) -> None:
        """Wait until the box's clock is read."""
        if self.take(lambda word: isinstance(word, Closed), seconds) is None:
            raise NoRig(f"no box answers at {self.wired['box']}: {self.troubles}")

    def needs(self, part: str) -> Any:
        """A part of the wiring; NoRig if the rig has none."""
        if part not in self.wired:
            raise NoRig(f"rig.toml names no {part!r}")
        return self.wired[part]

    def close(self) -> None:
        """Give everything back."""
        self.boxes.close()
        self.board.close()

    def _run(self, what: str) -> None:
        subprocess.run(str(self.needs(what)).split(), check=True)


class RealRig(Rig):
    """The pins of this Pi."""

    def __init__(self, wired: dict[str, Any]) -> None:
        factory = pi_factory()
        self._outs = {line: factory.pin(f"GPIO{wired[f'out_{line}']}") for line in "ab"}
        for pin in self._outs.values():
            pin.output_with_state(1)
        super().__init__("real", wired, factory)
        self._sense = factory.pin(f"GPIO{wired['lamp_sense']}") if "lamp_sense" in wired else None
        if self._sense is not None:
            self._sense.input_with_pull("down")

    def close_switch(self, *lines: str) -> tuple[int, int]:
        return self._drive(lines, 0)

    def open_switch(self, *lines: str) -> None:
        self._drive(lines, 1)

    def lamp(self) -> bool:
        self.needs("lamp_sense")
        return bool(self._sense is not None and self._sense.state)

    def _drive(self, lines: tuple[str, ...], level: int) -> tuple[int, int]:
        before = time.monotonic_ns()
        for line in lines:
            self._outs[line].state = level
        return before, time.monotonic_ns()


class PretendedRig(Rig):
    """Mock pins, and one of the firmwares on a pty."""

    def __init__(self, kind: str) -> None:
        sys.path.insert(0, str(ROOT / "tests" / "firmware"))
        from firmwares import Firmware

        self._firmware = Firmware({"mock": "virtual", "simavr": "uno328p"}[kind])
        self._pins = MockPins()
        super().__init__(kind, {**DEFAULTS, "box": self._firmware.path}, self._pins.factory)

    def close_switch(self, *lines: str) -> tuple[int, int]:
        return self._drive(lines, 1)

    def open_switch(self, *lines: str) -> None:
        self._drive(lines, 0)

    def unplug(self) -> None:
        self._firmware.stop()

    def plug(self) -> None:
        self._firmware.start()

    def lamp(self) -> bool:
        return bool(self._firmware.lamps() & 1)

    def close(self) -> None:
        super().close()
        self._firmware.close()

    def _drive(self, lines: tuple[str, ...], closed: int) -> tuple[int, int]:
        before = time.monotonic_ns()
        for line in lines:
            self._pins.pin(self.wired[f"in_{line}"]).drive_at(before, not closed)
        between = before, time.monotonic_ns()
        if "a" in lines:
            self._firmware.press(0, closed)
            end = time.monotonic() + 30  # a simulator may lag behind: let it see each level
            while any(mask & 1 != closed for mask in self.boxes.levels().values()) and time.monotonic() < end:
                time.sleep(0.001)
        return between


def rig() -> Rig:
    """The rig that COMPANION_RIG names: mock, simavr, or a TOML file. NoRig says why there is none."""
    named = os.environ.get("COMPANION_RIG", "")
    if named in ("mock", "simavr"):
        return PretendedRig(named)
    if not named:
        raise NoRig("COMPANION_RIG names no rig: copy rig.example.toml, or set it to mock or simavr")
    if not list(Path("/dev").glob("gpiochip*")):
        raise NoRig("this machine has no /dev/gpiochip*: a Raspberry Pi is wanted")
    try:
        return RealRig({**DEFAULTS, **tomllib.loads(Path(named).read_text("utf-8"))})
    except (OSError, PinError) as fault:
        raise NoRig(f"the rig cannot be had: {fault}") from fault
