"""Whether a frame differs from the one before: the cheap question that spares most reads. Pure."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.find import Grey

_COARSE = 4  # pixels of the picture to one of the comparison


def coarse(grey: Grey) -> Grey:
    """Give what `changed` compares: the picture, four times smaller. Keep this of the last frame read."""
    height, width = grey.shape
    size = (max(1, width // _COARSE), max(1, height // _COARSE))
    return np.asarray(cv2.resize(grey, size, interpolation=cv2.INTER_AREA), np.uint8)


def changed(before: Grey, after: Grey, by: int = 12) -> NDArray[np.bool_]:
    """Mark where two coarse pictures of one shape differ by at least `by` grey levels, as a mask.

    Both are softened first, so noise does not count; one card marker moved by half its side does. A
    picture that became brighter or darker as a whole counts as unchanged up to that level.
    """
    soft = [cv2.blur(picture, (3, 3)) for picture in (before, after)]
    shift = float(np.median(soft[1][::4, ::4])) - float(np.median(soft[0][::4, ::4]))
    apart = soft[1].astype(np.int16) - soft[0].astype(np.int16) - round(shift)
    return np.asarray(abs(apart) >= by)
