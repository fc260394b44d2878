"""What a newcomer stumbled over on the screens, in a real Chromium."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from browsers import CHROMIUM, Watched
from playwright.sync_api import Browser, expect
from scenes import scenes
from staged import Stage, enter, unfold

from companion.table import crank
from companion.table.crank import Turn
from companion.table.events import Undone

pytestmark = CHROMIUM
NOTHING_BROKEN = """[...document.querySelectorAll("th")].filter((cell) => {
  const range = document.createRange(); range.selectNodeContents(cell);
  return cell.innerText.trim() && !cell.innerText.trim().includes(" ") && range.getClientRects().length > 1;
}).map((cell) => cell.innerText)"""
GAME: dict[str, Any] = {
    "id": "0123", "game": "koala", "on": 1_790_000_000, "players": ["Mia", "Alexandra-Charlotte Beck"], "options": {},
    "seed": 1, "totals": {"Mia": 92, "Alexandra-Charlotte Beck": 2}, "winners": ["Mia"], "notes": [], "mended": 0,
    "events": 9, "lines": [], "rounds": [], "tales": [], "made_up": False,
}  # fmt: skip


def test_sheets_without_a_part_are_asked_for_not_printed_whole(browser: Browser, stage: Stage) -> None:
    with Watched(browser, 412, 915) as page:
        page.goto(f"{stage.address}/print?lang=en")
        boxes = page.get_by_role("checkbox")
        expect(boxes).to_have_count(3)
        for box in boxes.all():
            box.uncheck()
        expect(page.get_by_role("status")).to_contain_text("Choose what to print")
        expect(page.get_by_role("button", name="Preview")).to_be_disabled()


@pytest.mark.parametrize("path", ["op", "seat", "history"])
def test_whatever_opens_shows_that_it_does_and_turns(browser: Browser, stage: Stage, path: str) -> None:
    stage.archive.keep(GAME, b"")
    stage.show(scenes("koala")[0])
    with Watched(browser, 360, 640) as page:
        if path == "op":
            enter(page, stage, "en")
        elif path == "seat":
            page.goto(f"{stage.address}/j?lang=en#{stage.screen.code}")
            page.locator(".choices button").first.click()
            page.wait_for_url("**/seat")
        else:
            page.goto(f"{stage.address}/history?lang=en")
        summary = page.locator("details:not([open]) > summary").first
        arrow = "(e) => [getComputedStyle(e, '::before').content, getComputedStyle(e, '::before').transform]"
        shut = summary.evaluate(arrow)
        opened = summary.evaluate(
            f"(e) => {{ e.parentElement.open = true; const told = ({arrow})(e); return e.getAnimations({{ subtree: true }}).length ? 'turns' : told; }}"
        )
        assert "▸" in shut[0] and shut[1] == "none"
        assert opened == "turns" or opened[1] != shut[1]


def test_a_table_without_sound_says_it_shortly_and_the_operator_why(browser: Browser, stage: Stage) -> None:
    scene = scenes("koala")[0]
    why = "no voice, captions only: no sound device (Error querying device -1)"
    stage.show(replace(scene, news=replace(scene.news, health={"voice": why})))
    with Watched(browser, 1280, 720) as page:
        page.clock.install()
        page.goto(f"{stage.address}/table?lang=en")
        expect(page.locator(".trouble")).to_have_text(
            "Not everything can be heard now: the captions say it all."
        )
        page.clock.fast_forward(61_000)
        expect(page.locator(".trouble")).to_have_count(0)
    with Watched(browser, 412, 915) as page:
        enter(page, stage, "en")
        expect(page.locator(".ill")).to_contain_text("Error querying device -1")


def test_the_history_of_a_small_phone_breaks_no_heading_and_writes_numbers_as_its_language(
    browser: Browser, stage: Stage
) -> None:
    stage.archive.keep(GAME, b"")
    with Watched(browser, 360, 640) as page:
        page.goto(f"{stage.address}/history?lang=de")
        expect(page.locator("tbody")).to_contain_text("92,0")
        assert page.evaluate(NOTHING_BROKEN) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_a_phone_without_connection_keeps_its_name_in_one_piece(browser: Browser, stage: Stage) -> None:
    stage.show(scenes("koala")[0])
    with Watched(browser, 360, 640, faults=False) as page:  # the browser logs the lost line
        page.goto(f"{stage.address}/j?lang=de#{stage.screen.code}")
        page.locator(".choices button", has_text="Alexandra").click()
        page.wait_for_url("**/seat")
        expect(page.locator("header h1")).to_be_visible()
        page.evaluate("""() => { const told = document.createElement("b"); told.className = "ill";
          told.textContent = "Keine Verbindung. So war es zuletzt."; document.querySelector("header").append(told); }""")
        lines = page.locator("header h1").evaluate(
            "(e) => e.offsetHeight / parseFloat(getComputedStyle(e).lineHeight)"
        )
        assert round(lines) <= 2


def test_the_field_for_names_takes_none_that_is_too_long_and_names_doubles(
    browser: Browser, stage: Stage
) -> None:
    with Watched(browser, 360, 640) as page:
        enter(page, stage, "en")
        field = page.get_by_label("Name, or several")
        field.fill("Mia, " + "x" * 30 + ", Mia")
        expect(field).to_have_value("Mia, " + "x" * 24 + ", Mia")
        page.get_by_role("button", name="+", exact=True).click()
        expect(page.get_by_role("alert")).to_contain_text("Already there: Mia")
        expect(page.locator(".seating li")).to_have_count(2)


def test_the_end_of_a_game_stands_by_its_name_among_the_steps(browser: Browser, stage: Stage) -> None:
    scene = scenes("kukakoenig")[-1]
    back = crank.advance({}, scene.session, Undone(list(scene.session.path())[1].number))
    assert isinstance(back, Turn)
    stage.show(replace(scene, session=back.session))
    with Watched(browser, 360, 640) as page:
        enter(page, stage, "en")
        expect(page.get_by_role("button", name="Again")).to_contain_text("The end, won by")
        expect(page.get_by_role("heading", name="How it came to this")).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= 360


# Options whose words are wider than the field that shows them.
CUT = """[...document.querySelectorAll("select")].filter((e) => e.checkVisibility()).flatMap((e) => {
  const style = getComputedStyle(e), pen = document.createElement("canvas").getContext("2d");
  pen.font = `${style.fontSize} ${style.fontFamily}`;
  const room = e.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight) - 22;
  return [...e.options].map((each) => each.text).filter((text) => pen.measureText(text).width > room);
})"""


@pytest.mark.parametrize("lang", ["en", "de"])
def test_the_links_above_are_as_large_as_a_finger_and_no_choice_of_a_new_game_is_cut(
    browser: Browser, stage: Stage, lang: str
) -> None:
    with Watched(browser, 1024, 600) as page:
        enter(page, stage, lang)
        high = page.locator("header a").evaluate_all(
            "(all) => all.map((e) => e.getBoundingClientRect().height)"
        )
        assert len(high) > 3 and min(high) >= 44
        games = page.locator("section select").first
        for game in [
            str(each) for each in games.locator("option").evaluate_all("(all) => all.map((e) => e.value)")
        ]:
            games.select_option(game)
            unfold(page)
            assert page.evaluate(CUT) == []


@pytest.mark.parametrize("lang", ["en", "de"])
def test_what_the_own_cards_do_can_be_read_on_the_phone_before_they_are_used(
    browser: Browser, stage: Stage, lang: str
) -> None:
    scene = next(each for each in scenes("karnivore") if each.phase == "tribe")
    stage.show(scene)
    player = scene.session.setting.players[0]
    king = scene.session.state.kings[player]
    deck = scene.session.box.deck
    facts: Any = deck.facts[deck.face(king)]
    with Watched(browser, 360, 640) as page:
        page.goto(f"{stage.address}/j?lang={lang}#{stage.screen.code}")
        page.get_by_role("button", name=str(player)).click()
        page.wait_for_url("**/seat")
        page.goto(f"{stage.address}/seat?lang={lang}")
        page.locator(
            "summary", has_text="Was diese Karten tun" if lang == "de" else "What these cards do"
        ).click()
        expect(page.locator(".ka-texts")).to_contain_text(facts["effect"][lang])
