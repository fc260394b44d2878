"""Buttons and lamps on the Pi's pins: raw edges with the kernel's time, debounced here and nowhere else.

gpiozero's own debounce and the kernel's stamp a press after it has settled: the switch that bounces more
loses the race. So the pins are read below gpiozero's devices, where the kernel's time still is.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from threading import Condition, RLock, Thread
from typing import Any, TypeVar

from companion.table.photo_finish import Press
from companion.table.things import Button, CompanionError, Player, value
from companion.wire import debounce, lamp_looks
from companion.wire.debounce import Contact
from companion.wire.lamp_looks import BLINKS, Glow

SECOND = 1_000_000_000
UNCERTAINTY = 50_000  # ns between the contact and the kernel's stamp
Pin = Any  # a gpiozero pin: the package ships no types
Factory = Any
T = TypeVar("T")


class PinError(CompanionError, OSError):
    """A pin cannot be used; the text names it, whose it is, and the remedy."""


@value
class ButtonPin:
    """A player's button between a pin (BCM number) and ground."""

    player: Player
    button: Button
    pin: int

    def __str__(self) -> str:
        """Whose it is."""
        return f"GPIO{self.pin} ({self.player}'s button {self.button!r})"


@value
class LampPin:
    """A player's lamp between a pin (BCM number) and ground."""

    player: Player
    pin: int

    def __str__(self) -> str:
        """Whose it is."""
        return f"GPIO{self.pin} ({self.player}'s lamp)"


def pi_factory() -> Factory:
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


class Board:
    """All buttons and lamps of a table. Presses go to `press` from whatever thread the pins call in."""

    def __init__(
        self,
        factory: Factory,
        buttons: Iterable[ButtonPin],
        lamps: Iterable[LampPin],
        press: Callable[[Press], None],
        now: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        """Claim the pins; the factory is the board's from now on. PinError: taken twice, busy, forbidden."""
        self._factory, self._now = factory, now
        self._claimed: dict[int, str] = {}
        self._keys: list[_Key] = []  # a pin holds its callback only weakly: the keys must live
        self._lamps: dict[Player, _Lamp] = {}
        self._wake = Condition()
        self._thread: Thread | None = None
        self._stopped = False
        try:
            for wired in buttons:
                pin = self._claim(wired)
                self._keys.append(_tried(wired, partial(_Key, wired, pin, press, now)))
            for lamp in lamps:
                pin = self._claim(lamp)
                self._lamps[lamp.player] = _tried(lamp, partial(_Lamp, pin))
        except PinError:
            self.close()
            raise

    def start(self) -> None:
        """Let a thread blink the lamps and look at held switches; without it (virtual time) call `tick`."""
        self._thread = Thread(target=self._run, name="board", daemon=True)
        self._thread.start()

    def shine(self, player: Player, look: str) -> None:
        """Give a player's lamp its look: off, open, ask, lead, out. A player without a lamp is no fault."""
        self._change(player, lambda glow, now: Glow(look, now, glow.blink, glow.begun))

    def blink(self, player: Player, look: str) -> None:
        """Answer one press: seen, no, late. The look comes back after it."""
        self._change(player, lambda glow, now: replace(glow, blink=BLINKS[look], begun=now))

    def beat(self, player: Player, start: int, phases: tuple[int, ...]) -> None:
        """Wink with a count that begins at `start` ns; no phases: it has ended."""
        self._change(player, lambda glow, _: replace(glow, blink=phases, begun=start))

    def tick(self, now: int) -> int | None:
        """Bring lamps and held switches up to `now`; the next moment (ns) at which that is needed."""
        with self._wake:
            moments = [key.show(now) for key in self._keys]
            moments += [lamp.show(now) for lamp in self._lamps.values()]
            return min((moment for moment in moments if moment is not None), default=None)

    @property
    def players(self) -> tuple[Player, ...]:
        """Whose buttons there are."""
        return tuple(key.player for key in self._keys)

    def down(self) -> frozenset[Player]:
        """Whose buttons are held down now."""
        return frozenset(key.player for key in self._keys if key.down)

    def close(self) -> None:
        """Stop the thread, darken the lamps, give the pins back."""
        with self._wake:
            if self._stopped:
                return
            self._stopped = True
            self._wake.notify()
        if self._thread is not None:
            self._thread.join()
        for lamp in self._lamps.values():
            lamp.dark()
        self._factory.close()

    def _claim(self, wired: ButtonPin | LampPin) -> Pin:
        if wired.pin in self._claimed:
            raise PinError(f"{wired} is already {self._claimed[wired.pin]}: give each its own pin")
        self._claimed[wired.pin] = str(wired)
        return _tried(wired, partial(self._factory.pin, f"GPIO{wired.pin}"))

    def _change(self, player: Player, change: Callable[[Glow, int], Glow]) -> None:
        lamp = self._lamps.get(player)
        if lamp is None:
            return
        with self._wake:
            now = self._now()
            lamp.glow = change(lamp.glow, now)
            lamp.show(now)
            self._wake.notify()

    def _run(self) -> None:
        with self._wake:
            while not self._stopped:
                due = self.tick(self._now())
                # A press wakes nobody, so held switches are looked at within this time at the latest.
                wait = debounce.RECHECK if due is None else max(0, due - self._now())
                self._wake.wait(min(wait, debounce.RECHECK) / SECOND)


class _Key:
    """One button's pin."""

    def __init__(
        self, wired: ButtonPin, pin: Pin, heard: Callable[[Press], None], now: Callable[[], int]
    ) -> None:
        self._wired, self._pin, self._heard, self._now = wired, pin, heard, now
        self._lock = RLock()
        pin.input_with_pull("up")
        held = not pin.state  # held down at the start: told so, no press
        self._contact = Contact(held, held)
        pin.when_changed = self.changed

    @property
    def player(self) -> Player:
        """Whose it is."""
        return self._wired.player

    @property
    def down(self) -> bool:
        """Whether it is held now."""
        return not self._pin.state

    def changed(self, ticks: float, state: int) -> None:
        """Take an edge with its kernel time in seconds."""
        with self._lock:
            self._contact, edges = debounce.seen(self._contact, round(ticks * SECOND), not state)
            for edge in edges:
                if edge.down:
                    wired, now = self._wired, self._now()
                    press = Press(wired.player, wired.button, edge.at, UNCERTAINTY, "gpio", now)
                    self._heard(press)

    def show(self, now: int) -> int | None:
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


def _tried(wired: ButtonPin | LampPin, claim: Callable[[], T]) -> T:
    try:
        return claim()
    except Exception as fault:  # lgpio's own error class has no parent but this
        raise PinError(f"{wired} cannot be used: {fault}. {_remedy(fault)}") from fault


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
