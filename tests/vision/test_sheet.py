"""Printed sheets with pen marks are read right or asked about: three pens, four hands, bad photographs."""

from __future__ import annotations

import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parent))
from drawn_sheets import FORMS, MM, blank, marked, page, photo, reader

from companion.vision.read import Reading
from companion.vision.sheet import Circle, read

FORM = blank()


@pytest.mark.parametrize(
    ("pen", "forms", "seed"),
    [("pen", ("tick",), 1), ("pencil", FORMS, 2), ("marker", ("filled", "cross"), 3)],
)
def test_a_photographed_sheet_is_read_right(pen: str, forms: tuple[str, ...], seed: int) -> None:
    rng = np.random.default_rng(seed)
    picked = [circle for circle in FORM.circles if rng.random() < 0.4]
    grey = photo(marked(picked, pen, rng, forms=forms), rng)
    seen = read(grey, reader().read(grey), FORM)
    assert seen.fault == ""
    assert seen.doubtful == ()
    assert seen.filled == {circle.id for circle in picked}


def upright(sheet: int = 1) -> tuple[Reading, ...]:
    """The corner markers as they stand on the page's own pixels."""
    found = []
    for id, (x, y, side) in blank(sheet).corners.items():
        corners = np.array([(x, y), (x + side, y), (x + side, y + side), (x, y + side)]) * MM - 0.5
        found.append(Reading(id, corners, 0.99, 0.2, side * MM))
    return tuple(found)


def test_an_empty_sheet_has_no_marks_and_a_full_one_only_marks() -> None:
    assert read(page(), upright(), FORM).filled == frozenset()
    full = marked(FORM.circles, "pen", np.random.default_rng(1), forms=("filled",))
    seen = read(full.astype(np.uint8), upright(), FORM)
    assert seen.filled == {circle.id for circle in FORM.circles}


def test_a_smudge_is_asked_about_and_never_taken_for_a_mark() -> None:
    grey = page().astype(np.float32)
    spots = FORM.circles[3:9]
    for circle, depth in zip(spots, (0.01, 0.03, 0.04, 0.05, 0.06, 0.2), strict=True):
        smudge = np.zeros(grey.shape, np.float32)
        cv2.circle(smudge, (round(circle.x * MM), round(circle.y * MM)), round(0.8 * circle.r * MM), 1.0, -1)
        grey *= 1 - depth * smudge
    seen = read(grey.astype(np.uint8), upright(), FORM)
    states = {mark.id: mark.state for mark in seen.marks}
    told = [states[circle.id] for circle in spots]
    assert told[0] == "open"
    assert told[-1] == "filled"
    assert "doubtful" in told
    order = ["open", "doubtful", "filled"]
    assert told == sorted(told, key=order.index)


@pytest.mark.parametrize("wide", [0.3, 0.5, 0.7, 0.9, 1.2, 1.5])
@pytest.mark.parametrize("photographed", [False, True])
def test_a_speck_is_never_taken_for_a_mark(wide: float, photographed: bool) -> None:
    """Crumbs, drops of ink and printer's dirt, mm: a hand that marks a circle draws longer."""
    rng, grey, ink = np.random.default_rng(5), page().astype(np.float32), np.zeros(page().shape, np.uint8)
    spots = FORM.circles[::3]
    for circle in spots:
        at = [round((each + rng.normal(0, 0.4)) * MM * 16) for each in (circle.x, circle.y)]
        cv2.circle(ink, at, round(wide / 2 * MM * 16), 255, -1, cv2.LINE_AA, 4)
    grey *= 1 - 0.85 * (ink / 255.0)
    if photographed:
        grey = photo(grey, rng)
        seen = read(grey, reader().read(grey), FORM)
    else:
        seen = read(grey.astype(np.uint8), upright(), FORM)
    assert not seen.fault and seen.filled == frozenset()
    if wide >= 0.7:
        assert {circle.id for circle in spots} <= set(seen.doubtful)


@pytest.mark.parametrize("left", [0.03, 0.06, 0.1])
def test_what_a_rubber_leaves_is_asked_about(left: float) -> None:
    grey, smudge = page().astype(np.float32), np.zeros(page().shape, np.float32)
    for circle in FORM.circles[::3]:
        cv2.circle(smudge, (round(circle.x * MM), round(circle.y * MM)), round(circle.r * MM), 1.0, -1)
    seen = read((grey * (1 - left * smudge)).astype(np.uint8), upright(), FORM)
    assert seen.filled == frozenset() and set(seen.doubtful) <= {circle.id for circle in FORM.circles[::3]}


def test_the_edge_of_a_hard_shadow_is_no_ink() -> None:
    for shift in (0, 3, 7):
        grey = page().astype(np.float32)
        grey[:, round((31 + shift) * MM) :] *= 0.55
        grey[round((60 + shift) * MM) :, :] *= 0.7
        seen = read(grey.astype(np.uint8), upright(), FORM)
        assert seen.filled == frozenset()


def test_three_corners_do_two_are_too_few() -> None:
    marks = upright()
    assert read(page(), marks[:3], FORM).fault == ""
    assert read(page(), marks[:2], FORM).fault == "corners"
    assert read(page(), (), FORM).fault == "corners"


def test_corners_that_contradict_each_other_and_a_picture_too_coarse_are_told() -> None:
    marks = upright()
    turned = Reading(marks[3].id, np.roll(marks[3].corners, 1, axis=0), 0.99, 0.2, marks[3].side)
    assert read(page(), (*marks[:3], turned), FORM).fault == "bent"
    small = cv2.resize(page(), None, fx=0.2, fy=0.2, interpolation=cv2.INTER_AREA)
    shrunk = tuple(Reading(m.id, m.corners * 0.2, m.score, m.margin, m.side * 0.2) for m in marks)
    assert read(small, shrunk, FORM).fault == "coarse"


def test_a_corner_marker_of_another_sheet_is_not_used() -> None:
    strangers = [reading for reading in upright(12) if reading.id not in FORM.corners]
    assert strangers
    assert read(page(), (*strangers, *upright()[:2]), FORM).fault == "corners"


def test_circles_are_values_with_names() -> None:
    assert Circle("a", 1, 2, 3) == Circle("a", 1, 2, 3)
    assert len({circle.id for circle in FORM.circles}) == len(FORM.circles) > 150


@pytest.mark.parametrize("reach", [1.0, 1.25, 1.45])
def test_a_line_drawn_round_a_circle_is_asked_about(reach: float) -> None:
    """Whoever is used to the rulebook circles the circle."""
    grey = page().copy()
    spots = FORM.circles[20:26]
    for circle in spots:
        middle = (round(circle.x * MM), round(circle.y * MM))
        cv2.circle(grey, middle, round(reach * circle.r * MM), 60, round(0.5 * MM), cv2.LINE_AA)
    seen = read(grey, upright(), FORM)
    assert set(seen.doubtful) | seen.filled == {circle.id for circle in spots}
