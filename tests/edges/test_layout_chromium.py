"""Every page, with every game's fullest moments, on every size of screen: nothing is cut, nothing lies over another.

What is meant to be so stands here by name: names of more than twelve letters may end in dots, and a few pictures
carry text on purpose.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from browsers import CHROMIUM, Watched
from playwright.sync_api import Browser, Page, Route, expect
from scenes import OPTIONS, Scene, classroom, scenes
from staged import Stage, enter, sit, unfold

from companion.table.record import record

pytestmark = CHROMIUM
LAYOUT = (Path(__file__).parent / "layout.js").read_text("utf-8")
SHOTS = os.environ.get("COMPANION_SHOTS")  # a folder in which every picture is kept, to be looked at
DOTS = ".longer, .person:has(.longer)"  # names of more than twelve letters
MEANT = ", ".join((
    ".ring",  # the seconds stand on the ring, the syllables of a count across it
    ".kk-beat",  # the count covers the rows: nobody may look at them now
    ".walks",  # arrows cross the table
    ".back",  # the number of a glass stands in the glass
    ".pill, .told",  # a word that lies over everything for a while
))  # fmt: skip
# Until no motion is under way (but those that never end) and nothing has moved for ten pictures on end.
AT_REST = """async () => {
  const picture = () => new Promise((done) => requestAnimationFrame(done));
  const places = () => [...document.querySelectorAll("main *")].map((e) => Math.round(e.getBoundingClientRect().top)).join();
  const ends = (motion) => motion.effect.getComputedTiming().endTime !== Infinity;
  for (let same = 0, last = "", left = 300; same < 10 && left > 0; left--) {
    await Promise.all(document.getAnimations().filter(ends).map((motion) => motion.finished.catch(() => {})));
    await picture();
    const now = places();
    same = now === last ? same + 1 : 0;
    last = now;
  }
}"""
TABLES = [(800, 480, "de", "dark"), (1920, 1080, "en", "light")]


def faults(page: Page, name: str, *, scrolls: bool) -> list[str]:
    """What is wrong on this page now."""
    if SHOTS:
        page.screenshot(path=Path(SHOTS) / f"{name}.png", full_page=scrolls)
    page.evaluate(AT_REST)
    found = page.evaluate(LAYOUT, {"scrolls": scrolls, "cut": DOTS, "over": MEANT})
    return [f"{name}: {each}" for each in found]


def played(game: str) -> tuple[Scene, ...]:
    return (*scenes(game), classroom()) if game == "rescue" else scenes(game)


@pytest.mark.parametrize("game", OPTIONS)
@pytest.mark.parametrize("size", TABLES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_the_table_shows_every_phase_whole(
    browser: Browser, stage: Stage, game: str, size: tuple[int, int, str, Any]
) -> None:
    width, height, lang, look = size
    wrong = []
    with Watched(browser, width, height, look=look) as page:
        page.goto(f"{stage.address}/table?lang={lang}")
        for scene in played(game):
            stage.show(scene)
            page.wait_for_selector(f'.screen[data-rev="{scene.session.last}"][data-game="{game}"]')
            page.wait_for_selector("main.plain", state="detached")
            page.evaluate("document.fonts.ready")
            wrong += faults(page, f"{game}-{scene.phase}-{width}-{lang}", scrolls=False)
    assert wrong == [], "\n" + "\n".join(wrong)


@pytest.mark.parametrize("game", OPTIONS)
def test_a_phone_shows_every_phase_whole_in_the_largest_letters(
    browser: Browser, stage: Stage, game: str
) -> None:
    """The longest name's phone, which is small, set to the largest of the three sizes."""
    wrong = []
    with Watched(browser, 360, 640) as page:
        stage.show(scenes(game)[0])
        who = max(scenes(game)[0].session.setting.players, key=len)
        page.goto(f"{stage.address}/j?lang=de#{stage.screen.code}")
        page.locator(".choices button", has_text=who).click()
        page.wait_for_url("**/seat")
        page.evaluate("localStorage.setItem('size', '2')")
        page.goto(f"{stage.address}/seat?lang=de")
        for scene in scenes(game):
            stage.show(scene)
            page.wait_for_selector(f'main[data-rev="{scene.session.last}"]')
            wrong += faults(page, f"{game}-{scene.phase}-phone", scrolls=True)
    assert wrong == [], "\n" + "\n".join(wrong)


@pytest.mark.parametrize("size", [(360, 640, "de"), (800, 480, "en")], ids=["phone", "small"])
@pytest.mark.parametrize("game", OPTIONS)
def test_the_operators_page_shows_every_phase_whole(
    browser: Browser, stage: Stage, game: str, size: tuple[int, int, str]
) -> None:
    wrong = []
    with Watched(browser, size[0], size[1]) as page:
        enter(page, stage, size[2])
        for scene in scenes(game)[:: 2 if size[0] == 360 else 5]:
            stage.show(scene)
            page.wait_for_selector(f'.op-page[data-rev="{scene.session.last}"]')
            unfold(page)
            wrong += faults(page, f"{game}-{scene.phase}-op-{size[0]}", scrolls=True)
    assert wrong == [], "\n" + "\n".join(wrong)


def test_a_part_of_the_operators_page_that_comes_late_is_unfolded_too(browser: Browser, stage: Stage) -> None:
    """A game's own form is a file of its own: a page once measured before it came had a folded form in it."""
    with Watched(browser, 800, 480) as page:
        held = list[Route]()

        def hold(route: Route) -> None:
            held.append(route)

        def let_go(route: Route) -> None:
            held[0].continue_()
            route.continue_()

        page.route("**/panels/rescue_setup.js", hold)
        page.route("**/static/op.js?now", let_go)
        enter(page, stage, "en")
        stage.show(scenes("rescue")[0])
        page.wait_for_selector("html[data-coming]")
        assert faults(page, "before", scrolls=True) == []
        page.evaluate("setTimeout(() => fetch('/static/op.js?now'), 300)")
        unfold(page)
        expect(page.locator("details.map-editor[open]")).to_be_visible()
        assert faults(page, "after", scrolls=True) == []


@pytest.mark.parametrize("lang", ["de", "en"])
@pytest.mark.parametrize("size", [(360, 640), (800, 480), (1920, 1080)], ids=lambda size: str(size[0]))
def test_the_quiet_pages_are_whole(browser: Browser, stage: Stage, size: tuple[int, int], lang: str) -> None:
    for game in OPTIONS:
        end = scenes(game)[-1]
        assert end.session.over
        stage.archive.keep(record(end.session), b"")
    wrong = []
    with Watched(browser, *size, look="light" if lang == "en" else "dark", faults=False) as page:
        page.goto(f"{stage.address}/table?lang={lang}")  # nobody plays: how to join
        expect(page.locator(".joining img")).to_be_visible()
        wrong += faults(page, f"lobby-{size[0]}-{lang}", scrolls=False)
        page.goto(f"{stage.address}/op?lang={lang}")
        expect(page.locator(".pin input")).to_be_visible()
        wrong += faults(page, f"pin-{size[0]}-{lang}", scrolls=False)
        enter(page, stage, lang)
        for name, there in (
            ("op", ".seating"), ("j", "form, .choices"), ("print", "section"), ("help", "section"), ("history", "section"),
            ("op/look", "h1"),
        ):  # fmt: skip
            page.goto(f"{stage.address}/{name}?lang={lang}")
            expect(page.locator(there).first).to_be_visible()
            unfold(page)
            wrong += faults(page, f"{name.replace('/', '-')}-{size[0]}-{lang}", scrolls=True)
        stage.show(scenes("koala")[0])
        page.goto(f"{stage.address}/j?lang={lang}")
        expect(page.locator(".choices")).to_be_visible()
        wrong += faults(page, f"names-{size[0]}-{lang}", scrolls=True)
    assert wrong == [], "\n" + "\n".join(wrong)


def test_what_the_test_looks_for_is_found(browser: Browser, stage: Stage) -> None:
    """The eye itself: text that is cut, covered or off the screen is noticed."""
    with Watched(browser, 800, 480, faults=False) as page:
        page.goto(f"{stage.address}/table?lang=en")
        expect(page.locator(".joining")).to_be_visible()
        assert faults(page, "eye", scrolls=False) == []
        page.evaluate("""() => {
          const put = (text, css) => { const e = document.createElement("p"); e.textContent = text; e.style.cssText = `position:fixed;font-size:20px;white-space:nowrap;${css}`; document.body.append(e); };
          put("one two", "left:10px;top:10px"); put("three", "left:40px;top:12px");
          put("a word too wide", "left:10px;top:60px;width:50px;overflow:hidden"); put("gone", "left:790px;top:100px");
        }""")
        found = " ".join(faults(page, "eye", scrolls=False))
    assert "over each other" in found and "cut" in found and "off the screen" in found


@pytest.mark.parametrize(("diagonal", "metres"), [(7.0, 1.0), (15.6, 1.3), (24.0, 1.9)])
def test_letters_are_sized_by_the_screens_diagonal(browser: Browser, diagonal: float, metres: float) -> None:
    """A short prompt is read from so far on 1080 lines: 22 minutes of arc for its capitals, as far as it fits."""
    stage = Stage(diagonal)
    scene = next(each for each in scenes("kukakoenig") if each.phase == "beat")
    stage.show(scene)
    with Watched(browser, 1920, 1080) as page:
        page.goto(f"{stage.address}/table?lang=en")
        page.wait_for_selector(f'.screen[data-rev="{scene.session.last}"]')
        page.wait_for_selector("main.plain", state="detached")
        px = page.evaluate("parseFloat(getComputedStyle(document.querySelector('.prompt')).fontSize)")
    stage.screen.close()
    capitals = 0.73 * px * diagonal * 25.4 / (1920**2 + 1080**2) ** 0.5
    assert capitals >= 6.4 * metres  # mm: 12.8 mm at two metres
    assert px >= 0.06 * 1080


WEIGHED = """performance.getEntriesByType("resource").concat(performance.getEntriesByType("navigation")).map((e) => [e.name, e.transferSize])"""


@pytest.mark.parametrize("page_name", ["table", "op", "seat", "j", "history", "print", "help"])
def test_a_page_with_all_it_loads_weighs_less_than_100_kb_for_every_game(
    browser: Browser, stage: Stage, page_name: str
) -> None:
    """As they cross the air; that nothing comes from elsewhere is asked of every page of every browser test."""
    games = OPTIONS if page_name in ("table", "op", "seat") else ("koala",)
    for game in games:
        scene = scenes(game)[-1]
        stage.show(scene)
        with Watched(browser, 360, 640) as page:
            if page_name == "op":
                enter(page, stage, "de")
            if page_name == "seat":
                sit(page, stage, f"Mia {game}")
            page.goto(f"{stage.address}/{page_name}?lang=de")
            page.wait_for_load_state("networkidle")
            weights = page.evaluate(WEIGHED)
        assert len(weights) > 4
        assert sum(weight for _, weight in weights) < 100_000, weights
