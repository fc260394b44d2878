"""A marker that is not sure in one frame: several frames decide it, or a person is asked. Pure; never a guess.

What noise hid comes out when the frames of a table at rest are laid over each other: their mean is read
by the same reader with the same bar, so that nothing is believed here that one better picture would not have
shown. What stays in doubt then (too blurred, half hidden, no marker at all) is for a person to say, who is
told the three likeliest ids.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from math import exp, log

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.table.things import value
from companion.vision.find import Grey
from companion.vision.motion import Shift
from companion.vision.read import Doubt, Look, Reading

Points = NDArray[np.float64]
Reread = Callable[[Grey], Look]
_LEAST = 0.004  # part of a patch that even the true code leaves unexplained
_FRAMES = (4, 8, 16)  # so many frames are laid over each other and read again
_ASKED = 6  # frames after which a person is asked
_NEAR = 0.5  # sides: a doubt nearer than this to an older one is the same
_FORGET = 6  # frames without it after which it is gone
_WIDE = 3.4  # sides of the picture that is kept of a doubt
_RANGE = 230.0  # grey levels that a mean of dark frames is stretched to
NOTHING = -1


@value
class Open:
    """A doubt over several frames. `number` names it; `ruled`: what a person said it is (-1: nothing)."""

    number: int
    corners: Points  # (4, 2) px, as last seen
    side: float
    centre: Points  # (2,) px, where the kept pictures were cut out, moved along with the camera
    total: NDArray[np.float32]  # the sum of all frames' pictures of it
    seen: int = 1  # frames
    unseen: int = 0  # frames since it was seen last
    beliefs: tuple[tuple[int, float], ...] = ()  # what speaks for each id, logarithms summed over the frames
    decided: int | None = None  # the id that several frames have shown
    ruled: int | None = None

    @property
    def asked(self) -> bool:
        """Whether it has lain undecided for so long that a person is asked."""
        return self.seen >= _ASKED and self.decided is None and self.ruled is None

    @property
    def marker(self) -> int | None:
        """What it is, by a person's word or by several frames; None while it is open, or nothing."""
        if self.ruled is not None:
            return self.ruled if self.ruled != NOTHING else None
        return self.decided

    @property
    def likely(self) -> tuple[tuple[int, float], ...]:
        """The three likeliest ids of all frames together, each with its share of the belief, 0 to 1."""
        ranked = sorted(self.beliefs, key=lambda each: -each[1])[:3]
        weights = [exp((score - ranked[0][1]) / self.seen) for _, score in ranked]
        return tuple((marker, w / sum(weights)) for (marker, _), w in zip(ranked, weights, strict=True))


@value
class Evidence:
    """All doubts that are open, and the next one's number."""

    open: tuple[Open, ...] = ()
    next: int = 1


def heard(evidence: Evidence, look: Look, grey: Grey, move: Shift, reread: Reread) -> Evidence:
    """Take in one frame in which nothing stirs: older doubts grow by what lies at their place, others fade.

    `move`: how the camera moved since the frame before; `reread` reads a small picture like the frame.
    """
    rest = list(look.doubtful)
    sure = [reading.corners.mean(0) for reading in look.readings]
    out: list[Open] = []
    for known in evidence.open:
        known = replace(known, centre=known.centre + move.xy)  # noqa: PLW2901  # the same doubt, moved along
        at = next((n for n, doubt in enumerate(rest) if _same(known, doubt)), None)
        if at is not None:
            out.append(_grown(known, rest.pop(at), grey, reread))
        elif known.unseen < _FORGET and not any(_near(known, spot) for spot in sure):
            out.append(replace(known, unseen=known.unseen + 1))
    number = evidence.next
    for doubt in rest:
        centre = doubt.corners.mean(0)
        patch = _patch(grey, centre, (round(_WIDE * doubt.side),) * 2)
        beliefs = tuple((marker, -_left(score)) for marker, score in doubt.likely)
        out.append(Open(number, doubt.corners, doubt.side, centre, patch, beliefs=beliefs))
        number += 1
    return Evidence(tuple(out), number)


def ruled(evidence: Evidence, number: int, marker: int | None) -> Evidence:
    """A person says what a doubt is: one of the ids, or nothing (None). An unknown number changes nothing."""
    said = NOTHING if marker is None else marker
    return replace(
        evidence, open=tuple(replace(o, ruled=said) if o.number == number else o for o in evidence.open)
    )


def readings(evidence: Evidence, sure: Iterable[Reading]) -> tuple[Reading, ...]:
    """Readings of the doubts in sight that several frames or a person have decided; no id that is read anyway."""
    taken = {reading.id for reading in sure}
    return tuple(
        Reading(doubt.marker, doubt.corners, 1.0, 0.0, doubt.side)
        for doubt in evidence.open
        if doubt.marker is not None and doubt.marker not in taken
    )


def margin(doubt: Doubt) -> float:
    """How much further the second id is than the likeliest, as a reading's margin is measured."""
    if len(doubt.likely) < 2:
        return 0.0
    return _left(doubt.likely[1][1]) - _left(doubt.likely[0][1])


def _same(known: Open, doubt: Doubt) -> bool:
    return _near(known, doubt.corners.mean(0)) and 0.7 < doubt.side / known.side < 1.4


def _near(known: Open, spot: Points) -> bool:
    return bool(np.hypot(*(spot - known.corners.mean(0))) < _NEAR * known.side)


def _grown(known: Open, doubt: Doubt, grey: Grey, reread: Reread) -> Open:
    """One more frame of a doubt; after some of them their mean is read."""
    height, width = known.total.shape
    total = known.total + _patch(grey, known.centre, (width, height))
    seen = known.seen + 1
    decided = known.decided
    if seen in _FRAMES and decided is None:
        decided = _reread(total, reread)
    return replace(
        known, corners=doubt.corners, total=total, seen=seen, unseen=0, decided=decided,
        beliefs=_added(dict(known.beliefs), dict(doubt.likely), known.seen),
    )  # fmt: skip


def _patch(grey: Grey, centre: Points, size: tuple[int, int]) -> NDArray[np.float32]:
    x, y = centre.tolist()
    return np.asarray(cv2.getRectSubPix(grey.astype(np.float32), size, (x, y)), np.float32)


def _reread(total: NDArray[np.float32], reread: Reread) -> int | None:
    """The id that is read in the middle of the mean of several frames, stretched to all grey levels."""
    low, high = float(total.min()), float(total.max())
    mean = np.asarray((total - low) * (_RANGE / max(high - low, 1.0)) + 10, np.uint8)
    middle = (np.array(mean.shape[::-1]) - 1) / 2
    for reading in reread(mean).readings:
        if np.hypot(*(reading.corners.mean(0) - middle)) < _NEAR * reading.side:
            return reading.id
    return None


def _added(old: Mapping[int, float], new: Mapping[int, float], frames: int) -> tuple[tuple[int, float], ...]:
    """Beliefs with one more frame; an id that was not named before or is not now counts as the least named."""
    least_old, least_new = min(old.values()), -_left(min(new.values()))
    summed = {
        marker: old.get(marker, min(least_old, least_new * frames))
        + (-_left(new[marker]) if marker in new else least_new)
        for marker in {*old, *new}
    }
    return tuple(sorted(summed.items(), key=lambda each: -each[1])[:12])


def _left(score: float) -> float:
    return log(1 - min(score, 1.0) ** 2 + _LEAST)
