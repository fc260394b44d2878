"""Whatever the line delays, the true time lies within what the clock claims."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.wire.box_clock import BoxClock

MS = 1_000_000
SECOND = 1_000_000_000


class Quartz:
    """A box's true clock."""

    def __init__(self, hz: int, ppm: float, first: int) -> None:
        self.hz, self.rate, self.first = hz, 1 + ppm * 1e-6, first

    def ticks(self, at: int) -> int:
        return (self.first + round(at * self.rate * self.hz / SECOND)) & 0xFFFFFFFF


def read(clock: BoxClock, quartz: Quartz, sent: int, there: int, back: int) -> None:
    heard = sent + there
    clock.read(sent, quartz.ticks(heard), quartz.ticks(heard), heard + back)


@given(
    st.sampled_from([1_000_000, 2_000_000]),
    st.floats(-5_000, 5_000),
    st.integers(0, 0xFFFFFFFF),
    st.lists(
        st.tuples(st.integers(1, 400), st.integers(0, 16_000), st.integers(0, 16_000)),
        min_size=1,
        max_size=60,
    ),
    st.integers(-1_000, 3_000),
)
def test_the_true_time_is_within_the_claim_whatever_the_delays(
    hz: int, ppm: float, first: int, readings: list[tuple[int, int, int]], ms: int
) -> None:
    quartz, clock, now = Quartz(hz, ppm, first), BoxClock(hz), 10 * SECOND
    for pause, there, back in readings:
        now += pause * MS
        read(clock, quartz, now, there * 1_000, back * 1_000)
    truth = now + ms * MS
    moment = clock.when(quartz.ticks(truth))
    assert moment is not None
    assert abs(moment.at - truth) <= moment.unc + 2 * SECOND // hz


def test_five_seconds_on_a_line_with_1_ms_framing_give_rate_and_time() -> None:
    for seed in range(20):
        luck = Random(seed)
        ppm = luck.uniform(-200, 200)
        quartz, clock, now = Quartz(1_000_000, ppm, luck.randrange(1 << 32)), BoxClock(1_000_000), SECOND
        while now < 6 * SECOND:
            read(clock, quartz, now, 200_000 + luck.randrange(MS), 200_000 + luck.randrange(MS))
            now += 20 * MS + luck.randrange(MS)
        moment = clock.when(quartz.ticks(now))
        assert moment is not None
        assert abs(moment.at - now) < 250_000
        assert moment.unc < 600_000
        assert abs(clock.rate * 1e6 + ppm) < 15


def test_a_wrap_of_the_ticks_is_no_jump() -> None:
    quartz, clock = Quartz(1_000_000, 0, 0xFFFFFFFF - 2_000_000), BoxClock(1_000_000)
    for second in range(5):
        read(clock, quartz, second * SECOND, 100_000, 100_000)
    for second in range(6):
        moment = clock.when(quartz.ticks(second * SECOND))
        assert moment is not None
        assert abs(moment.at - second * SECOND) <= moment.unc


def test_ticks_of_a_time_are_found_again() -> None:
    quartz, clock = Quartz(2_000_000, 120, 77), BoxClock(2_000_000)
    assert clock.ticks(SECOND) == 0
    assert clock.when(1) is None
    for step in range(40):
        read(clock, quartz, SECOND + step * 100 * MS, 150_000, 150_000)
    at = 6 * SECOND
    assert abs(clock.ticks(at) - quartz.ticks(at)) < 400  # 200 µs


def test_a_rate_that_jumps_is_followed_and_old_readings_given_up() -> None:
    slow, clock = Quartz(1_000_000, 0, 0), BoxClock(1_000_000)
    for step in range(100):
        read(clock, slow, step * 100 * MS, 100_000, 100_000)
    fast = Quartz(1_000_000, 4_000, slow.ticks(10 * SECOND) - round(10 * SECOND * 1.004 / 1_000))
    for step in range(100, 200):
        read(clock, fast, step * 100 * MS, 100_000, 100_000)
        assert clock.when(fast.ticks(step * 100 * MS)) is not None
    moment = clock.when(fast.ticks(20 * SECOND))
    assert moment is not None
    assert abs(moment.at - 20 * SECOND) <= moment.unc + 1_000
    assert clock.rate == pytest.approx(-4_000e-6, rel=0.05)


def test_bytes_known_to_take_time_make_the_claim_smaller() -> None:
    quartz = Quartz(1_000_000, 0, 0)
    plain, knowing = BoxClock(1_000_000), BoxClock(1_000_000)
    plain.read(0, quartz.ticks(MS), quartz.ticks(MS), 3 * MS)
    knowing.read(0, quartz.ticks(MS), quartz.ticks(MS), 3 * MS, 600_000, 1_445_000)
    one, other = plain.when(quartz.ticks(MS)), knowing.when(quartz.ticks(MS))
    assert one is not None and other is not None
    assert (one.unc, other.unc) == (1_500_001, 477_501)
    assert abs(other.at - MS) <= other.unc
