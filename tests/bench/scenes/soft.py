"""The first physics: Gaussian blur, straight motion, smooth light, one patch of glare, noise, JPEG."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import cv2
import numpy as np

from tests.bench.scenes.layout import Wish, lay


@dataclass
class Soft:
    """One scene: what lies there, and how it is seen."""

    wish: Wish = field(default_factory=Wish)
    blur: float = 0.8  # px
    noise: float = 3.0  # grey levels at middle grey
    motion: float = 0.0  # px, straight
    jpeg: int = 90
    falloff: float = 0.5  # light lost from one side of the picture to the other
    glare: int = 1
    bright: float = 1.0


def picture(scene, seed):
    """Take the picture: grey, and the markers that are truly in it."""
    chance = np.random.default_rng(seed)
    laid = lay(scene.wish, chance, lambda face, ppm, chance: face)
    height, width = laid.light.shape[0] // laid.fine, laid.light.shape[1] // laid.fine
    seen = 255 * cv2.resize(laid.light, (width, height), interpolation=cv2.INTER_AREA)
    if scene.blur > 0:
        seen = cv2.GaussianBlur(seen, (0, 0), scene.blur)
    if scene.motion:
        seen = cv2.filter2D(seen, -1, streak(scene.motion, chance.uniform(0, math.pi)))
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    toward = chance.uniform(0, 2 * math.pi)
    ramp = (x / width - 0.5) * math.cos(toward) + (y / height - 0.5) * math.sin(toward)
    ramp = (ramp - ramp.min()) / np.ptp(ramp)
    seen *= (1 - scene.falloff * ramp) * scene.bright
    veil = np.zeros_like(seen)
    for _ in range(scene.glare):
        at, reach = chance.uniform((0, 0), (width, height)), chance.uniform(0.03, 0.10, 2) * width
        veil += chance.uniform(80, 260) * np.exp(
            -(((x - at[0]) / reach[0]) ** 2) - ((y - at[1]) / reach[1]) ** 2
        )
    wash(laid.markers, seen, veil)
    seen += veil
    seen += chance.standard_normal(seen.shape) * scene.noise * np.sqrt(np.clip(seen, 10, 255) / 128)
    grey = np.clip(seen, 0, 255).astype(np.uint8)
    return packed(grey, scene.jpeg), laid.markers


def streak(length, angle):
    """The kernel of a straight motion of that many pixels."""
    kernel = np.zeros((int(length) // 2 * 2 + 5,) * 2, np.float32)
    middle = len(kernel) // 2
    for step in np.linspace(-length / 2, length / 2, 81):
        x, y = middle + step * math.cos(angle), middle + step * math.sin(angle)
        left, top = int(x), int(y)
        right, low = x - left, y - top
        kernel[top : top + 2, left : left + 2] += np.outer([1 - low, low], [1 - right, right])
    return kernel / kernel.sum()


def wash(markers, seen, veil):
    """Mark what glare has taken: less than half of black against white is left at a corner or the middle."""
    for marker in markers:
        spots = np.round(np.vstack([marker.corners, marker.corners.mean(0)])).astype(int)
        lost = veil[spots[:, 1], spots[:, 0]]
        lo, hi = np.round(marker.corners.min(0)).astype(int), np.round(marker.corners.max(0)).astype(int)
        part = seen[lo[1] - 2 : hi[1] + 3, lo[0] - 2 : hi[0] + 3]
        black, white = np.percentile(part, 8), np.percentile(part, 92)
        left = np.minimum(white + lost, 255) - np.minimum(black + lost, 255)
        marker.washed = bool((left < 0.5 * (white - black)).any())


def packed(grey, quality):
    """Through a JPEG and back."""
    if not quality:
        return grey
    return cv2.imdecode(cv2.imencode(".jpg", grey, [cv2.IMWRITE_JPEG_QUALITY, quality])[1], 0)
