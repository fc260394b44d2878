"""Pins by libgpiod v2: all lines in one request, so that the kernel numbers every edge of the table in one row.

A hole in the numbers is an edge that the kernel had to drop. gpiozero's factories cannot tell; here it is an alarm.
"""

from __future__ import annotations

import os
import select
from collections.abc import Callable, Iterable
from pathlib import Path
from threading import Thread
from typing import Any, Protocol

from companion.edges.gpio import PinError

SECOND = 1_000_000_000
LABEL = "pinctrl-"  # the Pi's own header: pinctrl-bcm2711 (Pi 4), pinctrl-rp1 (Pi 5)
ROOM = 1024  # edges that the kernel keeps for us: all switches of ten players bouncing at once


class Edge(Protocol):
    """One edge, as libgpiod tells it."""

    @property
    def timestamp_ns(self) -> int:
        """When, CLOCK_MONOTONIC."""

    @property
    def line_offset(self) -> int:
        """Which line."""

    @property
    def global_seqno(self) -> int:
        """Its number among all edges of the request, from 1."""

    @property
    def event_type(self) -> Any:
        """RISING_EDGE or FALLING_EDGE."""


class Lines(Protocol):
    """A request of lines, as libgpiod holds it."""

    @property
    def fd(self) -> int:
        """Readable while edges wait."""

    def read_edge_events(self) -> Iterable[Edge]:
        """The edges that wait, in their order."""

    def get_value(self, line: int) -> Any:
        """A line's level now; its `value` is 0 or 1."""

    def set_value(self, line: int, value: Any) -> None:
        """Drive a line."""

    def release(self) -> None:
        """Give all lines back."""


class OneRequest:
    """A factory of pins, as `Board` takes it, over one request of lines."""

    def __init__(self, lines: Lines, levels: tuple[Any, Any], alarm: Callable[[int], None]) -> None:
        """`levels`: libgpiod's words for low and high. `alarm`: so many edges were lost; 0: none will come.

        It is called in a thread of ours.
        """
        self._lines, self._levels, self._alarm = lines, levels, alarm
        self._pins: dict[int, LinePin] = {}
        self._last = 0
        self._closing = os.eventfd(0)
        self._thread = Thread(target=self._run, name="gpiod", daemon=True)
        self._thread.start()

    def pin(self, name: str) -> LinePin:
        """The pin of a name like GPIO17."""
        number = int(name.removeprefix("GPIO"))
        return self._pins.setdefault(number, LinePin(self._lines, number, self._levels))

    def close(self) -> None:
        """Hear nothing more, give the lines back."""
        os.eventfd_write(self._closing, 1)
        self._thread.join()
        os.close(self._closing)
        self._lines.release()

    def _run(self) -> None:
        waiting = select.poll()
        for fd in (self._lines.fd, self._closing):
            waiting.register(fd, select.POLLIN)
        try:
            while all(fd != self._closing for fd, _ in waiting.poll()):
                for edge in self._lines.read_edge_events():
                    self._take(edge)
        except OSError:  # the chip is gone: no edge will come any more
            self._alarm(0)

    def _take(self, edge: Edge) -> None:
        lost, self._last = edge.global_seqno - self._last - 1, edge.global_seqno
        if lost > 0:
            self._alarm(lost)
        pin = self._pins.get(edge.line_offset)
        if pin is not None and pin.when_changed is not None:
            pin.when_changed(edge.timestamp_ns / SECOND, int(edge.event_type.name == "RISING_EDGE"))


class LinePin:
    """One line with the face of a gpiozero pin, as far as `Board` looks at it."""

    def __init__(self, lines: Lines, number: int, levels: tuple[Any, Any]) -> None:
        self._lines, self._number, self._levels = lines, number, levels
        self.when_changed: Callable[[float, int], None] | None = None

    def input_with_pull(self, pull: str) -> None:
        """The request has asked for it already."""

    def output_with_state(self, state: int) -> None:
        """The request has made it an output; now it has its level."""
        self.state = state

    @property
    def state(self) -> int:
        """The level, 0 or 1."""
        return int(self._lines.get_value(self._number) == self._levels[1])

    @state.setter
    def state(self, level: int) -> None:
        self._lines.set_value(self._number, self._levels[level])


def one_request(
    buttons: Iterable[int], lamps: Iterable[int], alarm: Callable[[int], None], folder: Path = Path("/dev")
) -> OneRequest:
    """Ask the kernel for all pins (BCM numbers) at once. PinError: no libgpiod 2, no header, busy, forbidden."""
    try:
        import gpiod  # noqa: PLC0415  # only where the settings choose it
        from gpiod.line import Bias, Clock, Direction, Edge, Value  # noqa: PLC0415  # as above
    except ImportError as fault:
        raise PinError(
            "pins = \"gpiod\" needs libgpiod 2: `pip install 'gpiod>=2.2'` with the pip of the companion's Python, "
            'or set pins = "lgpio"'
        ) from fault
    button = gpiod.LineSettings(
        direction=Direction.INPUT, edge_detection=Edge.BOTH, bias=Bias.PULL_UP, event_clock=Clock.MONOTONIC
    )
    lamp = gpiod.LineSettings(direction=Direction.OUTPUT, output_value=Value.INACTIVE)
    wanted: dict[Any, Any] = {**dict.fromkeys(lamps, lamp), **dict.fromkeys(buttons, button)}
    try:
        path = _header(folder, gpiod)
        lines = gpiod.request_lines(path, config=wanted, consumer="companion", event_buffer_size=ROOM)
    except (OSError, ValueError) as fault:
        raise PinError(
            f"no pins: {fault}. `gpioinfo` names who holds a pin; `sudo adduser $USER gpio` lets you use them"
        ) from fault
    return OneRequest(lines, (Value.INACTIVE, Value.ACTIVE), alarm)


def _header(folder: Path, gpiod: Any) -> str:
    """The chip whose pins are the Pi's header."""
    for path in sorted(folder.glob("gpiochip*")):
        if gpiod.is_gpiochip_device(str(path)):
            with gpiod.Chip(str(path)) as chip:
                if chip.get_info().label.startswith(LABEL):
                    return str(path)
    raise PinError('no pins: no GPIO header on this machine; leave the seats out, or set pins = "lgpio"')
