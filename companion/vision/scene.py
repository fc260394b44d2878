"""From one frame to what lies in each zone: cards, and why a zone is held back for now. Pure.

A zone is held while something stirs in it, while an arm hides a card that was there, while a marker in it is
in doubt, and while something lies in it that cannot be. A held zone keeps what it had: nothing is said of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field, replace

import numpy as np
from numpy.typing import NDArray

from companion.table.things import CardId, Deck, Zone, value
from companion.vision import evidence, motion
from companion.vision.census import TWICE, Strange, census
from companion.vision.change import changed, coarse
from companion.vision.evidence import Evidence, Open, Reread
from companion.vision.find import Grey
from companion.vision.laid import Laid, laid_out
from companion.vision.lost import Lain, Still, face, lost
from companion.vision.plates import Polygon, place, spot_zones
from companion.vision.read import Look, Reading
from companion.vision.settle import Sighting

MOVING, HIDDEN, DOUBT, STRANGE = "moving", "hidden", "doubt", "strange"
_STIRRED = 5  # coarse pixels that must differ in a zone before something stirs there
_SLID = 0.12  # sides by which a marker may move between two frames and still lie
_LIKE = 0.84  # correlation from which something in a zone is in doubt
_STAYS = 1.5  # px by which a card may seem to move and still looks as it did
_FAR = 10.0  # px the camera may have moved since a picture was kept


@value
class Seen:
    """One zone in one frame: where it is, its cards in order, and why it is held back ("": it is not)."""

    polygon: Polygon
    cards: tuple[CardId, ...] = ()
    held: str = ""
    covered: tuple[CardId, ...] = ()  # cards that an arm hides, where it is held for that


@value
class Scene:
    """One frame understood."""

    zones: Mapping[Zone, Seen] = field(default_factory=dict)
    strange: tuple[Strange, ...] = ()
    doubts: Mapping[int, Zone] = field(default_factory=dict)  # open doubts by number, and where they lie
    readings: tuple[Reading, ...] = ()  # with what several frames decided

    @property
    def sighting(self) -> Sighting:
        """What `settle` wants to know."""
        held = frozenset(zone for zone, seen in self.zones.items() if seen.held)
        return Sighting({zone: seen.cards for zone, seen in self.zones.items()}, held)


@value
class Memory:
    """What is kept from frame to frame."""

    last: Still | None = None  # the frame before
    rest: Still | None = None  # each zone as it was when it last lay open and at rest
    known: Mapping[CardId, Lain] = field(default_factory=dict)  # the cards of `rest`
    laid: Laid = Laid()
    evidence: Evidence = Evidence()
    strangers: tuple[Reading, ...] = ()  # what the last look for strangers found

    @property
    def open(self) -> tuple[Open, ...]:
        """All doubts, those decided and those to be asked about."""
        return self.evidence.open


@value
class Rules:
    """What is known of the table beforehand."""

    deck: Deck
    reread: Reread  # reads a small picture as the frames are read
    others: Mapping[int, str] = field(default_factory=dict)  # markers outside the deck: their game


def understood(
    memory: Memory, grey: Grey, look: Look, rules: Rules, strangers: tuple[Reading, ...] | None = None
) -> tuple[Memory, Scene]:
    """Take in one frame and its reading. `strangers`: readings of other games' markers, None: not looked for."""
    now = Still(coarse(grey), motion.spots(look.readings))
    foreign = memory.strangers if strangers is None else strangers
    move = motion.shift(memory.last.spots, now.spots) if memory.last is not None else motion.Shift()
    stirs = _stirs(memory.last, now, move)
    laid = laid_out(memory.laid, look.readings, rules.deck, (grey.shape[1], grey.shape[0]))
    areas = laid.sight
    moving = _moving(areas, stirs, memory.last, now, move, look.readings)
    proof = memory.evidence
    if areas and not moving:
        proof = evidence.heard(proof, _plausible(look, rules.deck, areas), grey, move, rules.reread)
    readings = (*look.readings, *evidence.readings(proof, look.readings))
    known = {card: lain for card, lain in memory.known.items() if lain.zone in areas}
    covered, back = lost(memory.rest, known, now, grey, readings, rules.deck) if memory.rest else ({}, [])
    readings = (*readings, *back)
    placed = place(readings, rules.deck, areas)
    strange = census((*readings, *foreign), rules.deck, rules.others, _where((*readings, *foreign), areas))
    doubts = _doubts(proof, areas)
    seen = {
        zone: Seen(
            polygon,
            tuple(dict.fromkeys(placed[zone])),
            _why(zone, moving, covered, doubts, strange),
            covered.get(zone, ()),
        )
        for zone, polygon in areas.items()
    }
    scene = Scene(seen, strange, doubts, readings)
    kept = _kept(memory, now, grey, scene, readings, rules.deck)
    return replace(kept, last=now, laid=laid, evidence=proof, strangers=foreign), scene


def _stirs(last: Still | None, now: Still, move: motion.Shift) -> motion.Mask:
    if last is None or last.picture.shape != now.picture.shape:
        return np.zeros(now.picture.shape, np.uint8)
    return changed(motion.shifted(last.picture, move), now.picture)


def _plausible(look: Look, deck: Deck, areas: Mapping[Zone, Polygon]) -> Look:
    """Leave only the doubts that may be a card's marker: in a zone, and about as large as cards' markers are.

    A picture on a card looks a little like a marker now and then, but hardly ever of a marker's size.
    """
    sides = [reading.side for reading in look.readings if reading.id in deck.by_marker]
    plates = {marker for plate in deck.plates for marker in plate.markers}
    marks = [reading.side for reading in look.readings if reading.id in plates]
    lo, hi = (0.83 * min(sides), 1.25 * max(sides)) if sides else (0.5 * min(marks), 0.9 * max(marks))
    sure = [(reading.corners.mean(0), reading.side) for reading in look.readings]
    return Look(
        look.readings,
        tuple(
            doubt
            for doubt in look.doubtful
            if lo < doubt.side < hi
            and doubt.likely[0][1] > _LIKE
            and doubt.likely[0][0] not in plates
            and not any(np.hypot(*(doubt.corners.mean(0) - spot)) < side for spot, side in sure)
            and _zone(doubt.corners, areas) is not None
        ),
    )


def _doubts(proof: Evidence, areas: Mapping[Zone, Polygon]) -> dict[int, Zone]:
    """Doubts that are open, with their zones."""
    spots = {doubt.number: _zone(doubt.corners, areas) for doubt in proof.open if _open(doubt)}
    return {number: zone for number, zone in spots.items() if zone is not None}


def _open(doubt: Open) -> bool:
    """Whether a doubt holds its zone: seen twice and of late, an id stands out, not decided nor said to be nothing."""
    fresh = doubt.seen > 1 and doubt.unseen < 2 and not doubt.weak
    return fresh and doubt.marker is None and doubt.ruled is None


def _where(readings: Iterable[Reading], areas: Mapping[Zone, Polygon]) -> dict[int, tuple[Zone, ...]]:
    seen = tuple(readings)
    out: dict[int, tuple[Zone, ...]] = {}
    for reading, zone in zip(seen, spot_zones(_middles(seen), areas), strict=True):
        if zone is not None:
            out[reading.id] = (*out.get(reading.id, ()), zone)
    return out


def _zone(corners: NDArray[np.float64], areas: Mapping[Zone, Polygon]) -> Zone | None:
    return spot_zones(corners.mean(0)[None], areas)[0]


def _middles(readings: tuple[Reading, ...]) -> NDArray[np.float64]:
    return np.stack([reading.corners.mean(0) for reading in readings]) if readings else np.zeros((0, 2))


def _moving(
    areas: Mapping[Zone, Polygon], stirs: motion.Mask, last: Still | None, now: Still, move: motion.Shift,
    readings: Iterable[Reading],
) -> set[Zone]:  # fmt: skip
    """Zones in which something stirs: the picture changes there, or a card slides."""
    out = {
        zone for zone, polygon in areas.items()
        if int((stirs & motion.inside(stirs.shape, [polygon], 3)).sum()) >= _STIRRED
    }  # fmt: skip
    if last is None:
        return out
    slid = [reading for reading in readings if move.sure and _slid(reading, last, now, move)]
    for zone in spot_zones(_middles(tuple(slid)), areas):
        if zone is not None:
            out.add(zone)
    return out


def _slid(reading: Reading, last: Still, now: Still, move: motion.Shift) -> bool:
    """Whether a marker moved otherwise than the camera did."""
    if reading.id not in last.spots or reading.id not in now.spots:
        return False
    way = now.spots[reading.id] - last.spots[reading.id] - move.xy
    return bool(np.hypot(*way) > max(_SLID * reading.side, 1.5))


def _why(
    zone: Zone, moving: set[Zone], covered: Mapping[Zone, object], doubts: Mapping[int, Zone],
    strange: Iterable[Strange],
) -> str:  # fmt: skip
    if zone in moving:
        return MOVING
    if zone in covered:
        return HIDDEN
    if any(zone in each.zones for each in strange if each.kind != TWICE or len(each.spots) > 1):
        return STRANGE
    return DOUBT if zone in doubts.values() else ""


def _kept(
    memory: Memory, now: Still, grey: Grey, scene: Scene, readings: Iterable[Reading], deck: Deck
) -> Memory:  # fmt: skip
    """Remember the zones that lie open and at rest: their pictures, and where their cards are."""
    rest = memory.rest
    corners = {reading.id: reading.corners for reading in readings}
    move = motion.shift(rest.spots, now.spots) if rest is not None else motion.Shift()
    if rest is None or rest.picture.shape != now.picture.shape or not move.sure:
        calm = not any(seen.held for seen in scene.zones.values())
        lain = _lain({}, grey, scene.zones, corners, deck, motion.Shift())
        return Memory(rest=now, known=lain) if calm or rest is None else memory
    if abs(move.x) + abs(move.y) > _FAR:
        known = {card: replace(lain, corners=lain.corners + move.xy) for card, lain in memory.known.items()}
        spots = {marker: spot + move.xy for marker, spot in rest.spots.items()}
        return replace(memory, rest=Still(motion.shifted(rest.picture, move), spots), known=known)
    open_ = {zone: seen for zone, seen in scene.zones.items() if not seen.held}
    back = motion.Shift(-move.x, -move.y, True)
    aligned = motion.shifted(now.picture, back)
    part = motion.inside(aligned.shape, [seen.polygon - move.xy for seen in open_.values()], 30)
    other = [seen.polygon - move.xy for zone, seen in scene.zones.items() if seen.held]
    part &= 1 - motion.inside(aligned.shape, other, 8)
    known = {card: lain for card, lain in memory.known.items() if lain.zone not in open_}
    known |= _lain(memory.known, grey, open_, corners, deck, move)
    picture = np.where(part > 0, aligned, rest.picture)
    gone = {deck.by_id[card].marker for card in memory.known.keys() - known.keys()}
    kept = {marker: spot for marker, spot in rest.spots.items() if marker not in gone}
    at = _shown(now, scene.zones, move)
    return replace(memory, rest=Still(picture, {**kept, **at}), known=known)


def _shown(now: Still, zones: Mapping[Zone, Seen], move: motion.Shift) -> dict[int, NDArray[np.float64]]:
    """Where markers are in the picture kept: zones held back are not in it as they are now."""
    if not now.spots:
        return {}
    there = spot_zones(
        np.stack(list(now.spots.values())), {zone: seen.polygon for zone, seen in zones.items()}
    )
    return {
        marker: spot - move.xy
        for (marker, spot), zone in zip(now.spots.items(), there, strict=True)
        if zone is None or not zones[zone].held
    }


def _lain(
    before: Mapping[CardId, Lain], grey: Grey, zones: Mapping[Zone, Seen],
    corners: Mapping[int, NDArray[np.float64]], deck: Deck, move: motion.Shift,
) -> dict[CardId, Lain]:  # fmt: skip
    """The cards of these zones; one that lies where it lay keeps the face it had."""
    out = {}
    for zone, seen in zones.items():
        for card in seen.cards:
            there = corners[deck.by_id[card].marker]
            old = before.get(card)
            kept = old is not None and np.abs(old.corners + move.xy - there).max() < _STAYS
            look = old.face if old is not None and kept else face(grey, there)
            out[card] = Lain(zone, there - move.xy, look)
    return out
