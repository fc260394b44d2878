"""A whole table as a camera sees it from any side: plates, cards one over the other, arms, glare. For tests.

Lengths on the table are in mm; a picture is 1280 x 720. The truth is what the test put there.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.table.things import Card, CardId, Deck, Plate, Zone
from companion.vision.markers import modules

Grey = NDArray[np.uint8]
Points = NDArray[np.float64]
SIZE = (1280, 720)
TABLE = (800.0, 450.0)  # mm
CARD, MARKER, INSET = (59.0, 92.0), 12.0, 3.5
FAMILY = "aruco-5x5-1000"
MIDDLE, CAVE, ROW = Zone("middle"), Zone("cave:a"), Zone("row")
PLATES = (
    Plate(MIDDLE, (901, 902), 18.0, 230.0, (-25.0, 20.0, 300.0, 170.0)),
    Plate(CAVE, (907, 908), 18.0, 220.0, (0.0, 20.0, 250.0, 150.0)),
    Plate(ROW, (905, 906), 18.0, 120.0, (0.0, 20.0, 150.0, 110.0)),
)
LIES = {MIDDLE: (60.0, 30.0, 0.0), CAVE: (330.0, 420.0, math.pi), ROW: (770.0, 70.0, math.pi / 2)}
PIZZAS = [n for n in range(24) if n not in (5, 21)]
CARDS = tuple(Card(CardId(f"pizza-{n:02d}"), "pizza", "food", m) for n, m in enumerate(PIZZAS, 1))
DECK = Deck("koala", CARDS, PLATES)
MARKS = {card.id: card.marker for card in CARDS}


@dataclass(frozen=True)
class Lying:
    """A card on the table: its printed marker, where its marker's corner lies (mm), how it is turned."""

    marker: int
    x: float
    y: float
    turn: float = 0.0


@dataclass(frozen=True)
class Arm:
    """An arm from outside the table to a hand, mm; as light or dark as skin or a sleeve."""

    x: float
    y: float
    from_x: float
    from_y: float
    wide: float = 75.0
    shade: float = 150.0


@dataclass(frozen=True)
class Scene:
    """What is to be seen; `hidden`: plate markers under a napkin."""

    cards: tuple[Lying, ...] = ()
    arms: tuple[Arm, ...] = ()
    hidden: frozenset[int] = frozenset()
    glare: tuple[tuple[float, float, float, float], ...] = ()  # x, y, radius mm, strength in grey levels
    blur: float = 0.7  # px
    light: float = 1.0
    noise: float = 3.0
    tilt: float = 0.0  # degrees that the camera leans ...
    side: float = 0.0  # ... towards this side of the table, degrees
    lies: dict[Zone, tuple[float, float, float]] = field(default_factory=lambda: dict(LIES))

    def plus(self, *cards: Lying) -> Scene:
        """With these cards laid on top."""
        return replace(self, cards=(*self.cards, *cards))


def on(zone: Zone, marker: int, x: float, y: float, turn: float = 0.0) -> Lying:
    """A card at a plate's own mm (x right, y down), as that plate lies."""
    px, py, spin = LIES[zone]
    cos, sin = math.cos(spin), math.sin(spin)
    return Lying(marker, px + cos * x - sin * y, py + sin * x + cos * y, spin + turn)


def fan(zone: Zone, markers: list[int], x: float, y: float, reach: float = 150.0) -> tuple[Lying, ...]:
    """Cards held at one point and spread: each turned further, each over the one before."""
    out = []
    for n, marker in enumerate(markers):
        turn = (n - (len(markers) - 1) / 2) * 0.16
        out.append(on(zone, marker, x + reach * math.sin(turn), y + reach * (1 - math.cos(turn)), turn))
    return tuple(out)


def view(tilt: float, side: float) -> Points:
    """Table mm to pixels: the camera looks at the middle of the table, leaning `tilt` degrees to a side."""
    lean, round_ = math.radians(tilt), math.radians(side)
    axis = np.array([math.cos(round_), math.sin(round_), 0.0]) * lean
    turn, _ = cv2.Rodrigues(axis)
    far = 900.0 * (1 + 0.25 * math.sin(abs(lean)))
    flat = np.array([[1.0, 0, -TABLE[0] / 2], [0, 1.0, -TABLE[1] / 2], [0, 0, 1]])
    lens = np.array([[1.55 * 900, 0, SIZE[0] / 2], [0, 1.55 * 900, SIZE[1] / 2], [0, 0, 1]])
    return np.asarray(lens @ np.column_stack([turn[:, 0], turn[:, 1], [0, 0, far]]) @ flat)


def shot(scene: Scene, frame: int = 0) -> Grey:
    """One frame of the scene; another number gives other noise and another tremble of the table."""
    clean = _clean(scene)
    chance = np.random.default_rng(1000 + frame)
    dx, dy = chance.uniform(-0.4, 0.4, 2)
    moved = cv2.warpAffine(clean, np.array([[1, 0, dx], [0, 1, dy]]), SIZE, borderMode=cv2.BORDER_REPLICATE)
    y, x = chance.integers(0, 64, 2)
    noise = _GRAIN[y : y + SIZE[1], x : x + SIZE[0]]
    return np.asarray(cv2.addWeighted(moved, 1.0, noise, scene.noise, 0.0, dtype=cv2.CV_8U), np.uint8)


_GRAIN = np.random.default_rng(9).standard_normal((SIZE[1] + 64, SIZE[0] + 64), np.float32)
_drawn: dict[str, NDArray[np.float32]] = {}


def _clean(scene: Scene) -> NDArray[np.float32]:
    key = repr(scene)
    if key not in _drawn:
        if len(_drawn) > 12:
            _drawn.clear()
        _drawn[key] = _draw(scene)
    return _drawn[key]


def _draw(scene: Scene) -> NDArray[np.float32]:
    fine = 2
    to = np.diag([fine, fine, 1.0]) @ view(scene.tilt, scene.side)
    canvas = _cloth(to, fine)
    for plate in PLATES:
        x, y, turn = scene.lies[plate.zone]
        for nth, marker in enumerate(plate.markers):
            if marker not in scene.hidden:
                at = _matrix(x, y, turn) @ _matrix(nth * plate.apart_mm, 0, 0)
                _lay(canvas, _tile(marker, plate.marker_mm), to @ at)
    for card in scene.cards:
        _lay(canvas, _face(card.marker), to @ _matrix(card.x, card.y, card.turn))
    for arm in scene.arms:
        _limb(canvas, arm, to)
    lit = cv2.resize(canvas, SIZE, interpolation=cv2.INTER_AREA)
    lit *= np.linspace(1.0, 0.65, SIZE[0], dtype=np.float32) * scene.light
    for x, y, radius, strength in scene.glare:
        _shine(lit, (x, y), radius, strength, view(scene.tilt, scene.side))
    return np.asarray(cv2.GaussianBlur(lit, (0, 0), scene.blur), np.float32)


def _cloth(to: Points, fine: int) -> NDArray[np.float32]:
    chance = np.random.default_rng(4)
    rough = chance.standard_normal((120, 200)).astype(np.float32)
    cloth = cv2.resize(rough, (2000, 1200), interpolation=cv2.INTER_CUBIC) * 7 + 100
    place = np.array([[1.0, 0, -600], [0, 1.0, -375], [0, 0, 1]])
    size = (SIZE[0] * fine, SIZE[1] * fine)
    return cv2.warpPerspective(cloth, to @ place, size, borderMode=cv2.BORDER_REFLECT).astype(np.float32)


def _matrix(x: float, y: float, turn: float) -> Points:
    cos, sin = math.cos(turn), math.sin(turn)
    return np.array([[cos, -sin, x], [sin, cos, y], [0, 0, 1.0]])


def _tile(marker: int, side: float) -> tuple[NDArray[np.float32], Points]:
    """A marker on white paper: its picture, and where that picture's pixels lie in mm from its corner."""
    art = np.pad(modules(FAMILY)[marker], 1, constant_values=1).astype(np.float32) * 200 + 28
    art = np.kron(art, np.ones((8, 8), np.float32))
    grow = side / 7
    scale = (side + 2 * grow) / len(art)
    return art, np.array([[scale, 0, -grow], [0, scale, -grow], [0, 0, 1]])


def _face(marker: int) -> tuple[NDArray[np.float32], Points]:
    """A card: white, its marker in the upper left corner, art below."""
    px = 6.0
    art = np.full((round(CARD[1] * px), round(CARD[0] * px)), 232.0, np.float32)
    side, at = round(MARKER * px), round(INSET * px)
    grid = cv2.resize(modules(FAMILY)[marker] * 204.0 + 28, (side, side), interpolation=cv2.INTER_NEAREST)
    art[at : at + side, at : at + side] = grid
    shade = 70.0 + marker * 37 % 110
    cv2.rectangle(art, (round(8 * px), round(26 * px)), (round(50 * px), round(84 * px)), shade, -1)
    cv2.circle(art, (round(29 * px), round(55 * px)), round(14 * px), 230 - shade, -1)
    cv2.rectangle(art, (0, 0), (art.shape[1] - 1, art.shape[0] - 1), 140.0, 2)
    return art, np.array([[1 / px, 0, -INSET], [0, 1 / px, -INSET], [0, 0, 1]])


def _lay(canvas: NDArray[np.float32], patch: tuple[NDArray[np.float32], Points], to: Points) -> None:
    art, mm = patch
    whole = to @ mm
    height, width = art.shape
    ends = np.array([[[0, 0], [width, 0], [width, height], [0, height]]], np.float64)
    there = cv2.perspectiveTransform(ends, whole)[0]
    low = np.maximum(np.floor(there.min(0)).astype(int) - 2, 0)
    high = np.minimum(np.ceil(there.max(0)).astype(int) + 2, canvas.shape[::-1])
    if (high <= low).any():
        return
    shift = np.array([[1.0, 0, -low[0]], [0, 1.0, -low[1]], [0, 0, 1]])
    size = (int(high[0] - low[0]), int(high[1] - low[1]))
    drawn = cv2.warpPerspective(art, shift @ whole, size, flags=cv2.INTER_LINEAR)
    cover = cv2.warpPerspective(np.ones_like(art), shift @ whole, size, flags=cv2.INTER_LINEAR)
    part = canvas[low[1] : high[1], low[0] : high[0]]
    part[:] = np.where(cover > 0.99, drawn, part)


def _limb(canvas: NDArray[np.float32], arm: Arm, to: Points) -> None:
    ends = cv2.perspectiveTransform(np.array([[[arm.from_x, arm.from_y], [arm.x, arm.y]]], np.float64), to)[0]
    wide = max(1, round(arm.wide * 3.1))
    points = [tuple(int(v) for v in end) for end in np.round(ends)]
    cv2.line(canvas, points[0], points[1], arm.shade, wide, cv2.LINE_AA)


def _shine(
    lit: NDArray[np.float32], at: tuple[float, float], radius: float, strength: float, to: Points
) -> None:
    x, y = cv2.perspectiveTransform(np.array([[at]], np.float64), to)[0, 0]
    rows, columns = np.mgrid[0 : lit.shape[0], 0 : lit.shape[1]].astype(np.float32)
    lit += strength * np.exp(-((columns - x) ** 2 + (rows - y) ** 2) / (2 * (radius * 1.5) ** 2))
