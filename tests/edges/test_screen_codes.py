"""A code holds what it is given, or is none."""

from __future__ import annotations

from companion.edges.screen import codes


def test_a_text_that_no_code_can_hold_makes_none() -> None:
    assert codes.svg("x" * 3_000) is None and codes.svg("x" * 3_000, dense=True) is None


def test_a_dense_code_holds_more() -> None:
    text = "x" * 2_600
    assert codes.svg(text) is None
    assert (codes.svg(text, dense=True) or b"").count(b"<svg") == 1
