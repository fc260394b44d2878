"""Pins that another program holds are said once, and taken as soon as they are free, in the middle of a game."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from companion import config
from companion.edges.clocks import StillClocks
from companion.edges.gpio import PinError
from companion.edges.journal import Journal
from companion.edges.mock_pins import MockPins
from companion.edges.voice import Silence
from companion.house import House, News
from companion.running import parts, pins, real
from companion.shelf import phrases, shelf
from companion.table.events import Opened, Setting
from companion.table.session import Session
from companion.table.things import Player

PATIENCE = 20.0
NAMES = tuple(Player(name) for name in ("Mia", "Paul", "Ada"))
SETTINGS = "[seats.1]\nbutton = 2\nlamp = 16\n[seats.2]\nbutton = 3\nlamp = 17\n"


class Nobody:
    """No screen."""

    def show(self, session: Session | None, news: News) -> None:
        """Shows nothing."""


def test_pins_that_come_later_are_heard_and_lit_as_the_game_wants(monkeypatch: pytest.MonkeyPatch) -> None:
    wires, tries, free, lit = MockPins(), list[int](), threading.Event(), threading.Event()

    def claimed() -> Any:
        tries.append(1)
        if not free.is_set():
            raise PinError("GPIO2 is busy")
        return wires.factory

    monkeypatch.setattr(parts, "pi_factory", claimed)
    monkeypatch.setattr(pins.Pins.__init__, "__defaults__", (0.01,))
    later: Any = parts.Optional()
    journal = Journal(None)
    journal.append(1, Opened(Setting("koala", NAMES, {}, 1)))
    house = House(
        shelf(), phrases(), journal, StillClocks(0), lamps=later, voice=Silence(), eyes=later, screens=Nobody()
    )  # fmt: skip
    house.resume()
    (close,) = real.hands(house, later, config.parse(SETTINGS, "here"))
    try:
        house.step()
        assert "GPIO2 is busy" in house.news.health["buttons"]
        free.set()
        for _ in range(int(PATIENCE / 0.01)):
            house.step()
            if "buttons" not in house.news.health:
                break
            lit.wait(0.01)
        assert "buttons" not in house.news.health and len(tries) > 1
        assert wires.lit(16) and wires.lit(17)
        heard: list[str] = []
        later.roll.begin(heard.append)
        wires.press(3, at=1_000)
        assert heard == ["2"]
    finally:
        close()


def test_the_same_reason_is_said_once_and_closing_ends_the_asking() -> None:
    said, asked = list[str](), threading.Event()

    def never() -> Any:
        asked.set() if said else None
        raise PinError("no Pi")

    found = pins.Pins(never, lambda _: None, said.append, 0.001)
    assert asked.wait(PATIENCE)
    found.close()
    assert said == ["no Pi"]
