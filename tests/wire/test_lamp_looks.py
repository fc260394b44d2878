"""Looks over time: steady, asking, answering a press and coming back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.wire.lamp_looks import BLINKS, LONGEST, LOOKS, MS, SECOND, SLOW, STEP, Glow, count, lamp, shown


def course(glow: Glow, start: int, until: int) -> list[bool]:
    """The levels from `start` on, one for each change, until `until`."""
    levels: list[bool] = []
    now: int | None = start
    while now is not None and now < until:
        lit, now = shown(glow, now)
        levels.append(lit)
    return levels


def test_off_and_open_are_steady() -> None:
    assert shown(Glow("off"), 5) == (False, None)
    assert shown(Glow("open"), 5) == (True, None)


def test_ask_is_slow_and_begins_lit() -> None:
    assert course(Glow("ask", 7), 7, 7 + 4 * SLOW) == [True, False, True, False]
    assert shown(Glow("ask", 7), 7 + SLOW - 1) == (True, 7 + SLOW)


@pytest.mark.parametrize(("look", "level"), [("off", False), ("open", True)])
def test_an_answer_shows_on_either_level_and_the_level_comes_back(look: str, level: bool) -> None:
    seen = Glow(look, 0, BLINKS["seen"], 100)
    assert course(seen, 100, 10_000 * MS) == [not level, level]
    no = Glow(look, 0, BLINKS["no"], 100)
    assert course(no, 100, 10_000 * MS) == [not level, level, not level, level, not level, level]


def test_an_answer_ends_in_the_look_that_was_set_meanwhile() -> None:
    glow = Glow("ask", 50, BLINKS["seen"], 0)
    after = sum(BLINKS["seen"])
    assert shown(glow, after) == shown(Glow("ask", 50), after)


def test_every_look_and_answer_of_the_house_is_known() -> None:
    assert {"off", "open", "ask", "lead", "out"} == set(LOOKS)
    assert {"seen", "no", "late"} == set(BLINKS)
    with pytest.raises(KeyError):
        shown(Glow("disco"), 0)


def test_looks_and_answers_differ_in_rhythm_not_only_in_colour() -> None:
    """Any two differ by more than a tenth of a second in some phase, or in how many there are."""
    rhythms = [*LOOKS.values(), *BLINKS.values()]
    for number, one in enumerate(rhythms):
        for other in rhythms[:number]:
            apart = max((abs(a - b) for a, b in zip(one, other, strict=False)), default=0)
            assert len(one) != len(other) or apart > 100 * MS


def test_every_phase_can_be_told_to_a_box() -> None:
    for phases in (*LOOKS.values(), *BLINKS.values()):
        assert len(phases) <= 8
        assert all(phase % (10 * MS) == 0 and phase < 2_560 * MS for phase in phases)


@given(st.integers(1, 4), st.floats(0.1, 2.6))
def test_a_count_winks_at_even_steps_that_a_box_can_be_told(beats: int, step: float) -> None:
    seconds = step * beats
    phases = count(beats, seconds)
    assert len(phases) == 2 * beats - 1
    assert all(0 < phase <= LONGEST and phase % STEP == 0 for phase in phases)
    onsets = [sum(phases[:place]) for place in range(0, len(phases), 2)]
    for number, onset in enumerate(onsets):
        assert abs(onset - number * seconds * SECOND / beats) <= STEP


def test_a_leading_lamp_beats_like_a_heart() -> None:
    assert course(Glow("lead", 0), 0, 1_200 * MS) == [True, False, True, False]
    assert [shown(Glow("lead", 0), ms * MS)[0] for ms in (0, 130, 250, 400, 1_210)] == [
        True, False, True, False, True,
    ]  # fmt: skip


def test_a_lamp_waits_for_its_moment() -> None:
    assert lamp((0,), -5) == (False, 5)
    assert lamp((0,), 0) == (True, None)
    assert lamp((0,), 3, (7,), -5) == (True, 5)
    assert lamp((), -9, (7,), -5) == (False, 5)
    assert lamp((0,), 3, (7,), 0) == (False, 7)
