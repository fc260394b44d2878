"""Cards that lay there and are not read now: taken away, under an arm, or still there though nobody reads them. Pure.

A card is brought back only where its own code still shows: two codes, or a code and a dark cloth, are alike in
a coarse picture more often than not, and a card that was taken must never come back.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.table.things import CardId, Deck, Zone, value
from companion.vision import motion
from companion.vision.align import F32
from companion.vision.change import changed
from companion.vision.cover import bodies, hides
from companion.vision.find import Grey
from companion.vision.seen import Reading

_SAMPLES, _MODULES = 15, 7  # across the code; modules of a marker, of which the outermost say nothing
_SAME, _OTHER = 0.7, 0.4  # correlations: from here on it is the code that lay there; below that it is not
_ON_IT = 0.8  # sides between the middles of two markers that cannot both lie open
_NEW = 0.25  # sides by which a marker moved that lies somewhere else now


@value
class Still:
    """A picture kept to compare with, coarse, and where the markers were in it."""

    picture: Grey
    spots: Mapping[int, NDArray[np.float64]]


@value
class Lain:
    """A card that lay open: its zone, its marker's corners (4, 2) px in the picture kept, and how that looked."""

    zone: Zone
    corners: NDArray[np.float64]
    face: F32


def face(grey: Grey, corners: NDArray[np.float64]) -> F32:
    """Give a marker's code as it looks, whatever the light: mean 0, length 1; zeros where nothing is to be seen."""
    edge = _SAMPLES / (_MODULES - 2)
    square = np.array(
        [[-edge, -edge], [_SAMPLES + edge, -edge], [_SAMPLES + edge] * 2, [-edge, _SAMPLES + edge]]
    )
    low = np.floor(corners.min(0)).astype(int) - 3
    high = np.ceil(corners.max(0)).astype(int) + 4
    low, high = (np.clip(end, 0, grey.shape[::-1]) for end in (low, high))
    if (high <= low).any():
        return np.zeros((_SAMPLES, _SAMPLES), np.float32)
    near = cv2.blur(grey[low[1] : high[1], low[0] : high[0]], (2, 2)).astype(np.float32)
    to = cv2.getPerspectiveTransform((corners - low).astype(np.float32), (square - 0.5).astype(np.float32))
    seen = cv2.warpPerspective(
        near, to, (_SAMPLES, _SAMPLES), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    seen = seen - seen.mean()
    return np.asarray(seen / max(float(np.linalg.norm(seen)), 1e-3), np.float32)


def lost(
    rest: Still, known: Mapping[CardId, Lain], now: Still, grey: Grey, readings: tuple[Reading, ...], deck: Deck
) -> tuple[dict[Zone, tuple[CardId, ...]], list[Reading]]:  # fmt: skip
    """Tell of cards that are known and not read: by zone those that something hides, and those that lie there.

    All others were taken away.
    """
    hidden: dict[Zone, tuple[CardId, ...]] = {}
    back: list[Reading] = []
    read = {reading.id for reading in readings}
    gone = {card: lain for card, lain in known.items() if deck.by_id[card].marker not in read}
    if not gone:
        return hidden, back
    move = motion.shift(rest.spots, now.spots)
    differs = changed(_soft(motion.shifted(rest.picture, move)), _soft(now.picture))
    missing = {card: lain.corners + move.xy for card, lain in gone.items()}
    moved = {reading.id: reading.corners for reading in readings if _is_new(reading, rest, move)}
    # Where a card lay that was moved, the table shows, too.
    left = [lain.corners + move.xy for card, lain in known.items() if deck.by_id[card].marker in moved]
    explained = motion.inside(differs.shape, bodies([*moved.values(), *left, *missing.values()]), 2)
    sharp = 2 * len(gone) <= len(known)
    for card, corners in missing.items():
        if _lies_on(corners, readings):
            continue
        alike = float(np.vdot(gone[card].face, face(grey, corners)))
        same = not (differs & motion.inside(differs.shape, [corners])).any()
        if same and alike >= _SAME:
            back.append(Reading(deck.by_id[card].marker, corners, 0.0, 0.0, _side(corners)))
        elif (same and not (sharp and alike < _OTHER)) or hides(differs, explained, corners):
            hidden[gone[card].zone] = (*hidden.get(gone[card].zone, ()), card)
    return hidden, back


def _soft(picture: Grey) -> Grey:
    """Softer than shifting makes a picture: one that was shifted differs at every edge from one that never was."""
    return np.asarray(cv2.blur(picture, (3, 3)), np.uint8)


def _lies_on(corners: NDArray[np.float64], readings: Iterable[Reading]) -> bool:
    """Whether another marker is read where this one was."""
    near, middle = _ON_IT * _side(corners), corners.mean(0)
    return any(np.hypot(*(reading.corners.mean(0) - middle)) < near for reading in readings)


def _side(corners: NDArray[np.float64]) -> float:
    return float(np.hypot(*(corners[2] - corners[0]))) / 2**0.5


def _is_new(reading: Reading, rest: Still, move: motion.Shift) -> bool:
    """Whether a marker was not where it is now when the picture was kept."""
    before = rest.spots.get(reading.id)
    return before is None or bool(
        np.hypot(*(reading.corners.mean(0) - before - move.xy)) > _NEW * reading.side
    )
