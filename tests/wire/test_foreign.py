"""Foreign text: nothing of it moves a cursor or breaks a line; foreign numbers stay within bounds."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.wire.foreign import loads, sendable, visible, whole_number


@given(st.text(st.characters(), max_size=40))
def test_what_is_shown_has_one_line_and_no_sign_that_steers(text: str) -> None:
    shown = visible(text)
    assert shown.isprintable() and sendable(shown) and len(shown) == len(text)
    assert not any(unicodedata.category(each) in ("Cc", "Cf", "Cs", "Zl", "Zp") for each in shown)


@given(st.text(st.characters(categories=["L", "N", "P", "S"]), max_size=40))
def test_what_can_be_seen_stays_as_it_is(text: str) -> None:
    assert visible(text) == text


def test_blanks_stay_blanks_and_own_breaks_may_be_kept() -> None:
    assert visible("a\u00a0b\u202fc d") == "a b c d"
    assert visible("\x1b[31mMia\u202e\u200b\nPaul", keep="\n") == "�[31mMia��\nPaul"


@pytest.mark.parametrize(
    "text", ["", "²", "01", "٣", "-1", "+1", " 1", "1 ", "0", "11", "1_0", "9" * 5000, "1.0"]
)
def test_only_plain_figures_within_bounds_are_a_number(text: str) -> None:
    assert whole_number(text, 1, 10) is None


@given(st.integers(1, 10))
def test_plain_figures_are_their_number(number: int) -> None:
    assert whole_number(str(number), 1, 10) == number


def test_a_number_without_end_spoils_its_own_entry_only() -> None:
    assert loads(f"[{'9' * 6000}, -{'9' * 6000}, 3, -3]") == [None, None, 3, -3]


@pytest.mark.parametrize("text", ["Mia\ud800", "\udfff"])
def test_half_of_a_pair_cannot_be_written(text: str) -> None:
    assert not sendable(text) and sendable("Mía 🐨")
