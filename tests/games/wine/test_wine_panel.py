"""Wine's panel in a real Chromium: it fits its screens, shows who is attacked and protected, and when nobody looks."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest
from browsers import CHROMIUM, Watched
from playwright.sync_api import Browser, expect
from wine_random import twins
from wine_table import SHELF, Wine

from companion.edges.screen import Screen
from companion.house import News, Running
from companion.shelf import phrases
from companion.table import crank
from companion.table.crank import Turn
from companion.table.cues import Wait
from companion.table.events import Pressed
from companion.table.session import Session
from companion.table.things import BID

pytestmark = CHROMIUM
SIX = ("Mia", "Paul", "Maximilian-Alexander", "Ben", "Cleo", "Emil")
SIZES = [(1920, 1080), (1280, 720), (800, 480)]
OUTSIDE = """() => {
  const main = document.querySelector("main").getBoundingClientRect();
  const foot = document.querySelector("footer").getBoundingClientRect();
  return [...document.querySelectorAll(".wine-row, .back, .chance, .wine-map li, .away, .limits")].map((each) => [each.className, each.getBoundingClientRect()])
    .filter(([, r]) => r.top < main.top - 2 || r.bottom > foot.top + 2 || r.left < -1 || r.right > innerWidth + 1).map(([name, r]) => `${name} ${r.top} ${r.bottom}`);
}"""


@pytest.fixture(scope="module")
def screen() -> Iterator[Screen]:
    made = Screen(lambda _, reply: reply(None), phrases(), "271828", shelf=SHELF)
    made.address = f"http://127.0.0.1:{made.serve('127.0.0.1', 0)}"  # type: ignore[attr-defined]  # for the tests below
    yield made
    made.close()


def attacked() -> Session:
    """A thief at a table of six with protections and many glasses."""
    game = Wine(*SIX, extension="all").later()
    rows = {**game.state.rows, "Mia": tuple(range(1, 10)), "Cleo": (13, 14)}
    game.set(vintage=frozenset({"Ben"}), aged={"Cleo": 2}, rows=rows, lost=(15,), out=("Emil",))
    game.set(rows={**rows, "Emil": ()})
    game.play("thieves_red")
    game.choose("Mia", "glass", "Paul:1")
    assert game.phase == "stop_window"
    return game.session


def looking() -> Session:
    game = Wine("Mia", "Paul", variant_2_3=True).later()
    game.play("oenologist")
    game.choose("Mia", "look", "middle:2")
    return game.session


def over() -> Session:
    """The map of a random game of five or six."""
    for seed in range(300, 330):
        last = list(twins(seed))[-1].one
        if last.state.phase == "finale" and len(last.state.order) > 4:
            turn = crank.advance(SHELF, last, Pressed(last.state.winner, BID, 1))
            assert isinstance(turn, Turn)
            return turn.session
    raise AssertionError("no long game among these")


def news(session: Session) -> News:
    now = time.monotonic_ns()
    waits = [cue for cue in session.cues if isinstance(cue, Wait)]
    return News(clocks=tuple(Running(w.clock, now + int(w.seconds * 1e9), w.seconds, w.beats) for w in waits))


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("made", [attacked, looking, over], ids=lambda made: made.__name__)
def test_the_panel_fits_every_screen(
    browser: Browser, screen: Screen, made: object, size: tuple[int, int]
) -> None:
    session = made()  # type: ignore[operator]  # one of the three above
    screen.show(session, news(session))
    with Watched(browser, *size) as page:
        page.goto(f"{screen.address}/table?lang=de")  # type: ignore[attr-defined]  # set by the fixture
        expect(page.locator(".wine-board, .wine-map")).to_be_visible()
        expect(page.locator("footer .prompt")).not_to_be_empty()
        assert page.evaluate(OUTSIDE) == []


def test_the_attacked_row_the_glass_and_the_protections_are_seen(browser: Browser, screen: Screen) -> None:
    session = attacked()
    screen.show(session, news(session))
    with Watched(browser, 1280, 720) as page:
        page.goto(f"{screen.address}/table?lang=en")  # type: ignore[attr-defined]  # set by the fixture
        expect(page.locator(".wine-row.attacked b")).to_have_text("Paul")
        expect(page.locator(".back.aimed i")).to_have_text("1")
        expect(page.locator(".wine-card")).to_contain_text("Thieves")
        expect(page.locator(".shield")).to_have_count(1)
        expect(page.locator(".back.aged i")).to_have_text("2")
        expect(page.locator(".chance strong")).to_contain_text("%")
        expect(page.locator(".seconds")).to_be_visible()


def test_the_screen_says_that_the_camera_looks_away(browser: Browser, screen: Screen) -> None:
    session = looking()
    screen.show(session, news(session))
    with Watched(browser, 1280, 720) as page:
        page.goto(f"{screen.address}/table?lang=en")  # type: ignore[attr-defined]  # set by the fixture
        expect(page.locator(".away p")).to_have_text("The camera looks away")
        expect(page.locator(".backs.centre .back")).to_have_count(3)


def test_on_a_phone_a_glass_is_chosen_where_it_lies(browser: Browser, screen: Screen) -> None:
    """Fifteen glasses of five others on a small phone: grouped by owner, each big enough, nothing beside the page."""
    game = Wine(*SIX).later()
    game.play("thieves_red")
    screen.at(screen.address)  # type: ignore[attr-defined]  # set by the fixture
    screen.show(game.session, News())
    with Watched(browser, 360, 640) as page:
        page.goto(f"{screen.address}/j?lang=de#{screen.code}")  # type: ignore[attr-defined]  # as above
        page.locator(".choices button", has_text="Mia").click()
        page.wait_for_url("**/seat")
        expect(page.locator(".pick-row")).to_have_count(5)
        expect(page.locator('.pick button[data-cue="glass"]')).to_have_count(15)
        expect(page.locator('[data-option="Maximilian-Alexander:3"]')).to_be_visible()
        sizes = page.locator(".pick button").evaluate_all(
            "all => all.map((b) => b.getBoundingClientRect()).map((r) => Math.min(r.width, r.height))"
        )
        assert min(sizes) >= 44
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
