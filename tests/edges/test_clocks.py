"""Clocks ring once, in the order of their deadlines, on either kind of time."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion import house
from companion.edges.clocks import SECOND, MonotonicClocks, StillClocks
from companion.table.events import Clock, Rang

BEAT, PAUSE = Clock("beat", 1), Clock("pause", 1)


@pytest.mark.parametrize("clocks", [StillClocks(), MonotonicClocks()])
def test_both_kinds_fit_the_house(clocks: house.Clocks) -> None:
    before = clocks.now()
    ends = clocks.arm(BEAT, 1.5)
    assert ends >= before + 3 * SECOND // 2
    assert clocks.due() == ends
    assert clocks.rung(ends - 1) == ()
    assert clocks.rung(ends) == (Rang(BEAT),)
    assert clocks.due() is None


def test_virtual_time_moves_only_when_told_and_never_back() -> None:
    clocks = StillClocks(5)
    clocks.advance_to(9)
    clocks.advance_to(7)
    assert clocks.now() == 9


def test_real_clocks_run_on_the_time_that_presses_are_stamped_with() -> None:
    before = time.monotonic_ns()
    assert before <= MonotonicClocks().now() <= time.monotonic_ns()


def test_a_clock_disarmed_does_not_ring_and_disarming_it_twice_is_no_fault() -> None:
    clocks = StillClocks()
    clocks.arm(BEAT, 1)
    clocks.disarm(BEAT)
    clocks.disarm(BEAT)
    assert clocks.rung(9 * SECOND) == ()


def test_a_clock_armed_anew_rings_once_at_its_newer_deadline() -> None:
    clocks = StillClocks()
    clocks.arm(BEAT, 1)
    clocks.advance_to(SECOND // 2)
    clocks.arm(BEAT, 1)
    assert clocks.rung(SECOND) == ()
    assert clocks.rung(3 * SECOND // 2) == (Rang(BEAT),)


@given(st.dictionaries(st.builds(Clock, st.sampled_from("abc"), st.integers(0, 5)), st.integers(0, 8)))
def test_rings_come_in_order_and_each_once(seconds: dict[Clock, int]) -> None:
    clocks = StillClocks()
    for clock, length in seconds.items():
        clocks.arm(clock, length)
    heard: list[Clock] = []
    for now in (2, 5, 8):
        heard.extend(ring.clock for ring in clocks.rung(now * SECOND))
    assert sorted(heard, key=lambda clock: seconds[clock]) == heard
    assert len(heard) == len(seconds)
    assert set(heard) == set(seconds)


def test_a_wall_clock_that_jumps_moves_no_deadline(monkeypatch: pytest.MonkeyPatch) -> None:
    clocks = MonotonicClocks()
    ends = clocks.arm(BEAT, 60)
    for wall in (0, 2**40):
        monkeypatch.setattr(time, "time", lambda wall=wall: wall)
        monkeypatch.setattr(time, "time_ns", lambda wall=wall: wall * SECOND)
        assert clocks.due() == ends and 59 * SECOND < ends - clocks.now() <= 60 * SECOND
        assert clocks.rung(clocks.now()) == ()
