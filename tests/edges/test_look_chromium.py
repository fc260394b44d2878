"""The operator's view through the camera in a real browser: seen, advised, a doubt decided, the last seconds saved."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from browsers import CHROMIUM, Watched

from companion.edges.camera.words import texts
from companion.edges.screen import Screen
from companion.shelf import phrases

pytestmark = CHROMIUM
PIN = "314159"


class Spyglass:
    """A camera with one zone, one piece of advice and one doubt."""

    def __init__(self) -> None:
        self.ruled: list[tuple[int, int | None]] = []

    def state(self, lang: str) -> dict[str, Any]:
        page = {
            k.removeprefix("page_"): t.replace("{{", "{").replace("}}", "}")
            for k, t in texts(lang).items()
            if k.startswith("page_")
        }
        likely = [
            {"marker": m, "share": s, "card": f"pizza-0{m}", "name": "Pizza"}
            for m, s in ((1, 0.6), (2, 0.3), (3, 0.1))
        ]
        square = [[40.0, 40], [60, 40], [60, 60], [40, 60]]
        return {
            "at": 5, "size": [320, 180], "need_px": 13, "wrong": [], "advice": [], "words": page,
            "markers": [{"id": 4, "corners": square, "score": 0.99, "margin": 2, "px": 20, "card": "pizza-04", "name": "Pizza"}],
            "doubts": [] if self.ruled else [{"number": 7, "corners": square, "asked": True, "zone": "Mitte", "likely": likely}],
            "zones": [{
                "zone": "middle", "name": "Mitte", "polygon": [[20, 20], [300, 20], [300, 160], [20, 160]], "cards": ["pizza-04"],
                "held": "", "grade": "poor", "glare": [[0.0] * 8] * 4 + [[0.7] * 8], "blur": [[0.8] * 8] * 5, "px": 20,
                "blur_px": 0.8, "light": 70, "advice": [texts(lang)["advice_glare_left"].format(zone="Mitte", part=70)],
            }],
        }  # fmt: skip

    def picture(self) -> bytes:
        return bytes(cv2.imencode(".jpg", np.full((180, 320), 90, np.uint8))[1])

    def rule(self, number: int, marker: int | None) -> None:
        self.ruled.append((number, marker))

    def bundle(self) -> tuple[str, bytes]:
        return "companion-1.zip", b"PK\x05\x06" + bytes(18)


def test_the_operator_sees_decides_and_saves_with_one_key(browser: Any) -> None:
    glass = Spyglass()
    screen = Screen(lambda event, reply: None, phrases(), PIN, looking=glass)
    here = f"http://127.0.0.1:{screen.serve('127.0.0.1', 0)}"
    try:
        with Watched(browser, 360, 640) as page:
            page.goto(f"{here}/op?lang=de")
            page.fill("input", PIN)
            page.keyboard.press("Enter")
            page.wait_for_selector("h1")
            page.goto(f"{here}/op/look?lang=de")
            page.wait_for_selector("#advice >> text=Spiegelung von links")
            assert page.title() == "Was die Kamera sieht"
            assert page.locator("#over .glare").count() == 8 and page.locator("#over .mark").count() == 1
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
            page.click("text=pizza-02")
            page.wait_for_selector("#over .doubt", state="detached")
            assert glass.ruled == [(7, 2)]
            with page.expect_download() as saved:
                page.keyboard.press("b")
            assert saved.value.suggested_filename == "companion-1.zip"
            page.wait_for_selector("text=Gesichert als companion-1.zip")
    finally:
        screen.close()


def test_nobody_else_sees_through_the_camera(browser: Any) -> None:
    screen = Screen(lambda event, reply: None, phrases(), PIN, looking=Spyglass())
    here = f"http://127.0.0.1:{screen.serve('127.0.0.1', 0)}"
    try:
        with Watched(browser, 800, 480, faults=False) as page:
            page.goto(f"{here}/op/look?lang=en")
            page.wait_for_selector("input")  # sent to the operator's page, which asks for the PIN
            assert "/op?lang=en" in page.url
    finally:
        screen.close()
