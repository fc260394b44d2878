"""Frames read per second at 1920 x 1080 with 40 cards, beside cv2.aruco in the same run, on one thread."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games import decks
from companion.vision.change import changed, coarse
from companion.vision.markers import modules
from companion.vision.read import Reader

FAMILY = "aruco-5x5-1000"
CARDS, WIDTH, HEIGHT, FINE = 40, 1920, 1080, 3
SIDES = (19.0, 22.0, 25.0)
Grey = NDArray[np.uint8]
Seen = list[tuple[int, float, float]]


def frame(ids: list[int], side: float, seed: int) -> tuple[Grey, Seen]:
    """Draw cards with art and text on a lit, textured table; a soft, noisy JPEG of it and where each id is."""
    chance = np.random.default_rng(seed)
    grain = [
        cv2.resize(
            chance.normal(0, 1, (HEIGHT // n, WIDTH // n)), (WIDTH, HEIGHT), interpolation=cv2.INTER_CUBIC
        )
        for n in (4, 16, 90)
    ]
    ground = np.clip(110 + 7 * sum(grain), 20, 250).astype(np.float32)
    big = cv2.resize(ground, (WIDTH * FINE, HEIGHT * FINE), interpolation=cv2.INTER_LINEAR)
    mm, columns, spots = side / 12, 8, []
    for nth, marker in enumerate(ids):
        row, column = divmod(nth, columns)
        middle = np.array([(column + 0.5) * WIDTH / columns, (row + 0.5) * HEIGHT / 5]) + chance.uniform(
            -9, 9, 2
        )
        art = card(modules(FAMILY)[marker], chance)
        lay(big, art, middle, mm, chance.uniform(0, 2 * math.pi), chance.uniform(225, 250))
        spots.append((marker, *middle.tolist()))
    seen = cv2.GaussianBlur(cv2.resize(big, (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA), (0, 0), 0.8)
    y, x = np.mgrid[0:HEIGHT, 0:WIDTH].astype(np.float32)
    seen *= 1 - 0.45 * (0.6 * x / WIDTH + 0.4 * y / HEIGHT)
    noisy = np.clip(seen + chance.normal(0, 3, seen.shape), 0, 255).astype(np.uint8)
    return np.asarray(
        cv2.imdecode(cv2.imencode(".jpg", noisy, [cv2.IMWRITE_JPEG_QUALITY, 90])[1], 0), np.uint8
    ), spots


def card(grid: NDArray[np.uint8], chance: np.random.Generator) -> NDArray[np.float32]:
    """One card, 63 x 88 mm at 7 px to the mm, its marker in the middle of the upper left; 0 black, 1 white."""
    art = np.ones((88 * 7, 63 * 7), np.float32)
    art[3 * 7 : 15 * 7, 3 * 7 : 15 * 7] = np.kron(grid, np.ones((12, 12)))
    cv2.rectangle(art, (45, 150), (400, 390), float(chance.uniform(0.3, 0.8)), -1)
    for _ in range(14):
        at = (int(chance.uniform(60, 380)), int(chance.uniform(160, 380)))
        reach, shade = int(chance.uniform(10, 48)), float(chance.uniform(0, 1))
        if chance.random() < 0.5:
            cv2.circle(art, at, reach, shade, -1)
        else:
            cv2.rectangle(art, at, (at[0] + reach, at[1] + reach), shade, -1)
    for line in range(6):
        for x in np.arange(50, 380, 11):
            if chance.random() < 0.7:
                top = 420 + 28 * line
                cv2.rectangle(
                    art,
                    (int(x), top),
                    (int(x + chance.uniform(3, 9)), top + int(chance.uniform(8, 16))),
                    0.2,
                    -1,
                )
    return art


def lay(
    big: NDArray[np.float32], art: NDArray[np.float32], middle: Any, mm: float, turn: float, white: float
) -> None:
    """Lay a card so that its marker's middle is at a point of the small picture, turned."""
    scale = mm * FINE / 7
    spin = np.array([[math.cos(turn), -math.sin(turn)], [math.sin(turn), math.cos(turn)]]) * scale
    at = (np.asarray(middle) + 0.5) * FINE - 0.5 - spin @ np.array([9 * 7 - 0.5, 9 * 7 - 0.5])
    onto = np.column_stack([spin, at]).astype(np.float32)
    size = (big.shape[1], big.shape[0])
    paper = cv2.warpAffine(np.ones_like(art), onto, size) > 0.5
    big[paper] = (25 + (white - 25) * cv2.warpAffine(art, onto, size))[paper]


def recall(seen: Seen, truth: Seen) -> tuple[int, int]:
    """How many cards are read, and how many readings are wrong."""
    right = {
        (marker, x, y)
        for marker, x, y in truth
        if any(m == marker and math.hypot(u - x, v - y) < 6 for m, u, v in seen)
    }
    return len(right), len(seen) - len(right)


def quickest(act: Callable[[], Any], times: int) -> float:
    """Seconds of processor time that the quickest of some runs took."""
    taken = []
    for _ in range(times):
        start = time.thread_time()
        act()
        taken.append(time.thread_time() - start)
    return min(taken)


def rows() -> list[dict[str, Any]]:
    """Measure; a row for each figure."""
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    try:
        return _measured()
    finally:
        cv2.setNumThreads(threads)


def _measured() -> list[dict[str, Any]]:
    deck = decks.parse((Path(decks.__file__).parent / "koala" / "deck.toml").read_text())
    markers = [*deck.by_marker, *(marker for plate in deck.plates for marker in plate.markers)]
    reader = Reader(FAMILY, markers, marker_px=(14, 32))
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_5X5_1000))
    ours, theirs, right, wrong, peers = 0.0, 0.0, 0, 0, 0
    for nth, side in enumerate(SIDES):
        ids = np.random.default_rng(nth).permutation(list(deck.by_marker))[:CARDS].tolist()
        picture, truth = frame(ids, side, nth)
        ours += quickest(lambda: reader.read(picture), 7) / len(SIDES)  # noqa: B023  called at once
        theirs += quickest(lambda: detector.detectMarkers(picture), 4) / len(SIDES)  # noqa: B023  called at once
        hits, misses = recall([(r.id, *r.corners.mean(0).tolist()) for r in reader.read(picture)], truth)
        right, wrong = right + hits, wrong + misses
        quads, found, _ = detector.detectMarkers(picture)
        spots = (
            []
            if found is None
            else [(int(i), *q[0].mean(0).tolist()) for i, q in zip(found.ravel(), quads, strict=True)]
        )
        peers += recall(spots, truth)[0]
    before = coarse(picture)
    still = quickest(lambda: changed(before, coarse(picture)), 7)
    total = CARDS * len(SIDES)
    share, peer_share = right / total, peers / total
    return [
        _row("frames_per_second", 1 / ours, "1/s", None, True),
        _row("frames_per_second_aruco", 1 / theirs, "1/s", None, True),
        _row("frames_speed_over_aruco", theirs / ours, "ratio", 1.0, theirs >= ours),
        _row("frames_recall", share, "share", max(0.99, peer_share), share >= max(0.99, peer_share)),
        _row("frames_recall_aruco", peer_share, "share", None, True),
        _row("frames_wrong_ids", wrong, "count", 0, wrong == 0),
        _row("frames_unchanged_over_read", still / ours, "ratio", 0.1, still <= 0.1 * ours),
    ]


def _row(name: str, value: float, unit: str, goal: float | None, met: bool) -> dict[str, Any]:
    return {"name": name, "value": round(float(value), 4), "unit": unit, "goal": goal, "met": bool(met)}


if __name__ == "__main__":
    for each in rows():
        print(each)
