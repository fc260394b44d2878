"""What was read of a sheet, drawn into its picture: a look tells whether it is what the pen meant."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.sheet import Grey, Mark, Seen
from companion.writing import PNG, save

GREEN, AMBER = (60, 160, 0), (0, 140, 255)  # BGR: read as filled; to be asked about


def shown(grey: Grey, sight: Seen) -> NDArray[np.uint8]:
    """The picture (h, w, 3): rings round what was read as filled, squares round what is asked about."""
    canvas = np.asarray(cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR), np.uint8)
    for mark in sight.marks:
        if mark.state != "open":
            _ringed(canvas, mark)
    return canvas


def kept(grey: Grey, sight: Seen, file: Path) -> None:
    """Save that picture. BadOption: something else is there, or nothing can be."""
    good, png = cv2.imencode(".png", shown(grey, sight))
    assert good, "a picture that was read can be written"
    save(file, png.tobytes(), "--look", over=PNG)


def _ringed(canvas: NDArray[np.uint8], mark: Mark) -> None:
    x, y, r = mark.at
    thick = max(2, round(r / 4))
    if mark.state == "filled":
        cv2.circle(canvas, (round(x), round(y)), round(1.35 * r), GREEN, thick, cv2.LINE_AA)
        return
    far = 1.5 * r
    cv2.rectangle(canvas, (round(x - far), round(y - far)), (round(x + far), round(y + far)), AMBER, thick)
