"""`companion read`: the markers in pictures."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.edges.camera import FAMILY, BadPicture, deck_ids, picture
from companion.edges.screen.german import lines_told
from companion.shelf import deck
from companion.telling import BadOption, Echo
from companion.vision.read import Reader, Reading
from companion.writing import save, writable


def read(images: tuple[Path, ...], given: Mapping[str, Any], echo: Echo) -> bool:
    """Read the markers in each picture; whether every file was a picture."""
    lo, hi = given["marker_px"] or (1.0, 1.0)
    if not 0 < lo <= hi < 100_000:
        raise BadOption(
            f"--marker-px {lo:g} {hi:g}: give the smallest and the largest side in pixels, e.g. 15 60"
        )
    if given["draw"] is not None and given["draw"].suffix.lower() not in (".png", ".jpg", ".jpeg"):
        raise BadOption(f"--draw {given['draw']}: name a .png or .jpg")
    if given["draw"] is not None:
        writable(given["draw"], "--draw")  # nobody's photo is drawn over
    table = deck(given["game"]) if given["game"] else None
    if table is not None and given["family"] != FAMILY:
        raise BadOption(f"--deck {given['game']} is printed in {FAMILY}: leave --family away")
    ids = None if table is None else deck_ids(table)
    reader = Reader(given["family"], ids, given["marker_px"] or None)
    cards = {} if table is None else {card.marker: card.id for card in table.cards}
    answers: list[dict[str, Any]] = []
    for image in images:
        try:
            grey = picture(image)
        except BadPicture as fault:
            answers.append({"file": str(image), "error": str(fault)})
            continue
        started = time.perf_counter()
        readings = reader.read(grey)
        took = (time.perf_counter() - started) * 1000
        marks = [_marker(reading, cards) for reading in readings]
        answers.append({"file": str(image), "markers": marks, "ms": round(took, 1)})
        if given["draw"] is not None and len(answers) == 1:
            _draw(grey, readings, given["draw"])
    echo(json.dumps(answers) if given["as_json"] else "\n".join(_read_lines(answers, given["lang"])))
    return not any("error" in answer for answer in answers)


def _marker(reading: Reading, cards: Mapping[int, str]) -> dict[str, Any]:
    return {
        "id": reading.id, "corners": np.round(reading.corners, 2).tolist(), "score": round(float(reading.score), 4),
        "margin": round(float(reading.margin), 4), "card": cards.get(reading.id),
    }  # fmt: skip


_SAID = {
    "en": (
        "{file}: {count} markers in {ms:.0f} ms",
        "  id {id:>4} at {x:7.1f} {y:7.1f}  score {score:.3f}  {name}",
    ),
    "de": (
        "{file}: {count} Marker in {ms:.0f} ms",
        "  Nr. {id:>4} bei {x:7.1f} {y:7.1f}  Güte {score:.3f}  {name}",
    ),
}


def _read_lines(answers: Iterable[Mapping[str, Any]], lang: str) -> Iterable[str]:
    whole, one = _SAID[lang]
    for answer in answers:
        if "error" in answer:
            yield f"{answer['file']}: {lines_told(answer['error'], lang)}"
            continue
        yield whole.format(file=answer["file"], count=len(answer["markers"]), ms=answer["ms"])
        for mark in answer["markers"]:
            x, y = np.mean(mark["corners"], axis=0)
            name = mark["card"] or ""
            yield one.format(id=mark["id"], x=x, y=y, score=mark["score"], name=name)


def _draw(grey: Any, readings: Iterable[Reading], out: Path) -> None:
    canvas = cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR)
    for reading in readings:
        corners = np.round(np.asarray(reading.corners) * 16).astype(np.int32)
        cv2.polylines(canvas, [corners], True, (0, 190, 0), 2, cv2.LINE_AA, 4)
        x, y = (int(v) for v in np.asarray(reading.corners).max(0))
        cv2.putText(
            canvas, str(reading.id), (x + 2, y), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (0, 0, 230), 1, cv2.LINE_AA
        )
    good, drawn = cv2.imencode(out.suffix, canvas)
    save(out, drawn.tobytes() if good else b"", "--draw")
