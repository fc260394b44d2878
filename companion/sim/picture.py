"""The table as the camera above it sees it: plates, cards with their stickers, lamp light, blur and noise.

Lengths on the table are in mm, the origin is the camera's upper left corner.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.table.luck import Luck
from companion.table.things import CardId, Deck, Plate, Zone, value
from companion.vision.markers import FAMILY, draw

Grey = NDArray[np.uint8]
TABLE_MM = (1200.0, 675.0)
PX = 1.6  # pixels a mm: 1920 x 1080
FINE = 4  # cards are drawn finer and then brought to the camera's scale
CARD_MM = (59.0, 92.0)
MARKER_MM, INSET_MM = 12.0, 3.5
STEP_MM = (18.5, 18.0)  # from one sticker to the next in a zone: its white margin stays 1.7 mm wide
NOISE = 3.0  # grey levels, standard deviation
SLACK = 128  # a larger sheet of noise is drawn once; every frame cuts its own piece out of it


@value
class Spot:
    """Where a card lies: the corner of its sticker's marker (mm on the table) and how it is turned (radians)."""

    x: float
    y: float
    turn: float


class Picture:
    """Draws what lies on the table; keeps each card where it was put until it is taken away."""

    def __init__(self, deck: Deck, luck: Luck, spots: Mapping[Zone, tuple[float, float]]) -> None:
        """Print the deck and lay the plates out; `spots`: where each plate's left marker lies, mm."""
        self.deck, self._luck, self._where = deck, luck, spots
        self._patches: dict[int, Grey] = {}
        self._spots: dict[Zone, dict[CardId, Spot]] = {}
        self._noise = np.random.default_rng(luck.seed & 0xFFFFFFFF)
        self._bare = self._table()
        self._drawn: dict[Zone, tuple[tuple[CardId, ...], Grey]] = {}
        self._light = _lamp(self._bare.shape)
        height, width = self._bare.shape
        size = (height + SLACK, width + SLACK)
        self._grain = self._noise.standard_normal(size, np.float32) * NOISE

    def shot(self, zones: Mapping[Zone, Iterable[CardId]]) -> Grey:
        """One frame, 1920 x 1080, grey: every zone with its cards in the order they were laid."""
        canvas = self._bare.copy()
        for plate in self.deck.plates:
            cards = tuple(zones.get(plate.zone, ()))
            x0, y0, x1, y1 = self._box(plate)
            canvas[y0:y1, x0:x1] = self._zone(plate, cards)[y0:y1, x0:x1]
        dx, dy = self._noise.uniform(-0.7, 0.7, 2)  # people lean on the table: no two frames are alike
        shaken = cv2.warpAffine(
            canvas, np.array([[1, 0, dx], [0, 1, dy]]), canvas.shape[::-1], borderMode=cv2.BORDER_REPLICATE
        )
        lit = cv2.multiply(cv2.GaussianBlur(shaken, (0, 0), 0.8), self._light, dtype=cv2.CV_32F)
        y, x = self._noise.integers(0, SLACK, 2)
        grain = self._grain[y : y + lit.shape[0], x : x + lit.shape[1]]
        return np.asarray(cv2.add(lit, grain, dtype=cv2.CV_8U), np.uint8)

    def _box(self, plate: Plate) -> tuple[int, int, int, int]:
        left, top = self._where[plate.zone]
        x, y, w, h = plate.area
        x0, y0, x1, y1 = left + min(x, 0) - 12, top - 12, left + x + w + 12, top + y + h + 12
        x0, y0, x1, y1 = max(0.0, x0), max(0.0, y0), min(x1, TABLE_MM[0]), min(y1, TABLE_MM[1])
        return round(x0 * PX), round(y0 * PX), round(x1 * PX), round(y1 * PX)

    def _zone(self, plate: Plate, cards: tuple[CardId, ...]) -> Grey:
        """The table with this zone's cards only; drawn anew when they change."""
        known = self._drawn.get(plate.zone)
        if known is not None and known[0] == cards:
            return known[1]
        canvas = self._bare.copy()
        spots = self._placed(plate, cards)
        for card in cards:
            self._lay(canvas, self._card(card), spots[card], INSET_MM)
        self._drawn[plate.zone] = (cards, canvas)
        return canvas

    def _placed(self, plate: Plate, cards: tuple[CardId, ...]) -> dict[CardId, Spot]:
        """A place for each card, later ones below and right of earlier ones.

        The row is laid anew, in order, when it gets tight or when cards were put between others.
        """
        old = self._spots.get(plate.zone, {})
        columns = int((plate.area[2] - CARD_MM[0]) // STEP_MM[0]) + 1
        rows = int((plate.area[3] - CARD_MM[1]) // STEP_MM[1]) + 1
        kept = {card: old[card] for card in cards if card in old}
        taken = {(spot.x, spot.y) for spot in kept.values()}
        places = [self._at(plate, i % columns, i // columns) for i in range(columns * max(rows, 3))]
        last = max((i for i, place in enumerate(places) if place in taken), default=-1)
        fresh = [card for card in cards if card not in kept]
        rows_of = [(spot.y, spot.x) for spot in kept.values()]
        between = [*kept, *fresh] != list(cards) or rows_of != sorted(rows_of)
        if between or last + len(fresh) >= len(places):
            kept, fresh, last = {}, list(cards), -1
        for i, card in enumerate(fresh, last + 1):
            x, y = places[i]
            kept[card] = Spot(x, y, self._jitter(0.05))
        self._spots[plate.zone] = kept
        return kept

    def _at(self, plate: Plate, column: int, row: int) -> tuple[float, float]:
        left, top = self._where[plate.zone]
        return left + plate.area[0] + 4 + column * STEP_MM[0], top + plate.area[1] + 5 + row * STEP_MM[1]

    def _jitter(self, size: float) -> float:
        number, self._luck = self._luck.below(2001)
        return (number / 1000 - 1) * size

    def _table(self) -> Grey:
        """Cloth and plates without any card."""
        height, width = round(TABLE_MM[1] * PX), round(TABLE_MM[0] * PX)
        rough = self._noise.standard_normal((height // 8, width // 8)).astype(np.float32)
        cloth = cv2.resize(rough, (width, height), interpolation=cv2.INTER_CUBIC) * 6 + 95
        canvas = np.asarray(np.clip(cloth, 0, 255), np.uint8)
        for plate in self.deck.plates:
            left, top = self._where[plate.zone]
            for marker, along in zip(plate.markers, (0.0, plate.apart_mm), strict=True):
                mark = draw(FAMILY, marker, round(plate.marker_mm / 7 * PX * FINE), quiet=1)
                quiet = plate.marker_mm / 7
                self._lay(canvas, mark, Spot(left + along, top, 0.0), quiet, plate.marker_mm + 2 * quiet)
        return canvas

    def _card(self, card: CardId) -> Grey:
        """A card's picture: white, its sticker in the upper left corner, some art below."""
        marker = self.deck.by_id[card].marker
        if marker not in self._patches:
            scale = PX * FINE
            patch = np.full((round(CARD_MM[1] * scale), round(CARD_MM[0] * scale)), 238, np.uint8)
            side = round(MARKER_MM * scale)
            mark = cv2.resize(draw(FAMILY, marker, 8, quiet=0), (side, side), interpolation=cv2.INTER_NEAREST)
            corner = round(INSET_MM * scale)
            patch[corner : corner + side, corner : corner + side] = np.clip(mark, 25, 238)
            shade = 90 + 20 * (marker % 6)
            y, x = round(24 * scale), round(8 * scale)
            cv2.rectangle(patch, (x, y), (patch.shape[1] - x, patch.shape[0] - x), shade, -1)
            cv2.rectangle(patch, (0, 0), (patch.shape[1] - 1, patch.shape[0] - 1), 150, round(0.4 * scale))
            self._patches[marker] = patch
        return self._patches[marker]

    def _lay(self, canvas: Grey, patch: Grey, spot: Spot, inset: float, width_mm: float = CARD_MM[0]) -> None:
        """Put a patch onto the canvas, its marker's corner (inset from its own) at the spot."""
        scale = width_mm * PX / patch.shape[1]
        cos, sin = math.cos(spot.turn) * scale, math.sin(spot.turn) * scale
        shift = inset * patch.shape[1] / width_mm
        to = np.array(
            [
                [cos, -sin, spot.x * PX - cos * shift + sin * shift],
                [sin, cos, spot.y * PX - sin * shift - cos * shift],
            ]
        )
        corners = np.array(
            [[0, 0], [patch.shape[1], 0], [patch.shape[1], patch.shape[0]], [0, patch.shape[0]]]
        )
        there = corners @ to[:, :2].T + to[:, 2]
        low = np.maximum(np.floor(there.min(0)).astype(int) - 2, 0)
        high = np.minimum(np.ceil(there.max(0)).astype(int) + 2, [canvas.shape[1], canvas.shape[0]])
        if (high <= low).any():
            return
        to[:, 2] -= low
        size = (int(high[0] - low[0]), int(high[1] - low[1]))
        soft = cv2.blur(patch, (round(1 / scale), round(1 / scale))) if scale < 0.7 else patch
        drawn = cv2.warpAffine(soft, to, size, flags=cv2.INTER_LINEAR)
        cover = cv2.warpAffine(np.full(patch.shape, 255, np.uint8), to, size, flags=cv2.INTER_LINEAR)
        part = canvas[low[1] : high[1], low[0] : high[0]]
        mixed = part + (drawn.astype(np.float32) - part) * (cover.astype(np.float32) / 255)
        part[:] = np.where(cover > 0, np.clip(mixed, 0, 255), part).astype(np.uint8)


def _lamp(shape: tuple[int, ...]) -> NDArray[np.float32]:
    """One lamp from the side: half the light is left at the far end."""
    y, x = np.mgrid[0 : shape[0], 0 : shape[1]].astype(np.float32)
    return np.asarray(1.0 - 0.45 * (0.8 * x / shape[1] + 0.2 * y / shape[0]), np.float32)
