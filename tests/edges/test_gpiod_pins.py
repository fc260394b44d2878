"""All pins in one request: libgpiod's own events through a socket in the kernel's place."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import gpiod
import pytest
from gpiod.line import Value

from companion.edges.gpio import Board, ButtonPin, LampPin, PinError
from companion.edges.gpiod_pins import OneRequest, one_request
from companion.table.photo_finish import MS, Press
from companion.table.things import BID, Player

MIA, OMER = Player("Mia"), Player("Ömer")
RISING, FALLING = (
    kind.value for kind in (gpiod.EdgeEvent.Type.RISING_EDGE, gpiod.EdgeEvent.Type.FALLING_EDGE)
)


class Kernel:
    """A request of lines: edges are put in by the test, in the kernel's numbering."""

    def __init__(self) -> None:
        self.near, self.far = socket.socketpair()
        self.levels: dict[int, Value] = {}
        self.waiting: list[gpiod.EdgeEvent] = []
        self.number, self.released = 0, False
        self.taken = threading.Semaphore(0)

    @property
    def fd(self) -> int:
        return self.near.fileno()

    def edge(self, line: int, level: int, at: int) -> None:
        """The kernel hands an edge out; the test goes on when it was taken."""
        self.number += 1
        self.levels[line] = (Value.INACTIVE, Value.ACTIVE)[level]
        self.waiting.append(gpiod.EdgeEvent(RISING if level else FALLING, at, line, self.number, 1))
        self.far.send(b"!")
        assert self.taken.acquire(timeout=30)

    def read_edge_events(self) -> Iterator[gpiod.EdgeEvent]:
        if not self.near.recv(1):
            raise OSError("no such device")
        yield self.waiting.pop(0)
        self.taken.release()

    def get_value(self, line: int) -> Value:
        return self.levels.get(line, Value.ACTIVE)

    def set_value(self, line: int, value: Value) -> None:
        self.levels[line] = value

    def release(self) -> None:
        self.released = True
        self.near.close()
        self.far.close()


class Header:
    """A board over one request, with what it has heard."""

    def __init__(self) -> None:
        self.kernel, self.heard, self.lost = Kernel(), list[Press](), list[int]()
        request = OneRequest(self.kernel, (Value.INACTIVE, Value.ACTIVE), self.lost.append)
        keys, lamps = (ButtonPin(MIA, BID, 17), ButtonPin(OMER, BID, 27)), (LampPin(MIA, 5),)
        self.board = Board(request, keys, lamps, self.heard.append, lambda: 1_000 * MS)


@pytest.fixture
def header() -> Iterator[Header]:
    made = Header()
    yield made
    made.board.close()
    assert made.kernel.released and made.kernel.levels[5] == Value.INACTIVE


def test_a_press_has_the_kernels_time_to_the_microsecond(header: Header) -> None:
    header.kernel.edge(17, 0, 400_000_123_456_000)
    (press,) = header.heard
    assert (press.player, press.button, press.source) == (MIA, BID, "gpio")
    assert abs(press.at - 400_000_123_456_000) < 1_000


def test_a_switch_that_bounces_is_one_press(header: Header) -> None:
    for step, level in enumerate((0, 1, 0, 1, 0)):
        header.kernel.edge(27, level, 900 * MS + step * MS)
    assert [press.at for press in header.heard] == [900 * MS]


def test_a_hole_in_the_kernels_numbers_is_an_alarm_and_the_next_press_counts(header: Header) -> None:
    header.kernel.edge(17, 0, 900 * MS)
    assert header.lost == []
    header.kernel.number += 3
    header.kernel.edge(27, 0, 950 * MS)
    assert header.lost == [3]
    assert [press.player for press in header.heard] == [MIA, OMER]


def test_a_chip_that_goes_away_is_told(header: Header) -> None:
    header.kernel.far.shutdown(socket.SHUT_WR)
    header.board._factory._thread.join(30)
    assert header.lost == [0]


def test_a_lamp_is_driven(header: Header) -> None:
    header.board.shine(MIA, "open")
    assert header.kernel.levels[5] == Value.ACTIVE


def test_without_a_header_the_remedy_is_named(tmp_path: Path) -> None:
    with pytest.raises(PinError, match="no GPIO header on this machine"):
        one_request((17,), (5,), lambda _: None, tmp_path)
