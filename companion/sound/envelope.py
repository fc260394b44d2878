"""Where sounds begin and end in a recording: by its envelope, as somebody who knows nothing of the plan. Pure."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from companion.sound.clips import RATE, Samples
from companion.table.things import value

LATEST = 600_000_000  # ns: what is heard later than this belongs to the next sound


@value
class Offset:
    """How much later sounds were heard than planned (ns), how far single ones lie apart, and how many were heard."""

    delay: int
    spread: int
    heard: int


def onsets(heard: Samples, floor: float = 0.01, quiet_s: float = 0.05) -> NDArray[np.int64]:
    """The samples at which it becomes loud after at least `quiet_s` below `floor`."""
    loud = np.flatnonzero(np.abs(heard) > floor)
    if not len(loud):
        return loud.astype(np.int64)
    first = np.concatenate([[True], np.diff(loud) > quiet_s * RATE])
    found: NDArray[np.int64] = loud[first].astype(np.int64)
    return found


def silence_from(heard: Samples, start: int, floor: float = 0.01) -> int:
    """The sample behind the last loud one before the next `quiet` of 50 ms, looking from `start`."""
    loud = np.flatnonzero(np.abs(heard[start:]) > floor)
    if not len(loud):
        return start
    gaps = np.flatnonzero(np.diff(loud) > 0.05 * RATE)
    return start + int(loud[gaps[0]] if len(gaps) else loud[-1]) + 1


def offset(planned: Sequence[int], heard: Sequence[int]) -> Offset | None:
    """By how much `heard` lies behind `planned` (both ns, ascending); None if they do not belong together."""
    late: list[int] = []
    for moment in heard:
        before = [plan for plan in planned if plan - LATEST // 6 <= moment <= plan + LATEST]
        if before:
            late.append(moment - min(before, key=lambda plan: abs(moment - plan)))
    if 2 * len(late) < len(planned):
        return None
    delay = int(np.median(late))
    spread = int(np.median([abs(each - delay) for each in late]))
    return Offset(delay, spread, len(late)) if spread < LATEST // 12 else None
