"""Buttons and lamps on the Pi's pins: raw edges with the kernel's time, debounced here and nowhere else.

gpiozero's own debounce and the kernel's stamp a press after it has settled: the switch that bounces more
loses the race. So the pins are read below gpiozero's devices, where the kernel's time still is.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from threading import Condition, RLock, Thread
from typing import Any, TypeVar

from gpiozero.pins.mock import MockFactory, MockPin
from gpiozero.pins.pi import PiPin

from companion.table.photo_finish import Press
from companion.table.things import BID, Button, CompanionError, Player, value
from companion.wire import debounce, lamp_looks
from companion.wire.debounce import Contact
from companion.wire.lamp_looks import Glow

SECOND = 1_000_000_000
UNCERTAINTY = 50_000  # ns between the contact and the kernel's stamp
Pin = Any  # a gpiozero pin: the package ships no types
Factory = Any
T = TypeVar("T")


class PinError(CompanionError, OSError):
    """A pin cannot be used; the text names it, whose it is, and the remedy."""


@value
class Wire:
    """One player's button and lamp, each between a pin (BCM number) and ground; no lamp: None."""

    player: Player
    button: int
    lamp: int | None = None
    meaning: Button = BID


class Buttons:
    """All buttons and lamps of a table. Presses go to `heard` from whatever thread the pins call in.

    `lamps` takes looks (`shine`) and answers (`blink`). A thread lets them blink and looks at held switches
    whose edge may have been lost; in virtual time, where no lamp blinks, there is none.
    """

    def __init__(
        self,
        wires: tuple[Wire, ...],
        heard: Callable[[Press], None],
        factory: Factory = None,
        now: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        """Claim pins of `factory` (None: this Pi's) and own it. PinError: taken twice, busy, forbidden."""
        self.factory = factory if factory is not None else _own_factory()
        self._now = now
        self._claimed: dict[int, str] = {}
        self._keys: list[_Key] = []  # a pin holds its callback only weakly: the keys must live
        self._wake = Condition()
        self._thread: Thread | None = None
        self._stopped = False
        self.lamps = _Lamps(self._wake, self._begin, now)
        try:
            for wire in wires:
                self._wire(wire, heard)
        except PinError:
            self.close()
            raise
        if factory is None:
            self._begin()

    def tick(self, now: int) -> int | None:
        """Bring lamps and held switches up to `now`; the next moment (ns) at which that is needed."""
        with self._wake:
            moments = [key.look(now) for key in self._keys]
            moments.append(self.lamps.show(now))
            return min((moment for moment in moments if moment is not None), default=None)

    def close(self) -> None:
        """Stop the thread, darken the lamps, give the pins back."""
        with self._wake:
            if self._stopped:
                return
            self._stopped = True
            self._wake.notify()
        if self._thread is not None:
            self._thread.join()
        self.lamps.dark()
        self.factory.close()

    def _wire(self, wire: Wire, heard: Callable[[Press], None]) -> None:
        whose = f"GPIO{wire.button} ({wire.player}'s button {wire.meaning!r})"
        pin = self._claim(wire.button, whose)
        self._keys.append(_tried(whose, partial(_Key, wire, pin, heard, self._now)))
        if wire.lamp is not None:
            whose = f"GPIO{wire.lamp} ({wire.player}'s lamp)"
            pin = self._claim(wire.lamp, whose)
            self.lamps.add(wire.player, _tried(whose, partial(_Lamp, pin)))

    def _claim(self, number: int, whose: str) -> Pin:
        if number in self._claimed:
            raise PinError(f"{whose} is already {self._claimed[number]}: give each its own pin")
        self._claimed[number] = whose
        return _tried(whose, partial(self.factory.pin, f"GPIO{number}"))

    def _begin(self) -> None:
        with self._wake:
            if self._thread is None and not self._stopped:
                self._thread = Thread(target=self._run, name="lamps", daemon=True)
                self._thread.start()

    def _run(self) -> None:
        with self._wake:
            while not self._stopped:
                due = self.tick(self._now())
                # A press wakes nobody, so held switches are looked at within this time at the latest.
                wait = debounce.RECHECK if due is None else max(0, due - self._now())
                self._wake.wait(min(wait, debounce.RECHECK) / SECOND)


class _Lamps:
    """The lamps by player."""

    def __init__(self, wake: Condition, begin: Callable[[], None], now: Callable[[], int]) -> None:
        self._wake, self._begin, self._now = wake, begin, now
        self._lamps: dict[Player, _Lamp] = {}

    def add(self, player: Player, lamp: _Lamp) -> None:
        """Give a player his lamp."""
        self._lamps[player] = lamp

    def shine(self, player: Player, look: str) -> None:
        """Give a lamp its look: off, open, ask. A player without a lamp is no fault."""
        self._change(player, lambda glow, now: Glow(look, now, glow.blink, glow.begun))

    def blink(self, player: Player, look: str) -> None:
        """Answer one press: seen, no. The look comes back after it."""
        self._change(player, lambda glow, now: replace(glow, blink=look, begun=now))

    def show(self, now: int) -> int | None:
        """Light all as they should be; when that changes next, ns."""
        moments = [lamp.show(now) for lamp in self._lamps.values()]
        return min((moment for moment in moments if moment is not None), default=None)

    def dark(self) -> None:
        """All out."""
        for lamp in self._lamps.values():
            lamp.dark()

    def _change(self, player: Player, change: Callable[[Glow, int], Glow]) -> None:
        lamp = self._lamps.get(player)
        if lamp is None:
            return
        with self._wake:
            now = self._now()
            lamp.glow = change(lamp.glow, now)
            if lamp.show(now) is not None:
                self._begin()
            self._wake.notify()


class _Key:
    """One button's pin."""

    def __init__(self, wire: Wire, pin: Pin, heard: Callable[[Press], None], now: Callable[[], int]) -> None:
        self._wire, self._pin, self._heard, self._now = wire, pin, heard, now
        self._lock = RLock()
        pin.input_with_pull("up")
        held = not pin.state  # held down at the start: told so, no press
        self._contact = Contact(held, held)
        pin.when_changed = self.changed

    def changed(self, ticks: float, state: int) -> None:
        """Take an edge with its kernel time in seconds."""
        with self._lock:
            self._contact, edges = debounce.seen(self._contact, round(ticks * SECOND), not state)
            for edge in edges:
                if edge.down:
                    wire, now = self._wire, self._now()
                    self._heard(Press(wire.player, wire.meaning, edge.at, UNCERTAINTY, "gpio", now))

    def look(self, now: int) -> int | None:
        """Look at the level while the switch is held; when to look again."""
        with self._lock:
            if self._contact.down:
                self._contact, _ = debounce.looked(self._contact, now, not self._pin.state)
            return debounce.due(self._contact, now)


class _Lamp:
    """One lamp's pin."""

    def __init__(self, pin: Pin) -> None:
        self._pin, self._lit = pin, False
        self.glow = Glow()
        pin.output_with_state(0)

    def show(self, now: int) -> int | None:
        """Light it as its look wants; when that changes."""
        lit, change = lamp_looks.shown(self.glow, now)
        if lit != self._lit:
            self._lit = lit
            self._pin.state = int(lit)
        return change

    def dark(self) -> None:
        """Out."""
        self._pin.state = 0


class TablePin(MockPin):  # type: ignore[misc]  # gpiozero ships no types
    """A pin of a simulated table: its edges carry a chosen time, as the kernel would stamp them."""

    def drive_at(self, at: int, state: bool) -> None:
        """Put the level to `state` (False: pressed) at monotonic ns, calling back in this thread."""
        if self._change_state(state) and self._when_changed is not None:
            PiPin._call_when_changed(self, at / SECOND, int(state))

    def lose(self, state: bool) -> None:
        """Change the level without an edge, as a pin does whose edge was lost on the way."""
        self._change_state(state)

    def _change_state(self, value: bool) -> bool:
        """As the parent, without its list of all states ever: a table runs for days."""
        before: bool = self.state
        self._state = value
        return before != value


def mock_factory() -> Factory:
    """The pins of a simulated table."""
    return MockFactory(pin_class=TablePin)


def _own_factory() -> Factory:
    """The pins of this Pi, by lgpio: the other factories of gpiozero stamp an edge when they hear of it."""
    # lgpio puts a pipe there when it is imported; the working folder of a service may be read-only.
    os.environ.setdefault("LG_WD", tempfile.gettempdir())
    try:
        from gpiozero.pins.lgpio import LGPIOFactory  # noqa: PLC0415  # not before LG_WD
    except ImportError as fault:
        raise PinError(
            "no pins: lgpio is missing. `apt install python3-lgpio` (venv: with --system-site-packages); "
            "phones and the operator's screen work without pins"
        ) from fault
    try:
        return LGPIOFactory()
    except Exception as fault:  # lgpio's own error class has no parent but this
        raise PinError(f"no pins: {fault}. {_remedy(fault)}") from fault


def _tried(whose: str, claim: Callable[[], T]) -> T:
    try:
        return claim()
    except Exception as fault:  # lgpio's own error class has no parent but this
        raise PinError(f"{whose} cannot be used: {fault}. {_remedy(fault)}") from fault


def _remedy(fault: Exception) -> str:
    words = str(fault).lower()
    if "busy" in words or "in use" in words:
        return "Another program holds it: `gpioinfo` names it; close that one"
    if "permission" in words or "not permitted" in words or isinstance(fault, PermissionError):
        return "Add your user to the group gpio (`sudo adduser $USER gpio`) and log in again"
    if "chip" in words:
        return (
            "This machine has no GPIO chip that may be opened; phones and the operator's screen work without"
        )
    return "Use the BCM number of a free GPIO pin of this Pi"
