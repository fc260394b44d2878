"""An ordinary die's pips are read at any turn, on any ground; what is no number is doubtful, never a wrong one."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.shelf import deck
from companion.table.things import Zone
from companion.vision.pips import PATTERNS, thrown, with_pips
from companion.vision.settle import Sighting

TRAY = (150.0, 110.0)
FINE = 6.0  # pixels a mm when drawn


def tray(dice, ground=235, noise=3.0, seed=0, px=3.0):
    """A tray of dice (number, x, y in mm, turn, side in mm, face, pips) as a camera sees it, and its corners."""
    grey = np.full((round(TRAY[1] * FINE), round(TRAY[0] * FINE)), ground, np.float32)
    for number, x, y, turn, side, face, dark in dice:
        c, s = np.cos(turn), np.sin(turn)

        def at(u, v, x=x, y=y, c=c, s=s):
            return round((x + c * u - s * v) * FINE), round((y + s * u + c * v) * FINE)

        h = side / 2
        corners = np.array([at(-h, -h), at(h, -h), at(h, h), at(-h, h)], np.int32)
        shade = corners + round(1.5 * FINE)
        cv2.fillConvexPoly(grey, shade, ground * 0.6)
        cv2.fillConvexPoly(grey, corners, face)
        for u, v in PATTERNS[number]:
            cv2.circle(
                grey, at(u * side * 0.27, v * side * 0.27), round(side * 0.095 * FINE), dark, -1, cv2.LINE_AA
            )
    rng = np.random.default_rng(seed)
    h, w = grey.shape
    size = (round(w / FINE * px), round(h / FINE * px))
    lean = rng.uniform(0, 0.04, (4, 2)) * size
    to = np.array([(0, 0), (size[0], 0), size, (0, size[1])], np.float32) + lean.astype(np.float32)
    to -= np.array([(0, 0), (lean[1, 0] * 2, 0), lean[2] * 2, (0, lean[3, 1] * 2)], np.float32)
    view = cv2.warpPerspective(
        grey,
        cv2.getPerspectiveTransform(np.array([(0, 0), (w, 0), (w, h), (0, h)], np.float32), to),
        size,
        flags=cv2.INTER_AREA,
        borderValue=90,
    )
    light = np.linspace(0.75, 1, size[0])[None, :]
    view = cv2.GaussianBlur(view * light, (0, 0), 0.8) + rng.normal(0, noise, view.shape)
    return np.clip(view, 0, 255).astype(np.uint8), to.astype(np.float64)


@pytest.mark.parametrize("number", range(1, 7))
@pytest.mark.parametrize(
    ("face", "dark", "ground"),
    [(250, 20, 235), (250, 20, 60), (30, 240, 235), (190, 245, 120), (250, 60, 245)],
)
def test_each_number_is_read_in_every_turn_and_colour(number, face, dark, ground) -> None:
    for n in range(6):
        dice = [(number, 40 + 12 * n, 35 + 8 * n, 0.26 * n + 0.1, 12 + 2 * n, face, dark)]
        grey, corners = tray(dice, ground=ground, seed=n)
        seen = thrown(grey, corners, TRAY)
        assert (seen.numbers, seen.doubtful) == ((number,), 0), (n, seen)


def test_an_empty_tray_has_no_dice_and_two_dice_are_two_numbers() -> None:
    grey, corners = tray([])
    assert thrown(grey, corners, TRAY).numbers == ()
    grey, corners = tray([(3, 35, 40, 0.3, 16, 250, 20), (5, 100, 60, 1.0, 16, 250, 20)])
    assert sorted(thrown(grey, corners, TRAY).numbers) == [3, 5]


@given(number=st.integers(2, 6), hidden=st.integers(0, 5), turn=st.floats(0, 3.1), seed=st.integers(0, 99))
@settings(max_examples=40, deadline=None)
def test_a_die_with_a_pip_hidden_is_never_read_as_another_number_without_doubt(
    number, hidden, turn, seed
) -> None:
    grey, corners = tray([(number, 75, 55, turn, 16, 250, 20)], seed=seed)
    u, v = PATTERNS[number][hidden % number]
    # A corner pip rubbed out: what is left of a five looks like no four, of a three like no two.
    if abs(u) + abs(v) < 1.5 or number in (2, 6):
        return
    c, s = np.cos(turn), np.sin(turn)
    spot = np.array([[[75 + (c * u - s * v) * 4.32, 55 + (s * u + c * v) * 4.32]]], np.float32)
    square = np.array([(0, 0), (TRAY[0], 0), TRAY, (0, TRAY[1])], np.float32)
    x, y = cv2.perspectiveTransform(spot, cv2.getPerspectiveTransform(square, corners.astype(np.float32)))[
        0, 0
    ]
    cv2.circle(grey, (round(float(x)), round(float(y))), 8, 215, -1)
    seen = thrown(grey, corners, TRAY)
    if number != 3:  # two of a three's pips are as far apart as a small die's two
        assert set(seen.numbers) <= {number}, seen


def test_plain_dice_become_faces_of_the_deck_and_doubt_holds_the_tray() -> None:
    rescue, zone = deck("rescue"), Zone("tray")
    grey, corners = tray([(4, 75, 55, 0.4, 16, 250, 20)])
    blank = Sighting({zone: ()}, frozenset())
    seen = with_pips(blank, grey, {zone: corners}, rescue)
    assert seen.cards[zone] == ("die_4-01",)
    sticker = Sighting({zone: ("die_2-01",)}, frozenset())
    assert with_pips(sticker, grey, {zone: corners}, rescue) == sticker
    pair, edges = tray([(4, 35, 40, 0.4, 16, 250, 20), (4, 110, 70, 0.4, 16, 250, 20)])
    assert with_pips(blank, pair, {zone: edges}, rescue).doubtful == {zone}
    assert with_pips(blank, grey, {Zone("middle"): corners}, rescue) == blank
