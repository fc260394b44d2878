"""Grey picture in, readings out: find, approach, match, follow, accept what is sure. Pure; never a guess."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.table.things import value
from companion.vision import approach, blurs, lying, trust
from companion.vision import match as matching
from companion.vision.align import F32, Eye, sides
from companion.vision.approach import Found, apart, likeliest, pulled, rated
from companion.vision.find import Grey, patches, ringed, shrunk, spots
from companion.vision.follow import followed
from companion.vision.light import Evenly, crossed, evened, paled, plainly, unbanded
from companion.vision.markers import border
from companion.vision.match import NOBODY, Bank, Match
from companion.vision.seen import Doubt, Look, Reading, each_once, elsewhere, scaled

__all__ = ["Bar", "Doubt", "Look", "Reader", "Reading"]

Sight = Callable[[Grey], Eye]  # from a picture to how patches of it are seen
WORKING_PX = 14.0  # a marker of known size is brought to this side
_SAFE_PX = 9.0  # and the smallest not below this
_ONE_SCALE = 4.0  # largest side over smallest that one level can hold
_SMALLEST_PX, _LARGEST_PX = 7.0, 16.0  # what one of several levels looks for
_STEP = 1.5  # from one level to the next
_SHRUNK = 1.5  # a picture made smaller than by this is one of large markers
_TOO_WIDE = 32000  # cv2.remap refuses pictures from 32767 pixels on
_PATCHES = 1.5  # dark patches, for each spot of one size
_MANY, _FEWER, _FEW = 800, 400, 240  # quads that go on: as found, pulled roughly, pulled finely
_FAR, _NEAR = (0.17, 0.17), (0.1, 0.07)  # steps, and how far a corner may go in each, in sides
# What a quad must promise, before and after each pull: as it is, and with an edge of light taken out. Of markers
# read, 1 in 200 promises less; of 168 read across an edge none did.
_PROMISES, _EVENED = (0.42, 0.5, 0.62), (0.5, 0.6, 0.7)
_LIKELY = 0.55  # what a place promises where markers of a known table are looked for
_HOPES = ((0.7, 0.02), (0.8, 0.06))  # score and margin that a match must have before each following
_LARGE_PX, _SOFTEN = 18.0, 1.2  # from this side on corners are found in a picture softened by so much
_LARGE_TILE_PX = 11.0  # see Bar.large
_OPEN, _CLEAR = 0.7, 0.05  # correlation and margin from which the unsure is a doubt and not merely dark


@value
class Bar:
    """What a reading must pass. Set on rendered pictures of two optics, checked on photographs."""

    score: float = 0.8
    margins: tuple[float, ...] = blurs.each(
        soft=(0.45, 0.45, 0.5, 0.65, 0.75, 0.9), discs=(0.5, 0.65, 0.75), lines=(0.55, 0.7, 0.85)
    )  # over the next code, less what looseness gains; the more blurred, the more tiles are alike
    lit: tuple[float, ...] = blurs.each(
        soft=(0.0, 0.0, 0.0, 0.6, 0.6, 0.6), discs=(0.0, 0.6, 0.6), lines=(0.0, 0.3, 0.3)
    )  # more than that, where an edge of light was taken out: blurred, that makes codes of what is near one
    greys: tuple[float, ...] = blurs.each(
        soft=(1.0, 1.0, 1.0, 0.024, 0.024, 0.024), discs=(1.0, 0.024, 0.024), lines=(1.0, 1.0, 1.0)
    )  # of what a patch shows, that only grey modules explain: out of focus, a 4x4 marker is nearly a 5x5 one
    far: float = 0.15  # more than the margins where a picture was made small and is out of focus still
    large: float = (
        0.05  # ... and where one has the px to be in focus: of 160 decoys a 4x4 tile of 13 px was read
    )
    coarse: float = 0.06  # as `greys`, at every blur, in a picture made small: there a 6x6 tile was read
    like: float = 0.5  # correlation with the mean marker, its white surroundings included
    contrast: float = 6.0  # grey levels between black and white
    depth: tuple[float, float] = (0.55, 1.5)  # white over black inside, against white outside over black


@value
class Level:
    """One picture of the pyramid: its scale and the sides looked for in it, px."""

    factor: float
    lo: float
    hi: float


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
        across = math.isqrt(self.bank.codes.shape[1])
        mean = self.bank.codes.mean(0).reshape(across, across)
        rim = np.pad(mean, border(family))
        self.rough, self.near = approach.mean(rim, 1), approach.mean(rim, 2)

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
            small, scale = _shrunk(grey, level.factor)
            readings, doubtful = self._read_level(small, level)
            sure += [scaled(reading, scale) for reading in readings]
            open_ += [scaled(doubt, scale) for doubt in doubtful]
        once = each_once(sure)
        return Look(once, elsewhere(open_, once))

    def _pyramid(self, grey: Grey) -> list[Level]:
        """One level where the size is known within a factor of four, otherwise many that overlap."""
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
            factor *= _STEP

    def _read_level(self, grey: Grey, level: Level) -> tuple[list[Reading], list[Doubt]]:
        """Sure readings and doubts in one picture of the pyramid."""
        lo, hi = level.lo, level.hi
        grey = unbanded(grey)
        even = evened(grey, hi)
        rings = ringed(even, lo, hi)
        dark = patches(even, rings, lo, hi, round(_PATCHES * self.most))
        bright = spots(rings, self.most)
        found = likeliest(plainly(even), np.concatenate([bright, dark]), self.rough, lo, hi, _MANY)
        first = self._promising(plainly(grey), found, _MANY, _PROMISES[0])
        tried = self._approached(plainly(grey), first, level, _PROMISES[1:])
        readings, doubtful = self._settled(grey, plainly, tried, level)
        if len(readings) < lying.LEAST:
            rest = found.only(_beyond(found.quads, readings))
            rest = rest.only(np.flatnonzero(crossed(grey, rest.quads, self.bank.view.spots.modules)))
            rest = self._promising(self._evenly(grey), rest, _MANY, _EVENED[0])
            again = self._approached(self._evenly(grey), rest, level, _EVENED[1:])
            tried = np.concatenate([tried, again])
            more, open_ = self._settled(grey, self._evenly, again, level)
            readings, doubtful = readings + more, doubtful + open_
        more, open_ = self._lying(grey, even, (bright[:, 0], first.quads, tried), readings, level)
        return readings + more, doubtful + open_

    def _lying(
        self, grey: Grey, even: Grey, seen: tuple[F32, ...], known: list[Reading], level: Level
    ) -> tuple[list[Reading], list[Doubt]]:
        """Read what lies on the table of what is known already: `seen`, squares at spots and likely quads.

        Through the evened picture and across an edge of light. Figure: see `lying.searched`.
        """
        table = lying.table([reading.corners for reading in known], (grey.shape[1], grey.shape[0]))
        if table is None:
            return [], []
        eye = plainly(even)
        squares, quads = (part[_beyond(part, known)] for part in (seen[0], np.concatenate(seen[1:])))
        if lying.slanted(table, grey.shape):
            ways = lying.ways(table, squares.mean(1))
            steep = likeliest(eye, ways, self.rough, level.lo, level.hi, _MANY)
            quads = np.concatenate([quads, steep.quads])
        rank = self._promise(eye, quads)
        order = np.argsort(-rank, kind="stable")
        places = quads[order[rank[order] > _LIKELY]].mean(1)
        quads = lying.searched(lambda quads: self._promise(eye, quads), table, places)
        readings, doubtful = self._settled(even, paled, quads, level)
        again, open_ = self._settled(grey, self._evenly, quads[_beyond(quads, readings)], level)
        return readings + again, doubtful + open_

    def _evenly(self, grey: Grey) -> Eye:
        return Evenly(grey, self.bank.view.spots.modules)

    def _settled(
        self, grey: Grey, seen: Sight, quads: F32, level: Level
    ) -> tuple[list[Reading], list[Doubt]]:
        """Lay quads that are nearly right onto the codes they show, and judge them."""
        eye = seen(grey)
        for hope in _HOPES:
            quads, best = self._matched(eye, quads, *hope)
            if not len(quads):
                return [], []
            quads = followed(eye, quads, self.bank.view, self.bank.codes[best.code], best.level)
        return self._judged(grey, seen, quads, level)

    def _approached(self, eye: Eye, found: Found, level: Level, promises: tuple[float, ...]) -> F32:
        """Quads that lie on something like a marker, those most like one of the codes first."""
        for limits, most, least in zip((_FAR, _NEAR), (_FEWER, _FEW), promises, strict=True):
            found = pulled(eye, found, self.near, limits)
            side = sides(found.quads)
            found = found.only(np.flatnonzero((side > 0.7 * level.lo) & (side < 1.4 * level.hi)))
            found = self._promising(eye, found, most, least)
            found = found.only(apart(found.quads, -np.arange(len(found.quads), dtype=np.float32)))
        return found.quads

    def _promising(self, eye: Eye, found: Found, most: int, least: float) -> Found:
        """At most `most` of those that promise at least that much, the most promising first."""
        rank = self._promise(eye, found.quads)
        order = np.argsort(-rank, kind="stable")[:most]
        return found.only(order[rank[order] > least])

    def _shown(self, eye: Eye, quads: F32) -> F32:
        return matching.seen(self.bank.view, eye(quads, self.bank.view.spots.points))

    def _promise(self, eye: Eye, quads: F32) -> F32:
        return matching.promise(self.bank, eye(quads, self.bank.view.spots.points))

    def _matched(self, eye: Eye, quads: F32, score: float, margin: float) -> tuple[F32, Match]:
        """Match what is left, and drop what fits its best code less or stands out by less."""
        best = matching.match(self.bank, self._shown(eye, quads))
        hope = np.flatnonzero((best.score > score) & (best.margin >= margin))
        hope = hope[apart(quads[hope], best.score[hope])]
        return quads[hope], best.only(hope)

    def _judged(
        self, grey: Grey, through: Sight, quads: F32, level: Level
    ) -> tuple[list[Reading], list[Doubt]]:
        """Match for the last time and ask every test a reading must pass; what nearly does is a doubt."""
        if not len(quads):
            return [], []
        eye = through(grey)
        seen = eye(quads, self.bank.view.spots.points)
        shown = matching.seen(self.bank.view, seen)
        best = matching.match(self.bank, shown)
        side = sides(quads)
        ids = self.bank.ids[best.code % self.bank.many]
        fits = (side >= 0.9 * level.lo) & (np.ptp(seen, axis=1) >= self.bar.contrast) & (ids != NOBODY)
        fits &= (rated(eye, quads, self.near).like >= self.bar.like) & self._deep(seen, best)
        loose = trust.loose(self.bank, shown, best)
        clear = best.margin - loose
        grey_only = (1 - best.score**2) * (1 - np.exp(-loose))
        fits &= grey_only <= np.array(self.bar.greys)[best.level]
        asked = np.array(self.bar.margins) + (0 if through is plainly else np.array(self.bar.lit))
        wide = (np.array(self.bar.greys) < 1)[best.level]  # blurs at which other tiles are nearly codes
        asked = asked[best.level] + self.bar.large * (wide & (side > _LARGE_TILE_PX))
        if level.factor > _SHRUNK:
            asked = asked + self.bar.far * wide
            fits &= grey_only <= self.bar.coarse
        sure = fits & (best.score >= self.bar.score) & (clear >= asked)
        quads = self._polished(grey, through, quads, best, sure & (side > _LARGE_PX))
        upright = _upright(quads, best.code // self.bank.many).astype(np.float64)
        readings = [
            Reading(int(ids[n]), upright[n], float(best.score[n]), float(best.margin[n]), float(side[n]))
            for n in np.flatnonzero(sure)
        ]
        open_ = np.flatnonzero(fits & ~sure & (best.score >= _OPEN) & (clear >= _CLEAR))
        likely, scores = matching.likeliest(self.bank, shown[open_])
        doubtful = [
            Doubt(upright[n], tuple(zip(i.tolist(), s.tolist(), strict=True)), float(side[n]))
            for n, i, s in zip(open_, likely, scores, strict=True)
        ]
        return readings, doubtful

    def _polished(self, grey: Grey, through: Sight, quads: F32, best: Match, large: NDArray[np.bool_]) -> F32:
        """Lay large quads once more onto their codes, in a softened picture: edges between samples count.

        Figure: corner error of a sharp marker of 28 px 0.7 to 0.1 px.
        """
        if not large.any():
            return quads
        eye = through(np.asarray(cv2.GaussianBlur(grey, (0, 0), _SOFTEN), np.uint8))
        view, codes = self.bank.view, self.bank.codes[best.code[large]]
        level = matching.match(self.bank, self._shown(eye, quads[large])).level
        laid = quads.copy()
        laid[large] = followed(eye, quads[large], view, codes, level, 3)
        return laid

    def _deep(self, seen: F32, best: Match) -> NDArray[np.bool_]:
        """Whether the code is about as much brighter than its border as the paper around it is."""
        share = trust.explained(self.bank.view, self.bank.codes[best.code], best.level, seen)
        around = np.sort(share[:, 3:7], axis=1)[:, 2]  # the second brightest side
        depth = share[:, 7] / np.maximum(around, 1)
        low, high = self.bar.depth
        return np.asarray((share[:, 7] >= self.bar.contrast) & (depth >= low) & (depth <= high))


def _upright(quads: F32, turn: NDArray[np.int64]) -> F32:
    """Each quad with the marker's own top left first."""
    order = (np.arange(4) + turn[:, None]) % 4
    return np.take_along_axis(quads, order[:, :, None], axis=1)


def _shrunk(grey: Grey, factor: float) -> tuple[Grey, NDArray[np.float64]]:
    """Give the picture, smaller by a factor of 1 and more, and what each of its pixels spans."""
    height, width = grey.shape
    return shrunk(grey, (max(1, round(width / factor)), max(1, round(height / factor))))


def _beyond(quads: F32, readings: list[Reading]) -> NDArray[np.int64]:
    """Name the quads whose middle is in no reading."""
    if not readings:
        return np.arange(len(quads))
    middle = quads.mean(1)
    there = np.stack([reading.corners.mean(0) for reading in readings])
    side = np.array([reading.side for reading in readings])
    return np.flatnonzero((np.hypot(*(middle[:, None] - there).transpose(2, 0, 1)) > 0.5 * side).all(1))
