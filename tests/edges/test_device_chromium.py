"""The device on the operator's page: pre-flight in colours, and a report of a problem as a file."""

from __future__ import annotations

from typing import Any

from browsers import CHROMIUM, Watched
from playwright.sync_api import Browser

from companion.edges.screen import Screen
from companion.edges.screen.look import NoLooking
from companion.shelf import phrases, shelf

PIN = "271828"
pytestmark = CHROMIUM


class Doctor:
    """Waits for one button, then all is well but the power."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def __call__(self, lang: str) -> list[dict[str, str]]:
        return []

    def preflight(self, do: str, lang: str) -> dict[str, Any]:
        self.asked.append(f"{do} {lang}")
        over = len(self.asked) > 2
        return {
            "over": over,
            "items": [
                {"topic": "buttons", "level": "good" if over else "wait", "text": "place 1", "remedy": ""},
                {"topic": "power", "level": "bad", "text": "too low", "remedy": "another supply"},
            ],
        }


class Reporting(NoLooking):
    """Makes a report."""

    def report(self) -> tuple[str, bytes]:
        return "companion-report-1.zip", b"PK"


def test_the_preflight_is_seen_to_its_end_and_a_report_is_saved(browser: Browser) -> None:
    doctor = Doctor()
    screen = Screen(
        lambda event, reply: None, phrases(), PIN, shelf=shelf(), doctor=doctor, looking=Reporting()
    )
    address = f"http://127.0.0.1:{screen.serve('127.0.0.1', 0)}"
    try:
        with Watched(browser, 900, 1200) as page:
            page.goto(f"{address}/op?lang=en")
            page.get_by_label("PIN").fill(PIN)
            page.keyboard.press("Enter")
            page.get_by_text("Device, before the evening").click()
            page.get_by_role("button", name="Pre-flight").click()
            page.locator(".findings li.wait").get_by_text("place 1").wait_for()
            page.locator(".findings li.bad").get_by_text("another supply").wait_for()
            page.locator(".findings li.good").get_by_text(
                "place 1"
            ).wait_for()  # asked again until it is over
            page.get_by_role("button", name="Pre-flight").wait_for()
            assert doctor.asked == ["begin en", "look en", "look en"]
            with page.expect_download() as saved:
                page.get_by_role("button", name="Report a problem").click()
            assert saved.value.suggested_filename == "companion-report-1.zip"
    finally:
        screen.close()
