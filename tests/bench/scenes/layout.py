"""Cards on a table as a camera without optics would see them: reflectance, drawn several times too fine."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import cv2
import numpy as np

from tests.bench.scenes.codes import OURS, grids

MM = 12.0  # side of a marker
CARD = (63.0, 88.0)
BLACK = 0.10  # reflectance of toner


@dataclass
class Marker:
    """What is true: the id, the corners in reader pixels, clockwise from its own top left."""

    id: int
    corners: np.ndarray
    washed: bool = False  # glare left nothing of its contrast

    @property
    def side(self):
        return math.sqrt(abs(cv2.contourArea(self.corners.astype(np.float32))))


@dataclass
class Wish:
    """What to lay. Lengths in mm; side in px at the middle of the picture."""

    side: float = 20.0
    many: int = 21
    family: str = OURS
    tilt: float = 12.0  # degrees at most; exactly that much if it is 30 or more
    inset: float = 3.0  # white between a marker and the edge of its card
    patch: float | None = None  # the white around it ends after this much, and a dark card begins
    fan: float | None = None  # a covering card: this much of the marker is hidden, 0 touches its edge
    curl: float = 0.0  # greatest curvature of a card, 1/mm
    tiles: np.ndarray | None = None  # grids to print instead of the family's
    grey: float | None = None  # reflectance of the table
    size: tuple[int, int] | None = None


@dataclass
class Laid:
    """A drawn table: reflectance `fine` times too large, and where everything lies."""

    light: np.ndarray
    fine: int
    markers: list[Marker]
    cards: list[np.ndarray] = field(default_factory=list)  # outlines in reader pixels


def lay(wish, chance, ink):
    """Draw a table. `ink(texture, px_per_mm, chance)` is how a printer and time treat a card."""
    width, height = wish.size or (round(max(wish.side, 9) * 60), round(max(wish.side, 9) * 40))
    fine = int(np.clip(round(66 / wish.side), 2, 7))
    codes, ids = (wish.tiles, np.full(len(wish.tiles), -1)) if wish.tiles is not None else grids(wish.family)
    view = _camera(wish.tilt, (width, height), chance)
    light = _table(chance, (width, height), fine, wish.grey)
    laid = Laid(light, fine, [])
    per_mm = wish.side * fine / MM
    module = max(5, math.ceil(wish.side * fine / codes.shape[1]))
    ppm = module * codes.shape[1] / MM
    arts = [art(chance, ppm) for _ in range(4)]
    kept = np.zeros((height, width), np.uint8)
    order, tries = chance.permutation(len(codes)), 0
    while len(laid.markers) < min(wish.many, len(codes)) and tries < 30 * wish.many:
        tries += 1
        nth = int(order[len(laid.markers)])
        place = _place(wish, view, per_mm / fine, chance, (width, height))
        if place is None:
            continue
        zone, sheets = _sheets(wish, place, chance)
        if any(_covers(sheet.outline(), kept) for sheet in sheets):
            continue
        cv2.fillConvexPoly(kept, np.round(zone).astype(np.int32), 1)
        for under, sheet in enumerate(sheets):
            face = arts[int(chance.integers(4))].copy()
            if under == 0:
                _print(face, codes[nth], wish, ppm, module)
            elif chance.random() < 0.4:  # a dark frame, as many games have
                rim = round(3 * ppm)
                cv2.rectangle(face, (0, 0), face.shape[::-1], float(chance.uniform(0.1, 0.5)), 2 * rim)
            _paint(light, fine, sheet, ink(face, ppm, chance), ppm, chance)
            laid.cards.append(sheet.outline())
        laid.markers.append(Marker(int(ids[nth]), sheets[0].project(_square(wish.inset))))
    return laid


@dataclass
class Sheet:
    """One card in the picture: from its own mm to reader pixels."""

    onto: np.ndarray  # (3, 3)
    bend: float = 0.0  # curvature, 1/mm, across the card

    def project(self, mm):
        flat = np.array(mm, np.float64)
        if self.bend:
            flat[:, 0] = CARD[0] / 2 + np.sin((flat[:, 0] - CARD[0] / 2) * self.bend) / self.bend
        return cv2.perspectiveTransform(flat[None], self.onto)[0]

    def outline(self):
        return self.project([[0, 0], [CARD[0], 0], [CARD[0], CARD[1]], [0, CARD[1]]])

    def lift(self, xy):
        """From reader pixels (N, 2) to mm on the card."""
        flat = cv2.perspectiveTransform(xy[None], np.linalg.inv(self.onto))[0]
        if self.bend:
            across = np.clip((flat[:, 0] - CARD[0] / 2) * self.bend, -1, 1)
            flat[:, 0] = CARD[0] / 2 + np.arcsin(across) / self.bend
        return flat


def _square(inset):
    return [[inset, inset], [inset + MM, inset], [inset + MM, inset + MM], [inset, inset + MM]]


def _camera(tilt, size, chance):
    """A camera above the table, tilted about some line: (3, 3) from the plane to reader pixels."""
    angle = math.radians(tilt if tilt >= 30 else chance.uniform(0, tilt))
    about = chance.uniform(0, 2 * math.pi)
    turn, _ = cv2.Rodrigues(np.array([math.cos(about), math.sin(about), 0]) * angle)
    far = 1.7 * size[0]
    onto = np.array([[*turn[0, :2], 0], [*turn[1, :2], 0], [turn[2, 0] / far, turn[2, 1] / far, 1]])
    return np.array([[1, 0, size[0] / 2], [0, 1, size[1] / 2], [0, 0, 1]]) @ onto


def _place(wish, view, per_mm, chance, size):
    """Where the next card goes; None where its marker leaves the picture."""
    spot = np.array([chance.uniform(0, size[0]), chance.uniform(0, size[1]), 1])
    plane = np.linalg.solve(view, spot)
    turn = chance.uniform(0, 2 * math.pi)
    cos, sin = math.cos(turn) * per_mm, math.sin(turn) * per_mm
    middle = wish.inset + MM / 2
    here = np.array([[cos, -sin, plane[0] / plane[2]], [sin, cos, plane[1] / plane[2]], [0, 0, 1]])
    onto = view @ here @ np.array([[1, 0, -middle], [0, 1, -middle], [0, 0, 1]])
    corners = Sheet(onto).project(_square(wish.inset))
    if not np.isfinite(corners).all() or (corners < 4).any() or (corners > np.array(size) - 5).any():
        return None
    side = math.sqrt(abs(cv2.contourArea(corners.astype(np.float32))))
    tilted = math.cos(math.radians(wish.tilt)) if wish.tilt >= 30 else 1
    return onto if 0.8 < side / (wish.side * math.sqrt(tilted)) < 1.25 else None


def _sheets(wish, onto, chance):
    """The zone no later card may cover, the card, and the one that covers it in a fan."""
    below = Sheet(onto, chance.uniform(-wish.curl, wish.curl))
    room = min(MM / 7, wish.inset)
    lo, hi = wish.inset - room, wish.inset + MM + room
    if wish.fan is None:
        return below.project([[lo, lo], [hi, lo], [hi, hi], [lo, hi]]), [below]
    edge, turn = wish.inset + MM - wish.fan, math.radians(chance.uniform(-6, 6))
    about = wish.inset + MM / 2
    if wish.fan == 0:  # it turns about the corner that it touches
        about = wish.inset if turn > 0 else wish.inset + MM
    move = np.array(
        [
            [math.cos(turn), -math.sin(turn), edge],
            [math.sin(turn), math.cos(turn), about],
            [0, 0, 1],
        ]
    ) @ np.array([[1, 0, 0], [0, 1, -about - chance.uniform(-10, 4)], [0, 0, 1]])
    if chance.random() < 0.5:  # from below instead of from the right
        swap = np.array([[0, 1.0, 0], [1, 0, 0], [0, 0, 1]])
        move = swap @ move @ swap
    zone = below.project([[lo, lo], [hi, lo], [hi, hi], [lo, hi]])
    return zone, [below, Sheet(onto @ move)]


def _covers(outline, kept):
    lo = np.maximum(np.floor(outline.min(0)).astype(int) - 1, 0)
    hi = np.ceil(outline.max(0)).astype(int) + 2
    part = kept[lo[1] : hi[1], lo[0] : hi[0]]
    if not part.size:
        return False
    mask = np.zeros_like(part)
    cv2.fillConvexPoly(mask, np.round(outline - lo).astype(np.int32), 1)
    return bool((mask & part).any())


def _paint(light, fine, sheet, face, ppm, chance):
    """Lay a printed face into the picture, with the thin shadow at its edge."""
    ends = (sheet.outline() + 0.5) * fine - 0.5
    lo = np.maximum(np.floor(ends.min(0)).astype(int) - 2, 0)
    hi = np.minimum(np.ceil(ends.max(0)).astype(int) + 3, light.shape[::-1])
    if (hi <= lo).any():
        return
    x, y = np.meshgrid(np.arange(lo[0], hi[0], dtype=np.float64), np.arange(lo[1], hi[1], dtype=np.float64))
    mm = sheet.lift((np.stack([x.ravel(), y.ravel()], 1) + 0.5) / fine - 0.5)
    at = (mm * ppm - 0.5).astype(np.float32).reshape(*x.shape, 2)
    seen = cv2.remap(face, at[..., 0], at[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    out = np.maximum(abs(mm - np.array(CARD) / 2) - np.array(CARD) / 2, 0).max(1).reshape(x.shape)
    part = light[lo[1] : hi[1], lo[0] : hi[0]]
    part *= np.where((out > 0) & (out < 0.35), 1 - chance.uniform(0.1, 0.5), 1)
    part[out == 0] = seen[out == 0]


def _print(face, code, wish, ppm, module):
    """Put a marker into its corner, and make the card dark beyond a white patch if that is wished."""
    at, side = round(wish.inset * ppm), module * len(code)
    white = float(face[2, -3])
    if wish.patch is not None:
        reach = round(wish.patch * ppm)
        keep = face[max(0, at - reach) : at + side + reach, max(0, at - reach) : at + side + reach]
        face *= 0.25
        keep[:] = white
    face[at : at + side, at : at + side] = BLACK + (white - BLACK) * np.kron(code, np.ones((module, module)))


def art(chance, ppm):
    """A made-up card: white, a picture, lines of text, its corner free for a marker."""
    face = np.full((round(CARD[1] * ppm), round(CARD[0] * ppm)), chance.uniform(0.86, 0.98), np.float32)

    def box(x, y, to_x, to_y, shade):
        cv2.rectangle(
            face, (round(x * ppm), round(y * ppm)), (round(to_x * ppm), round(to_y * ppm)), float(shade), -1
        )

    box(6, 20, 57, 55, chance.uniform(0.25, 0.8))
    for _ in range(14):
        x, y, reach, shade = (*chance.uniform((8, 22), (55, 53)), chance.uniform(1.5, 7), chance.random())
        if chance.random() < 0.5:
            cv2.circle(face, (round(x * ppm), round(y * ppm)), round(reach * ppm), float(shade), -1)
        else:
            box(x, y, x + reach, y + reach * chance.uniform(0.5, 1.5), shade)
    for row in range(6):
        for x in np.arange(7, 54, 1.6):
            if chance.random() < 0.7:
                y = 60 + 4 * row
                box(
                    x, y, x + chance.uniform(0.5, 1.3), y + chance.uniform(1.2, 2.3), chance.uniform(0.1, 0.3)
                )
    word = "".join(chr(65 + n) for n in chance.integers(0, 26, 8))
    thick = max(1, round(0.4 * ppm))
    spot = (round(20 * ppm), round(12 * ppm))
    letters = np.zeros(face.shape, np.uint8)
    cv2.putText(letters, word, spot, cv2.FONT_HERSHEY_DUPLEX, ppm * 0.18, 255, thick)
    face[letters > 0] = 0.2
    return face


def _table(chance, size, fine, grey):
    """Wood or cloth: grain of every size, stripes."""
    grain = np.zeros((size[1], size[0]), np.float32)
    for octave in range(1, 8):
        cells = 2**octave
        rough = chance.standard_normal((max(2, cells * size[1] // size[0] + 1), cells + 1)).astype(np.float32)
        grain += cv2.resize(rough, size, interpolation=cv2.INTER_CUBIC) / 1.6**octave
    grain += np.sin(np.linspace(0, chance.uniform(30, 120), size[1])[:, None] + grain * 2) * 0.3
    level = chance.uniform(0.25, 0.6) if grey is None else grey
    shade = np.clip(level + grain * chance.uniform(0.04, 0.12), 0.03, 1).astype(np.float32)
    return cv2.resize(shade, (size[0] * fine, size[1] * fine), interpolation=cv2.INTER_LINEAR)
