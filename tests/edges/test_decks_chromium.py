"""The owner's decks in a real browser: cards shown, forms filled, faults read at their fields, changes taken back."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from axe_playwright_python.sync_playwright import Axe
from browsers import CHROMIUM, Watched
from playwright.sync_api import Browser, Page, expect

from companion import shelf
from companion.desks import Desks
from companion.edges.screen import Screen
from companion.games.karnivore.workshop import read
from companion.vision.markers import draw

pytestmark = CHROMIUM
PIN = "161803"


@pytest.fixture
def address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., str]]:
    """Serve a table whose decks lie in a folder of their own; what the camera sees is given."""
    monkeypatch.setenv("COMPANION_DECKS", str(tmp_path / "decks"))
    _forget()
    screens: list[Screen] = []

    def served(seen: Any = None, busy: bool = False) -> str:
        decks = Desks(grey=lambda: seen, busy=lambda game: busy)
        screens.append(Screen(lambda event, reply: None, shelf.phrases(), PIN, decks=decks))
        return f"http://127.0.0.1:{screens[-1].serve('127.0.0.1', 0)}"

    yield served
    for screen in screens:
        screen.close()
    monkeypatch.undo()
    _forget()


def _forget() -> None:
    shelf.deck.cache_clear()
    shelf.phrases.cache_clear()


@contextmanager
def operator(browser: Browser, here: str, lang: str, size: tuple[int, int], game: str) -> Iterator[Page]:
    with Watched(browser, *size) as page:
        page.goto(f"{here}/op?lang={lang}")
        page.fill("input", PIN)
        page.keyboard.press("Enter")
        page.wait_for_selector("header h1")
        page.goto(f"{here}/op/decks?lang={lang}#{game}")
        page.wait_for_selector("section")
        yield page


def card(code: int) -> Any:
    sheet = np.full((300, 300), 235, np.uint8)
    mark = draw("aruco-5x5-1000", code, 10, quiet=1)
    sheet[60 : 60 + mark.shape[0], 60 : 60 + mark.shape[1]] = mark
    return sheet


def fits(page: Page) -> bool:
    return bool(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))


def readable(page: Page) -> None:
    """Every form and button can be used with a screen reader, and read in the dark."""
    found = Axe().run(page).response["violations"]
    assert [
        (each["id"], each["nodes"][0]["html"]) for each in found if each["impact"] in ("serious", "critical")
    ] == []


@pytest.mark.parametrize("size", [(360, 640), (800, 480)])
def test_a_card_shown_to_the_camera_opens_its_form_and_is_kept(
    browser: Browser, address: Callable[..., str], size: tuple[int, int]
) -> None:
    with operator(browser, address(card(700)), "de", size, "karnivore") as page:
        assert "Zum Teil erfunden" in page.inner_text("body")
        page.click("text=Der Kamera eine Karte zeigen")
        page.click("text=Aufkleber 700: eine neue Karte")
        expect(page.locator('[data-field="animals"]')).to_be_visible()  # a workbear's field
        page.select_option('select[name="kind"]', "huntbear")
        expect(page.locator('[data-field="animals"]')).to_have_count(0)
        assert page.input_value('input[name="markers"]') == "700"
        page.click("button.main >> text=Speichern")
        expect(page.locator('[data-field="name"] [role="alert"]')).to_contain_text("Der Name fehlt")
        expect(page.locator('[data-field="symbols"] [role="alert"]')).to_contain_text("Kreuzt an")
        assert fits(page)
        readable(page)
        assert not shelf.own_deck("karnivore").is_file()
        page.fill('[data-field="name"] input >> nth=1', "Röhrbär")
        page.check('input[name="symbols-spear"]')
        page.fill('input[name="most"]', "2")
        page.fill('[data-field="effect"] textarea >> nth=0', "Gain two spears")
        page.click("text=Wirkung dazu")
        page.fill('[data-field="ops"] input', "2")
        page.click("button.main >> text=Speichern")

        page.wait_for_selector("text=Das nächste Spiel wird damit gespielt")
        assert fits(page)
    kept = shelf.deck("karnivore")
    assert kept.by_marker[700].face == "roehrbaer"
    assert dict(kept.facts["roehrbaer"]) == {
        "name": {"en": "Röhrbär", "de": "Röhrbär"}, "symbols": ["spear"], "most": 2, "ops": [{"op": "spears", "n": 2}],
        "effect": {"en": "Gain two spears", "de": "Gain two spears"}, "source": "owner",
    }  # fmt: skip


def test_a_photo_opens_the_card_a_change_goes_back_and_files_go_out_and_in(
    browser: Browser, address: Callable[..., str], tmp_path: Path
) -> None:
    fish = next(each.marker for each in shelf.deck("karnivore").cards if each.face == "fishbear")
    photo = tmp_path / "card.png"
    cv2.imwrite(str(photo), card(fish))
    with operator(browser, address(), "en", (360, 640), "karnivore") as page:
        page.click("text=Show a card to the camera")
        page.wait_for_selector("text=No picture comes. Connect a camera")
        page.click("text=Stop looking")
        page.set_input_files('input[accept="image/jpeg,image/png"]', str(photo))
        page.click(f"text=Sticker {fish}: Fishbear")
        page.click("text=+ bird")
        assert page.input_value('input[name="animals"]') == "fish, bird"
        page.click("button.main >> text=Keep")
        page.wait_for_selector("text=The next game is played with it")
        assert shelf.deck("karnivore").facts["fishbear"]["animals"] == ["fish", "bird"]
        with page.expect_download() as saved:
            page.click("text=Export as a file")
        exported = Path(saved.value.path()).read_text("utf-8")
        assert saved.value.suggested_filename == "karnivore.toml"
        assert read(exported, "x").facts["fishbear"]["animals"] == ["fish", "bird"]
        page.click("text=Take the last change back")
        page.wait_for_selector("text=the one that came with the companion")
        assert shelf.deck("karnivore").facts["fishbear"]["animals"] == ["fish"]
        page.set_input_files(
            'input[accept^=".toml"]',
            {"name": "x.toml", "mimeType": "application/toml", "buffer": b"game = 1"},
        )
        page.wait_for_selector("text=That does not fit")
        page.set_input_files(
            'input[accept^=".toml"]',
            {"name": "m.toml", "mimeType": "application/toml", "buffer": exported.encode()},
        )
        page.wait_for_selector("text=The next game is played with it")
        assert shelf.deck("karnivore").facts["fishbear"]["animals"] == ["fish", "bird"]
        page.click("summary >> text=workbear")
        page.click("button >> text=Fishbear")
        page.click("text=Take this card away")
        page.wait_for_selector("button >> text=Fishbear", state="detached")
        assert "fishbear" not in shelf.deck("karnivore").facts


@pytest.mark.parametrize("size", [(360, 640), (800, 480)])
def test_the_eight_numbers_are_entered_and_must_come_to_112(
    browser: Browser, address: Callable[..., str], size: tuple[int, int]
) -> None:
    with operator(browser, address(), "en", size, "kukakoenig") as page:
        assert "Made up in part" in page.inner_text("body")
        page.wait_for_selector("text=58 of 112 cards")
        numbers = {"animal": 6, "wife": 8, "house": 6, "church": 8, "knight": 16, "vp2": 6, "vp3": 6}
        for name, number in numbers.items():
            page.fill(f'input[name="{name}"]', str(number))
        page.click("button.main >> text=Keep")
        expect(page.locator('[data-field="vp4"] [role="alert"]')).to_contain_text("The number is missing")
        page.fill('input[name="vp4"]', "5")
        page.click("button.main >> text=Keep")
        expect(page.locator('[data-field="animal"] [role="alert"]')).to_contain_text("5 of each animal")
        page.fill('input[name="animal"]', "5")
        page.wait_for_selector("text=113 of 112 cards")
        page.click("button.main >> text=Keep")
        page.wait_for_selector("text=these are 113: 1 too many")
        assert fits(page)
        readable(page)
        page.fill('input[name="vp4"]', "4")
        page.uncheck('input[name="stays-church"]') if page.is_checked(
            'input[name="stays-church"]'
        ) else page.check('input[name="stays-church"]')
        page.click("button.main >> text=Keep")
        page.wait_for_selector("text=These are your own cards")
        assert not shelf.deck("kukakoenig").made_up
        page.click("text=Take the last change back")
        page.wait_for_selector("text=Made up in part")
        assert shelf.deck("kukakoenig").made_up


def test_nobody_else_enters_a_deck(browser: Browser, address: Callable[..., str]) -> None:
    with Watched(browser, 800, 480, faults=False) as page:
        page.goto(f"{address()}/op/decks?lang=en")
        page.wait_for_selector("input")  # sent to the operator's page, which asks for the PIN
        assert "/op?lang=en" in page.url
        for what, method in (
            ("list", "GET"),
            ("karnivore/state", "GET"),
            ("karnivore/deck.toml", "GET"),
            ("karnivore/undo", "POST"),
        ):
            status = page.evaluate(
                "([at, method]) => fetch(at, {method}).then((a) => a.status)", [f"/op/decks/{what}", method]
            )
            assert status == 403, what


@pytest.mark.parametrize("lang", ["en", "de"])
def test_a_deck_that_is_played_with_says_so_before_a_form_is_filled_and_whoever_enters_the_pin_comes_back(
    browser: Browser, address: Callable[..., str], lang: str
) -> None:
    here = address(busy=True)
    with Watched(browser, 1280, 900, faults=False) as page:  # the browser logs that the page wants the PIN
        page.goto(f"{here}/op/decks?lang={lang}#kukakoenig")
        page.fill("input", PIN)
        page.keyboard.press("Enter")
        page.wait_for_url("**/op/decks**kukakoenig")
        expect(page.locator("header + .row [aria-pressed=true]")).to_have_count(1)
        width = "(e) => getComputedStyle(e).borderTopWidth"
        marked = page.locator("header + .row [aria-pressed=true]").evaluate(width)
        assert marked != page.locator("header + .row [aria-pressed=false]").first.evaluate(width)
        told = page.get_by_role("status").filter(has_text="gespielt" if lang == "de" else "played with").first
        expect(told).to_be_in_viewport()
        top = "(e) => e.getBoundingClientRect().top"
        assert told.evaluate(top) < page.locator(".deck-form").evaluate(top)
        expect(
            page.get_by_role("button", name="Keep" if lang == "en" else "Speichern", exact=True)
        ).to_be_disabled()


def test_what_was_kept_or_not_is_told_beside_the_button_that_was_pressed(
    browser: Browser, address: Callable[..., str]
) -> None:
    with operator(browser, address(), "en", (1280, 900), "karnivore") as page:
        page.get_by_role("button", name="Enter a new card").click()
        page.get_by_role("button", name="Keep", exact=True).click()
        expect(page.locator(".deck-foot .deck-told.bad")).to_be_in_viewport()
        page.select_option("[name=kind]", "backstabbear")
        expect(page.locator("[data-field=most]")).to_have_count(0)
        page.select_option("[name=kind]", "workbear")
        page.locator("[data-field=name] input").first.fill("Odd Bear")
        page.fill("[name=animals]", "fish, unicorn")
        page.get_by_role("button", name="Keep", exact=True).click()
        expect(page.locator(".deck-told.good")).to_contain_text(
            "New animal symbols, on no other card yet: unicorn."
        )
        page.get_by_role("button", name="Take the last change back").click()
        expect(page.locator(".deck-told.good")).to_contain_text("Taken back")
        page.get_by_role("button", name="Take the last change back").click()
        expect(page.locator(".deck-told.good")).to_contain_text("The last change is taken back")
