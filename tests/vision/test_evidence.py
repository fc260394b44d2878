"""Doubts in which no id stands out in any frame: evidence is kept, nobody is asked in vain. Through pictures."""

from __future__ import annotations

import numpy as np
from filmed import noisy
from numpy.typing import NDArray
from rendered_markers import table

from companion.vision.evidence import STANDS_OUT, Evidence, heard, margin, readings
from companion.vision.markers import modules
from companion.vision.motion import Shift
from companion.vision.read import Reader
from companion.vision.seen import Doubt, Look

FAMILY = "aruco-5x5-1000"
IDS = list(range(6, 40))
READER = Reader(FAMILY, IDS, (12.0, 30.0))


def filmed(grey: NDArray[np.uint8], corners: NDArray[np.float64], frames: int) -> Evidence:
    """So many noisy frames in which that place is a doubt between two ids, both nearly as likely."""
    likely = ((11, 0.86), (12, 0.858), (13, 0.84))
    doubt = Doubt(corners, likely, 19.0)
    assert margin(doubt) < STANDS_OUT
    known = Evidence()
    for n in range(frames):
        known = heard(known, Look((), (doubt,)), noisy(grey, 30, n), Shift(), READER.look)
    return known


def test_a_doubt_in_which_nothing_stands_out_is_decided_once_several_frames_show_what_it_is() -> None:
    grey, truth = table([modules(FAMILY)[12], modules(FAMILY)[20]], 19, seed=2)
    early, late = (filmed(grey, truth[0], frames) for frames in (2, 17))
    assert [(doubt.weak, doubt.asked) for doubt in early.open] == [(True, False)]
    assert [reading.id for reading in readings(late, ())] == [12]


def test_a_picture_that_is_like_no_marker_in_any_number_of_frames_is_never_asked_about() -> None:
    blot = np.ones((7, 7), np.uint8)
    blot[1:6, 2:5] = 0
    grey, truth = table([blot, modules(FAMILY)[20]], 19, seed=2)
    known = filmed(grey, truth[0], 20)
    assert [(doubt.asked, doubt.over, doubt.marker) for doubt in known.open] == [(False, True, None)]
