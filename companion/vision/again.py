"""Read again only where something changed; what lies elsewhere is still what was read. Pure.

Two cheap questions spare nearly all reading: did the small picture change anywhere, beyond light, tremble and
noise; and is each marker's own picture still the one that was read, rivals being alike to 0.98. Only where one
of them says no is the picture read, by the same reader with the same bar, until some frames agree.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.table.things import value
from companion.vision.align import F32
from companion.vision.change import Change, Ground, coarse, compared, enough, ground, renewed
from companion.vision.find import Grey
from companion.vision.marks import Marks, Rows, both, grain, marks, noise, only, others
from companion.vision.read import Reader
from companion.vision.seen import Doubt, Look, Reading, each_once, elsewhere, moved

Boxes = NDArray[np.int64]  # (K, 4): left, top, right, bottom, px; the last two beyond the box
_MUCH = 0.3  # of the picture: when more changed, all of it is read
_ROOM, _RIM = 0.6, 0.8  # sides of a marker that a box has around what changed, and the reader around a box
_TREMBLED = 0.5  # px: from this on what lies still is given where it is now
_ROUNDS = 4
_AGREE = 4  # readings of a place, one after the other, that must give the same ids before it is left alone
_MANY = 24  # boxes: so many are read as one picture
_EACH, _FEWEST = (
    2.0,
    6,
)  # sides between things in a box that may be markers, and how many are looked at anyway


@value
class Kept:
    """A picture that was read, place by place when each changed last, and what it shows."""

    shape: tuple[int, ...]
    ground: Ground
    grain: F32
    marks: Marks  # of `readings`, in their order
    readings: tuple[Reading, ...]  # where they were when they were read
    doubtful: tuple[Doubt, ...]
    look: Look  # what the newest frame shows
    newest: tuple[F32, F32]  # of the last frame: coarse and softened, and single pixels
    pending: Boxes  # what changed last ...
    again: int = _AGREE - 1  # ... and is to be read in so many frames more
    still: bool = False  # whether that is what the frame before it showed, and where
    anew: bool = True  # whether something changed, or was read otherwise than before
    calm: bool = True  # whether things are where they were when they were read, not trembled away


def look_again(
    kept: Kept | None,
    grey: Grey,
    reader: Reader,
    anew: Iterable[NDArray[np.float64]] = (),
    entire: bool = False,
) -> Kept:
    """Take in one frame, and read what changed since the frames before; all of it where nothing was kept.

    `anew`: quads (4, 2) px that are to be read in any case; `entire`: all is. Figure for 1920 x 1080 with
    40 cards: 1.3 ms while nothing moves.
    """
    if kept is None or kept.shape != grey.shape:
        return whole(grey, reader)
    change = compared(kept.ground, coarse(grey, kept.ground.by))
    points = grain(grey)
    rough = noise(kept.grain, points, change.light)
    odd = others(kept.marks, grey, change, kept.ground.by, rough)
    quads, due = tuple(anew), kept.pending[: len(kept.pending) * bool(kept.again)]
    due = _all(grey.shape) if entire else due
    stirred = bool(odd.any() or change.mask.any())
    newest = (change.now, points)
    if not stirred and all(np.array_equal(*pair) for pair in zip(newest, kept.newest, strict=True)):
        return replace(kept, still=True, anew=False)  # the very same picture says nothing new
    kept = replace(kept, newest=newest)
    if not (quads or len(due) or stirred):
        return _unchanged(kept, change)
    side = _side(kept, reader)
    asked = np.concatenate([due, _wider(_spans(quads), _ROOM * side)])
    boxes = _boxes(change, kept, odd, asked, side)
    area = (boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])
    if len(boxes) > _MANY or int(area.sum()) > _MUCH * grey.size:
        boxes, after = _all(grey.shape), whole(grey, reader)
    else:
        after = _partly(kept, grey, reader, change, boxes, _touched(boxes.astype(np.float64), _spans(quads)))
    if stirred or _ids(kept.readings, boxes) != _ids(after.readings, boxes):
        return replace(after, newest=newest, pending=boxes, again=_AGREE - 1, anew=True)
    left = max(0, kept.again - 1)
    return replace(after, newest=newest, pending=kept.pending, again=left, anew=False)


def _ids(readings: Iterable[Reading], boxes: Boxes) -> list[int]:
    seen = tuple(readings)
    return sorted(r.id for r, there in zip(seen, _touched(_bounds(seen), boxes), strict=True) if there)


def _all(shape: tuple[int, ...]) -> Boxes:
    return np.array([[0, 0, shape[1], shape[0]]], np.int64)


def whole(grey: Grey, reader: Reader) -> Kept:
    """Read all of a picture, as far as it is new."""
    look, by = reader.look(grey), enough(grey.shape)
    pictures = marks(grey, [r.corners for r in look.readings], [r.side for r in look.readings])
    small = ground(coarse(grey, by), by)
    points = grain(grey)
    return Kept(
        grey.shape, small, points, pictures, look.readings, look.doubtful, look, (small.soft, points),
        _all(grey.shape),
    )  # fmt: skip


def _unchanged(kept: Kept, change: Change) -> Kept:
    """Nothing changed; at most the camera trembled."""
    still = kept.calm and np.abs(change.move).max() < _TREMBLED
    if still:
        return replace(kept, still=True, anew=False)
    return replace(kept, anew=False, **_lies(kept.readings, kept.doubtful, change))


def _lies(readings: tuple[Reading, ...], doubtful: tuple[Doubt, ...], change: Change) -> dict[str, Any]:
    """What is seen, moved along with the camera where that is worth it."""
    by = np.array(change.move)
    calm = bool(np.abs(by).max() < _TREMBLED)
    there, open_ = readings, doubtful
    if not calm:
        there, open_ = tuple(moved(r, by) for r in readings), tuple(moved(d, by) for d in doubtful)
    ranked = tuple(sorted(there, key=lambda reading: -reading.margin))
    return {"look": Look(ranked, open_), "still": False, "calm": calm}


def _partly(kept: Kept, grey: Grey, reader: Reader, change: Change, boxes: Boxes, asked: Rows) -> Kept:
    """Read the boxes; keep what lies beside them. All is kept where it was before the camera trembled.

    `asked`: boxes (K,) in which somebody wants to know more, so that everything there is looked at.
    """
    by = np.array(change.move)
    stay = ~_touched(_bounds(kept.readings), boxes)
    readings = tuple(reading for reading, stays in zip(kept.readings, stay, strict=True) if stays)
    open_ = ~_touched(_bounds(kept.doubtful), boxes)
    doubtful = [doubt for doubt, stays in zip(kept.doubtful, open_, strict=True) if stays]
    side = _side(kept, reader)
    looks = [
        _in_box(grey, reader if much else _frugal(reader, box, side), box, side)
        for box, much in zip(boxes, asked.tolist(), strict=True)
    ]
    new = each_once([reading for look in looks for reading in look.readings])
    fresh = marks(grey, [reading.corners for reading in new], [reading.side for reading in new], change.move)
    known = (*readings, *(moved(reading, -by) for reading in new))
    doubtful += [moved(doubt, -by) for look in looks for doubt in look.doubtful]
    left = elsewhere(doubtful, known)
    return replace(
        kept, ground=renewed(kept.ground, change, boxes), marks=both(only(kept.marks, stay), fresh),
        readings=known, doubtful=left, **_lies(known, left, change),
    )  # fmt: skip


def _in_box(grey: Grey, reader: Reader, box: NDArray[np.int64], side: float) -> Look:
    """Read one box and a rim around it; only what has its middle in the box counts."""
    rim = round(_RIM * side)
    left, top = np.maximum(box[:2] - rim, 0).tolist()
    part = np.ascontiguousarray(grey[top : box[3] + rim, left : box[2] + rim])
    look, by = reader.look(part), np.array([left, top], float)
    return Look(
        tuple(moved(reading, by) for reading in look.readings if _within(reading.corners + by, box)),
        tuple(moved(doubt, by) for doubt in look.doubtful if _within(doubt.corners + by, box)),
    )


def _frugal(reader: Reader, box: NDArray[np.int64], side: float) -> Reader:
    """The same reader; it looks at no more places than there is room for in a box."""
    room = float(np.prod(box[2:] - box[:2])) / (_EACH * side) ** 2
    few = copy.copy(reader)
    few.most = min(reader.most, max(_FEWEST, round(room)))
    return few


def _within(corners: NDArray[np.float64], box: NDArray[np.int64]) -> bool:
    middle = corners.mean(0)
    return bool((middle >= box[:2]).all() and (middle < box[2:]).all())


def _side(kept: Kept, reader: Reader) -> float:
    """How large a marker may be, px."""
    if kept.readings:
        return max(reading.side for reading in kept.readings)
    return reader.marker_px[1] if reader.marker_px else min(kept.shape) / 8


def _boxes(change: Change, kept: Kept, odd: Rows, asked: NDArray[np.float64], side: float) -> Boxes:
    """Where to read: around all that changed or is asked for, and never a part of something that was read."""
    by, room = kept.ground.by, _ROOM * side
    near = max(1, round(room / by))
    wide = cv2.dilate(change.mask, np.ones((2 * near + 1, 2 * near + 1), np.uint8))
    stats = np.asarray(cv2.connectedComponentsWithStats(wide)[2], np.float64)[1:]
    spots = np.concatenate([stats[:, :2], stats[:, :2] + stats[:, 2:4]], 1) * by
    seen = _bounds([*kept.readings, *kept.doubtful])
    things = _wider(seen, room)
    boxes = _apart(np.concatenate([spots, things[: len(odd)][odd], asked]))
    for _ in range(_ROUNDS):
        hit = things[_touched(seen, boxes)]
        after = _apart(np.concatenate([boxes, hit]))
        if len(after) == len(boxes) and np.allclose(after, boxes):
            break
        boxes = after
    height, width = kept.shape
    whole_px = np.concatenate([np.floor(boxes[:, :2]), np.ceil(boxes[:, 2:])], 1)
    return np.asarray(np.clip(whole_px, 0, [width, height, width, height]), np.int64)


def _wider(bounds: NDArray[np.float64], room: float) -> NDArray[np.float64]:
    return np.asarray(bounds + np.array([-room, -room, room, room]))


def _bounds(things: Sequence[Reading | Doubt]) -> NDArray[np.float64]:
    """Left, top, right and bottom of each, px: (N, 4)."""
    return _spans([thing.corners for thing in things])


def _spans(quads: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
    if not quads:
        return np.zeros((0, 4))
    corners = np.stack(quads)
    return np.concatenate([corners.min(1), corners.max(1)], 1)


def _touched(things: NDArray[np.float64], boxes: NDArray[Any]) -> Rows:
    """Which of the things (N, 4) reach into one of the boxes: (N,)."""
    return np.asarray(_meets(things, np.asarray(boxes, np.float64)).any(1))


def _meets(one: NDArray[np.float64], other: NDArray[np.float64]) -> Rows:
    a, b = one[:, None], other[None]
    return np.asarray((a[..., :2] < b[..., 2:]).all(2) & (b[..., :2] < a[..., 2:]).all(2))


def _apart(boxes: NDArray[np.float64]) -> NDArray[np.float64]:
    """Join boxes that overlap, until none does."""
    left = boxes
    while len(left):
        alike = _meets(left, left)
        groups = np.unique(alike, axis=0)
        if groups.sum() == len(left) and len(groups) == len(left):
            break
        left = np.array([[*left[g, :2].min(0), *left[g, 2:].max(0)] for g in groups])
        left = np.unique(left, axis=0)
    return left
