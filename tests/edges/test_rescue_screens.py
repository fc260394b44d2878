"""Rescue Club in a real Chromium: the ready wave of a class, and a sheet drawn by taps on a phone."""

from __future__ import annotations

from typing import Any

import pytest
from browsers import CHROMIUM, Watched
from chain_map import CHAIN
from playwright.sync_api import Browser, expect
from rescue_stage import Stage

from companion.games.rescue.map_file import read, write
from companion.games.rescue.maps import practice
from companion.house import News
from companion.table.events import Chosen, Opened
from companion.table.things import Player

pytestmark = CHROMIUM


OUTSIDE = """[...document.querySelectorAll("h1,.prompt,.rescue-now > *,.rescue-wave li,.of")].filter((e) => { const r = e.getBoundingClientRect();
 return r.width && (r.left < -1 || r.top < -1 || r.right > innerWidth + 1 || r.bottom > innerHeight + 1); }).map((e) => e.className + ": " + e.innerText)"""


@pytest.mark.parametrize("count", [1, 6, 39])
@pytest.mark.parametrize("size", [(1920, 1080), (1280, 720)])
def test_the_ready_wave_of_any_class_fits_the_screen(
    browser: Browser, count: int, size: tuple[int, int]
) -> None:
    names = ["Teacher", *(f"Child {n}" for n in range(1, count + 1))]
    stage = Stage(names, classroom=True)
    stage.do(Chosen(Player("Teacher"), "die", "5"))
    ready = names[1 : 1 + count // 2]
    for name in ready:
        stage.do(*(Chosen(Player(name), "draw", option) for option in ("plant:A-a1", "ready")))
    with Watched(browser, *size) as page:
        page.goto(f"{stage.address}/table?lang=de")
        expect(page.locator(".rescue-wave li")).to_have_count(count)
        expect(page.locator(".rescue-wave .ready")).to_have_count(len(ready))
        expect(page.locator(".rescue-shape circle")).to_have_count(4)
        assert page.evaluate(OUTSIDE) == []
    stage.screen.close()


def test_a_sheet_is_drawn_by_taps_taken_back_and_finished(browser: Browser) -> None:
    stage = Stage(["Mia", "Paul"])
    stage.do(Chosen(Player("Mia"), "die", "3"))
    with Watched(browser, 390, 844) as page:
        stage.sit(page, "Mia")

        def cell(name: str) -> Any:
            return page.locator(f'.rescue-sheet [data-cell="{name}"]')

        expect(page.locator(".rescue-sheet .cell")).to_have_count(44)
        expect(page.locator('[data-cue="draw"]')).to_have_count(0)  # no endless list of buttons
        for name in ("A-a1", "A-b1"):
            cell(name).click()
        expect(cell("A-c1")).to_have_class("cell can")
        expect(cell("A-a2")).not_to_have_class("cell can")  # no straight three goes there any more
        circle = page.locator(".rescue-do .main")
        expect(circle).to_be_disabled()
        cell("A-c1").click()
        circle.click()
        expect(page.locator(".rescue-sheet .tree")).to_have_count(3)
        page.get_by_role("button", name="take back").click()
        expect(page.locator(".rescue-sheet .tree")).to_have_count(0)
        page.get_by_role("button", name="Show a way").click()
        circle.click()
        page.get_by_role("button", name="Ready").click()
        expect(page.locator(".prompt")).to_contain_text("Paul")
    assert stage.session.state.flow.ready == {"Mia"}
    stage.screen.close()


def test_bonuses_are_offered_and_used_by_taps(browser: Browser) -> None:
    stage = Stage(["Mia"], map=CHAIN)
    for option in ("plant:A-a1,A-b1", "rehome:A-a1"):
        stage.do(
            Chosen(Player("Mia"), "die", "1"),
            Chosen(Player("Mia"), "draw", option),
            Chosen(Player("Mia"), "draw", "ready"),
        )
    stage.do(Chosen(Player("Mia"), "die", "1"), Chosen(Player("Mia"), "draw", "rehome:A-b1"))
    with Watched(browser, 390, 844) as page:
        stage.sit(page, "Mia", "de")
        expect(page.locator(".rescue-seat")).to_contain_text("fertig bist: 2")
        page.locator(".rescue-bonus .row .main").click()  # the skybridge to B
        expect(page.locator(".rescue-sheet .off")).to_have_count(0)
        for name in ("B-a1", "B-b1"):
            page.locator(f'.rescue-bonus [data-cell="{name}"]').click()
        expect(page.locator(".rescue-sheet .tree")).to_have_count(4)
        page.locator("button.press").click()
    assert stage.session.state.pupils["Mia"].sheet.claimed == {"A:row0", "A:col1"}
    stage.screen.close()


def test_a_phone_shows_nothing_of_another_sheet(browser: Browser) -> None:
    stage = Stage(["Mia", "Paul"])
    stage.do(Chosen(Player("Mia"), "die", "1"), Chosen(Player("Mia"), "draw", "plant:A-a1,A-b1"))
    with Watched(browser, 390, 844) as page:
        stage.sit(page, "Paul")
        expect(page.locator(".rescue-sheet .cell")).to_have_count(44)
        expect(page.locator(".rescue-sheet .tree")).to_have_count(0)
    stage.screen.close()


def test_the_owners_map_is_entered_on_the_operators_page_and_played(browser: Browser) -> None:
    stage = Stage(["Mia"])
    stage.session = None  # type: ignore[assignment]  # the table is free again
    stage.screen.show(None, News())
    with Watched(browser, 1024, 900) as page:
        page.goto(f"{stage.address}/op?lang=en")
        page.locator(".pin input").fill("271828")
        page.get_by_role("button", name="Enter").click()
        page.locator("select").first.select_option("rescue")
        page.locator(".map-editor summary").click()
        page.get_by_role("button", name="Enter your sheet").click()
        page.locator('[data-cell="A01"]').click()  # a koala becomes a tree alone
        page.locator('[data-cell="A02"]').click()
        page.locator('[data-cell="A02"]').click()  # and here no tree is left
        page.get_by_label("End of row 1").select_option("hospital")
        page.get_by_role("button", name="Another area").click()
        page.get_by_label("End of row 2").first.select_option("skybridge")
        page.locator("legend", has_text="Hospitals").locator("..").get_by_role("button", name="+").click()
        page.locator(".seating input").fill("Mia, Paul")
        page.locator(".seating form button").click()
        page.get_by_role("button", name="Begin with 2").click()
        expect(page.locator(".told")).to_be_visible()
    opened = stage.asked.get(timeout=10)
    assert isinstance(opened, Opened)
    board = read(str(opened.setting.options["map"]))
    assert [area.id for area in board.areas] == ["A", "B"]
    assert board.area["A"].rows == ("KT.", "KKK")
    assert board.bonuses["A:row0"].kind == "hospital"
    assert board.bonuses["A:row1"].kind == "skybridge"
    assert len(board.hospitals) == 1
    assert stage.session.state.board == board
    stage.screen.close()


def test_the_editor_reads_back_what_it_and_the_companion_write(browser: Browser) -> None:
    stage = Stage(["Mia"])
    text = write(practice())
    with Watched(browser, 800, 600) as page:
        page.goto(f"{stage.address}/table?lang=en")
        again = page.evaluate(
            "async (text) => { const m = await import('/static/panels/rescue_setup.js'); return m.write(m.parse(text)); }",
            text,
        )
    assert read(again) == practice()
    stage.screen.close()
