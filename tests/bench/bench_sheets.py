"""Filled sheets of three pens in four hands, photographed badly: circles read right, asked about, read wrong.

SHEETS=n plays more or fewer photographs (36).
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "vision"))

from drawn_sheets import FORMS, PENS, blank, marked, photo, reader

from companion.vision.sheet import read

SHEETS = int(os.environ.get("SHEETS", "36"))
HANDS = (FORMS, ("filled",), ("tick",), ("cross", "scribble"))


def rows() -> list[dict[str, Any]]:
    """How many circles of all photographs, by pen, and the three sums."""
    form, seen = blank(), {pen: [0, 0, 0] for pen in PENS}
    lost = 0
    for number in range(SHEETS):
        rng, pen = np.random.default_rng(10_000 + number), PENS[number % len(PENS)]
        picked = [circle for circle in form.circles if rng.random() < 0.45]
        grey = photo(marked(picked, pen, rng, forms=HANDS[number // len(PENS) % len(HANDS)]), rng)
        sight, truth = read(grey, reader().read(grey), form), {circle.id for circle in picked}
        lost += bool(sight.fault)
        for mark in sight.marks:
            right = (mark.state == "filled") == (mark.id in truth)
            seen[pen][1 if mark.state == "doubtful" else 0 if right else 2] += 1
    right, asked, wrong = (sum(counts[place] for counts in seen.values()) for place in range(3))
    share = round(100 * right / max(1, right + asked + wrong), 3)
    out = [
        {"name": f"circles right, {pen}", "value": f"{c[0]}/{sum(c)}", "unit": "", "goal": None, "met": None}
        for pen, c in seen.items()
    ]  # fmt: skip
    return [
        *out,
        {"name": "photographs", "value": SHEETS, "unit": "", "goal": None, "met": None},
        {
            "name": "photographs that could not be read at all",
            "value": lost,
            "unit": "",
            "goal": 0,
            "met": lost == 0,
        },
        {"name": "circles right", "value": share, "unit": "%", "goal": 99.5, "met": share >= 99.5},
        {"name": "circles asked about", "value": asked, "unit": "", "goal": None, "met": None},
        {"name": "circles wrong without a word", "value": wrong, "unit": "", "goal": 0, "met": wrong == 0},
    ]
