"""Whether a card that is not seen any more was taken away, or lies under an arm. Pure.

Where a card was taken away the picture has changed under that card and nowhere else. What hides a card is
never of its shape: it reaches beyond, most often to the edge of the table.
"""

from __future__ import annotations

from collections.abc import Iterable

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.motion import COARSE, Mask, inside

Points = NDArray[np.float64]
# A card around its marker, in sides of the marker: the marker is in its upper left corner, the largest card
# is 68 x 100 mm. A shadow's width is added by whoever draws it.
_BODY = np.array([[-0.45, -0.45], [5.4, -0.45], [5.4, 8.1], [-0.45, 8.1]])
_BEYOND = 4.0  # sides squared that must have changed around a card before something hides it
_AROUND = 2.5  # sides around the card in which that counts


def bodies(markers: Iterable[Points]) -> list[Points]:
    """Give the outlines (4, 2) px of cards, from their markers' corners (4, 2) px."""
    return [_of(marker, _BODY) for marker in markers]


def hides(changed: Mask, explained: Mask, marker: Points) -> bool:
    """Whether what changed at a card that is missing reaches beyond all that cards explain.

    `changed` and `explained` are coarse; `marker`: the corners (4, 2) px of the missing card's marker.
    """
    side = float(np.sqrt(abs(cv2.contourArea(marker.astype(np.float32)))))
    near = inside(changed.shape, [_of(marker, _BODY)], max(1, round(_AROUND * side / COARSE)))
    beyond = cv2.morphologyEx(changed & (1 - explained), cv2.MORPH_OPEN, np.ones((2, 2), np.uint8))
    strange = np.asarray(beyond, np.uint8)
    return int((strange & near).sum()) * COARSE**2 > _BEYOND * side**2


def _of(marker: Points, sides: Points) -> Points:
    """Points in sides along the marker's own axes, as px."""
    right, down = marker[1] - marker[0], marker[3] - marker[0]
    return np.asarray(marker[0] + sides[:, :1] * right + sides[:, 1:] * down)
