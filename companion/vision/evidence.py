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
_AWAY = 2  # frames without it after which nothing is read there any more
_WIDE = 3.4  # sides of the picture that is kept of a doubt
_RANGE = 230.0  # grey levels that a mean of dark frames is stretched to
NOTHING = -1
STANDS_OUT = 0.12  # margin of the likeliest id below which a picture on a card is more likely


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
    weak: bool = False  # whether no id has stood out so far: evidence is kept, but nobody is asked

    @property
    def over(self) -> bool:
        """Whether it is weak after all the frames that might have changed that: most likely a picture on a card."""
        return self.weak and self.seen > _FRAMES[-1]

    @property
    def asked(self) -> bool:
        """Whether it has lain undecided for so long that a person is asked."""
        return self.seen >= _ASKED and not self.weak and self.decided is None and self.ruled is None

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
        if at is not None and not _gainsaid(known, rest[at]):
            out.append(_grown(known, rest.pop(at), grey, reread))
        elif at is None and known.unseen < _FORGET and not any(_near(known, spot) for spot in sure):
            out.append(replace(known, unseen=known.unseen + 1))
    number = evidence.next
    for doubt in rest:
        centre = doubt.corners.mean(0)
        patch = _patch(grey, centre, (round(_WIDE * doubt.side),) * 2)
        beliefs = tuple((marker, -_left(score)) for marker, score in doubt.likely)
        weak = margin(doubt) <= STANDS_OUT
        out.append(Open(number, doubt.corners, doubt.side, centre, patch, beliefs=beliefs, weak=weak))
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
        if doubt.marker is not None and doubt.marker not in taken and doubt.unseen < _AWAY
    )


def margin(doubt: Doubt) -> float:
    """How much further the second id is than the likeliest, as a reading's margin is measured."""
    if len(doubt.likely) < 2:
        return 0.0
    return _left(doubt.likely[1][1]) - _left(doubt.likely[0][1])


def _same(known: Open, doubt: Doubt) -> bool:
    return _near(known, doubt.corners.mean(0)) and 0.7 < doubt.side / known.side < 1.4


def _gainsaid(known: Open, doubt: Doubt) -> bool:
    """Whether a frame shows another thing at a doubt's place: what was thought to be there is far from likely now."""
    if known.ruled == NOTHING:
        return False
    thought = {marker for marker, _ in known.likely}
    if known.marker in thought:
        thought = {known.marker}
    return thought.isdisjoint(marker for marker, _ in doubt.likely)


def _near(known: Open, spot: Points) -> bool:
    return bool(np.hypot(*(spot - known.corners.mean(0))) < _NEAR * known.side)


def _grown(known: Open, doubt: Doubt, grey: Grey, reread: Reread) -> Open:
    """One more frame of a doubt; after some of them their mean is read."""
    height, width = known.total.shape
    total = known.total + _patch(grey, known.centre, (width, height))
    seen = known.seen + 1
    decided, weak = known.decided, known.weak and margin(doubt) <= STANDS_OUT
    if seen in _FRAMES and decided is None:
        decided, stands = _reread(total, reread)
        weak = weak and not stands
    return replace(
        known, corners=doubt.corners, total=total, seen=seen, unseen=0, decided=decided, weak=weak,
        beliefs=_added(dict(known.beliefs), dict(doubt.likely), known.seen),
    )  # fmt: skip


def _patch(grey: Grey, centre: Points, size: tuple[int, int]) -> NDArray[np.float32]:
    """Cut out a picture of a size around a point; only what is near is made to numbers of four bytes."""
    reach = np.array(size) // 2 + 2
    low = np.clip(np.floor(centre).astype(int) - reach, 0, np.array(grey.shape[::-1]) - 1)
    high = np.maximum(np.ceil(centre).astype(int) + reach, low) + 1
    near = grey[low[1] : high[1], low[0] : high[0]].astype(np.float32)
    x, y = (centre - low).tolist()
    return np.asarray(cv2.getRectSubPix(near, size, (x, y)), np.float32)


def _reread(total: NDArray[np.float32], reread: Reread) -> tuple[int | None, bool]:
    """What is read in the middle of the mean of several frames, stretched to all grey levels.

    The id, if that is sure; and whether one stands out at least.
    """
    low, high = float(total.min()), float(total.max())
    mean = np.asarray((total - low) * (_RANGE / max(high - low, 1.0)) + 10, np.uint8)
    middle = (np.array(mean.shape[::-1]) - 1) / 2
    look = reread(mean)
    for reading in look.readings:
        if np.hypot(*(reading.corners.mean(0) - middle)) < _NEAR * reading.side:
            return reading.id, True
    near = [d for d in look.doubtful if np.hypot(*(d.corners.mean(0) - middle)) < _NEAR * d.side]
    return None, any(margin(doubt) > STANDS_OUT for doubt in near)


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
