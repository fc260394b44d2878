"""The map from moments to samples follows the device, not its wobble."""

from __future__ import annotations

import pytest

from companion.sound.clips import RATE
from companion.sound.heard import BLOCK, Heard

SECOND = 1_000_000_000
MS = 1_000_000
STEP = BLOCK * SECOND // RATE


def test_the_map_follows_a_device_that_stood_still() -> None:
    heard = Heard(0)
    for number in range(400):
        heard.note(number * BLOCK, number * STEP, 10 * MS)
    for number in range(400, 420):
        heard.note(number * BLOCK, number * STEP + 800 * MS, 10 * MS)
    assert abs(heard.place(420 * STEP + 810 * MS) - 420 * BLOCK) < 2


def test_one_odd_answer_does_not_move_the_map() -> None:
    heard = Heard(0)
    for number in range(400):
        heard.note(number * BLOCK, number * STEP, 10 * MS if number != 300 else 900 * MS)
    assert heard.place(400 * STEP + 10 * MS) == 400 * BLOCK


@pytest.mark.parametrize("ppm", [-500, 500])
@pytest.mark.parametrize("first", [0, 2**31 - 200 * BLOCK])
def test_a_device_whose_clock_is_off_is_followed_however_long_it_has_run(ppm: int, first: int) -> None:
    heard, start = Heard(0), 9 * SECOND
    for number in range(4000):
        now = start + number * (STEP + STEP * ppm // 1_000_000)
        heard.note(first + number * BLOCK, now, 10 * MS)
    assert abs(heard.place(now + 10 * MS) - first - 3999 * BLOCK) < 5


@pytest.mark.parametrize("told", [True, False])
def test_nothing_is_moved_for_a_device_that_wobbles_and_all_for_one_that_stood_still(told: bool) -> None:
    heard, moment = Heard(0), 20 * SECOND
    for number in range(500):
        heard.note(number * BLOCK, number * STEP + number % 5 * MS, 10 * MS)
    placed = heard.place(moment)
    for number in range(500, 1000):
        heard.note(number * BLOCK, number * STEP + number % 5 * MS, 10 * MS)
        assert heard.drift(moment, placed) == 0
    if told:
        heard.anew()
    moved: list[int] = []
    for number in range(1000, 1400):
        heard.note(number * BLOCK, number * STEP + number % 5 * MS + 8 * MS, 10 * MS)
        moved.append(heard.drift(moment, placed + sum(moved)))
    assert abs(sum(moved) + 8 * RATE // 1000) < RATE // 2000 and min(moved) < -7 * RATE // 1000
