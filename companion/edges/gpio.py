"""Buttons and lamps on the Pi's pins, through gpiozero: raw edges with the kernel's time, debounced here.

gpiozero's own `bounce_time` (and the kernel's) stamps a press after it has settled, so that the switch that
bounces longer loses a race it won. Therefore raw edges are taken and the first one counts.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Mapping
from typing import Any

from companion.table.photo_finish import MS, Press
from companion.table.things import Button, CompanionError, Player, value
from companion.wire.debounce import Bounce, edge

# lgpio puts a pipe into its working folder when it is imported; a service's folder may be read-only.
os.environ.setdefault("LG_WD", tempfile.gettempdir())

from gpiozero import BadPinFactory, Device, GPIOZeroError  # noqa: E402  # after LG_WD is set
from gpiozero.pins.mock import MockFactory, MockPin  # noqa: E402  # likewise
from gpiozero.pins.pi import PiPin  # noqa: E402  # likewise

UNCERTAINTY = 50_000  # ns: the kernel's stamp against the moment of contact
BLINK_S = {"ask": (0.4, 0.4), "seen": (0.05, 0.05), "no": (0.1, 0.1)}


class PinError(CompanionError, OSError):
    """A pin cannot be used; the text names the pin, whose it is, and what to do."""


@value
class Wire:
    """One player's button and lamp: BCM pin numbers; no lamp: None."""

    player: Player
    button: int
    lamp: int | None = None
    meaning: Button = Button("bid")


class TablePin(MockPin):  # type: ignore[misc]  # gpiozero ships no types
    _state: bool

    """A pin of a simulated table: pressed at a chosen time, as the kernel would stamp it."""

    def drive_at(self, ticks_ns: int, state: bool) -> None:
        """Set the level as of a moment in monotonic ns; level False is pressed (pull-up)."""
        if self._state != state:
            self._state = state
            PiPin._call_when_changed(self, ticks_ns / 1e9, state)  # the mock's own would stamp it with now


class Buttons:
    """All buttons of a table. Each press goes to `heard` at once, stamped at its edge."""

    def __init__(self, wires: tuple[Wire, ...], heard: Callable[[Press], None], factory: Any = None) -> None:
        """Claim the pins; PinError for a busy or forbidden one. `factory` None: the machine's own."""
        self.factory = factory if factory is not None else _own_factory()
        self._keys: list[_Key] = []  # gpiozero holds callbacks weakly: the keys must live
        self.lamps = _Lamps(self.factory)
        try:
            for wire in wires:
                self._keys.append(_Key(wire, self.factory, heard))
                if wire.lamp is not None:
                    self.lamps.add(wire.player, wire.lamp)
        except GPIOZeroError as fault:
            self.close()
            raise PinError(
                f"GPIO{wire.button} ({wire.player}): {fault}. Is another program using the pin, and is this user "
                "in the group gpio?"
            ) from fault

    def close(self) -> None:
        """Give the pins back."""
        for key in self._keys:
            key.close()
        self.lamps.close()


class _Key:
    """One button: its pin, its debounce, its owner."""

    def __init__(self, wire: Wire, factory: Any, heard: Callable[[Press], None]) -> None:
        self.wire, self._heard, self._bounce = wire, heard, Bounce()
        self.pin = factory.pin(wire.button)
        self.pin.input_with_pull("up")
        self.pin.bounce = None
        self.pin.edges = "both"
        self.pin.when_changed = self.changed  # a bound method of an object that lives

    def changed(self, ticks: float, state: int) -> None:
        """An edge: ticks in CLOCK_MONOTONIC seconds."""
        at = round(ticks * 1e9)
        self._bounce, pressed = edge(self._bounce, at, down=not state)
        if pressed is not None:
            self._heard(Press(self.wire.player, self.wire.meaning, pressed, UNCERTAINTY, "gpio"))

    def close(self) -> None:
        self.pin.when_changed = None
        self.pin.close()


class _Lamps:
    """The lamps' levels; blinking is a pin's own background thread in gpiozero."""

    def __init__(self, factory: Any) -> None:
        self._factory = factory
        self._leds: dict[Player, Any] = {}
        self._looks: dict[Player, str] = {}

    def add(self, player: Player, pin: int) -> None:
        from gpiozero import LED  # noqa: PLC0415  # a table without lamps needs no LED class

        self._leds[player] = LED(pin, pin_factory=self._factory)

    def shine(self, player: Player, look: str) -> None:
        """The level: off, open (on), ask (slow blinking)."""
        self._looks[player] = look
        led = self._leds.get(player)
        if led is None:
            return
        if look == "ask":
            led.blink(*BLINK_S["ask"])
        elif look == "open":
            led.on()
        else:
            led.off()

    def blink(self, player: Player, look: str) -> None:
        """A short answer (seen: one flicker, no: three); the level comes back with the next one."""
        led = self._leds.get(player)
        if led is not None and self._looks.get(player) != "ask":
            led.blink(*BLINK_S[look], n=1 if look == "seen" else 3)

    def close(self) -> None:
        for led in self._leds.values():
            led.close()


def mock_factory() -> Any:
    """The pins of a simulated table."""
    return MockFactory(pin_class=TablePin)


def pin_map(players: tuple[Player, ...], pins: Mapping[str, tuple[int, int | None]]) -> tuple[Wire, ...]:
    """Wires from a setting: seat number ("1", "2" ... ) to button and lamp pins."""
    return tuple(
        Wire(player, *pins[str(number)]) for number, player in enumerate(players, 1) if str(number) in pins
    )


def _own_factory() -> Any:
    try:
        return Device.pin_factory or Device._default_pin_factory()
    except BadPinFactory as fault:
        raise PinError(
            "no GPIO pins here: not a Raspberry Pi, or python3-lgpio is missing (sudo apt install python3-lgpio). "
            "Buttons on phones and on the operator's screen work without"
        ) from fault


__all__ = ["MS", "Buttons", "PinError", "TablePin", "Wire", "mock_factory", "pin_map"]
