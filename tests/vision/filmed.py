"""What a camera and a lamp do to a still picture from frame to frame. For tests."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

Grey = NDArray[np.uint8]


def noisy(grey: Grey, strength: float, seed: int = 5) -> Grey:
    """Add sensor noise of so many grey levels, anew for each seed."""
    grain = np.random.default_rng(seed).standard_normal(grey.shape, np.float32)
    return np.asarray(
        cv2.addWeighted(grey.astype(np.float32), 1, grain, strength, 0, dtype=cv2.CV_8U), np.uint8
    )


def flickering(grey: Grey, depth: float, phase: float, bands: float = 3.0) -> Grey:
    """A lamp on the mains, read row by row: light falls by up to `depth` in so many bands."""
    rows = np.arange(len(grey)) / len(grey)
    light = 1 - depth * (0.5 + 0.5 * np.sin(2 * np.pi * bands * rows + phase))
    return np.asarray(np.clip(grey * light[:, None], 0, 255), np.uint8)


def lit_from(grey: Grey, across: float, down: float, much: float) -> Grey:
    """A lamp that wandered to a side and grew dimmer: light changes by these parts from edge to edge."""
    x, y = (np.linspace(-0.5, 0.5, size, dtype=np.float32) for size in grey.shape[::-1])
    light = (1 - much) * (1 + across * x[None] + down * y[:, None]) / (1 + (abs(across) + abs(down)) / 2)
    return np.asarray(np.clip(grey * light, 0, 255), np.uint8)


def trembled(grey: Grey, right: float, down: float) -> Grey:
    """The camera moved by parts of a pixel, or some."""
    by = np.array([[1, 0, right], [0, 1, down]], np.float32)
    moved = cv2.warpAffine(grey, by, grey.shape[::-1], flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(moved, np.uint8)
