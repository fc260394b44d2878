"""What a picture shows: readings that are sure, and doubts for more frames or a person to decide. Pure."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from companion.table.things import value


@value
class Reading:
    """One marker seen. Corners (4, 2) run clockwise from the marker's own top left, x right, y down.

    They lie on the outer edge of the black border, in pixels; pixel (0, 0) has its centre at (0.0, 0.0).
    """

    id: int
    corners: NDArray[np.float64]
    score: float  # correlation with its code, up to 1
    margin: float  # ln(residual of the best other code / own residual): 0.7 is twice as far
    side: float  # square root of its area, px


@value
class Doubt:
    """Something like a marker that is not sure. Corners (4, 2) as in a Reading, but from any of them on."""

    corners: NDArray[np.float64]
    likely: tuple[
        tuple[int, float], ...
    ]  # the three likeliest ids, each with its correlation, the best first
    side: float  # square root of its area, px


Seen = TypeVar("Seen", Reading, Doubt)


@value
class Look:
    """What one picture shows: what is sure, and what more frames or a person must decide."""

    readings: tuple[Reading, ...]  # the strongest margin first
    doubtful: tuple[Doubt, ...]  # the likeliest first; never where a reading is


def scaled(seen: Seen, scale: NDArray[np.float64]) -> Seen:
    """Bring what was seen to the full picture; scale is (x, y)."""
    corners = (seen.corners + 0.5) * scale - 0.5
    return replace(seen, corners=corners, side=seen.side * math.sqrt(float(scale.prod())))


def moved(seen: Seen, by: NDArray[np.float64]) -> Seen:
    """Give what was seen somewhere else, (x, y) px away."""
    return replace(seen, corners=seen.corners + by)


def each_once(found: list[Reading]) -> tuple[Reading, ...]:
    """Keep the surest reading of each place, with the corners of the first that says the same id there."""
    ranked = sorted(found, key=lambda one: -one.margin)
    return tuple(_first(ranked[n], found) for n in _apart(ranked))


def _first(sure: Reading, found: list[Reading]) -> Reading:
    middle = sure.corners.mean(0)
    for one in found:
        if one.id == sure.id and np.hypot(*(one.corners.mean(0) - middle)) < sure.side / 2:
            return replace(sure, corners=one.corners, side=one.side)
    return sure


def elsewhere(found: list[Doubt], readings: tuple[Reading, ...]) -> tuple[Doubt, ...]:
    """Keep the likeliest doubt of each place where there is no reading."""
    ranked = sorted(found, key=lambda one: -one.likely[0][1])
    first = len(readings)
    return tuple(ranked[n - first] for n in _apart([*readings, *ranked]) if n >= first)


def _apart(ranked: Sequence[Reading | Doubt]) -> list[int]:
    """Name those whose centre is not within half a side of an earlier one that is named."""
    if not ranked:
        return []
    middle = np.stack([one.corners for one in ranked]).mean(1)
    side = np.array([one.side for one in ranked])
    same = np.hypot(*(middle[:, None] - middle).transpose(2, 0, 1)) < np.minimum(side[:, None], side) / 2
    kept: list[int] = []
    for n in range(len(ranked)):
        if not same[n, kept].any():
            kept.append(n)
    return kept
