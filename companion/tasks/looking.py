"""`companion look`: pictures of what the camera sees, with everything drawn in, and advice in words."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import cv2

from companion.edges.camera import Camera, Glimpse, Naming, live
from companion.edges.camera.sources import feed
from companion.running.eyes import naming, strangers
from companion.shelf import deck
from companion.simcamera import sims
from companion.telling import BadOption
from companion.writing import PNG, save

Echo = Callable[[str], Any]
SETTLE = 8  # frames before the first picture: doubts have been decided by then, or are asked about


USUAL_S, DRAWN_S = 20.0, 120.0  # to wait for a picture; for one that a busy machine must draw first
_NONE = {
    "en": "--camera {camera}: no picture in {seconds:g} s. Is it plugged in, or the machine busy? "
    "Wait longer with --seconds 300, or name another camera",
    "de": "--camera {camera}: kein Bild in {seconds:g} s. Steckt sie, oder ist das Gerät beschäftigt? "
    "Warte länger mit --seconds 300, oder nenne eine andere Kamera",
}

_COLUMNS = "{:<24} {:<7} {:<22} {:<10} {:<6} {}"
_HEADS = {
    "en": ("zone", "cards", "marker's side (least)", "blur", "light", "grade"),
    "de": ("Zone", "Karten", "Markerseite (mindest.)", "Unschärfe", "Licht", "Note"),
}


class Album:
    """Collects what the camera sees, frame by frame, until there is enough of it."""

    def __init__(self, wanted: int) -> None:
        """So many pictures are wanted."""
        self.glimpses: list[Glimpse] = []
        self.trouble = ""
        self._frames, self._wanted = 0, wanted
        self.done = threading.Event()
        self.camera: Camera | None = None

    def seen(self, *_: object) -> None:
        """One more frame was understood."""
        self._frames += 1
        glimpse = None if self.camera is None else self.camera.glimpse()
        if glimpse is None or self._frames < SETTLE or self.done.is_set():
            return
        self.glimpses.append(glimpse)
        if len(self.glimpses) >= self._wanted:
            self.done.set()

    def troubled(self, text: str) -> None:
        """The camera is not well: that ends it, unless all was seen already."""
        self.trouble = text
        if text and not self.glimpses:
            self.done.set()


def looked(given: Mapping[str, Any], echo: Echo) -> bool:
    """Look, save, tell; whether everything can be read well. BadOption for a camera or folder that is none."""
    lang, folder = given["lang"], given["output"]
    lo, hi = given["marker_px"]
    if not 0 < lo <= hi < 100_000:
        raise BadOption(
            f"--marker-px {lo:g} {hi:g}: give the smallest and the largest side in pixels, e.g. 15 60"
        )
    cards, spoken, album = deck(given["game"]), naming(given["lang"]), Album(given["pictures"])
    frames = feed(given["camera"], album.troubled, sims=sims(), lang=lang)
    camera = Camera(
        frames, cards, lambda _: None, album.troubled, marker_px=given["marker_px"], others=strangers(),
        witness=album, naming=spoken, pause_s=0.0,
    )  # fmt: skip
    album.camera = camera
    camera.glimpse()
    seconds = given["seconds"] or (DRAWN_S if str(given["camera"]).startswith("sim:") else USUAL_S)
    album.done.wait(seconds)
    camera.close()
    if not album.glimpses:
        raise BadOption(album.trouble or _NONE[lang].format(camera=given["camera"], seconds=seconds))
    files = [_saved(folder, number, glimpse, spoken) for number, glimpse in enumerate(album.glimpses, 1)]
    state = live.told(album.glimpses[-1], spoken, [plate.zone for plate in cards.plates])
    echo(json.dumps({**state, "files": files}) if given["as_json"] else "\n".join(_lines(state, files, lang)))
    zones = state["zones"]
    return all(zone["grade"] == "good" for zone in zones) and not state["wrong"] and bool(zones)


def _saved(folder: Path, number: int, glimpse: Glimpse, spoken: Naming) -> str:
    file = folder / f"look-{number}.png"
    good, png = cv2.imencode(".png", live.drawn(glimpse, spoken))
    try:
        folder.mkdir(parents=True, exist_ok=True)
        save(file, png.tobytes() if good else b"", "-o", over=PNG)
    except OSError as fault:
        raise BadOption(f"-o {folder}: {fault.strerror}. Name a folder that can be written") from fault
    return str(file)


def _lines(state: Mapping[str, Any], files: list[str], lang: str) -> list[str]:
    """A line for each zone, then what is to be done."""
    lines = [f"{file}" for file in files]
    if state["zones"]:
        lines.append(_COLUMNS.format(*_HEADS[lang]))
    for zone in state["zones"]:
        side = f"{zone['px']:g} px ({state['need_px']:g} px)"
        held = f" ({zone['held']})" if zone["held"] else ""
        blur, light = f"~{zone['blur_px']:g} px", f"{zone['light']} %"
        lines.append(
            _COLUMNS.format(zone["name"], len(zone["cards"]), side, blur, light, f"{zone['grade']}{held}")
        )
    told = [*state["wrong"], *state["advice"], *(text for zone in state["zones"] for text in zone["advice"])]
    return [*lines, *(f"! {text}" for text in told)]
