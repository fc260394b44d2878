"""USB button boxes: one loop opens their lines, reads them, and tells presses with the time at the source.

A box is known by the id it says, never by its port: boxes that swap ports, or come back at another one, keep
their players. Opening a line resets many boards; the link knocks until the box says hello.
"""

from __future__ import annotations

import os
import selectors
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from threading import RLock, Thread
from typing import Any

import serial

from companion.table.photo_finish import Closed, Gone, Press
from companion.table.things import Button, Player, value
from companion.wire.box_link import MS, BoxLink, Down, Lost, Met, Refused, Shut, Signal, Silent
from companion.wire.box_words import BASE, BLINK, PHASE_NS
from companion.wire.lamp_looks import BLINKS, LOOKS

SECOND = 1_000_000_000
PORTS = ("/dev/companion/box-*",)  # the names that our udev rule gives
BAUD = 115_200
SCAN = 150 * MS  # how often new ports are looked for
LOST_FOR = 30_000 * MS  # how long it is told that presses were lost
HELLO_BY = 4_000 * MS  # boot loaders take up to 2.5 s


@value
class Key:
    """Whose a box's button is."""

    player: Player
    button: Button


def open_port(name: str) -> Any:
    """A serial line without waiting; OSError (serial.SerialException) if it cannot be opened."""
    line = serial.Serial(exclusive=True, baudrate=BAUD, timeout=0, write_timeout=0)
    line.port = name
    line.open()
    return line


class Boxes:
    """All boxes of a table. `tell` is called in the loop's thread with presses and how far a box is closed."""

    def __init__(
        self, keys: Callable[[str, int], tuple[Key | None, ...]], tell: Callable[[Press | Closed | Gone], None],
        trouble: Callable[[str, str], None], *, ports: Iterable[str] = PORTS,
        opened: Callable[[str], Any] = open_port, now: Callable[[], int] = time.monotonic_ns,
        watch: Callable[[str, Signal], None] = lambda _name, _signal: None,
    ) -> None:  # fmt: skip
        """`keys`: whose the buttons of a board are, by its id and their number; asked at each hello.

        `trouble(device, text)`: what is wrong with a device and what to do; "" when it is well again.
        """
        self._keys, self._tell, self._trouble, self._watch = keys, tell, trouble, watch
        self._ports = tuple(str(Path(port).absolute()) for port in ports)
        self._open, self._now = opened, now
        self._lock = RLock()
        self._lines: dict[str, _Line] = {}  # by port
        self._looks: dict[Player, str] = {}
        self._refused: dict[str, str] = {}  # ports that could not be opened, and why
        self._selector = selectors.DefaultSelector()
        self._ears, self._mouth = os.pipe()
        os.set_blocking(self._ears, False)
        self._selector.register(self._ears, selectors.EVENT_READ)
        self._scan_at = now()
        self._stopped = False
        self.seen = time.monotonic()
        self._thread: Thread | None = None

    def start(self) -> None:
        """Let a thread work until `close`; without it call `turn`."""
        self._thread = Thread(target=self._run, name="boxes", daemon=True)
        self._thread.start()

    def close_to(self, moment: int) -> None:
        """Ask every box to say `Closed` for a moment, ns. From any thread."""
        with self._lock:
            for line in tuple(self._lines.values()):  # one may be dropped on the way
                self._heed(line, line.link.close_to(moment, self._now()))
                self._send(line)
        self._wake()

    def shine(self, player: Player, look: str) -> None:
        """Give a player's lamp its look; one without a lamp is no fault. From any thread."""
        with self._lock:
            self._looks[player] = look
            self._light(player, BASE, LOOKS[look])
        self._wake()

    def blink(self, player: Player, look: str) -> None:
        """Answer one press; the look comes back after it. From any thread."""
        with self._lock:
            self._light(player, BLINK, BLINKS[look])
        self._wake()

    def beat(self, player: Player, start: int, phases: tuple[int, ...]) -> None:
        """Wink with a count that begins at `start` ns; no phases: it has ended. From any thread."""
        with self._lock:
            self._light(player, BLINK, phases, start)
        self._wake()

    def here(self) -> tuple[str, ...]:
        """The ids of the boxes that answer now."""
        with self._lock:
            return tuple(sorted(line.name for line in self._lines.values() if line.name))

    def alive(self) -> float | None:
        """When the thread last looked round, monotonic s; None while it does not work."""
        return None if self._stopped or self._thread is None else self.seen

    def levels(self) -> Mapping[str, int]:
        """Which buttons each box says are down, bit 0 the first."""
        with self._lock:
            return {line.name: line.link.levels for line in self._lines.values() if line.name}

    def close(self) -> None:
        """Stop, give the ports back."""
        self._stopped = True
        self._wake()
        if self._thread is not None:
            self._thread.join()
        with self._lock:
            for line in tuple(self._lines.values()):
                self._drop(line, "")
        self._selector.close()
        os.close(self._ears)
        os.close(self._mouth)

    def turn(self, patience: int | None = None) -> None:
        """Do what is due, then wait for bytes until the next thing is due, at most `patience` ns."""
        with self._lock:
            now = self._now()
            if now >= self._scan_at:
                self._scan_at = now + SCAN
                self._scan()
            for line in tuple(self._lines.values()):
                if line.link.due() <= now:
                    self._heed(line, line.link.tick(now))
                    self._send(line)
            due = min([self._scan_at, *(line.link.due() for line in self._lines.values())])
        wait = max(0, due - self._now())
        for key, _ in self._selector.select(min(wait, patience if patience is not None else wait) / SECOND):
            if key.data is None:
                with_nothing = os.read(self._ears, 4096)
                del with_nothing  # only a call to look again
            else:
                self._read(key.data)

    def _run(self) -> None:
        while not self._stopped:
            self.seen = time.monotonic()
            self.turn()

    def _wake(self) -> None:
        if self._thread is not None:
            os.write(self._mouth, b"!")

    def _scan(self) -> None:
        found = {str(path) for pattern in self._ports for path in Path("/").glob(pattern.lstrip("/"))}
        for port in sorted(found - self._lines.keys()):
            try:
                opened = self._open(port)
            except (OSError, ValueError) as fault:
                self._cannot(port, fault)
                continue
            self._refused.pop(port, None)
            line = self._lines[port] = _Line(port, opened, self._now())
            self._selector.register(opened.fileno(), selectors.EVENT_READ, line)
            self._send(line)
        for port in self._refused.keys() - found:  # unplugged: no fault of it is left
            del self._refused[port]
            self._trouble(f"box at {port}", "")
        for port in self._lines.keys() - found:
            self._drop(self._lines[port], "unplugged")

    def _cannot(self, port: str, fault: Exception) -> None:
        """Say once why a port cannot be opened; it is tried again and again."""
        words = str(fault)
        if self._refused.get(port) == words:
            return
        self._refused[port] = words
        remedy = "close the other program that has it open"
        if "ermission" in words:
            remedy = "sudo adduser $USER dialout, then log in again"
        self._trouble(f"box at {port}", f"it cannot be opened: {words}; {remedy}")

    def _read(self, line: _Line) -> None:
        now = self._now()
        try:
            chunk = os.read(line.opened.fileno(), 4096)
        except BlockingIOError:
            return
        except (OSError, serial.SerialException, TypeError):
            chunk = b""
        with self._lock:
            if line.port not in self._lines:
                return
            if not chunk:
                self._drop(line, "unplugged")
                return
            self._heed(line, line.link.received(chunk, now))
            self._send(line)

    def _send(self, line: _Line) -> None:
        """Give the line what it takes; a box that takes nothing will be silent soon, and then be named."""
        if not line.link.outgoing or line.port not in self._lines:
            return
        try:
            sent = os.write(line.opened.fileno(), line.link.outgoing)
        except BlockingIOError:
            sent = 0
        except (OSError, serial.SerialException, TypeError):
            self._drop(line, "unplugged")
            return
        del line.link.outgoing[: max(sent, len(line.link.outgoing) - 4096)]

    def _heed(self, line: _Line, signals: Iterable[Signal]) -> None:
        for signal in signals:
            self._watch(line.name or line.port, signal)
            if isinstance(signal, Down | Shut):
                self._lives(line)
            if isinstance(signal, Down):
                self._press(line, signal)
            elif isinstance(signal, Shut):
                self._tell(Closed(line.source, signal.until, signal.unc))
            elif isinstance(signal, Met):
                self._meet(line, signal)
            elif isinstance(signal, Refused):
                self._trouble(f"box at {line.port}", signal.why)
            elif isinstance(signal, Lost):
                line.lost_until = self._now() + LOST_FOR
                self._trouble(
                    line.source, f"{signal.events} presses or releases were lost: play the round again"
                )
            elif isinstance(signal, Silent):
                self._silent(line)

    def _lives(self, line: _Line) -> None:
        """A box answers, at the latest when its clock is read: what was told of it is over, if it has its time."""
        lost = self._now() < line.lost_until
        if not lost and (line.ill or line.lost_until):
            line.ill, line.lost_until = False, 0
            self._trouble(line.device, "")

    def _meet(self, line: _Line, met: Met) -> None:
        name = met.hello.name
        twin = next((each for each in self._lines.values() if each.name == name and each is not line), None)
        if twin is not None:
            words = f"it says the id {name} of the box at {twin.port}: give it its own (`make id`)"
            self._trouble(f"box at {line.port}", words)
            return
        line.name, line.ill, line.lost_until = name, False, 0
        line.keys = self._keys(name, met.hello.buttons)
        self._trouble(line.source, "")
        self._trouble(f"box at {line.port}", "")
        for player, look in self._looks.items():
            self._light(player, BASE, LOOKS[look])

    def _press(self, line: _Line, down: Down) -> None:
        key = line.keys[down.button] if down.button < len(line.keys) else None
        if key is not None:
            press = Press(key.player, key.button, down.at, down.unc, line.source, self._now(), down.grain)
            self._tell(press)

    def _silent(self, line: _Line) -> None:
        if line.name:
            line.ill, line.lost_until = True, 0
            self._tell(Gone(line.source))
            self._trouble(
                line.source, "it no longer answers: press on a phone, pull its plug and put it in again"
            )
        elif not line.ill and not line.link.refused and self._now() >= line.since + HELLO_BY:
            line.ill = True
            self._trouble(
                f"box at {line.port}", "nothing there speaks our line: flash it (firmware_profiles)"
            )

    def _light(self, player: Player, layer: int, phases: tuple[int, ...], at: int | None = None) -> None:
        now = self._now()
        for line in tuple(self._lines.values()):
            for number, key in enumerate(line.keys):
                if key is not None and key.player == player and line.name:
                    steps = tuple(phase // PHASE_NS for phase in phases)
                    line.link.light(number, layer, steps, now if at is None else at, now)
                    self._send(line)

    def _drop(self, line: _Line, why: str) -> None:
        """Give a line up: its box is gone until a port says its id again."""
        del self._lines[line.port]
        self._selector.unregister(line.fd)
        with suppress(OSError):  # it is gone already
            line.opened.close()
        if why:
            self._trouble(f"box at {line.port}", "")  # whatever the port was told to have, it is gone
        if line.name and why:
            self._tell(Gone(line.source))
            self._trouble(line.source, f"{why}: press on a phone meanwhile, and put its plug in again")


class _Line:
    """An open port, and what is known of the box at its end."""

    def __init__(self, port: str, opened: Any, now: int) -> None:
        self.port, self.opened, self.since = port, opened, now
        self.fd: int = opened.fileno()
        self.link = BoxLink(now)
        self.name = ""
        self.ill = False  # silent, and said so
        self.lost_until = 0  # until when it stays told that presses were lost; 0: none were
        self.keys: tuple[Key | None, ...] = ()

    @property
    def device(self) -> str:
        """What troubles call it: by its id, or by its port while it has said none."""
        return self.source if self.name else f"box at {self.port}"

    @property
    def source(self) -> str:
        """What it is called in the photo finish and in troubles."""
        return f"box {self.name}"
