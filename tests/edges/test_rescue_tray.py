"""An ordinary die in the tray of Rescue Club, from the camera's frame to the number of the turn."""

from __future__ import annotations

import sys
from pathlib import Path
from queue import SimpleQueue

import cv2
import numpy as np
import pytest

from companion.edges.camera import FAMILY, Camera
from companion.shelf import deck
from companion.table.events import Shown
from companion.table.things import Zone
from companion.vision.markers import draw

sys.path.insert(0, str(Path(__file__).parents[1] / "vision"))
from test_pips import tray

TRAY = Zone("tray")
PX = 3.0  # pixels a mm


def frame(dice) -> np.ndarray:
    """The tray's plate on a table, 640 x 480 px, dice in it."""
    table, (plate,) = np.full((480, 640), 225, np.float32), deck("rescue").plates
    x, y = 90, 40
    side = round(plate.marker_mm * PX)
    for marker, along in zip(plate.markers, (0.0, plate.apart_mm), strict=True):
        printed = cv2.resize(
            draw(FAMILY, marker, 20, 1), (round(side * 9 / 7),) * 2, interpolation=cv2.INTER_AREA
        )
        left, top = x + round(along * PX) - round(side / 7), y - round(side / 7)
        table[top : top + printed.shape[0], left : left + printed.shape[1]] = printed
    content, _ = tray(dice, ground=225, noise=0.0, px=PX)
    low = y + round(plate.area[1] * PX) + 4
    high = min(content.shape[0] - 8, 480 - low)
    table[low : low + high, x + 4 : x + content.shape[1] - 4] = content[4 : 4 + high, 4:-4].astype(np.float32)
    noise = np.random.default_rng(1).normal(0, 2, table.shape)
    return np.clip(cv2.GaussianBlur(table, (0, 0), 0.7) + noise, 0, 255).astype(np.uint8)


@pytest.mark.parametrize("number", [1, 5])
def test_a_plain_die_is_said_as_a_face_of_the_deck_once_it_lies_still(number: int) -> None:
    heard: SimpleQueue[Shown] = SimpleQueue()
    picture = frame([(number, 70, 50, 0.5, 16, 250, 20)])
    camera = Camera(
        lambda: picture, deck("rescue"), heard.put, lambda _: None, marker_px=(30.0, 70.0), pause_s=0.001
    )
    try:
        camera.watch((TRAY,))
        assert heard.get(timeout=30) == Shown(TRAY, (f"die_{number}-01",))
    finally:
        camera.close()
