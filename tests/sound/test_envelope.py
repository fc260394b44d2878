"""Onsets are found where sounds begin; a delay is only believed where it repeats."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from companion.sound.clips import RATE
from companion.sound.envelope import Offset, offset, onsets, silence_from

MS = 1_000_000
PLAN = tuple(range(0, 12_000 * MS, 750 * MS))


def test_a_sound_after_silence_is_one_onset() -> None:
    heard = np.zeros(RATE, np.float32)
    heard[1_000:3_000] = 0.5
    heard[20_000:20_100] = -0.5
    assert onsets(heard).tolist() == [1_000, 20_000]
    assert silence_from(heard, 0) == 3_000 and silence_from(heard, 30_000) == 30_000
    assert onsets(np.zeros(10, np.float32)).tolist() == []


@given(st.integers(-50, 400), st.lists(st.integers(-8, 8), min_size=16, max_size=16))
def test_a_constant_delay_is_found_through_jitter(late: int, jitter: list[int]) -> None:
    found = offset(PLAN, [plan + (late + extra) * MS for plan, extra in zip(PLAN, jitter, strict=True)])
    assert found is not None and abs(found.delay - late * MS) <= 8 * MS and found.heard == 16


def test_a_few_lost_or_wrong_sounds_do_no_harm() -> None:
    heard = [plan + 90 * MS for plan in PLAN[3:]] + [PLAN[-1] + 590 * MS]
    assert offset(PLAN, heard) == Offset(90 * MS, 0, 14)


def test_noise_is_no_delay() -> None:
    assert offset(PLAN, ()) is None
    assert offset(PLAN, PLAN[:3]) is None
    assert offset(PLAN, [plan + number * 37 % 500 * MS for number, plan in enumerate(PLAN)]) is None
