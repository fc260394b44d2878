"""`companion buttons` shows presses as they come, and the roll call names places and bad buttons in two languages."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion import config
from companion.edges.mock_pins import MockPins
from companion.table.photo_finish import Press
from companion.table.things import BID, Player
from companion.tasks import buttons
from companion.tasks.buttons import SECOND, Listening
from companion.wire.box_link import Down, Met, Up
from companion.wire.box_words import VERSION, Hello

BOARD = b"board #1".hex()
HELLO = Hello(VERSION, 3, 3, 3, 1_000_000, 0, 9, 0, 0, b"board #1")


class Ear:
    """A listening with a clock of its own."""

    def __init__(self, lang: str = "en") -> None:
        self.now, self.lines = 0, list[str]()
        self.heard = Listening(lang, self.lines.append, lambda: self.now)
        self.heard.signal("/dev/port", Met(HELLO))

    def tap(self, button: int, at: int) -> None:
        self.heard.signal(BOARD, Down(button, at, 300_000))
        self.heard.signal(BOARD, Up(button, at + 50_000_000))


def test_each_press_is_told_with_its_time_and_how_sure_it_is() -> None:
    ear = Ear()
    ear.tap(1, 1_500_000_000)
    assert ear.lines[0] == f"{BOARD}: 3 buttons, firmware 3, started 9 times"
    assert ear.lines[1].strip() == f"1.500000 s  {BOARD} button 2 down, give or take 0.300 ms"
    assert ear.lines[2].strip() == f"1.550000 s  {BOARD} button 2 up"


def test_a_pin_is_told_too() -> None:
    ear = Ear()
    ear.heard.pin(Press(Player("GPIO4"), BID, SECOND, 50_000))
    assert ear.lines[-1].strip() == "1.000000 s  GPIO4 down, give or take 0.050 ms"


def test_the_roll_call_gives_places_and_settings_and_names_the_silent_one() -> None:
    ear = Ear()
    ear.tap(2, SECOND)
    ear.tap(0, 2 * SECOND)
    assert ear.heard.told(silent=True)
    told = "\n".join(ear.lines)
    assert f"place 1: {BOARD} button 3" in told and f"place 2: {BOARD} button 1" in told
    assert f"{BOARD} button 2 is SILENT" in told
    assert f'[boxes.seats]\n"{BOARD}" = [2, -1, 1]' in told


def test_the_roll_call_names_silent_and_stuck_pins_and_forgets_none_when_a_box_comes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    header = MockPins()
    monkeypatch.setattr(buttons, "pi_factory", lambda: header.factory)
    ear = Ear()
    seats = {str(number): config.Seat(number + 1) for number in (1, 2, 3)}
    board = buttons._pins(config.Config(seats=seats, call_button=12), ear.heard)
    assert board is not None
    header.pin(3).lose(False)  # down, and no edge was ever seen
    header.press(2, SECOND)
    for ear.now in range(0, 10 * SECOND, SECOND):
        ear.heard.held(board.players, board.down())
    board.close()
    ear.heard.signal("/dev/port", Met(HELLO))
    assert not ear.heard.told(silent=True)
    told = "\n".join(ear.lines)
    assert "place 1: GPIO2\n" in told and "GPIO3 is STUCK" in told
    assert "GPIO4 is SILENT" in told and "GPIO12 is SILENT" in told
    assert "GPIO2 is" not in told and "GPIO3 is SILENT" not in told
    assert told.count("button 1 is SILENT") == 1  # the box was met twice


def test_stuck_and_chattering_buttons_are_not_well() -> None:
    ear = Ear("de")
    ear.heard.levels(BOARD, 0b100)
    for at in (SECOND, SECOND + 30_000_000):
        ear.tap(0, at)
    ear.now = 10 * SECOND
    assert not ear.heard.told(silent=False)
    told = "\n".join(ear.lines)
    assert f"{BOARD} button 3 KLEMMT" in told and f"{BOARD} button 1 PRELLT" in told
    assert "STUMM" not in told


@pytest.mark.parametrize("lang", ["en", "de"])
def test_when_nothing_comes_the_next_step_is_named(lang: str) -> None:
    heard = Listening(lang, (lines := list[str]()).append)
    assert not heard.told(silent=True)
    assert "udev" in lines[0]


def test_a_trouble_is_told_and_its_end_only_after_it() -> None:
    ear = Ear()
    ear.lines.clear()
    ear.heard.trouble("box a", "")
    assert ear.lines == []
    ear.heard.trouble("box a", "unplugged")
    ear.heard.trouble("box a", "")
    assert ear.lines == ["box a: unplugged", "box a: well again"]


@pytest.mark.parametrize("lang", ["en", "de"])
def test_a_port_with_nothing_at_it_is_named_at_once_with_its_remedy(lang: str, tmp_path: Path) -> None:
    heard, there = Listening(lang, (lines := list[str]()).append), tmp_path / "box-1"
    there.touch()
    heard.begins([str(there), "/dev/ttyUSB99", str(tmp_path / "none-*")], config.Config(), None)
    wrong, rule, listens = lines
    assert "/dev/ttyUSB99" in wrong and "ls /dev/tty*" in wrong
    assert "none-*" in rule and "udev" in rule and "--port" in rule
    assert all(word in listens for word in (str(there), "/dev/ttyUSB99", "--config"))


def test_pins_that_are_listened_to_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    header, lines = MockPins(), list[str]()
    monkeypatch.setattr(buttons, "pi_factory", lambda: header.factory)
    heard, chosen = Listening("en", lines.append), config.Config(seats={"1": config.Seat(4)})
    board = buttons._pins(chosen, heard)
    assert board is not None
    heard.begins([], chosen, board)
    board.close()
    assert "to pins GPIO4." in lines[-1]
