"""Buttons and lamps on mock pins, driven like the world: levels with times in, presses and light out."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from gpiozero.pins.mock import MockFactory
from hypothesis import given
from hypothesis import strategies as st

from companion import house
from companion.edges.clocks import StillClocks
from companion.edges.gpio import UNCERTAINTY, Board, ButtonPin, LampPin, PinError, pi_factory
from companion.edges.mock_pins import MockPins, RacePin
from companion.table.photo_finish import MS, PhotoFinish, Press, heard, next_ripe, ripe
from companion.table.things import BID, CALL, Player

MIA, OMER = Player("Mia"), Player("Ömer")
KEYS = (ButtonPin(MIA, BID, 17), ButtonPin(OMER, BID, 27), ButtonPin(MIA, CALL, 22))
LAMPS = (LampPin(MIA, 5), LampPin(OMER, 6))


class Bench(MockPins):
    """A board of mock pins with what it has heard."""

    def __init__(self) -> None:
        """Nothing was pressed yet; it is second 1."""
        super().__init__()
        self.clocks, self.heard = StillClocks(1_000 * MS), list[Press]()
        self.board = Board(self.factory, KEYS, LAMPS, self.heard.append, self.clocks.now)


@pytest.fixture
def bench() -> Iterator[Bench]:
    made = Bench()
    yield made
    made.board.close()


def test_a_press_carries_the_kernels_time_its_uncertainty_and_when_it_was_heard(bench: Bench) -> None:
    bench.press(17, 990 * MS + 123)
    assert bench.heard == [Press(MIA, BID, 990 * MS + 123, UNCERTAINTY, "gpio", 1_000 * MS)]


def test_each_pin_means_its_players_button(bench: Bench) -> None:
    for number in (17, 27, 22):
        bench.press(number, 5 * MS)
    assert [(press.player, press.button) for press in bench.heard] == [(MIA, BID), (OMER, BID), (MIA, CALL)]


def test_a_bouncing_switch_is_one_press(bench: Bench) -> None:
    bench.press(17, 5 * MS, bounces=(MS, 3 * MS, 5 * MS))
    bench.press(17, 100 * MS, bounces=(MS, 3 * MS, 5 * MS))
    assert [press.at for press in bench.heard] == [5 * MS, 100 * MS]


def test_times_stay_exact_after_a_month_of_uptime(bench: Bench) -> None:
    at = 30 * 86_400 * 1_000_000_000 + 987_654_321
    bench.press(17, at)
    assert bench.heard[0].at == at


def test_a_button_held_at_the_start_is_no_press_until_it_is_pressed_anew() -> None:
    class HeldPin(RacePin):
        def input_with_pull(self, pull: str) -> None:
            super().input_with_pull(pull)
            self.lose(False)

    factory, out = MockFactory(pin_class=HeldPin), list[Press]()
    board = Board(factory, KEYS[:1], (), out.append)
    pin = factory.pin("GPIO17")
    pin.drive_at(50 * MS, True)
    assert out == []
    pin.drive_at(90 * MS, False)
    assert [press.at for press in out] == [90 * MS]
    board.close()


def test_a_lost_release_does_not_swallow_the_next_press(bench: Bench) -> None:
    bench.pin(17).drive_at(0, False)
    bench.pin(17).lose(True)
    now: int | None = 0
    while now is not None:
        now = bench.board.tick(now)
    bench.pin(17).drive_at(500 * MS, False)
    assert [press.at for press in bench.heard] == [0, 500 * MS]


BOUNCES = st.lists(st.integers(1, 58), unique=True, max_size=5).map(
    lambda tenths: tuple(after * MS // 10 for after in sorted(tenths)[::2])
)


@given(BOUNCES, BOUNCES, st.integers(2 * UNCERTAINTY + 1, 20 * MS), st.booleans())
def test_the_first_to_press_wins_however_the_switches_bounce(
    mine: tuple[int, ...], yours: tuple[int, ...], margin: int, arrives_late: bool
) -> None:
    bench = Bench()
    presses = [(17, 5 * MS, mine), (27, 5 * MS + margin, yours)]
    for number, at, bounces in presses[::-1] if arrives_late else presses:
        bench.press(number, at, bounces=bounces)
    bench.board.close()
    finish = PhotoFinish()
    for press in bench.heard:
        finish = heard(finish, press)
    moment = next_ripe(finish)
    assert moment is not None
    _, verdict = ripe(finish, moment + 30 * MS)
    assert [(press.player, press.tied) for press in verdict.presses] == [(MIA, ()), (OMER, ())]


def test_lamps_fit_the_house_and_show_their_looks(bench: Bench) -> None:
    lamps: house.Lamps = bench.board
    lamps.shine(MIA, "open")
    assert (bench.lit(5), bench.lit(6)) == (True, False)
    lamps.shine(MIA, "off")
    lamps.shine(Player("nobody"), "ask")
    lamps.blink(Player("nobody"), "no")
    assert (bench.lit(5), bench.lit(6)) == (False, False)


def test_a_board_lets_its_lamps_blink_and_gives_its_thread_back() -> None:
    before = set(threading.enumerate())
    blinked = threading.Event()

    class WatchedPin(RacePin):
        def _set_state(self, value: int) -> None:
            super()._set_state(value)
            if value:
                blinked.set()

    board = Board(MockFactory(pin_class=WatchedPin), KEYS, LAMPS, lambda _: None)
    board.start()
    board.shine(MIA, "open")
    blinked.clear()
    board.blink(MIA, "seen")
    assert blinked.wait(60)
    board.close()
    board.close()
    assert set(threading.enumerate()) == before


def test_an_answer_flickers_and_the_look_comes_back(bench: Bench) -> None:
    bench.board.shine(MIA, "open")
    bench.board.blink(MIA, "seen")
    now: int | None = bench.clocks.now()
    levels = []
    while now is not None:
        bench.clocks.advance_to(now)
        levels.append(bench.lit(5))
        now = bench.board.tick(now)
    assert levels[0] is False
    assert bench.lit(5)


def test_closing_darkens_the_lamps_and_a_press_after_it_is_not_heard(bench: Bench) -> None:
    bench.board.shine(MIA, "open")
    lamp, button = bench.pin(5), bench.pin(17)
    bench.board.close()
    assert not lamp.state
    button.drive_at(5 * MS, False)
    assert bench.heard == []


@pytest.mark.parametrize(
    ("keys", "lamps", "words"),
    [
        ([KEYS[0], ButtonPin(OMER, BID, 17)], [], ["Ömer's button", "already", "Mia's", "own pin"]),
        ([ButtonPin(MIA, BID, 17)], [LampPin(MIA, 17)], ["GPIO17", "Mia's lamp", "already"]),
        ([ButtonPin(MIA, BID, 99)], [], ["GPIO99", "Mia's button", "BCM number"]),
    ],
)  # fmt: skip
def test_a_pin_that_cannot_be_used_is_named_with_player_and_remedy(
    keys: list[ButtonPin], lamps: list[LampPin], words: list[str]
) -> None:
    with pytest.raises(PinError) as caught:
        Board(MockPins().factory, keys, lamps, lambda _: None)
    for word in words:
        assert word in str(caught.value)


class LgpioError(Exception):
    """As lgpio's own error: without any other parent."""


@pytest.mark.parametrize(
    ("fault", "remedy"),
    [
        (LgpioError("'GPIO busy'"), "Another program"),
        (PermissionError(13, "Permission denied"), "group gpio"),
        (LgpioError("can not open gpiochip"), "no GPIO chip"),
    ],
)
def test_a_busy_or_forbidden_pin_names_its_remedy(fault: Exception, remedy: str) -> None:
    class Refusing(RacePin):
        def _enable_event_detect(self) -> None:
            raise fault

    factory: Any = MockFactory(pin_class=Refusing)
    with pytest.raises(PinError, match=rf"GPIO17 \(Mia's button 'bid'\).*{remedy}"):
        Board(factory, KEYS, LAMPS, lambda _: None)


def test_without_lgpio_the_way_to_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "lgpio", None)
    monkeypatch.delitem(sys.modules, "gpiozero.pins.lgpio", raising=False)
    with pytest.raises(PinError, match="apt install python3-lgpio"):
        pi_factory()
