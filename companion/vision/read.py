"""Grey picture in, readings out: find, align, match, and accept only what is sure. Pure; never a guess."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.table.things import value
from companion.vision import match as matching
from companion.vision.align import F32, moved, pull, sample, sides, unit
from companion.vision.find import Grey, candidates
from companion.vision.match import NOBODY, Bank, Match, Spread

WORKING_PX = 14.0  # a marker of known size is brought to this side
_SAFE_PX = 9.0  # and the smallest not below this
_ONE_SCALE = 4.0  # largest side over smallest that one level can hold
_SMALLEST_PX, _LARGEST_PX = 7.0, 40.0  # what one pyramid level looks for
_TOO_WIDE = 32000  # cv2.remap refuses pictures from 32767 pixels on


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


@value
class Bar:
    """What a reading must pass. Set on rendered pictures of two optics, checked on photographs."""

    score: float = 0.75
    inner: float = 0.75
    margin: float = 0.3
    doubt: float = 0.25  # how far a module may be from its code where the margin is 0 ...
    ease: float = 0.3  # ... and how much more for each unit of margin
    contrast: float = 6.0  # grey levels between black and white


@value
class Level:
    """One picture of the pyramid: its scale and the sides looked for in it, px."""

    factor: float
    lo: float
    hi: float


@value
class Found:
    """Quads on the way to a reading."""

    quads: F32
    levels: NDArray[np.int64]  # the blur that fits best
    like: F32  # correlation with the mean marker, then with the code

    def only(self, rows: NDArray[np.int64]) -> Found:
        """Give these rows."""
        return Found(self.quads[rows], self.levels[rows], self.like[rows])


@value
class Sieve:
    """What goes on: quads that correlate with the mean marker by `like`, the best within `near` px."""

    like: float
    near: float
    blur: int  # the last level that goes on


_WORSE = 0.05  # loss of likeness from which a quad had better stay where it was found
_HOPE = 0.7  # a patch that correlates less with its best code is no marker
_HOPEFUL = (0.0, 0.05)  # margin needed to go on, at the first and at the second match
_OPEN = 0.8  # correlation from which something unsure is a doubt and not merely dark
_FLAT = 0.06  # standard deviation over mean below which a patch shows nothing
_TOO_BLURRED = len(matching.BLURS) - 1  # what looks most like a marker at this level cannot be read
_ROUGH = Sieve(0.3, 1.5, _TOO_BLURRED)
_NEARER, _CLOSE = Sieve(0.45, 2.5, _TOO_BLURRED - 1), Sieve(0.5, 3.0, _TOO_BLURRED - 1)


class Reader:
    """Reads the markers of one family, or a choice of its ids, of any size or of sides lo to hi pixels."""

    def __init__(
        self,
        family: str,
        ids: Iterable[int] | None = None,
        marker_px: tuple[float, float] | None = None,
        most: int = 120,
        bar: Bar | None = None,
    ) -> None:
        """Build the templates; `most`: spots a blob scale may propose. UnknownFamily, IndexError."""
        self.family = family
        if marker_px is not None and not 0 < marker_px[0] <= marker_px[1]:
            raise ValueError(f"marker_px wants a smallest and a largest side in pixels, not {marker_px}")
        self.marker_px = marker_px
        self.most = most
        self.bar = bar or Bar()
        self.bank: Bank = matching.bank(family, ids)

    def read(self, grey: Grey) -> tuple[Reading, ...]:
        """All sure readings, the strongest margin first. A picture too small for a marker has none."""
        return self.look(grey).readings

    def look(self, grey: Grey) -> Look:
        """All sure readings, and what looks like a marker of the family but is not sure."""
        if grey.ndim != 2 or min(grey.shape) < _SMALLEST_PX:
            return Look((), ())
        sure: list[Reading] = []
        open_: list[Doubt] = []
        for level in self._pyramid(grey):
            small = _shrunk(grey, level.factor)
            scale = np.array(grey.shape[::-1]) / small.shape[::-1]
            readings, doubtful = self._read_level(small, level)
            sure += [_scaled(reading, scale) for reading in readings]
            open_ += [_scaled(doubt, scale) for doubt in doubtful]
        readings_ = _each_once(sure)
        return Look(readings_, _elsewhere(open_, readings_))

    def _pyramid(self, grey: Grey) -> list[Level]:
        """One level where the size is known within a factor of four, otherwise a level for each octave."""
        least = max(grey.shape) / _TOO_WIDE
        lo, hi = self.marker_px or (_SMALLEST_PX, float(min(grey.shape)))
        if self.marker_px and hi <= _ONE_SCALE * lo:
            factor = max(1.0, min(math.sqrt(lo * hi) / WORKING_PX, lo / _SAFE_PX), least)
            return [Level(factor, lo / factor, hi / factor)]
        levels = []
        factor = max(1.0, lo / _SMALLEST_PX, least)
        while True:
            levels.append(Level(factor, max(_SMALLEST_PX, lo / factor), min(_LARGEST_PX, 1.2 * hi / factor)))
            if hi / factor <= _LARGEST_PX:
                return [level for level in levels if level.hi > level.lo]
            factor *= 2

    def _read_level(self, grey: Grey, level: Level) -> tuple[list[Reading], list[Doubt]]:
        """Sure readings and doubts in one picture of the pyramid."""
        quads = candidates(grey, level.lo, level.hi, self.most)
        found = self._approach(grey, quads, level)
        for margin in _HOPEFUL:
            if not len(found.quads):
                return [], []
            found = self._settle_on_code(grey, found, margin)
        return self._judged(grey, found, level) if len(found.quads) else ([], [])

    def _approach(self, grey: Grey, quads: F32, level: Level) -> Found:
        """Align to the mean marker, coarse then fine, and drop what is unlike any marker."""
        coarse, fine = self.bank.coarse, self.bank.fine
        found = _kept(_rated(grey, quads, coarse), _ROUGH, level)
        found = _kept(_pulled(grey, found, coarse, 3, 0.17), _NEARER, level)
        found = _rated(grey, found.quads, fine)
        return _kept(_pulled(grey, found, fine, 2, 0.08), _CLOSE, level)

    def _settle_on_code(self, grey: Grey, found: Found, margin: float) -> Found:
        """Match, drop what stands out by less than `margin`, turn upright, align to the code shown."""
        spread = self.bank.fine
        patches = unit(sample(grey, found.quads, spread.spots.points))
        best = matching.match(self.bank, patches, found.levels)
        hope = np.flatnonzero((best.score > _HOPE) & (best.margin > margin))
        found, best = found.only(hope), best.only(hope)
        quads = _upright(found.quads, best)
        target = self.bank.templates[best.level, best.code]
        pulls = pull(target, spread.spots)
        tried = quads
        for _ in range(2):
            seen = unit(sample(grey, tried, spread.spots.points))
            tried = moved(tried, seen, target, pulls, 0.07)
        before = np.einsum("nm,nm->n", unit(sample(grey, quads, spread.spots.points)), target)
        after = np.einsum("nm,nm->n", unit(sample(grey, tried, spread.spots.points)), target)
        better = (after >= before) & np.isfinite(tried).all((1, 2))
        return Found(
            np.where(better[:, None, None], tried, quads), found.levels, np.where(better, after, before)
        )

    def _judged(self, grey: Grey, found: Found, level: Level) -> tuple[list[Reading], list[Doubt]]:
        """Match for the last time and ask every test a reading must pass; what fails may be a doubt."""
        spots = self.bank.fine.spots
        best = matching.match(
            self.bank, unit(sample(grey, found.quads, spots.points)), found.levels, spans=(-1, 0, 1)
        )
        quads = _upright(found.quads, best)
        raw = sample(grey, quads, spots.points)
        patches, side = unit(raw), sides(quads)
        fits = (side >= 0.9 * level.lo) & (np.ptp(raw, axis=1) >= self.bar.contrast)
        sure = fits & self._sure(patches, best)
        open_ = np.flatnonzero(fits & ~sure & (best.score >= _OPEN) & (self.bank.ids[best.code] != NOBODY))
        ids, scores = matching.likeliest(self.bank, patches[open_], best.level[open_])
        doubtful = [
            Doubt(
                quads[n].astype(np.float64),
                tuple(zip(i.tolist(), s.tolist(), strict=True)),
                float(side[n]),
            )
            for n, i, s in zip(open_, ids, scores, strict=True)
        ]
        readings = [
            Reading(
                int(self.bank.ids[best.code[n]]),
                quads[n].astype(np.float64),
                float(best.score[n]),
                float(best.margin[n]),
                float(side[n]),
            )
            for n in np.flatnonzero(sure)
        ]
        return readings, doubtful

    def _sure(self, patches: F32, best: Match) -> NDArray[np.bool_]:
        """Which of the upright patches are beyond doubt what they were matched with."""
        bar = self.bar
        sure = (self.bank.ids[best.code] != NOBODY) & (best.score >= bar.score) & (best.margin >= bar.margin)
        sure &= matching.inner_likeness(self.bank, patches, best) >= bar.inner
        return np.asarray(
            sure & (matching.doubts(self.bank, patches, best) < bar.doubt + bar.ease * best.margin)
        )


def _rated(grey: Grey, quads: F32, spread: Spread) -> Found:
    """Compare each quad with the mean marker at each blur."""
    raw = sample(grey, quads, spread.spots.points)
    likeness = unit(raw) @ spread.mean.T
    flat = raw.std(1) < _FLAT * raw.mean(1)
    return Found(quads, likeness.argmax(1), np.where(flat, 0, likeness.max(1)).astype(np.float32))


def _pulled(grey: Grey, found: Found, spread: Spread, steps: int, limit: float) -> Found:
    """Step towards the mean marker; a quad that it makes much less like one stays where it was."""
    rim = spread.spots.points[:, spread.rim]
    mean, pulls = spread.rim_mean[found.levels], spread.pulls[found.levels]
    quads = found.quads
    for _ in range(steps):
        quads = moved(quads, unit(sample(grey, quads, rim)), mean, pulls, limit)
    after = _rated(grey, quads, spread)
    stays = (after.like < found.like - _WORSE) | ~np.isfinite(quads).all((1, 2))
    return Found(
        np.where(stays[:, None, None], found.quads, quads),
        np.where(stays, found.levels, after.levels),
        np.where(stays, found.like, after.like),
    )


def _kept(found: Found, sieve: Sieve, level: Level) -> Found:
    """Keep the quads like a marker that is not blurred beyond reading, once for each place."""
    side = sides(found.quads)
    good = (found.like > sieve.like) & (side > 0.7 * level.lo) & (side < 1.4 * level.hi)
    rows = np.flatnonzero(good & (found.levels <= sieve.blur))
    return found.only(rows[_peaks(found.quads[rows], found.like[rows], sieve.near)])


def _upright(quads: F32, best: Match) -> F32:
    """Each quad with the marker's own top left first."""
    order = (np.arange(4) + best.turn[:, None]) % 4
    return np.take_along_axis(quads, order[:, :, None], axis=1)


def _peaks(quads: F32, likeness: F32, near: float) -> NDArray[np.int64]:
    """Name the quads without a better one within `near` pixels of their centre."""
    order = np.argsort(-likeness, kind="stable")
    middle = quads.mean(1)[order]
    cells = np.floor(middle / near).astype(np.int64)
    _, first = np.unique(cells[:, 0] * 100_003 + cells[:, 1], return_index=True)  # most are cleared by this
    first.sort()
    middle, order = middle[first], order[first]
    close = (abs(middle[:, None, 0] - middle[:, 0]) < near) & (abs(middle[:, None, 1] - middle[:, 1]) < near)
    return np.asarray(order[~np.tril(close, -1).any(1)])


def _shrunk(grey: Grey, factor: float) -> Grey:
    """Give the picture, smaller by a factor of 1 and more."""
    if factor == 1:
        return grey
    height, width = grey.shape
    size = (max(1, round(width / factor)), max(1, round(height / factor)))
    return np.asarray(cv2.resize(grey, size, interpolation=cv2.INTER_AREA), np.uint8)


def _scaled(seen: Seen, scale: NDArray[np.float64]) -> Seen:
    """Bring what was seen to the full picture; scale is (x, y)."""
    corners = (seen.corners + 0.5) * scale - 0.5
    return replace(seen, corners=corners, side=seen.side * math.sqrt(float(scale.prod())))


def _each_once(found: list[Reading]) -> tuple[Reading, ...]:
    """Keep the surest reading of each place."""
    ranked = sorted(found, key=lambda one: -one.margin)
    return tuple(ranked[n] for n in _apart(ranked))


def _elsewhere(found: list[Doubt], readings: tuple[Reading, ...]) -> tuple[Doubt, ...]:
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
