"""Numbers in answers."""

from __future__ import annotations

import pytest

from companion.table.figures import number


@pytest.mark.parametrize(
    ("text", "is_"), [("0", 0), ("7", 7), ("12", 12), ("007", 7), ("9" * 9, 999_999_999)]
)
def test_figures_are_a_number(text: str, is_: int) -> None:
    """With or without noughts before them."""
    assert number(text) == is_


@pytest.mark.parametrize(
    "text", ["", " 1", "-1", "+1", "1.0", "1e3", "0x1", "1_0", "²", "٣", "x", "9" * 10, "9" * 5000]
)
def test_any_other_text_is_absent(text: str) -> None:
    """Also what int() would read, and what it refuses by its length."""
    assert (number(text), number(text, -1)) == (0, -1)
