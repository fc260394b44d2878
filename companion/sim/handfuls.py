"""Cards as people lay them at the end of an evening: in rows, in fans, in handfuls at any angle; no plates.

Every drawn picture comes with the cards whose markers can be seen in it; what does not fit goes into the next.
"""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.sim.picture import CARD_MM, INSET_MM, MARKER_MM, Spot
from companion.table.luck import Luck
from companion.table.things import CardId, Deck
from companion.vision.markers import FAMILY, draw

Grey = NDArray[np.uint8]
STYLES = ("rows", "fan", "handful")
WIDTH, HEIGHT, PX = 1920, 1080, 2.2  # pixels; pixels a mm: the camera is nearer for counting
SAFE_MM = 2.5  # white that must stay around a marker
TRIES = 60


class Lens:
    """Draws one deck's cards on a bare table, seen from above."""

    def __init__(self, deck: Deck, luck: Luck) -> None:
        """Take the deck's markers; `luck` throws the cards."""
        self._deck, self._luck = deck, luck
        self._noise = np.random.default_rng(luck.seed & 0xFFFFFFFF)

    def pictures(self, cards: tuple[CardId, ...], style: str) -> list[tuple[Grey, tuple[CardId, ...]]]:
        """As many pictures as the cards need, each with the cards that can be seen in it."""
        out: list[tuple[Grey, tuple[CardId, ...]]] = []
        rest = list(cards)
        while rest or not out:
            spots = {"rows": self._rows, "fan": self._fan, "handful": self._handful}[style](rest)
            out.append((self._shot(spots), tuple(spots)))
            rest = [card for card in rest if card not in spots]
        return out

    def _number(self, low: float, high: float) -> float:
        drawn, self._luck = self._luck.below(100_001)
        return low + (high - low) * drawn / 100_000

    def _rows(self, cards: list[CardId]) -> dict[CardId, Spot]:
        """Overlapping rows, each card a little askew."""
        return {
            card: Spot(40 + i % 16 * 19, 30 + i // 16 * 110, self._number(-0.08, 0.08))
            for i, card in enumerate(cards[:48])
        }

    def _fan(self, cards: list[CardId]) -> dict[CardId, Spot]:
        """A hand spread out: around one point, each card turned further than the one before."""
        spots, x, y = {}, self._number(300, 500), self._number(300, 340)
        for i, card in enumerate(cards[:10]):
            turn = -0.75 + 0.165 * i
            reach = 165.0
            spots[card] = Spot(x + reach * math.sin(turn) - 20, y - reach * math.cos(turn), turn)
        return spots

    def _handful(self, cards: list[CardId]) -> dict[CardId, Spot]:
        """Thrown down one after the other; a card that would hide a marker is thrown again."""
        spots: dict[CardId, Spot] = {}
        markers: list[NDArray[np.float32]] = []
        for card in cards:
            for _ in range(TRIES):
                spot = Spot(self._number(60, 800), self._number(60, 430), self._number(-math.pi, math.pi))
                body, mark = _corners(spot, 0.0), _corners(spot, SAFE_MM, marker=True)
                inside = (
                    (mark >= 8).all()
                    and (mark[:, 0] < WIDTH / PX - 8).all()
                    and (mark[:, 1] < HEIGHT / PX - 8).all()
                )
                if inside and not any(cv2.intersectConvexConvex(body, other)[0] > 0 for other in markers):
                    spots[card] = spot
                    markers.append(mark)
                    break
        return spots

    def _shot(self, spots: dict[CardId, Spot]) -> Grey:
        rough = self._noise.standard_normal((HEIGHT // 12, WIDTH // 12)).astype(np.float32)
        cloth = cv2.resize(rough, (WIDTH, HEIGHT), interpolation=cv2.INTER_CUBIC)
        canvas = np.asarray(cloth * 8 + 105, np.float32)
        for card, spot in spots.items():
            self._lay(canvas, self._deck.by_id[card].marker, spot)
        x = np.linspace(1.0, 0.6, WIDTH, dtype=np.float32)
        seen = cv2.GaussianBlur(canvas, (0, 0), 0.9) * x
        return np.asarray(np.clip(seen + self._noise.standard_normal(seen.shape) * 3, 0, 255), np.uint8)

    def _lay(self, canvas: NDArray[np.float32], marker: int, spot: Spot) -> None:
        """Body, art and marker of one card, each filled as a sharp polygon."""
        shift = 4
        for polygon, shade in ((_corners(spot, 0.0), 236), (_art(spot), 80 + marker % 7 * 20)):
            fixed = np.round(polygon * PX * (1 << shift)).astype(np.int32)
            cv2.fillConvexPoly(canvas, fixed, float(shade), cv2.LINE_AA, shift)
        grid = draw(FAMILY, marker, 16, quiet=0).astype(np.float32) * (211 / 255) + 25
        side = len(grid)
        there = (_corners(spot, 0.0, marker=True) * PX).astype(np.float32)
        here = np.array([[0, 0], [side, 0], [side, side], [0, side]], np.float32)
        soft = cv2.blur(grid, (3, 3))
        to = cv2.getPerspectiveTransform(here, there)
        patch = cv2.warpPerspective(soft, to, (WIDTH, HEIGHT), flags=cv2.INTER_AREA, borderValue=-1)
        canvas[patch >= 0] = patch[patch >= 0]


def _turned(spot: Spot, points: NDArray[np.float32]) -> NDArray[np.float32]:
    cos, sin = math.cos(spot.turn), math.sin(spot.turn)
    turned = points @ np.array([[cos, sin], [-sin, cos]], np.float32)
    return np.asarray(turned + np.array([spot.x, spot.y], np.float32), np.float32)


def _corners(spot: Spot, grow: float, marker: bool = False) -> NDArray[np.float32]:
    """A card's (or its marker's) four corners in mm on the table."""
    if marker:
        x0, y0, x1, y1 = -grow, -grow, MARKER_MM + grow, MARKER_MM + grow
    else:
        x0, y0, x1, y1 = -INSET_MM, -INSET_MM, CARD_MM[0] - INSET_MM, CARD_MM[1] - INSET_MM
    return _turned(spot, np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]], np.float32))


def _art(spot: Spot) -> NDArray[np.float32]:
    w, h = CARD_MM
    box = np.array([[4, 18], [w - 12, 18], [w - 12, h - 12], [4, h - 12]], np.float32)
    return _turned(spot, box)
