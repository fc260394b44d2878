"""What to do about the light, the lens and the plates, in time: while everything can still be read. Pure.

Each limit lies well on this side of what the reader needs, so that its word comes before a card is missed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field

import numpy as np

from companion.table.things import Deck, Plate, Zone, value
from companion.vision.find import Grey
from companion.vision.glare import COLUMNS, ROWS, Seeing, blur_at, seeing
from companion.vision.plates import Polygon
from companion.vision.read import Reading
from companion.vision.scene import Scene

NEED_PX = 13.0  # side of a card's marker that reads well; it is still read down to 9
CARD_MM = 12.0
MODULES = 7
_GLARE = 0.12  # of a part of the zone washed out: sleeves shine there
_WASHED = 0.3  # of the whole zone: that is no reflection, the picture is too bright
_DIM = 70.0  # grey level of white
_BLURRED = 0.4  # of a module; markers are read up to about 0.9
_SLANT = 0.76  # shortest side over longest
_CLOSE = 0.5  # margin; the bar is 0.3
GOOD, POOR, BAD = "good", "poor", "bad"


@value
class Advice:
    """One thing to do: a key of the words, the zone it is about (None: the whole picture), its values."""

    key: str
    zone: Zone | None = None
    values: Mapping[str, str | int] = field(default_factory=dict)


@value
class Health:
    """How a zone can be seen: its maps, the size of a card's marker there (px), and what to do."""

    polygon: Polygon
    seeing: Seeing
    marker_px: float
    blur_px: float
    margin: float  # the smallest of the readings in it; inf: none
    advice: tuple[Advice, ...] = ()

    @property
    def grade(self) -> str:
        """Good, poor (with advice) or bad: markers are too small, too blurred or too dark to be read."""
        if not self.advice:
            return GOOD
        small, blurred = self.marker_px < 9, self.blur_px > 0.8 * self.marker_px / MODULES
        return BAD if small or blurred or self.seeing.light < 25 else POOR


def examined(grey: Grey, scene: Scene, deck: Deck) -> dict[Zone, Health]:
    """How each zone in sight can be seen."""
    return {
        plate.zone: _health(grey, scene, deck, plate) for plate in deck.plates if plate.zone in scene.zones
    }


def missing(scene: Scene, deck: Deck, wanted: Iterable[Zone]) -> tuple[Advice, ...]:
    """What to do about plates: those of wanted zones that are not seen, and those half hidden."""
    read = {reading.id for reading in scene.readings}
    out = []
    for plate in deck.plates:
        seen = sum(marker in read for marker in plate.markers)
        if not seen and plate.sign is not None and plate.sign.marker in read:
            continue
        if plate.zone in set(wanted) and not seen:
            out.append(Advice("plate_missing", plate.zone))
        elif seen == 1:
            out.append(Advice("plate_half", plate.zone))
    return tuple(out)


def _health(grey: Grey, scene: Scene, deck: Deck, plate: Plate) -> Health:
    zone = plate.zone
    cards = {deck.by_id[card].marker for card in scene.zones[zone].cards}
    inside = [reading for reading in scene.readings if reading.id in cards]
    marks = [reading for reading in scene.readings if reading.id in plate.markers]  # none where a sign does
    seen = seeing(grey, scene.zones[zone].polygon, [*inside, *marks])
    sizes = [r.side for r in inside] or [r.side * CARD_MM / plate.marker_mm for r in marks]
    blurs = [blur_at(grey, reading) for reading in (*inside, *marks)]
    margins = [reading.margin for reading in inside if reading.margin > 0]
    health = Health(
        scene.zones[zone].polygon, seen, min(sizes, default=0.0), float(np.median(blurs)) if blurs else 0.0,
        min(margins, default=float("inf")),
    )  # fmt: skip
    return Health(
        health.polygon,
        seen,
        health.marker_px,
        health.blur_px,
        health.margin,
        tuple(_advice(zone, health, marks)),
    )


def _advice(zone: Zone, health: Health, marks: Iterable[Reading]) -> Iterable[Advice]:
    seen = health.seeing
    if seen.washed > _WASHED:
        yield Advice("too_bright", zone)
    elif seen.glare.max() > _GLARE:
        yield Advice(f"glare_{_from(seen)}", zone, {"part": round(100 * float(seen.glare.max()))})
    if seen.light < _DIM:
        yield Advice("dim", zone, {"light": round(100 * seen.light / 255)})
    if health.marker_px < NEED_PX:
        yield Advice("small", zone, {"px": round(health.marker_px), "need": round(NEED_PX)})
    if health.blur_px > _BLURRED * health.marker_px / MODULES:
        limit = _BLURRED * health.marker_px / MODULES
        yield Advice("blurred", zone, {"px": f"{health.blur_px:.1f}", "need": f"{limit:.1f}"})
    if any(_aspect(reading) < _SLANT for reading in marks):
        yield Advice("slant", zone)
    if health.margin < _CLOSE:
        yield Advice("close", zone)


def _from(seen: Seeing) -> str:
    """The side of a zone, in the plate's own axes, from which it glares."""
    y, x = np.mgrid[0:ROWS, 0:COLUMNS] + 0.5
    weight = seen.glare / seen.glare.sum()
    across, down = float((weight * x).sum()) / COLUMNS - 0.5, float((weight * y).sum()) / ROWS - 0.5
    if max(abs(across), abs(down)) < 0.12:
        return "middle"
    if abs(across) >= abs(down):
        return "left" if across < 0 else "right"
    return "top" if down < 0 else "bottom"


def _aspect(reading: Reading) -> float:
    sides = np.hypot(*(np.roll(reading.corners, -1, 0) - reading.corners).T)
    return float(sides.min() / sides.max())
