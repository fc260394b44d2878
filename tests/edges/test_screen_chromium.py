"""The pages in a real Chromium: they load under their strict headers, fit their screens and act on the table."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from queue import SimpleQueue
from typing import Any
from urllib.parse import parse_qs, urlsplit

import cv2
import pytest
from axe_playwright_python.sync_playwright import Axe
from browsers import CHROMIUM, Watched
from playwright.sync_api import Browser, expect

from companion.edges.archive import Archive
from companion.edges.screen import Screen
from companion.house import News, Running
from companion.printing import printed_for_screen
from companion.shelf import phrases, shelf
from companion.table import crank
from companion.table.crank import Turn
from companion.table.cues import Press
from companion.table.events import Clock, Event, Opened, Pressed, Setting, Shown
from companion.table.game import Point, Score
from companion.table.session import Session
from companion.table.things import BID, CALL, CardId, Player, Zone, value
from companion.wire.journal_line import encode

pytestmark = CHROMIUM
PIN = "271828"
SHELF = shelf()


@value
class Stage:
    """A screen that is served, the session it shows, and what was asked of the house."""

    screen: Screen
    address: str
    asked: SimpleQueue[Event]

    def show(self, session: Session | None, news: News | None = None) -> None:
        self.screen.show(session, news or News())

    @property
    def code(self) -> str:
        return self.screen.code


@pytest.fixture
def stage() -> Iterator[Stage]:
    asked: SimpleQueue[Event] = SimpleQueue()
    sessions: list[Session] = []

    def put(event: Event, reply: Any) -> None:
        asked.put(event)
        turn = crank.advance(SHELF, sessions[-1] if sessions else None, event)
        if isinstance(turn, Turn):
            sessions.append(turn.session)
            screen.show(turn.session, News())
        reply(turn)

    archive = Archive(None)
    archive.keep(HISTORY, LINES)
    screen = Screen(put, phrases(), PIN, shelf=SHELF, archive=archive, printer=printed_for_screen)
    screen.at("http://192.0.2.7:8080")
    yield Stage(screen, f"http://127.0.0.1:{screen.serve('127.0.0.1', 0)}", asked)
    screen.close()


HISTORY: dict[str, Any] = {
    "id": "0123", "game": "koala", "on": 1_790_000_000, "players": ["Mia", "Paul", "Ada"], "options": {}, "seed": 1,
    "totals": {"Mia+Ada": 5, "Paul": 2}, "winners": ["Mia+Ada"], "notes": [], "mended": 1, "events": 9,
    "lines": [{"who": "Mia", "points": 1, "rule": "KOALA-SCO-06", "why": "score.feasts", "values": {"count": 1}}],
    "rounds": [], "tales": [{"key": "tale.walker", "values": {"name": "Ada", "count": 3}}], "made_up": False,
}  # fmt: skip


LINES = b"\n".join(
    encode(event) for event in (Opened(Setting("koala", (Player("Mia"), Player("Paul"), Player("Ada")), {}, 1)),
                                Pressed(Player("Mia"), BID, 1), Pressed(Player("Mia"), BID, 2))
)  # fmt: skip


def auction(count: int) -> Session:
    """Seven people at an auction of spaghetti, one bid is laid."""
    names = tuple(
        Player(name)
        for name in (
            "Mia",
            "Alexandra-Charlotte von B",
            "Ada",
            "Ben",
            "Cleo",
            "Emil",
            "Finn",
            "Greta",
            "Hugo",
            "Ida",
        )
    )[:count]
    session = None
    first = names[0]
    for event in (
        Opened(Setting("koala", names, {}, 1)), Pressed(first, BID, 1), Pressed(first, BID, 2),
        Shown(Zone("middle"), (CardId("spaghetti-01"),)), Pressed(names[2], BID, 3),
        Shown(Zone("middle"), (CardId("spaghetti-01"), CardId("spaghetti-02"))),
    ):  # fmt: skip
        turn = crank.advance(SHELF, session, event)
        assert isinstance(turn, Turn), turn
        session = turn.session
    assert session is not None
    return session


def finished(session: Session) -> Session:
    """The same table at the end, with as many reasons as a game can give."""
    seats = session.state.seats
    groups = {"+".join(p for p in (seat.white, seat.black) if p): seat for seat in seats}
    lines = tuple(
        Point(player, 2, "KOALA-SCO-05", "score.tied", {"food": f"@{food}", "count": 4, "place": f"@zone.cave:{'abcdef'[i]}"})
        for i, seat in enumerate(seats) if i % 2 == 0
        for food in ("pizza", "hamburger", "spaghetti")
        for player in (seat.white, seat.black) if player
    )  # fmt: skip
    feasts = tuple(
        Point(player, 1, "KOALA-SCO-06", "score.feasts", {"count": 1}) for player in session.setting.players
    )
    winners = (next(iter(groups)),)
    result = Score(lines + feasts, dict.fromkeys(groups, 7), winners)
    state = replace(session.state, phase="over", score=result)
    return replace(session, head=replace(session.head, state=state, cues=()))


INSIDE = """[...document.querySelectorAll("h1,.prompt,.caption,.seat,.stakes > p,.ring,.group,.numbers,.group li")].filter((e) => { const r = e.getBoundingClientRect();
 return r.left < -1 || r.top < -1 || r.right > innerWidth + 1 || r.bottom > innerHeight + 1; }).map((e) => e.className + ": " + e.innerText)"""
APART = """(() => { const boxes = [...document.querySelectorAll("header,footer,.seat,.ring,.stakes > p,.group")].map((e) => [e.className || e.tagName, e.getBoundingClientRect()]);
 const over = []; boxes.forEach(([a, r], i) => boxes.slice(i + 1).forEach(([b, s]) => { const w = Math.min(r.right, s.right) - Math.max(r.left, s.left), h = Math.min(r.bottom, s.bottom) - Math.max(r.top, s.top);
 if (w > 2 && h > 2) over.push(`${a} over ${b} ${w} ${h}`); })); return over; })()"""


@pytest.mark.parametrize("size", [(1920, 1080), (1280, 720), (800, 480)])
@pytest.mark.parametrize("count", [3, 7, 10])
@pytest.mark.parametrize("scene", ["auction", "result"])
def test_the_table_screen_fits_its_screen_without_overlap(
    browser: Browser, stage: Stage, size: tuple[int, int], count: int, scene: str
) -> None:
    session = auction(count)
    stage.show(session if scene == "auction" else finished(session))
    with Watched(browser, *size) as page:
        page.goto(f"{stage.address}/table?lang=de")
        expect(page.locator(".seat, .group").first).to_be_visible()
        expect(page.locator(".prompt")).not_to_be_empty()
        assert page.evaluate(INSIDE) == []
        assert page.evaluate(APART) == []


def test_the_count_is_seen_syllable_by_syllable(browser: Browser, stage: Stage) -> None:
    ends = time.monotonic_ns() + 600_000_000_000
    beats = ("beat.ko", "beat.a", "beat.la")
    stage.show(auction(4), News(clocks=(Running(Clock("call", 1), ends, 1_000.0, beats),)))
    with Watched(browser, 1280, 720) as page:
        page.goto(f"{stage.address}/table?lang=en")
        expect(page.locator(".beats .now")).to_have_text("A!")  # 400 of 1000 s have passed


def test_a_screen_that_loses_the_table_says_so_and_comes_back_by_itself(
    browser: Browser, stage: Stage
) -> None:
    stage.show(auction(4))
    with Watched(browser, 1280, 720, faults=False) as page:  # the browser logs the lost line
        page.goto(f"{stage.address}/table?lang=en")
        expect(page.locator(".seat").first).to_be_visible()
        stage.screen.close()
        expect(page.locator(".stale .seat").first).to_be_visible(timeout=15_000)
        expect(page.locator(".pill")).to_be_visible()
        again = Screen(lambda event, reply: None, phrases(), PIN, shelf=SHELF)
        again.show(auction(5), News())
        again.serve("127.0.0.1", int(stage.address.rpartition(":")[2]))
        expect(page.locator(".sitting")).to_have_count(5)
        expect(page.locator(".stale")).to_have_count(0)
        again.close()


def test_the_operator_enters_opens_a_game_answers_mends_and_goes_back_by_taps(
    browser: Browser, stage: Stage
) -> None:
    with Watched(browser, 360, 640) as page:
        page.goto(f"{stage.address}/op?lang=en")
        page.locator(".pin input").fill(PIN)
        page.get_by_role("button", name="Enter").click()
        page.get_by_label("Name, or several").fill("Paul, Mia; Ada")
        page.get_by_role("button", name="+", exact=True).click()
        page.get_by_role("button", name="Mia one seat earlier").click()
        page.get_by_role("button", name="Begin with 3").click()
        mia = page.locator("section button", has_text="Mia").first
        mia.click()  # begins
        expect(page.locator(".told")).to_be_visible()
        expect(page.locator(".steps li")).to_have_count(2)
        mia.click()  # has dealt
        page.locator("summary", has_text="Cards by hand").click()
        by_hand = page.locator("details[open]").first
        by_hand.locator(".tile", has_text="pizza").first.click()
        by_hand.get_by_role("button", name="This lies there").click()
        expect(page.locator(".now")).to_contain_text("1 pizza")
        page.get_by_role("button", name="misread").first.click()  # three taps: this is the first
        mend = page.locator(".mend")
        expect(mend.locator(".likely .tile", has_text="hamburger")).to_contain_text(
            "pizza 01"
        )  # which one goes
        mend.locator(".likely .tile", has_text="hamburger").click()
        expect(mend).to_contain_text("The score stays as it is.")
        mend.get_by_role("button", name="Correct it so").click()
        expect(page.locator(".now")).to_contain_text("1 hamburger")
        expect(page.locator(".steps .mended")).to_have_text("✎ mended")
        page.get_by_role("button", name="misread").first.click()  # and any other card by hand
        mend.locator("summary", has_text="Choose other cards").click()
        mend.locator("details .tile", has_text="hamburger").first.click()
        mend.locator("details .tile:not([aria-pressed])", has_text="spaghetti").click()
        expect(mend.get_by_role("button", name="This is what lay there")).to_be_enabled()
        mend.get_by_role("button", name="This is what lay there").click()
        mend.get_by_role("button", name="Correct it so").click()
        expect(page.locator(".now")).to_contain_text("1 spaghetti")
        page.get_by_role("button", name="One back").click()
        expect(page.locator(".now")).to_contain_text("turns the top card")
        page.get_by_role("button", name="Again").first.click()
        expect(page.locator(".now")).to_contain_text("1 spaghetti")
        page.locator("summary", has_text="New game").click()  # the guests must go home in the middle of it
        page.get_by_role("button", name="Begin with 3").click()
        page.get_by_role("button", name="Play on").click()
        expect(page.locator(".steps li")).not_to_have_count(1)
        page.get_by_role("button", name="Begin with 3").click()
        page.get_by_role("button", name="Give it up and begin").click()
        expect(page.locator(".steps li")).to_have_count(1)
        expect(page.get_by_role("alertdialog")).to_have_count(0)
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        small = "[...document.querySelectorAll('button, select, summary')].filter(e => e.offsetHeight && e.offsetHeight < 44).length"
        assert page.evaluate(small) == 0


def operating(page: Any, stage: Stage, lang: str = "en") -> None:
    page.goto(f"{stage.address}/op?lang={lang}")
    page.locator(".pin input").fill(PIN)
    page.locator(".pin button").click()
    expect(page.locator(".op-page")).to_be_visible()


def test_one_tap_lays_a_card_its_number_may_be_changed_and_nothing_mended_is_no_correction(
    browser: Browser, stage: Stage
) -> None:
    stage.show(auction(4))
    with Watched(browser, 360, 640) as page:
        operating(page, stage)
        page.get_by_role("button", name="misread").first.click()
        mend = page.locator(".mend")
        mend.locator("summary", has_text="Choose other cards").click()
        there, apply = (
            mend.get_by_label("What lies there"),
            mend.get_by_role("button", name="This is what lay there"),
        )
        expect(apply).to_be_disabled()
        expect(mend).to_contain_text("This is what stood there already")
        mend.locator(".faces .tile", has_text="hamburger").click()
        expect(there.locator(".tile")).to_have_count(3)
        expect(there.locator(".tile").last).to_contain_text("hamburger 01")
        expect(apply).to_be_enabled()
        others = mend.get_by_label("Another one of them")
        assert others.locator(".main, [aria-pressed=true]").count() == 0
        others.get_by_role("button", name="07", exact=True).click()
        expect(there.locator(".tile")).to_have_count(3)
        expect(there.locator(".tile").last).to_contain_text("hamburger 07")


def test_two_buttons_of_one_person_are_told_apart(browser: Browser, stage: Stage) -> None:
    session = auction(4)
    cues = tuple(
        Press(player, button, "cue.command")
        for player in session.setting.players[:1]
        for button in (CALL, BID)
    )
    stage.show(replace(session, head=replace(session.head, cues=cues)))
    with Watched(browser, 360, 640) as page:
        operating(page, stage)
        rows = page.locator("section", has_text="What the table waits for").get_by_role("group")
        expect(rows).to_have_count(2)
        expect(rows.first).to_contain_text("command button of the starting player")
        expect(rows.last).to_contain_text("own button")


def test_choices_of_rulings_are_words_beside_their_number(browser: Browser, stage: Stage) -> None:
    with Watched(browser, 360, 640) as page:
        operating(page, stage, "de")
        page.locator("summary", has_text="Auslegungen").click()
        choice = page.locator("label", has_text="KOALA-AMB-01")
        expect(choice).to_contain_text("im Uhrzeigersinn, wie ein Koala mit Blick zum Tisch")
        assert page.locator("option", has_text="_").count() == 0
        assert page.evaluate("document.documentElement.scrollWidth") <= 360


PAGES = ("table", "op", "j", "seat", "history", "print", "help")


@pytest.mark.parametrize("look", ["light", "dark"])
@pytest.mark.parametrize("name", PAGES)
def test_no_page_has_a_serious_fault_of_access(browser: Browser, stage: Stage, name: str, look: str) -> None:
    stage.show(auction(4))
    with Watched(browser, 412, 915, look=look) as page:
        if name == "seat":
            join(page, stage, "Mia", "en")
        else:
            page.goto(f"{stage.address}/{name}?lang=en")
        expect(page.locator("h1, .pin, .prompt").first).to_be_visible()
        page.wait_for_load_state("networkidle") if name in ("print", "help") else None
        found = Axe().run(page).response["violations"]
        serious = [
            (fault["id"], [node["html"][:90] for node in fault["nodes"]][:3])
            for fault in found if fault["impact"] in ("serious", "critical")
        ]  # fmt: skip
        assert serious == []


@pytest.mark.parametrize("name", ["op", "j", "seat", "history", "print", "help"])
@pytest.mark.parametrize("lang", ["en", "de"])
def test_every_page_for_a_hand_fits_a_small_phone(
    browser: Browser, stage: Stage, name: str, lang: str
) -> None:
    stage.show(auction(4))
    with Watched(browser, 360, 640) as page:
        if name == "seat":
            join(page, stage, "Ada", lang)
        else:
            page.goto(f"{stage.address}/{name}?lang={lang}")
        expect(page.locator("h1, .pin").first).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= 360


def join(page: Any, stage: Stage, name: str, lang: str) -> None:
    """A phone takes a seat by the code of the table screen."""
    page.goto(f"{stage.address}/j?lang={lang}#{stage.code}")
    page.locator(".choices button", has_text=name).click()
    page.wait_for_url("**/seat")
    page.goto(f"{stage.address}/seat?lang={lang}")
    expect(page.locator("header h1")).to_have_text(name)


def test_a_phone_takes_its_seat_presses_and_learns_what_came_of_it(browser: Browser, stage: Stage) -> None:
    stage.show(auction(4))
    with Watched(browser, 360, 640) as page:
        join(page, stage, "Ben", "en")
        page.locator("button.press").first.click()
        event = stage.asked.get(timeout=10)
        assert isinstance(event, Pressed) and event.player == "Ben"
        with Watched(browser, 360, 640) as other:
            other.goto(f"{stage.address}/j?lang=en#{stage.code}")
            expect(other.locator(".choices button", has_text="Ben")).to_be_disabled()
        page.locator("summary").click()
        page.get_by_role("button", name="Deutsch").click()
        expect(page.locator("summary")).to_have_text("Schrift, Sprache, Verlassen")
        page.locator("summary").click()
        gone = list[str]()
        page.on("request", lambda request: gone.append(request.url) if request.url.endswith("/j") else None)
        page.get_by_role("button", name="Platz aufgeben").click()
        page.wait_for_url("**/j")
        assert len(gone) == 1  # the table tells it, too: a second navigation would break the first one off


def test_history_shows_reasons_and_the_operator_takes_a_game_out_of_the_count(
    browser: Browser, stage: Stage
) -> None:
    with Watched(browser, 412, 915) as page:
        page.goto(f"{stage.address}/op?lang=en")
        page.locator(".pin input").fill(PIN)
        page.get_by_role("button", name="Enter").click()
        expect(page.locator(".seating")).to_be_visible()
        page.goto(f"{stage.address}/history?lang=en")
        expect(page.locator("tbody")).to_contain_text("Ada")
        page.locator("summary", has_text="Koala").click()
        expect(page.locator("details p", has_text="Ada changed seats 3 times")).to_be_visible()
        page.get_by_role("button", name="Do not count this game").click()
        expect(page.locator("section.stale")).to_have_count(1)


def test_the_print_page_shows_the_sheets_or_says_why_not(browser: Browser, stage: Stage) -> None:
    with Watched(browser, 1280, 900, faults=False) as page:  # a refused sheet is logged as a failed request
        page.goto(f"{stage.address}/print?lang=en")
        page.get_by_label("Only cards (from-to)").fill("9-3")
        page.get_by_role("button", name="Preview").click()
        expect(page.get_by_role("alert")).to_contain_text("this deck has 1 to 110")
        page.get_by_label("Only cards (from-to)").fill("1-12")
        page.get_by_role("button", name="Preview").click()
        expect(page.locator("iframe.preview")).to_be_visible()
        assert page.request.get(f"{stage.address}{page.locator('iframe').get_attribute('src')}").ok


def test_the_player_cards_carry_an_address_that_phones_reach_or_the_page_says_that_none_does(
    browser: Browser, stage: Stage
) -> None:
    with Watched(browser, 1280, 900) as page:
        for at, said in (("http://192.168.1.20:8080", "the one for phones: 192.168.1.20:8080/j"),
                         ("http://127.0.0.1:8080", "no phone gets there")):  # fmt: skip
            stage.screen.at(at)
            stage.show(None)
            page.goto(f"{stage.address}/print?lang=en")
            expect(page.locator("section p", has_text=said)).to_be_visible()
            page.get_by_role("button", name="Preview").click()
            wanted = f"{at if '192' in at else stage.address}/j"
            sheet = parse_qs(urlsplit(page.locator("iframe.preview").get_attribute("src") or "").query)
            assert sheet["join"] == [wanted]
        page.get_by_label("Player cards").uncheck()
        expect(page.locator("section p", has_text=said)).to_have_count(0)


def test_a_finished_game_is_watched_again_step_by_step(browser: Browser, stage: Stage) -> None:
    with Watched(browser, 1280, 720) as page:
        page.goto(f"{stage.address}/table?replay=0123&lang=en")
        expect(page.locator(".reel span")).to_have_text("1 / 3")
        first = page.locator("h1").inner_text()
        page.get_by_role("button", name="One step on").click()
        page.get_by_role("button", name="One step on").click()
        expect(page.locator(".reel span")).to_have_text("3 / 3")
        assert page.locator("h1").inner_text() != first
        page.get_by_role("button", name="×1").click()
        page.get_by_role("button", name="Play").click()
        expect(page.locator(".reel span")).to_have_text("3 / 3")


def test_the_operator_locks_the_table_and_gives_another_code(browser: Browser, stage: Stage) -> None:
    stage.show(auction(4))
    old = stage.code
    with Watched(browser, 412, 915) as page, Watched(browser, 360, 640, faults=False) as phone:
        page.goto(f"{stage.address}/op?lang=en")
        page.locator(".pin input").fill(PIN)
        page.get_by_role("button", name="Enter").click()
        page.locator("summary", has_text="Phones").click()
        page.get_by_role("button", name="Let nobody else sit down").click()
        expect(page.get_by_role("button", name="Let others sit down again")).to_be_visible()
        phone.goto(f"{stage.address}/j?lang=en#{old}")
        phone.locator(".choices button", has_text="Ben").click()
        expect(phone.get_by_role("alert")).not_to_be_empty()
        page.get_by_role("button", name="Let others sit down again").click()
        page.get_by_role("button", name="Another code").click()
        expect(page.locator("section b", has_text=old)).to_have_count(0)
        assert stage.code != old


def test_a_result_is_kept_as_a_picture(browser: Browser, stage: Stage, tmp_path: Path) -> None:
    """Podium, points and moments of a finished game, drawn by the page; nobody's address is asked for it."""
    with Watched(browser, 412, 915) as page:
        page.goto(f"{stage.address}/history?lang=de")
        page.locator("summary", has_text="Koala").click()
        with page.expect_download() as saved:
            page.get_by_role("button", name="Als Bild sichern").click()
        saved.value.save_as(tmp_path / "result.png")
        drawn = cv2.imread(str(tmp_path / "result.png"))
    assert drawn is not None and drawn.shape == (1080, 1080, 3)
    gold = (abs(drawn.astype(int) - (0x53, 0xC4, 0xF3)).sum(axis=2) < 12).mean()
    assert 0.02 < gold < 0.2  # the winner's step
    assert (drawn.max(axis=2) > 200).mean() > 0.01  # and words
    shots = os.environ.get("COMPANION_SHOTS")
    if shots:
        shutil.copy(tmp_path / "result.png", Path(shots) / "result-picture.png")


def test_names_are_dragged_into_the_order_of_their_seats(browser: Browser, stage: Stage) -> None:
    with Watched(browser, 412, 915) as page:
        page.goto(f"{stage.address}/op?lang=en")
        page.locator(".pin input").fill(PIN)
        page.get_by_role("button", name="Enter").click()
        page.locator(".seating input").fill("Mia, Paul, Ada")
        page.locator(".seating form button").click()
        rows = page.locator(".seating li")
        rows.nth(0).scroll_into_view_if_needed()
        start, end = rows.nth(0).locator("b").bounding_box(), rows.nth(2).locator("b").bounding_box()
        assert start is not None and end is not None
        page.mouse.move(start["x"] + 5, start["y"] + 5)
        page.mouse.down()
        page.mouse.move(start["x"] + 5, (start["y"] + end["y"]) / 2, steps=4)
        page.mouse.move(start["x"] + 5, end["y"] + 8, steps=4)
        page.mouse.up()
        expect(rows.locator("b")).to_have_text(["Paul", "Ada", "Mia"])
        page.get_by_role("button", name="Ada one seat earlier").click()
        expect(rows.locator("b")).to_have_text(["Ada", "Paul", "Mia"])


def test_history_tells_the_records_of_all_games(browser: Browser, stage: Stage) -> None:
    with Watched(browser, 412, 915) as page:
        page.goto(f"{stage.address}/history?lang=en")
        expect(page.locator("section", has_text="Records")).to_contain_text("Ada changed seats 3 times")
