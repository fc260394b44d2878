"""Printed sheets with circles to fill: which of them carry a mark of a pen, and which are doubtful. Pure.

The corner markers lay the sheet flat, the printed circles themselves then tell how the paper bends. What is
darker than the paper around it and smaller than a circle is ink; a shadow's edge is larger and is none.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.table.things import value
from companion.vision.read import Reading

F32 = NDArray[np.float32]
Grey = NDArray[np.uint8]

PX = 8.0  # pixels a mm of the flattened sheet
NEEDED = 3  # corner markers
STRAY = 2.5  # mm that a marker's corners may lie off the flat sheet: more is no sheet of ours
REACH = 1.6  # mm that a printed circle may lie off its place on bent paper
INSIDE = 0.66  # of the radius: where ink is looked for, clear of the printed ring
BLANK, INKED = (
    0.028,
    0.046,
)  # mean darkness inside, of the paper's white, beyond what the emptiest circles show
SPECK = 0.58  # mm that ink spreads around its middle: a dot of 1.5 mm 0.5, a stroke of any pen 0.68 and more
PALE = (
    0.16  # darkness of the darkest twentieth: what is left of a rubbed out pencil is paler, a pencil is not
)
ROUND, SECTORS = 0.7, 24  # of the sectors around a circle, when a line is drawn round it instead of into it
LINE, TRACED = 0.14, 0.16  # darkness of such a line; and of a printed ring gone over, beyond the others
COARSE = 1.8  # pixels a mm: a coarser picture shows no ticks


@value
class Circle:
    """A printed circle: its name, centre and radius in mm from the sheet's upper left corner, y down."""

    id: str
    x: float
    y: float
    r: float


@value
class Blank:
    """A printed sheet: where its corner markers stand (x, y of the upper left corner, side, mm), its circles."""

    corners: Mapping[int, tuple[float, float, float]]
    circles: tuple[Circle, ...]
    wide: float
    high: float


@value
class Mark:
    """A circle as seen: "open", "filled" or "doubtful"; `ink`: mean darkness inside it, of the paper's white."""

    id: str
    state: str
    ink: float
    at: tuple[float, float, float] = (0.0, 0.0, 0.0)  # px: its centre in the picture, and its radius


@value
class Seen:
    """A sheet as seen. `fault`: why it cannot be read ("corners", "bent", "coarse"); then there are no marks."""

    marks: tuple[Mark, ...]
    fault: str = ""

    @property
    def filled(self) -> frozenset[str]:
        """The circles that carry a mark for certain."""
        return frozenset(mark.id for mark in self.marks if mark.state == "filled")

    @property
    def doubtful(self) -> tuple[str, ...]:
        """The circles that people must be asked about."""
        return tuple(mark.id for mark in self.marks if mark.state == "doubtful")


def read(grey: Grey, readings: Iterable[Reading], blank: Blank) -> Seen:
    """Read a sheet in a (h, w) picture whose markers have been read."""
    quads = {
        reading.id: np.asarray(reading.corners, np.float64)
        for reading in readings
        if reading.id in blank.corners
    }
    if len(quads) < NEEDED:
        return Seen((), "corners")
    to_mm, fault = _laid(quads, blank)
    if to_mm is None:
        return Seen((), fault)
    ink, paper = _ink(_flattened(grey, to_mm, blank))
    spots = np.array([(circle.x, circle.y) for circle in blank.circles], np.float64)
    radius = float(np.median([circle.r for circle in blank.circles]))
    spots = spots + _bend(ink, spots, radius)
    within = [_within(ink, x, y, circle.r) for (x, y), circle in zip(spots, blank.circles, strict=True)]
    inks = np.array([each[:, 2].mean() if len(each) else 0.0 for each in within])
    # What the ring and the grain of the paper leave everywhere, and here and there out of focus.
    floor = min(float(np.quantile(inks, 0.1)), 0.05)
    floors = _local(inks, spots, floor)
    grain = _grain(ink, paper)
    around = [_around(ink, x, y, circle.r) for (x, y), circle in zip(spots, blank.circles, strict=True)]
    rim = float(np.median([dark for _, dark in around]))
    marks = []
    for circle, inside, dark, own, (share, traced), at in zip(
        blank.circles, within, inks, floors, around, _pictured(to_mm, spots, radius), strict=True
    ):
        state = _state(float(dark - own), grain)
        if state == "filled" and not _drawn(inside, float(own)):
            state = "doubtful"
        if state == "open" and (dark - floor > INKED or share >= ROUND or traced > rim + TRACED):
            state = "doubtful"
        marks.append(Mark(circle.id, state, round(float(dark), 4), at))
    return Seen(tuple(marks))


def _local(inks: NDArray[np.float64], spots: NDArray[np.float64], floor: float) -> NDArray[np.float64]:
    """What is left of the floor's place: where the picture is out of focus, rings leave more inside them.

    The emptiest of a circle and its eight nearest tells it, unless even that is as dark as a mark.
    """
    apart = np.hypot(*(spots[:, None, :] - spots[None, :, :]).transpose(2, 0, 1))
    emptiest = inks[np.argsort(apart, axis=1)[:, :9]].min(1)
    return np.where(emptiest - floor < INKED, np.maximum(emptiest, floor), floor)


def _state(dark: float, grain: float) -> str:
    """Doubtful between what paper shows and what a pen leaves; the grainier the picture, the wider."""
    if dark < BLANK:
        return "open"
    return "filled" if dark > INKED + grain else "doubtful"


def _corners_mm(place: tuple[float, float, float]) -> NDArray[np.float64]:
    x, y, side = place
    return np.array([(x, y), (x + side, y), (x + side, y + side), (x, y + side)])


def _laid(quads: Mapping[int, NDArray[np.float64]], blank: Blank) -> tuple[NDArray[np.float64] | None, str]:
    """The homography from the picture to mm of the sheet; None and why if it cannot be laid flat."""
    image = np.concatenate(list(quads.values()))
    paper = np.concatenate([_corners_mm(blank.corners[id]) for id in quads])
    # The outer edge of a marker is the outer edge of its pixels: centres lie at whole numbers.
    to_mm, _ = cv2.findHomography(image, paper)
    if to_mm is None:
        return None, "corners"
    off = cv2.perspectiveTransform(image[None], to_mm)[0] - paper
    if float(np.hypot(off[:, 0], off[:, 1]).max()) > STRAY:
        return None, "bent"
    sides = [float(np.linalg.norm(np.diff(quad, axis=0), axis=1).min()) for quad in quads.values()]
    scales = [side / blank.corners[id][2] for side, id in zip(sides, quads, strict=True)]
    return (None, "coarse") if min(scales) < COARSE else (np.asarray(to_mm, np.float64), "")


def _flattened(grey: Grey, to_mm: NDArray[np.float64], blank: Blank) -> F32:
    """The sheet from above, PX pixels a mm, 0 to 1."""
    scale, size = np.diag([PX, PX, 1.0]), (round(blank.wide * PX), round(blank.high * PX))
    flat = cv2.warpPerspective(
        grey, scale @ to_mm, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return flat.astype(np.float32) / np.float32(255.0)


def _pictured(
    to_mm: NDArray[np.float64], spots: NDArray[np.float64], radius: float
) -> list[tuple[float, float, float]]:
    """Where circles (N, 2) of the sheet lie in the picture, and how large they are there, px."""
    ends = np.concatenate([spots, spots + np.array((radius, 0.0)), spots + np.array((0.0, radius))])
    middle, right, down = np.split(cv2.perspectiveTransform(ends[None], np.linalg.inv(to_mm))[0], 3)
    wide = (np.hypot(*(right - middle).T) + np.hypot(*(down - middle).T)) / 2
    return [(float(x), float(y), float(r)) for (x, y), r in zip(middle, wide, strict=True)]


def _ink(flat: F32) -> tuple[F32, F32]:
    """Darkness against the paper right around, as a part of it: things up to 7 mm, not the edges of shadows.

    Closing leaves a shadow as it is, because it is larger than the patch, and takes away whatever is smaller.
    """
    small = cv2.resize(flat, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    side = round(7.2 * PX * 0.5) | 1
    small = cv2.GaussianBlur(small, (0, 0), 0.8)
    paper = cv2.morphologyEx(small, cv2.MORPH_CLOSE, np.ones((side, side), np.uint8))
    paper = cv2.resize(paper, flat.shape[::-1], interpolation=cv2.INTER_LINEAR)
    smooth = cv2.GaussianBlur(flat, (0, 0), 0.15 * PX)
    return np.clip((paper - smooth) / np.maximum(paper, 0.05), 0, 1).astype(np.float32), paper.astype(
        np.float32
    )


def _grain(ink: F32, paper: F32) -> float:
    """How much a part of the picture without print differs from white: noise that closing takes for ink."""
    lit = ink[paper > 0.1]
    return min(0.03, float(np.quantile(lit[::97], 0.25))) if lit.size else 0.03


def _bend(ink: F32, spots: NDArray[np.float64], radius: float) -> NDArray[np.float64]:
    """How far each circle lies off its place, mm: a smooth bend that agrees with most printed rings."""
    reach, ring = round(REACH * PX), _ring(radius)
    score = cv2.filter2D(ink, cv2.CV_32F, ring, borderType=cv2.BORDER_REPLICATE)
    moves, weights = np.zeros_like(spots), np.zeros(len(spots))
    for n, (x, y) in enumerate(spots):
        col, row = round(x * PX), round(y * PX)
        window = score[max(0, row - reach) : row + reach + 1, max(0, col - reach) : col + reach + 1]
        if window.shape != (2 * reach + 1, 2 * reach + 1):
            continue
        best = np.unravel_index(int(window.argmax()), window.shape)
        moves[n] = (best[1] - reach) / PX, (best[0] - reach) / PX
        weights[n] = max(0.0, float(window.max()))
    return _smooth(spots, moves, weights)


def _ring(radius: float) -> F32:
    """A filter that answers to a printed ring: dark on it, light beside it."""
    half = round((radius + 0.9) * PX)
    y, x = np.mgrid[-half : half + 1, -half : half + 1] / PX
    off = np.hypot(x, y) - radius
    on = np.exp(-((off / 0.22) ** 2))
    beside = np.exp(-(((abs(off) - 0.6) / 0.25) ** 2))
    return np.asarray(on / on.sum() - beside / beside.sum(), np.float32)


def _smooth(
    spots: NDArray[np.float64], moves: NDArray[np.float64], weights: NDArray[np.float64]
) -> NDArray[np.float64]:
    """A bend of second order through the moves, the strays among them left aside."""
    if not weights.any():
        return np.zeros_like(moves)
    u, v = (spots / 100 - 1.2).T
    base = np.stack([np.ones_like(u), u, v, u * u, u * v, v * v, u * u * v, u * v * v], 1)
    weight, bend = weights / weights.max(), np.zeros_like(moves)
    for _ in range(6):
        root = np.sqrt(weight)[:, None]
        fit, *_ = np.linalg.lstsq(np.concatenate([base * root, 0.02 * np.eye(base.shape[1])]),
                                  np.concatenate([moves * root, np.zeros((base.shape[1], 2))]), rcond=None)  # fmt: skip
        bend = base @ fit
        off = np.linalg.norm(moves - bend, axis=1)
        weight = weights / weights.max() / (1 + (off / 0.25) ** 2)
    return bend


def _around(ink: F32, x: float, y: float, r: float) -> tuple[float, float]:
    """In how many of the sectors just outside a circle there is a line, 0 to 1; and how dark its rim is."""
    angles = np.linspace(0, 2 * np.pi, SECTORS, endpoint=False)[:, None]

    def at(radii: NDArray[np.float64]) -> NDArray[np.float64]:
        cols = np.clip(np.round((x + radii * r * np.cos(angles)) * PX), 0, ink.shape[1] - 1).astype(int)
        rows = np.clip(np.round((y + radii * r * np.sin(angles)) * PX), 0, ink.shape[0] - 1).astype(int)
        return np.asarray(ink[rows, cols], np.float64)

    outside = at(np.arange(1.2, 1.62, 0.07)[None, :]).max(1) > LINE
    return float(outside.mean()), float(at(np.arange(0.88, 1.13, 0.06)[None, :]).max(1).mean())


def _within(ink: F32, x: float, y: float, r: float) -> F32:
    """The middle of a circle: (N, 3) of x and y in mm and the darkness there."""
    half = r * INSIDE * PX
    left, top = max(0, int(x * PX - half)), max(0, int(y * PX - half))
    side = int(2 * half) + 2
    patch = ink[top : top + side, left : left + side]
    rows, cols = np.mgrid[top : top + patch.shape[0], left : left + patch.shape[1]]
    inside = np.hypot(cols - x * PX, rows - y * PX) <= half
    return np.stack([cols[inside] / PX, rows[inside] / PX, patch[inside]], 1).astype(np.float32)


def _drawn(inside: F32, own: float) -> bool:
    """Whether ink is what a hand draws: longer than a speck, and darker than what a rubber leaves."""
    if float(np.quantile(inside[:, 2], 0.95)) < PALE:
        return False
    weight = np.clip(inside[:, 2] - own, 0, None)
    off = inside[:, :2] - np.average(inside[:, :2], axis=0, weights=weight)
    longest = np.linalg.eigvalsh((weight[:, None] * off).T @ off / weight.sum())[-1]
    return bool(longest >= SPECK**2)
