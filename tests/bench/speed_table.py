"""A table of forty cards at any size of picture, of which one card can be exchanged without drawing all anew."""

from __future__ import annotations

import math

import cv2
import numpy as np

from companion.vision.markers import modules
from tests.bench.bench_frames import FAMILY, card

CARDS, COLUMNS, ROWS, FINE = 40, 8, 5, 2
ART = 7  # px to the mm of a card's own picture


class Table:
    """Cards in a grid, each turned at random; `side`: of their markers, px."""

    def __init__(self, width, height, side, seed):
        self.size, self.side, self.seed = (width, height), side, seed
        chance = np.random.default_rng(seed)
        grain = [
            cv2.resize(
                chance.normal(0, 1, (height // n, width // n)), self.size, interpolation=cv2.INTER_CUBIC
            )
            for n in (4, 16, 90)
        ]
        ground = np.clip(110 + 7 * sum(grain), 20, 250).astype(np.float32)
        self.bare = cv2.resize(ground, (width * FINE, height * FINE), interpolation=cv2.INTER_LINEAR)
        self.spots = [
            np.array([(n % COLUMNS + 0.5) * width / COLUMNS, (n // COLUMNS + 0.5) * height / ROWS])
            + chance.uniform(-0.3, 0.3, 2) * side
            for n in range(CARDS)
        ]
        self.turns = chance.uniform(0, 2 * math.pi, CARDS)
        y, x = (np.linspace(0, 1, size, dtype=np.float32) for size in (height, width))
        self.light = 1 - 0.45 * (0.6 * x[None] + 0.4 * y[:, None])
        self.grain = np.random.default_rng(seed + 1).standard_normal((height + 64, width + 64), np.float32)

    def picture(self, tiles):
        """The table without noise, with these module grids on its cards; None: no card there."""
        big = self.bare.copy()
        for nth, tile in enumerate(tiles):
            if tile is not None:
                self._lay(big, nth, tile)
        return self._seen(big, (0, 0), self.size)

    def exchanged(self, clean, tiles, nth):
        """The same picture, drawn anew where one card lies (or none does)."""
        reach = round(9.5 * self.side)
        left, top = (max(0, int(at) - reach) for at in self.spots[nth])
        end, low = (min(most, int(at) + reach) for at, most in zip(self.spots[nth], self.size, strict=True))
        part = np.s_[top * FINE : low * FINE, left * FINE : end * FINE]
        big = self.bare.copy()
        for each, tile in enumerate(tiles):
            if tile is not None and (abs(self.spots[each] - self.spots[nth]) < 2 * reach).all():
                self._lay(big, each, tile)
        after = clean.copy()
        after[top:low, left:end] = self._seen(big[part], (left, top), (end - left, low - top))
        return after

    def shot(self, clean, frame, noise=3.0):
        """One frame: noise of its own, and a JPEG."""
        y, x = np.random.default_rng(frame).integers(0, 64, 2)
        width, height = self.size
        noisy = cv2.addWeighted(
            clean, 1, self.grain[y : y + height, x : x + width], noise, 0, dtype=cv2.CV_8U
        )
        return cv2.imdecode(cv2.imencode(".jpg", noisy, [cv2.IMWRITE_JPEG_QUALITY, 90])[1], 0)

    def _seen(self, big, corner, size):
        small = cv2.resize(big, size, interpolation=cv2.INTER_AREA)
        soft = cv2.GaussianBlur(small, (0, 0), 0.8 * max(1.0, self.size[0] / 1920 * 0.7))
        left, top = corner
        return soft * self.light[top : top + size[1], left : left + size[0]]

    def _lay(self, big, nth, tile):
        """Draw one card into the fine picture, in a window of its own."""
        art = card(tile, np.random.default_rng(1000 * self.seed + nth))
        scale, turn = self.side / 12 * FINE / ART, self.turns[nth]
        spin = np.array([[math.cos(turn), -math.sin(turn)], [math.sin(turn), math.cos(turn)]]) * scale
        at = (self.spots[nth] + 0.5) * FINE - 0.5 - spin @ np.array([9 * ART - 0.5, 9 * ART - 0.5])
        ends = np.array([[0, 0], [art.shape[1], 0], art.shape[::-1], [0, art.shape[0]]]) @ spin.T + at
        low = np.maximum(np.floor(ends.min(0)).astype(int) - 2, 0)
        high = np.minimum(np.ceil(ends.max(0)).astype(int) + 2, big.shape[::-1])
        onto, size = np.column_stack([spin, at - low]).astype(np.float32), tuple((high - low).tolist())
        paper = cv2.warpAffine(np.ones_like(art), onto, size) > 0.5
        part = big[low[1] : high[1], low[0] : high[0]]
        part[paper] = (25 + 213 * cv2.warpAffine(art, onto, size, flags=cv2.INTER_AREA))[paper]


def rivals(ids, many, blur=0.7):
    """Pairs (id, other id, quarter turns of the other) that look most alike out of focus, and how alike: 0 to 1."""
    grid = modules(FAMILY)[ids].astype(np.float32)
    turned = np.concatenate([np.rot90(grid, turn, axes=(1, 2)) for turn in range(4)])
    wide = np.pad(turned, ((0, 0), (1, 1), (1, 1)), constant_values=1)
    seen = np.stack([
        cv2.GaussianBlur(cv2.resize(g, None, fx=4, fy=4, interpolation=cv2.INTER_NEAREST), (0, 0), 4 * blur)[2:-2, 2:-2]
        for g in wide
    ]).reshape(len(wide), -1)  # fmt: skip
    seen -= seen.mean(1, keepdims=True)
    seen /= np.linalg.norm(seen, axis=1, keepdims=True)
    alike = seen[: len(ids)] @ seen.T
    alike[np.tile(np.eye(len(ids), dtype=bool), 4)] = -1
    best = np.argsort(-alike, axis=None)[:many]
    rows, others = np.divmod(best, len(wide))
    return [
        (ids[row], ids[other % len(ids)], int(other // len(ids)), float(alike[row, other]))
        for row, other in zip(rows.tolist(), others.tolist(), strict=True)
    ]
