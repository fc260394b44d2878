"""Pictures without our markers, full of what could be taken for one."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import cv2
import numpy as np
import qrcode

from companion.vision.markers import modules, plain_tiles
from tests.bench.scenes import lens, soft
from tests.bench.scenes.codes import strangers
from tests.bench.scenes.layout import Wish
from tests.bench.scenes.lens import Lens
from tests.bench.scenes.soft import Soft

KINDS = (
    "black squares", "plain tiles", "sparse tiles", "near codes", "aruco 4x4", "aruco 6x6", "apriltag",
    "qr", "drawings", "cloth",
)  # fmt: skip


@dataclass
class Decoys:
    """A picture of one kind, and the marker side that a reader would be told."""

    kind: str
    grey: np.ndarray
    side: float


def pictures(many, seed=0):
    """Give that many pictures, every kind in turn, sides of 8 to 60 px, both physics, sharp and not."""
    return (picture(nth, seed) for nth in range(many))


def picture(nth, seed=0):
    """Give one of them."""
    chance = np.random.default_rng(seed + 1000 + nth)
    kind, side = KINDS[nth % len(KINDS)], float(np.exp(chance.uniform(math.log(8), math.log(60))))
    return Decoys(kind, _picture(kind, side, chance, nth), side)


def _picture(kind, side, chance, nth):
    size = (round(np.clip(side * 28, 360, 900)), round(np.clip(side * 20, 280, 640)))
    across = 3 * side if kind == "qr" else side  # a corner of a QR code is as large as a marker
    wish = Wish(side=across, many=18, size=size, inset=float(chance.choice([1.0, 3.0])))
    if kind in ("drawings", "cloth"):
        return _drawn(kind, side, size, chance)
    tiles = TILES[kind]()
    wish = replace(wish, tiles=tiles[chance.permutation(len(tiles))[:40]])
    if nth % 2:
        return soft.picture(Soft(wish, blur=chance.uniform(0.4, 0.13 * side)), nth)[0]
    disc, spread = chance.uniform(0.3, 0.18 * side), chance.uniform(0, 0.2)
    return lens.picture(Lens(wish, disc=disc, spread=spread, electrons=chance.choice([80, 4000])), nth)[0]


def _squares():
    """Solid, framed, ringed: black squares of every make, on a grid of 14 modules."""
    made = []
    for ring in range(7):
        tile = np.zeros((14, 14), np.uint8)
        tile[ring : 14 - ring, ring : 14 - ring] = ring > 0
        made += [tile, tile & (np.indices((14, 14)).sum(0) % 4 < 2)]
    dot = np.zeros((14, 14), np.uint8)
    for x, y in ((3, 3), (3, 9), (9, 3), (9, 9), (6, 6)):  # a die
        dot[y : y + 2, x : x + 2] = 1
        made.append(dot.copy())
    return np.stack([np.zeros((14, 14), np.uint8)] * 6 + made)


def _qr():
    """Whole symbols of 21 modules."""
    symbols = []
    for number in range(20):
        code = qrcode.QRCode(version=1, border=0)
        code.add_data(f"CARD {number}")
        symbols.append(1 - np.array(code.get_matrix(), np.uint8))
    return np.stack(symbols)


def _sparse():
    chance = np.random.default_rng(5)
    inside = np.zeros((60, 25), np.uint8)
    for row in inside:
        row[chance.permutation(25)[: chance.integers(1, 3)]] = 1
    return np.pad(inside.reshape(-1, 5, 5), ((0, 0), (1, 1), (1, 1)))


TILES = {
    "black squares": _squares,
    "plain tiles": lambda: np.pad(plain_tiles(5), ((0, 0), (1, 1), (1, 1))),
    "sparse tiles": _sparse,
    "near codes": strangers,
    "aruco 4x4": lambda: modules("aruco-4x4-1000"),
    "aruco 6x6": lambda: modules("aruco-6x6-1000"),
    "apriltag": lambda: modules("apriltag-36h11"),
    "qr": _qr,
}


def _drawn(kind, side, size, chance):
    """Icons, letters and nested squares; or a checked, striped or woven cloth."""
    width, height = size[0] * 3, size[1] * 3
    grey = np.full((height, width), chance.integers(170, 250), np.uint8)
    if kind == "cloth":
        y, x = np.mgrid[0:height, 0:width]
        angle, px = chance.uniform(0, math.pi), side * 3 * chance.choice([1 / 7, 1 / 3, 1.0])
        u, v = x * math.cos(angle) + y * math.sin(angle), y * math.cos(angle) - x * math.sin(angle)
        odd = (u // px % 2 + v // (px * chance.choice([1, 1, 2])) % 2).astype(int)
        grey = np.choose(odd, chance.permutation([30, 120, 225])).astype(np.uint8)
    for _ in range(90 if kind == "drawings" else 0):
        at, reach = chance.uniform((0, 0), (width, height)), side * 3 * chance.uniform(0.3, 1.2)
        turn = chance.uniform(0, math.pi)
        for ring in range(int(chance.integers(1, 6))):
            corners = int(chance.choice([3, 4, 4, 4, 5, 40]))
            angles = turn + np.arange(corners) * 2 * math.pi / corners
            spots = at + np.stack([np.cos(angles), np.sin(angles)], 1) * reach * 0.7 * (1 - 0.2 * ring)
            cv2.fillPoly(grey, [np.round(spots).astype(np.int32)], 25 if ring % 2 == 0 else 225)
        letters = "".join(chr(65 + n) for n in chance.integers(0, 26, int(chance.integers(1, 4))))
        spot = tuple(np.round(chance.uniform((0, 0), (width, height))).astype(int).tolist())
        cv2.putText(grey, letters, spot, cv2.FONT_HERSHEY_SIMPLEX, side / 18, 20, max(1, round(side / 5)))
    small = cv2.resize(grey, size, interpolation=cv2.INTER_AREA).astype(np.float32)
    seen = cv2.GaussianBlur(small, (0, 0), chance.uniform(0.4, 0.1 * side)) + chance.normal(0, 3, small.shape)
    return np.clip(seen, 0, 255).astype(np.uint8)
