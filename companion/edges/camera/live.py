"""What a glimpse shows, as plain data for the live page, as a row of a bundle, and drawn into a picture."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.edges.camera.glimpse import Glimpse
from companion.edges.camera.table_words import Naming, troubles
from companion.edges.camera.words import say
from companion.table.events import Shown
from companion.table.things import Zone
from companion.vision.advice import BAD, GOOD, NEED_PX, Advice, Health, examined, missing
from companion.vision.evidence import Open
from companion.vision.read import Look
from companion.vision.scene import Scene

WIDEST = 1280  # pixels of the live picture
_COLOURS = {GOOD: (90, 170, 40), "poor": (0, 150, 230), BAD: (40, 40, 220)}  # blue, green, red
_DOUBT, _MARK, _GLARE = (0, 140, 255), (200, 120, 0), (60, 60, 255)


def row(look: Look, scene: Scene, shown: Iterable[Shown]) -> dict[str, Any]:
    """One frame's reading as plain data."""
    return {
        "readings": [
            {"id": r.id, "corners": _flat(r.corners), "score": round(r.score, 4), "margin": round(r.margin, 3)}
            for r in look.readings
        ],
        "doubtful": [{"corners": _flat(d.corners), "likely": [list(each) for each in d.likely]} for d in look.doubtful],
        "zones": {zone: {"cards": list(seen.cards), "held": seen.held} for zone, seen in scene.zones.items()},
        "strange": [{"kind": each.kind, "marker": each.marker} for each in scene.strange],
        "said": [[each.zone, list(each.cards)] for each in shown],
    }  # fmt: skip


def told(glimpse: Glimpse, naming: Naming, wanted: Iterable[Zone] = ()) -> dict[str, Any]:
    """Everything the live page shows: markers, doubts, zones with their maps, and advice in words."""
    grey, scene, deck = glimpse.frame.grey, glimpse.scene, glimpse.deck
    health = examined(grey, scene, deck)
    general = missing(scene, deck, wanted)
    wrong = troubles(scene, frozenset(scene.zones), glimpse.open, deck, naming)
    return {
        "at": glimpse.frame.at, "size": [grey.shape[1], grey.shape[0]], "need_px": NEED_PX,
        "wrong": wrong.split(" · ") if wrong else [],
        "advice": [advised(each, glimpse, naming) for each in general],
        "markers": [
            {
                "id": r.id, "corners": _flat(r.corners), "score": round(r.score, 3), "margin": round(r.margin, 2),
                "px": round(r.side, 1), "card": _card(glimpse, r.id), "name": _name(glimpse, r.id, naming),
            }
            for r in scene.readings
        ],
        "doubts": [_doubt(each, glimpse, naming) for each in glimpse.open if each.number in scene.doubts],
        "zones": [_zone(zone, each, glimpse, naming) for zone, each in health.items()],
    }  # fmt: skip


def advised(advice: Advice, glimpse: Glimpse, naming: Naming) -> str:
    """A piece of advice as a sentence."""
    name = "" if advice.zone is None else naming.zone(glimpse.deck, advice.zone)
    return say(naming.lang, f"advice_{advice.key}", {"zone": name, **advice.values})


def jpeg(glimpse: Glimpse, widest: int = WIDEST) -> bytes:
    """The frame, not wider than this."""
    return bytes(cv2.imencode(".jpg", _fitted(glimpse.frame.grey, widest), [cv2.IMWRITE_JPEG_QUALITY, 80])[1])


def drawn(glimpse: Glimpse, naming: Naming) -> NDArray[np.uint8]:
    """The frame with everything drawn in it, in colour (blue, green, red)."""
    grey = glimpse.frame.grey
    canvas = np.asarray(cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR), np.uint8)
    for zone, health in examined(grey, glimpse.scene, glimpse.deck).items():
        _washed(canvas, health)
        _outline(canvas, health.polygon, _COLOURS[health.grade], 3)
        seen = glimpse.scene.zones[zone]
        text = f"{zone}: {len(seen.cards)}{' ' + seen.held if seen.held else ''} {health.marker_px:.0f} px"
        _write(canvas, text, health.polygon.min(0), _COLOURS[health.grade], 0.7)
    for n, reading in enumerate(sorted(glimpse.scene.readings, key=lambda each: float(each.corners[0, 0]))):
        _outline(canvas, reading.corners, _MARK, 2)
        name = _card(glimpse, reading.id) or reading.id
        right, low = reading.corners.max(0).tolist()
        below = np.array(
            [right - reading.side, low + 16 + 14 * (n % 3)]
        )  # neighbours' words at three heights
        _write(canvas, f"{name} {reading.score:.2f}", below, _MARK, 0.42)
    for doubt in glimpse.open:
        if doubt.number in glimpse.scene.doubts:
            _outline(canvas, doubt.corners, _DOUBT, 3)
            _write(canvas, f"? {_likely(doubt)}", doubt.corners.max(0), _DOUBT, 0.5)
    del naming  # letters outside ASCII cannot be drawn: ids stand for names
    return canvas


def _zone(zone: Zone, health: Health, glimpse: Glimpse, naming: Naming) -> dict[str, Any]:
    seen = glimpse.scene.zones[zone]
    blur = np.nan_to_num(health.seeing.blur, nan=0.0)
    return {
        "zone": zone, "name": naming.zone(glimpse.deck, zone), "polygon": _flat(health.polygon),
        "cards": list(seen.cards), "held": say(naming.lang, f"held_{seen.held}") if seen.held else "",
        "grade": health.grade, "glare": np.round(health.seeing.glare, 2).tolist(), "blur": np.round(blur, 1).tolist(),
        "px": round(health.marker_px, 1), "blur_px": round(health.blur_px, 1),
        "light": round(health.seeing.light / 2.55),
        "advice": [advised(each, glimpse, naming) for each in health.advice],
    }  # fmt: skip


def _doubt(doubt: Open, glimpse: Glimpse, naming: Naming) -> dict[str, Any]:
    zone = glimpse.scene.doubts[doubt.number]
    return {
        "number": doubt.number, "corners": _flat(doubt.corners), "asked": doubt.asked,
        "zone": naming.zone(glimpse.deck, zone),
        "likely": [
            {
                "marker": marker, "share": round(share, 2), "card": _card(glimpse, marker),
                "name": _name(glimpse, marker, naming),
            }
            for marker, share in doubt.likely
        ],
    }  # fmt: skip


def _card(glimpse: Glimpse, marker: int) -> str | None:
    card = glimpse.deck.by_marker.get(marker)
    return None if card is None else str(card.id)


def _name(glimpse: Glimpse, marker: int, naming: Naming) -> str:
    card = glimpse.deck.by_marker.get(marker)
    return str(marker) if card is None else naming.word(glimpse.deck.game, card.face)


def _likely(doubt: Open) -> str:
    return " / ".join(str(marker) for marker, _ in doubt.likely)


def _flat(corners: NDArray[np.float64]) -> list[list[float]]:
    rounded: list[list[float]] = np.round(corners, 1).tolist()
    return rounded


def _fitted(grey: NDArray[np.uint8], widest: int) -> NDArray[np.uint8]:
    factor = widest / grey.shape[1]
    if factor >= 1:
        return grey
    size = (widest, max(1, round(grey.shape[0] * factor)))
    return np.asarray(cv2.resize(grey, size, interpolation=cv2.INTER_AREA), np.uint8)


def _washed(canvas: NDArray[np.uint8], health: Health) -> None:
    """Redden the parts of a zone in which glare washes something out."""
    rows, columns = health.seeing.glare.shape
    ends = np.array([[0, 0], [columns, 0], [columns, rows], [0, rows]], np.float32)
    to = cv2.getPerspectiveTransform(ends, health.polygon.astype(np.float32))
    for y, x in np.argwhere(health.seeing.glare > 0.02):
        cell = np.array([[[x, y], [x + 1, y], [x + 1, y + 1], [x, y + 1]]], np.float64)
        there = np.round(cv2.perspectiveTransform(cell, to)[0]).astype(np.int32)
        veil = canvas.copy()
        cv2.fillConvexPoly(veil, there, _GLARE)
        part = min(0.6, 0.15 + float(health.seeing.glare[y, x]))
        cv2.addWeighted(veil, part, canvas, 1 - part, 0, dst=canvas)


def _outline(
    canvas: NDArray[np.uint8], corners: NDArray[np.float64], colour: tuple[int, int, int], wide: int
) -> None:
    cv2.polylines(canvas, [np.round(corners * 16).astype(np.int32)], True, colour, wide, cv2.LINE_AA, 4)


def _write(
    canvas: NDArray[np.uint8], text: str, spot: NDArray[np.float64], colour: tuple[int, int, int], size: float
) -> None:
    x, y = (int(v) for v in spot)
    cv2.putText(canvas, text, (x + 3, y - 4), cv2.FONT_HERSHEY_SIMPLEX, size, (255, 255, 255), 4, cv2.LINE_AA)
    cv2.putText(canvas, text, (x + 3, y - 4), cv2.FONT_HERSHEY_SIMPLEX, size, colour, 1, cv2.LINE_AA)
