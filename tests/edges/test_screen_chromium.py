"""The pages in a real Chromium: they load under their strict headers, fit their screens and act on the table."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import pytest
from websockets.sync.client import connect

from companion.edges.screen import Screen
from companion.house import News, Running
from companion.shelf import phrases, shelf
from companion.table import crank
from companion.table.crank import Session, Turn
from companion.table.events import Clock, Event, Opened, Pressed, Setting, Shown
from companion.table.game import Point, Score
from companion.table.things import BID, CardId, Player, Zone, value

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
pytestmark = pytest.mark.skipif(
    CHROMIUM is None and "CI" not in os.environ, reason="no chromium here; apt install chromium"
)
PIN = "271828"
SHELF = shelf()
UNTIL = """new Promise((done, fail) => { const end = performance.now() + 10000; const look = () => { try { if (%s) return done(true); }
 catch (fault) {} performance.now() > end ? fail(new Error("never came true; " + document.body.innerText)) : requestAnimationFrame(look); }; look(); })"""


class Browser:
    """One page of a headless Chromium, driven over its own protocol."""

    def __init__(self, profile: Path) -> None:
        assert CHROMIUM is not None, "apt install chromium"
        self._process = subprocess.Popen(
            [CHROMIUM, "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run",
             "--remote-debugging-port=0", f"--user-data-dir={profile}", "about:blank"],
            stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True,
        )  # fmt: skip
        assert self._process.stderr is not None
        address = next(
            line.split()[-1] for line in self._process.stderr if line.startswith("DevTools listening")
        )
        self._stack = ExitStack()
        self._line = self._stack.enter_context(connect(address, max_size=None))
        self._number, self._session = 0, ""
        self.faults: list[str] = []
        self.asked: list[str] = []
        page = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=page, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def call(self, method: str, **given: Any) -> Any:
        self._number += 1
        message = {"id": self._number, "method": method, "params": given}
        if self._session:
            message["sessionId"] = self._session
        self._line.send(json.dumps(message))
        while True:
            told = json.loads(self._line.recv(timeout=30))
            if told.get("id") == self._number:
                if "navigated" in told.get("error", {}).get("message", ""):
                    return self.call(method, **given)  # the page loaded itself anew meanwhile: ask that one
                assert "error" not in told, told
                return told["result"]
            self._note(told)

    def _note(self, told: Any) -> None:
        if told["method"] == "Runtime.exceptionThrown" or (
            told["method"] == "Log.entryAdded" and told["params"]["entry"]["level"] == "error"
        ):
            self.faults.append(json.dumps(told["params"]))
        elif told["method"] == "Network.requestWillBeSent":
            self.asked.append(told["params"]["request"]["url"])

    def run(self, script: str) -> Any:
        told = self.call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        assert "exceptionDetails" not in told, told["exceptionDetails"]
        return told["result"].get("value")

    def until(self, script: str) -> None:
        self.run(UNTIL % script)

    def go(self, url: str, width: int, height: int) -> None:
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=False,
        )
        self.call("Page.navigate", url=url)

    def tap(self, selector: str, text: str = "") -> None:
        found = f"[...document.querySelectorAll({json.dumps(selector)})].find(e => e.innerText.includes({json.dumps(text)}))"
        self.until(f"{found} && !{found}.disabled")
        self.run(f"{found}.click()")

    def close(self) -> None:
        self._stack.close()
        self._process.terminate()
        self._process.wait(timeout=10)
        if self._process.stderr is not None:
            self._process.stderr.close()


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    made = Browser(tmp_path_factory.mktemp("chromium"))
    yield made
    made.close()


@value
class Stage:
    """A screen that is served, the session it shows, and what was asked of the house."""

    screen: Screen
    address: str
    asked: SimpleQueue[Event]

    def show(self, session: Session | None, news: News | None = None) -> None:
        self.screen.show(session, news or News())


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

    screen = Screen(put, phrases(), PIN, shelf=SHELF)
    yield Stage(screen, f"http://127.0.0.1:{screen.serve('127.0.0.1', 0)}", asked)
    screen.close()


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
    browser.faults.clear()
    browser.asked.clear()
    browser.go(f"{stage.address}/table?lang=de", *size)
    browser.until("document.querySelector('.seat, .group') && document.querySelector('.prompt').innerText")
    assert browser.run(INSIDE) == []
    assert browser.run(APART) == []
    port = stage.address.rpartition(":")[2]  # a page of the test before may still mourn its own table
    assert [fault for fault in browser.faults if port in fault or "127.0.0.1" not in fault] == []
    assert all(url.startswith(("http://127.0.0.1:", "about:")) for url in browser.asked), browser.asked


def test_the_count_is_seen_syllable_by_syllable(browser: Browser, stage: Stage) -> None:
    ends = time.monotonic_ns() + 600_000_000_000
    beats = ("beat.ko", "beat.a", "beat.la")
    stage.show(auction(4), News(clocks=(Running(Clock("call", 1), ends, 1_000.0, beats),)))
    browser.go(f"{stage.address}/table?lang=en", 1280, 720)
    browser.until("document.querySelector('.beats .now').innerText == 'A!'")  # 400 of 1000 s have passed


def test_a_screen_that_loses_the_table_says_so_and_comes_back_by_itself(
    browser: Browser, stage: Stage
) -> None:
    stage.show(auction(4))
    browser.go(f"{stage.address}/table?lang=en", 1280, 720)
    browser.until("document.querySelector('.seat')")
    stage.screen.close()
    browser.until(
        "document.querySelector('.stale') && document.querySelector('.pill') && document.querySelector('.seat')"
    )
    again = Screen(lambda event, reply: None, phrases(), PIN, shelf=SHELF)
    again.show(auction(5), News())
    again.serve("127.0.0.1", int(stage.address.rpartition(":")[2]))
    browser.until("!document.querySelector('.stale') && document.querySelectorAll('.sitting').length === 5")
    again.close()


def test_the_operator_enters_opens_a_game_answers_mends_and_goes_back_by_taps(
    browser: Browser, stage: Stage
) -> None:
    browser.faults.clear()
    browser.go(f"{stage.address}/op?lang=en", 360, 640)
    type_in = "(e, text) => { e.value = text; e.dispatchEvent(new Event('input', { bubbles: true })); }"
    browser.until("document.querySelector('.pin input')")
    browser.run(f"({type_in})(document.querySelector('.pin input'), '{PIN}')")
    browser.tap(".pin button")
    browser.until("document.querySelector('textarea') && document.querySelector('select').value")
    browser.run(f"({type_in})(document.querySelector('textarea'), 'Mia\\nPaul\\nAda')")
    browser.tap("button", "Begin with 3")
    browser.tap("button", "Mia")  # begins
    browser.until("document.querySelector('.told')")
    browser.until("document.querySelectorAll('.steps li').length >= 2")
    browser.tap("section button", "Mia")  # has dealt
    browser.tap("summary", "Cards by hand")
    browser.tap("details[open] .tile", "pizza")
    browser.tap("details[open] button", "one not seen yet")
    browser.tap("details[open] button", "This lies there")
    browser.until("document.querySelector('.now').innerText.includes('1 pizza')")
    browser.tap(".steps button", "misread")
    browser.tap(".mend .tile", "pizza 01")
    browser.tap(".mend .tile:not([aria-pressed])", "hamburger")
    browser.tap(".mend button", "one not seen yet")
    browser.tap(".mend button", "This is what lay there")
    browser.until("document.querySelector('.now').innerText.includes('1 hamburger')")
    browser.tap("button", "One back")
    browser.until("document.querySelector('.now').innerText.includes('turns the top card')")
    browser.tap("button", "Again")
    browser.until("document.querySelector('.now').innerText.includes('1 hamburger')")
    assert browser.run("document.documentElement.scrollWidth") <= 360
    small = "[...document.querySelectorAll('button, select, summary')].filter(e => e.offsetHeight && e.offsetHeight < 44).length"
    assert browser.run(small) == 0
    assert [fault for fault in browser.faults if "exceptionDetails" in fault] == []
