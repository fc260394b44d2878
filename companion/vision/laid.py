"""Where the plates lie: worked out once, and kept while they and the camera only tremble. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field, replace

import numpy as np

from companion.table.things import Deck, Plate, Zone, value
from companion.vision import motion
from companion.vision.plates import Polygon, zones
from companion.vision.read import Reading

_STAYS = 1.5  # px by which a plate's marker may move against the others' and still lie where it lay


@value
class Laid:
    """Where the plates lay when their zones were worked out, and the zones in sight now, px."""

    spots: motion.Spots = field(default_factory=dict)
    areas: Mapping[Zone, Polygon] = field(default_factory=dict)
    sight: Mapping[Zone, Polygon] = field(default_factory=dict)


def laid_out(before: Laid, readings: tuple[Reading, ...], deck: Deck, size: tuple[int, int]) -> Laid:
    """Give each zone's area, for plates in sight: kept, where its markers moved with the camera only.

    `size`: of the picture, px.
    So a zone that was found by both markers stays as it was when an arm hides one of them.
    """
    now = motion.spots(readings)
    plates = {plate.zone: [m for m in _marks(plate, before.spots, now) if m in now] for plate in deck.plates}
    here = {marker: now[marker] for markers in plates.values() for marker in markers}
    move = motion.shift(before.spots, here)
    stays = {
        zone: before.areas[zone] + move.xy
        for zone, markers in plates.items()
        if zone in before.areas and markers and move.sure and _lie(before.spots, here, markers, move)
    }
    if all(zone in stays or not markers for zone, markers in plates.items()):
        return Laid(before.spots, before.areas, stays)
    found = {**zones(readings, [_without(plate, before.spots) for plate in deck.plates], size), **stays}
    spots = {m: spot + move.xy for m, spot in before.spots.items() if move.sure}
    return Laid({**spots, **here}, found, found)


def _marks(plate: Plate, before: motion.Spots, now: motion.Spots) -> tuple[int, ...]:
    """What marks a zone: its plate, and only where that was never seen its sign, so that an arm changes nothing."""
    known = any(marker in before or marker in now for marker in plate.markers)
    return plate.markers if known or plate.sign is None else (plate.sign.marker,)


def _without(plate: Plate, before: motion.Spots) -> Plate:
    """A plate that lay there goes by its own markers only: its sign would move the zone."""
    return replace(plate, sign=None) if any(marker in before for marker in plate.markers) else plate


def _lie(before: motion.Spots, here: motion.Spots, markers: Iterable[int], move: motion.Shift) -> bool:
    """Whether these markers were all there before and moved with the camera only."""
    return all(
        marker in before and np.abs(here[marker] - before[marker] - move.xy).max() < _STAYS
        for marker in markers
    )
