"""Read the pips of an ordinary die in a tray: dark on light or light on dark, however it is turned. Pure.

Round spots of a pip's size are found in the tray laid flat, gathered to dice, and held against the six
patterns. What fits none of them is no number: the die is doubtful, and people are asked.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import permutations

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.table.things import CardId, Deck, Plate, Zone, value
from companion.vision.settle import Sighting

Grey = NDArray[np.uint8]
Spots = NDArray[np.float64]

PX = 8.0  # pixels a mm of the flattened tray
PIP_MM = (1.2, 5.6)  # diameters of a pip, for dice of 10 to 22 mm
ROUND = 0.68  # how much of its own circle a spot must fill
DEEP = 34  # grey levels that a pip differs from its face, at least
EVEN = 0.3  # of the depth of a single pip: how much the face around it may vary
STRETCH = 1.45  # longest by shortest side: pips on the flanks of a die look narrower
FITS = 0.13  # of a pattern's size: how far its pips may lie off
APART = 18.0  # mm between neighbouring pips of one die, at most
DICE_MM = 27.0  # pips of one die lie within so much

_THIRD = (-1.0, 0.0, 1.0)
PATTERNS: Mapping[int, tuple[tuple[float, float], ...]] = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: tuple((x, y) for x in (-0.9, 0.9) for y in _THIRD),
}


@value
class Thrown:
    """What lies in a tray: the numbers that are certain, and how many dice are doubtful."""

    numbers: tuple[int, ...]
    doubtful: int = 0


@value
class _Pip:
    """A round spot: centre and diameter in mm, light or dark."""

    x: float
    y: float
    mm: float
    light: bool


def thrown(grey: Grey, polygon: NDArray[np.float64], size_mm: tuple[float, float]) -> Thrown:
    """Read the dice within a zone: its corners in px (upper left, clockwise), its width and height in mm."""
    wide, high = round(size_mm[0] * PX), round(size_mm[1] * PX)
    square = np.array([(0, 0), (wide, 0), (wide, high), (0, high)], np.float32)
    onto = cv2.getPerspectiveTransform(polygon.astype(np.float32), square)
    flat = np.asarray(cv2.warpPerspective(grey, onto, (wide, high), flags=cv2.INTER_AREA)).astype(np.uint8)
    pips = [*_spots(flat, light=False), *_spots(flat, light=True)]
    groups = _dice(flat, _gathered(pips))
    read = [_number(group) for group in groups]
    numbers = tuple(number for number in read if number is not None)
    return Thrown(numbers, len(read) - len(numbers))


def with_pips(
    seen: Sighting, grey: Grey, polygons: Mapping[Zone, NDArray[np.float64]], deck: Deck
) -> Sighting:
    """Add the numbers of plain dice to a sighting, as the faces "die_1" to "die_6" of the deck.

    Only in zones called "tray" in which no die with a marker lies. A doubtful die makes its zone doubtful.
    """
    faces = {card.face: card.id for card in deck.cards if card.kind == "die" and card.face.startswith("die_")}
    plates = {plate.zone: plate for plate in deck.plates}
    for zone, polygon in polygons.items():
        if zone != "tray" or not faces or zone not in plates or seen.cards.get(zone):
            continue
        seen = _added(seen, zone, thrown(grey, polygon, _size(plates[zone])), faces)
    return seen


def _size(plate: Plate) -> tuple[float, float]:
    return plate.area[2], plate.area[3]


def _added(seen: Sighting, zone: Zone, dice: Thrown, faces: Mapping[str, CardId]) -> Sighting:
    words = [f"die_{number}" for number in dice.numbers]
    if dice.doubtful or len(set(words)) < len(words) or any(word not in faces for word in words):
        return replace(seen, doubtful=seen.doubtful | {zone})
    return replace(seen, cards={**seen.cards, zone: tuple(faces[word] for word in words)})


def _spots(flat: Grey, *, light: bool) -> list[_Pip]:
    """Round spots that are darker (lighter) than what is right around them."""
    smooth = cv2.GaussianBlur(flat, (0, 0), 0.25 * PX)
    side = round(PIP_MM[1] * 1.3 * PX) | 1
    patch = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side))
    deep = cv2.morphologyEx(smooth, cv2.MORPH_TOPHAT if light else cv2.MORPH_BLACKHAT, patch)
    out: list[_Pip] = []
    for level in (DEEP, 2 * DEEP):  # a shadow beside a pip drowns at the higher one
        _, mask = cv2.threshold(deep, level, 255, cv2.THRESH_BINARY)
        for outline in cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)[0]:
            pip = _pip(np.asarray(outline), light)
            if pip is not None and all(abs(pip.x - o.x) + abs(pip.y - o.y) > 1 for o in out):
                out.append(pip)
    return out


def _pip(outline: NDArray[np.int32], light: bool) -> _Pip | None:
    area = cv2.contourArea(outline)
    (x, y), radius = cv2.minEnclosingCircle(outline)
    if not PIP_MM[0] <= 2 * radius / PX <= PIP_MM[1] or area < ROUND * np.pi * radius * radius:
        return None
    _, sides, _ = cv2.minAreaRect(outline)
    if max(sides) > STRETCH * max(1.0, min(sides)):
        return None
    return _Pip(x / PX, y / PX, 2 * radius / PX, light)


def _gathered(pips: list[_Pip]) -> list[list[_Pip]]:
    """Pips of one die: of one colour and size, and near each other."""
    groups: list[list[_Pip]] = []
    for pip in sorted(pips, key=lambda each: (each.x, each.y)):
        near = [g for g in groups if any(_alike(pip, other) for other in g)]
        groups = [g for g in groups if g not in near]
        groups.append([pip, *(other for g in near for other in g)])
    return groups


def _dice(flat: Grey, groups: list[list[_Pip]]) -> list[list[_Pip]]:
    """Leave out spots that are no pips: between the pips of a die, and alone on no even face."""
    found: list[list[_Pip]] = []
    for group in sorted(groups, key=len, reverse=True):
        between = any(_between(group, larger) for larger in found)
        if not between and (len(group) > 1 or _on_a_face(flat, group[0])):
            found.append(group)
    return found


def _between(group: list[_Pip], larger: list[_Pip]) -> bool:
    """Whether spots are only the gaps of a larger group: of the other colour, or one alone in its midst."""
    (x, y), (u, v) = (np.mean([(pip.x, pip.y) for pip in each], axis=0) for each in (group, larger))
    near = np.hypot(x - u, y - v) < DICE_MM / 2
    return bool(near) and (group[0].light != larger[0].light or len(group) == 1)


def _on_a_face(flat: Grey, pip: _Pip) -> bool:
    """Whether a ring around a single pip is even, and unlike the pip."""
    reach = 1.5 * pip.mm * PX
    left, top = int(max(0, pip.x * PX - reach)), int(max(0, pip.y * PX - reach))
    patch = flat[top : int(pip.y * PX + reach) + 1, left : int(pip.x * PX + reach) + 1].astype(np.float32)
    rows, cols = np.mgrid[0 : patch.shape[0], 0 : patch.shape[1]]
    off = np.hypot(cols + left - pip.x * PX, rows + top - pip.y * PX) / (pip.mm * PX)
    ring, inside = patch[(off > 0.85) & (off < 1.35)], patch[off < 0.3]
    if not ring.size or not inside.size:
        return False
    low, middle, high = np.quantile(ring, (0.05, 0.5, 0.95))
    deep = abs(float(middle) - float(inside.mean()))
    return deep > DEEP and float(high - low) < max(EVEN * deep, 12.0)


def _alike(one: _Pip, other: _Pip) -> bool:
    size = max(one.mm, other.mm) / min(one.mm, other.mm)
    apart = np.hypot(one.x - other.x, one.y - other.y)
    return one.light == other.light and size < 1.7 and bool(apart < min(APART, 5.5 * max(one.mm, other.mm)))


def _number(pips: list[_Pip]) -> int | None:
    """The number whose pattern the pips form; None if they form none."""
    spots = np.array([(pip.x, pip.y) for pip in pips])
    count = len(spots)
    if count not in PATTERNS or np.ptp(spots, axis=0).max() > DICE_MM:
        return None
    if count == 1:
        return 1
    size = float(np.mean([pip.mm for pip in pips]))
    scale, off = _fit(spots, np.array(PATTERNS[count]))
    # From its middle to a corner pip a pattern reaches 1.0 to 2.4 times a pip's diameter on every usual die.
    return count if off < FITS * 2 and 0.75 * size < scale < 2.6 * size else None


def _fit(spots: Spots, pattern: Spots) -> tuple[float, float]:
    """The best turn and scale of a pattern onto the spots: its scale in mm, the largest distance in patterns."""
    middle = spots - spots.mean(0)
    there = middle[:, 0] + 1j * middle[:, 1]
    plain = pattern - pattern.mean(0)
    best = (0.0, np.inf)
    for order in permutations(range(len(spots))):
        here = plain[list(order), 0] + 1j * plain[list(order), 1]
        turn = np.vdot(here, there) / np.vdot(here, here).real
        off = float(np.abs(there - turn * here).max() / max(abs(turn), 1e-6))
        if off < best[1]:
            best = (float(abs(turn)), off)
    return best
