"""Ku-Ka-König's panel in a real Chromium: it fits its screens, rows lie outwards, differences and scorings are seen."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import pytest
from browsers import CHROMIUM, Watched
from kuka_table import DECK, Desk
from playwright.sync_api import Browser, expect
from test_kuka_play import rounds

from companion.edges.screen import Screen
from companion.house import News, Running
from companion.shelf import phrases, shelf
from companion.table.cues import Wait

pytestmark = CHROMIUM
SIZES = [(1280, 720), (800, 480)]
OUTSIDE = """() => {
  const main = document.querySelector("main").getBoundingClientRect();
  const foot = document.querySelector("footer").getBoundingClientRect();
  return [...document.querySelectorAll(".kk-row, .kk-card, .kk-own, .kk-odds, .kk-scoring table, .kk-scoring ul, .kk-returns, .kk-returns p, .kk-beat")].map((each) => [each.className, each.getBoundingClientRect()])
    .filter(([, r]) => r.width > 0 && (r.top < main.top - 2 || r.bottom > foot.top + 2 || r.left < -1 || r.right > innerWidth + 1)).map(([name, r]) => `${name} ${r.top} ${r.bottom} ${foot.top}`);
}"""


@pytest.fixture(scope="module")
def screen() -> Iterator[Screen]:
    made = Screen(lambda _, reply: reply(None), phrases(), "271828", shelf=shelf())
    made.address = f"http://127.0.0.1:{made.serve('127.0.0.1', 0)}"  # type: ignore[attr-defined]  # for the tests below
    yield made
    made.close()


def thinking() -> Desk:
    """Three of four are ready, in the middle of a game: many cards lie before everybody."""
    desk = rounds(Desk(4, seed=3).lay(), 4)
    for name in desk.names[:3]:
        desk.press(name)
    return desk


def beating() -> Desk:
    desk = Desk(2, seed=3).lay()
    desk.press("Tim")
    desk.press("Sarah")
    return desk


def differing() -> Desk:
    """The inner card of row 2 went instead of the outermost one."""
    desk = rounds(Desk(4, seed=3).lay(), 2).seal(Tim=6, Sarah=2, Linus=2, Mia=7)
    desk.show(2, desk.row(2)[1:])
    return desk


def scoring() -> Desk:
    desk = rounds(Desk(4, seed=3).lay(), 4).round(1, 2, 3, 4)
    for _ in range(4):
        desk.press("Tim")
    return desk


def returning() -> Desk:
    desk = scoring()
    while desk.phase == "score":
        desk.press("Tim")
    first = desk.view["returns"]
    desk.box(tuple(card["card"] for card in first["cards"][1:]))
    return desk


def over() -> Desk:
    desk = rounds(Desk(4, seed=3).lay(), 8)
    desk.round(1, 2, 3, 4)
    while desk.phase == "score":
        desk.press("Tim")
    assert desk.phase == "over"
    return desk


def news(desk: Desk) -> News:
    now = time.monotonic_ns()
    waits = [cue for cue in desk.session.cues if isinstance(cue, Wait)]
    running = tuple(Running(w.clock, now + int(w.seconds * 1e9), w.seconds, w.beats) for w in waits)
    return News(captions=tuple(desk.says), clocks=running)


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize(
    "made", [thinking, beating, differing, scoring, returning], ids=lambda made: made.__name__
)
def test_ku_ka_koenigs_panel_fits_every_screen(
    browser: Browser, screen: Screen, made: Callable[[], Desk], size: tuple[int, int]
) -> None:
    desk = made()
    screen.show(desk.session, news(desk))
    with Watched(browser, *size) as page:
        page.goto(f"{screen.address}/table?lang=de")  # type: ignore[attr-defined]  # set by the fixture
        expect(page.locator(".kk-own").first).to_be_visible()
        expect(page.locator("footer .prompt")).not_to_be_empty()
        assert page.evaluate(OUTSIDE) == []


def test_rows_lie_outwards_and_the_card_that_should_go_is_marked(browser: Browser, screen: Screen) -> None:
    desk = differing()
    screen.show(desk.session, news(desk))
    faces = [DECK.face(card) for card in desk.row(2)]
    with Watched(browser, 1280, 720) as page:
        page.goto(f"{screen.address}/table?lang=en")  # type: ignore[attr-defined]  # set by the fixture
        row = page.locator('[data-row="2"]')
        expect(row).to_have_class("kk-row differs ")
        names = [phrases()["kukakoenig"].text("en", face) for face in faces]
        expect(row.locator(".kk-card span")).to_have_text(names)
        expect(row.locator(".kk-card.outer.goes")).to_have_count(1)
        expect(page.locator("footer .prompt")).to_contain_text("should have gone")
        expect(page.locator(".made-up")).to_be_visible()


def test_a_scoring_shows_types_so_far_and_running_sums(browser: Browser, screen: Screen) -> None:
    desk = scoring()
    screen.show(desk.session, news(desk))
    with Watched(browser, 1280, 720) as page:
        page.goto(f"{screen.address}/table?lang=en")  # type: ignore[attr-defined]  # set by the fixture
        sums = [str(desk.view["scoring"]["sums"][name]) for name in desk.names]
        expect(page.locator("tfoot td")).to_have_text(sums)
        expect(page.locator("tr.now th")).to_have_text("Animals")
        expect(page.locator("tbody tr").last.locator("td").first).to_be_empty()


def test_the_missing_red_cross_card_stands_out(browser: Browser, screen: Screen) -> None:
    desk = returning()
    screen.show(desk.session, news(desk))
    many = len(desk.view["returns"]["cards"])
    with Watched(browser, 1280, 720) as page:
        page.goto(f"{screen.address}/table?lang=en")  # type: ignore[attr-defined]  # set by the fixture
        expect(page.locator(".kk-cards > div")).to_have_count(many)
        expect(page.locator(".kk-cards > .there")).to_have_count(many - 1)


def test_the_result_tells_every_point_of_both_scorings(browser: Browser, screen: Screen) -> None:
    desk = over()
    screen.show(desk.session, news(desk))
    with Watched(browser, 1280, 720) as page:
        page.goto(f"{screen.address}/table?lang=de")  # type: ignore[attr-defined]  # set by the fixture
        expect(page.locator(".group")).to_have_count(4)
        totals = sorted(desk.state.score.totals.values(), reverse=True)
        expect(page.locator(".total")).to_have_text([str(total) for total in totals])
