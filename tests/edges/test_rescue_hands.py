"""Rescue Club where people get stuck: a lost phone, a class without any, a bonus with one way left, a broken map."""

from __future__ import annotations

from typing import Any

import pytest
from browsers import CHROMIUM, Watched
from playwright.sync_api import Browser, Page, expect
from rescue_stage import Stage

from companion.house import News, Running
from companion.table.cues import Wait
from companion.table.events import Chosen, Pressed, Rang
from companion.table.things import CALL, Player

pytestmark = CHROMIUM


def draws(name: str, *options: str) -> list[Chosen]:
    return [Chosen(Player(name), "draw", option) for option in options]


@pytest.mark.parametrize(
    ("lang", "words"), [("en", "When somebody cannot go on"), ("de", "Wenn jemand nicht weiter")]
)
def test_whoever_leads_goes_on_without_a_lost_phone(browser: Browser, lang: str, words: str) -> None:
    stage = Stage(["Ada", "Bert", "Cleo"])
    stage.do(
        Chosen(Player("Ada"), "die", "3"),
        *draws("Bert", "plant:A-a1", "ready"),
        *draws("Ada", "plant:A-a1,A-b1,A-c1"),
    )
    with Watched(browser, 1280, 900) as page:
        stage.lead(page, lang)
        expect(page.locator("section").first).to_contain_text(
            stage.screen.code
        )  # how another phone sits down
        expect(page.locator("details.aside")).not_to_have_attribute("open", "")
        page.get_by_text(words, exact=False).last.click()
        aside = page.locator("details.aside .asked")
        assert "A-a1" not in page.inner_text("body")
        aside.nth(1).get_by_role("button", name="Cleo").click()  # away
        expect(page.locator(".quiet >> text=Cleo")).to_have_count(0)
        aside.nth(0).get_by_role("button", name="Ada").click()  # the turn counts as it stands
        expect(page.locator(".now")).to_contain_text("2")
    state = stage.session.state
    assert (state.phase, state.away, len(state.pupils["Ada"].sheet.trees)) == ("roll", {"Cleo"}, 3)
    stage.screen.close()


def test_a_class_on_paper_needs_one_press_and_asks_for_badges_and_points_by_name(browser: Browser) -> None:
    names = ["Teacher", *(f"Child {n}" for n in range(1, 29))]
    stage = Stage(names, classroom=True, depth="light")
    stage.do(Chosen(Player("Teacher"), "die", "5"))
    with Watched(browser, 1280, 900) as page:
        page.goto(f"{stage.address}/table?lang=en")
        expect(page.locator(".turn")).to_contain_text("28")
        stage.lead(page)
        first = page.locator("section").first
        expect(first.locator("h3").first).to_have_text("All are ready")  # nobody is marked away by mistake
        expect(page.locator("details.aside .asked button").first).not_to_be_visible()
        first.locator("button").first.click()
        expect(first).to_contain_text("Do you have a merit badge?")
        assert first.locator("button").count() < 35
        first.locator("button", has_text="Child 7").click()
        expect(first.locator(".preview-step button")).to_have_text(
            ["1: all koalas of area A", "2: all trees of area D", "3: skybridges: 4"]
        )
        assert "koalas_a" not in page.inner_text("body")
    stage.screen.close()


BEDS = """
[[areas]]
id = "A"
rows = ["KK", "KK"]
row_bonus = ["hospital", "hospital x2"]
[[hospitals]]
id = "h2"
size = 2
points = 1
"""


@pytest.mark.parametrize("lang", ["en", "de"])
def test_a_bonus_is_taken_as_often_as_there_is_room_and_told_by_its_place(
    browser: Browser, lang: str
) -> None:
    stage = Stage(["Mia"], map=BEDS)
    both = ("A-a1,A-b1", "A-a2,A-b2")
    for option in (f"plant:{both[0]}", f"plant:{both[1]}"):
        stage.do(Chosen(Player("Mia"), "die", "1"), *draws("Mia", option, "ready"))
    stage.do(
        Chosen(Player("Mia"), "die", "1"), *draws("Mia", f"rehome:{both[0]}", "bonus:A-row0:h2", "ready")
    )
    stage.do(Chosen(Player("Mia"), "die", "1"), *draws("Mia", f"rehome:{both[1]}"))
    with Watched(browser, 390, 844) as page:
        stage.sit(page, "Mia", lang)
        title = page.locator(".rescue-bonus h2")
        expect(title).to_contain_text({"en": "Row 2 of area A", "de": "Zeile 2 von Gebiet A"}[lang])
        expect(page.locator(".rescue-warn")).to_contain_text("1")
        expect(page.locator(".rescue-bonus .rescue-sheet")).to_have_count(1)  # the map stays in sight
        assert "h2" not in page.inner_text("main")
        page.locator('[data-target="h2"]').click()
        expect(page.locator(".rescue-bonus")).to_have_count(0)
    assert stage.session.state.pupils["Mia"].draft.turn.sheet.beds == (2,)
    stage.screen.close()


def test_a_tap_that_does_nothing_says_why_and_where_no_shape_fits_a_single_circle_is_named(
    browser: Browser,
) -> None:
    stage = Stage(["Mia", "Paul"])
    stage.do(Chosen(Player("Mia"), "die", "6"))
    with Watched(browser, 390, 844) as page:
        stage.sit(page, "Mia")
        page.locator('[data-cell="B-a1"]').click()
        expect(page.locator(".rescue-hint")).to_contain_text("Area B is not connected")
        page.locator('[data-cell="A-a1"]').click()
        expect(page.locator(".rescue-hint")).to_have_count(0)
        page.locator('[data-cell="A-d3"]').click()
        expect(page.locator(".rescue-hint")).to_contain_text("does not go with")
        page.locator(".rescue-what button").nth(1).click()
        page.locator('[data-cell="A-b1"]').click()
        expect(page.locator(".rescue-hint")).to_contain_text("needs a circled tree")
        expect(page.locator(".rescue-what button").nth(1)).to_contain_text("not now")
        small = page.evaluate(TOO_SMALL)
        assert small == []
    stage.screen.close()
    lone = Stage(["Mia"], map='[[areas]]\nid = "A"\nrows = ["K.K"]\n')
    lone.do(Chosen(Player("Mia"), "die", "6"))
    with Watched(browser, 390, 844) as page:
        lone.sit(page, "Mia", "de")
        expect(page.locator(".rescue-warn")).to_contain_text("einen einzelnen Baum")
        page.locator('[data-cell="A-a1"]').click()
        page.locator(".rescue-do .main").click()
        expect(page.locator(".rescue-sheet .tree")).to_have_count(1)
    lone.screen.close()


TOO_SMALL = """[...document.querySelectorAll("button,input,select")].filter((e) => { const r = e.getBoundingClientRect();
 const own = e.closest("label") ? e.closest("label").getBoundingClientRect() : r;
 return r.width && (Math.max(r.height, own.height) < 44 || Math.max(r.width, own.width) < 44); }).map((e) => `${e.outerHTML.slice(0, 80)} ${e.offsetWidth}x${e.offsetHeight}`)"""


def test_the_circle_of_a_used_volunteer_stays_in_sight(browser: Browser) -> None:
    stage = Stage(["Mia"])
    stage.do(Chosen(Player("Mia"), "die", "2"), *draws("Mia", "number:3:1"))
    with Watched(browser, 390, 844) as page:
        stage.sit(page, "Mia")
        circles = page.locator(".rescue-stock span").first
        expect(circles).to_have_attribute("aria-label", "Volunteers: ready 0, used 1, of 6 circles")
        expect(circles).to_contain_text("⊗○○○○○")
    stage.screen.close()


def enter_map(page: Page, stage: Stage, lang: str) -> None:
    stage.session = None  # type: ignore[assignment]  # the table is free again
    stage.screen.show(None, News())
    stage.lead(page, lang)
    page.locator("select").first.select_option("rescue")
    page.locator(".map-editor summary").click()
    page.locator(".map-editor button").first.click()


def test_the_editor_leads_a_bridge_elsewhere_and_a_broken_shape_begins_no_game(browser: Browser) -> None:
    stage = Stage(["Mia"])
    with Watched(browser, 1024, 900) as page:
        enter_map(page, stage, "de")
        ends = page.get_by_label("Ende von Zeile 1").first
        expect(ends.locator('option[value="skybridge"]')).to_have_count(0)  # there is no other area yet
        page.get_by_role("button", name="Noch ein Gebiet").click()
        page.locator(".seating input").fill("Mia")
        page.locator(".seating form button").click()
        begin = page.get_by_role("button", name="Beginnen")
        begin.click()
        expect(page.locator(".told.no")).to_contain_text("In Gebiet B kommt niemand")
        ends.select_option("skybridge")
        expect(page.get_by_label("führt nach").first.locator("option")).to_have_text(["B"])
        page.get_by_label("Name der Karte").fill("Unser Blatt")
        page.locator('[aria-label="3: 3, 4"]').click()  # far from the other circles of this shape
        begin.click()
        expect(page.locator(".told.no")).to_contain_text("Die Form einer 3 fällt auseinander")
        page.locator('[aria-label="3: 3, 4"]').click()
        assert [each for each in page.evaluate(TOO_SMALL) if "map-" in each or "number" in each] == []
        begin.click()
        expect(page.locator(".now")).to_be_visible()
    board = stage.session.state.board
    assert (board.name, board.verified, board.bonuses["A:row0"].to) == ("Unser Blatt", False, "B")
    stage.screen.close()


def test_own_sheets_that_the_companion_does_not_know_show_no_other_maps_badges(browser: Browser) -> None:
    stage = Stage(["Mia"])
    with Watched(browser, 1024, 900) as page:
        enter_map(page, stage, "en")
        page.get_by_role("button", name="Play the practice map").click()
        page.locator("label", has_text="unknown to it").locator("select").first.select_option("light_only")
        page.locator(".seating input").fill("Mia")
        page.locator(".seating form button").click()
        page.get_by_role("button", name="Begin with").click()
        page.goto(f"{stage.address}/table?lang=en")
        expect(page.locator(".rescue-badges")).to_contain_text("see your sheet")
        assert "area A" not in page.inner_text("body")
    assert stage.session.state.board is None
    stage.screen.close()


@pytest.mark.parametrize("lang", ["en", "de"])
def test_sheets_to_draw_on_are_printed_from_the_page_of_the_own_map_too(browser: Browser, lang: str) -> None:
    stage = Stage(["Mia"])
    with Watched(browser, 1024, 900, faults=False) as page:  # a refused number is logged as a failed request
        for own in (False, True):
            page.goto(f"{stage.address}/print?lang={lang}")
            page.locator("select").first.select_option("rescue")
            sheets = page.locator("section").last
            sheets.locator("input").fill("9-3")
            sheets.locator("button").click()
            expect(sheets.locator(".refusal")).to_contain_text(
                {"en": "write 7 or 1-30", "de": "schreib 7 oder"}[lang]
            )
            sheets.locator("input").fill("1-2")
            with page.expect_response("**/print/rescue.pdf*") as answered:
                sheets.locator("button").click()
            expect(sheets.locator("a.button")).to_be_visible()
            assert answered.value.status == 200
            assert answered.value.request.method == ("POST" if own else "GET")
            page.evaluate("(text) => localStorage.setItem('rescue.map.toml', text)", BEDS)
    stage.screen.close()


CUT = """() => { const c = document.createElement("canvas").getContext("2d");
 return [...document.querySelectorAll("select")].filter((e) => e.offsetWidth).flatMap((e) => { const s = getComputedStyle(e);
  c.font = `${s.fontWeight} ${s.fontSize} ${s.fontFamily}`;
  const room = e.clientWidth - parseFloat(s.paddingLeft) - parseFloat(s.paddingRight);
  return [...e.options].map((o) => o.text).filter((text) => c.measureText(text).width > room); }); }"""


@pytest.mark.parametrize("lang", ["en", "de"])
@pytest.mark.parametrize("size", [(1024, 900), (390, 844)])
def test_no_choice_before_a_game_is_cut_nor_too_small_to_touch(
    browser: Browser, lang: str, size: tuple[int, int]
) -> None:
    stage = Stage(["Mia"])
    with Watched(browser, *size) as page:
        enter_map(page, stage, lang)
        page.locator("details:not([open]) > summary").last.click()  # the rulings
        expect(page.get_by_text("RESC-AMB-20")).to_be_visible()
        assert page.evaluate(CUT) == []
        assert page.evaluate(TOO_SMALL) == []
    stage.screen.close()


OVER = """() => { const box = (s) => { const e = document.querySelector(s); return e && e.getBoundingClientRect(); };
 const hit = (a, b) => Boolean(a && b) && a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
 const [ring, die, told, shape] = [".rescue-now .ring svg", ".rescue-die", ".rescue-now .seconds", ".rescue-shape"].map(box);
 return { die: hit(ring, die), shape: hit(ring, shape), inside: told && ring && told.left >= ring.left && told.right <= ring.right && told.top >= ring.top && told.bottom <= ring.bottom }; }"""


@pytest.mark.parametrize("size", [(1920, 1080), (1280, 720), (1024, 600)])
def test_in_the_badge_window_the_clock_lies_over_nothing(browser: Browser, size: tuple[int, int]) -> None:
    stage = Stage(["Mia", "Paul"], depth="light")
    stage.do(Chosen(Player("Mia"), "die", "5"), Pressed(Player("Mia"), CALL, 0))
    clock: Any = next(cue for cue in stage.session.cues if isinstance(cue, Wait))
    run = Running(clock.clock, 10**18, clock.seconds, ())
    stage.screen.show(stage.session, News(clocks=(run,)))
    with Watched(browser, *size) as page:
        page.goto(f"{stage.address}/table?lang=de")
        expect(page.locator(".rescue-now .seconds")).to_be_visible()
        assert page.evaluate(OVER) == {"die": False, "shape": False, "inside": True}
    stage.do(Rang(clock.clock))
    stage.screen.close()
