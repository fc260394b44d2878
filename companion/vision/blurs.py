"""Ways a picture is smeared, and how much of each black or white module a sample then sees. Pure.

All lengths are in modules. A kernel is an odd square grid, `FINE` points to a module, that sums to 1.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.align import F32, Lattice

FINE = 8
Kernel = NDArray[np.float64]
SOFT = (0.22, 0.38, 0.55, 0.8, 1.1, 1.4)  # sigma of a Gaussian
DISCS = (0.75, 1.05, 1.4)  # radius of a lens out of focus
LINES = (1.4, 2.1, 2.8)  # length of a motion
TURNS = 8  # directions of motion


def gaussian(sigma: float) -> Kernel:
    """Soft optics."""
    reach = math.ceil(3.5 * sigma * FINE)
    at = np.arange(-reach, reach + 1) / FINE
    bell = np.exp(-(at**2) / (2 * sigma**2))
    return np.asarray(np.outer(bell, bell) / bell.sum() ** 2)


def disc(radius: float) -> Kernel:
    """A lens out of focus, its edge softened by the pixels."""
    reach = math.ceil(radius * FINE) + 1
    at = np.arange(-reach, reach + 1)
    even = np.clip(radius * FINE + 0.5 - np.hypot(at[:, None], at), 0, 1)
    return _smeared(even / even.sum(), gaussian(0.3))


def line(length: float, angle: float) -> Kernel:
    """A straight motion, softened by the optics; the angle in radians from x towards y."""
    reach = math.ceil(length / 2 * FINE) + 1
    way = np.linspace(-length / 2, length / 2, 16 * FINE)
    x, y = reach + FINE * way * math.cos(angle), reach + FINE * way * math.sin(angle)
    kernel = np.zeros((2 * reach + 1, 2 * reach + 1))
    left, top = np.floor(x).astype(int), np.floor(y).astype(int)
    for right, low in ((0, 0), (0, 1), (1, 0), (1, 1)):
        share = abs(1 - right - (x - left)) * abs(1 - low - (y - top))
        np.add.at(kernel, (top + low, left + right), share)
    return _smeared(kernel / kernel.sum(), gaussian(0.4))


def levels() -> list[Kernel]:
    """All kernels that templates are made with: first the soft ones, then discs, then motions."""
    motions = [line(length, turn * math.pi / TURNS) for length in LINES for turn in range(TURNS)]
    return [*(gaussian(sigma) for sigma in SOFT), *(disc(radius) for radius in DISCS), *motions]


def each(soft: Sequence[float], discs: Sequence[float], lines: Sequence[float]) -> tuple[float, ...]:
    """A number for each level, from those for the soft ones, the discs and the lengths of motion."""
    return (*soft, *discs, *(number for number in lines for _ in range(TURNS)))


def basis(kernel: Kernel, spots: Lattice) -> tuple[F32, F32, F32]:
    """What one white module adds at each sample, and how that grows to the right and down: three (M, k*k)."""
    box = np.ones(FINE + 1)
    box[[0, -1]] = 0.5
    seen = np.pad(_smeared(np.outer(box, box), kernel), 2)
    down, across = np.gradient(seen, 1 / FINE)
    middle = (len(seen) - 1) / 2
    x, y = np.meshgrid(spots.at, spots.at)
    nth = np.arange(spots.modules) + 0.5
    row, column = (part.ravel()[None] for part in np.meshgrid(nth, nth, indexing="ij"))
    at_x = ((x.ravel()[:, None] - column) * FINE + middle).astype(np.float32)
    at_y = ((y.ravel()[:, None] - row) * FINE + middle).astype(np.float32)
    view = [
        np.asarray(cv2.remap(part, at_x, at_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT), np.float32)
        for part in (np.asarray(each_way, np.float32) for each_way in (seen, across, down))
    ]
    return view[0], view[1], view[2]


def _smeared(one: Kernel, other: Kernel) -> Kernel:
    """Convolve two kernels in full."""
    shape = (one.shape[0] + other.shape[0] - 1, one.shape[1] + other.shape[1] - 1)
    return np.asarray(np.fft.irfft2(np.fft.rfft2(one, shape) * np.fft.rfft2(other, shape), shape))
