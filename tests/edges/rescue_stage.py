"""Rescue Club on a served screen with a house as small as can be."""

from __future__ import annotations

from queue import SimpleQueue
from typing import Any

from playwright.sync_api import Page, expect

from companion.edges.screen import Screen
from companion.house import News
from companion.printing import printed_for_screen
from companion.shelf import phrases, shelf
from companion.table import crank
from companion.table.crank import Turn
from companion.table.events import Event, Opened, Setting
from companion.table.session import Session
from companion.table.things import Player

SHELF = shelf()
PIN = "271828"


class Stage:
    """A served screen with a house as small as can be: it applies what is asked, and shows it."""

    def __init__(self, names: list[str], **options: object) -> None:
        self.asked: SimpleQueue[Event] = SimpleQueue()
        players = tuple(Player(name) for name in names)
        self.session: Session = self._after(None, Opened(Setting("rescue", players, options, 3)))
        self.screen = Screen(self.put, phrases(), PIN, shelf=SHELF, printer=printed_for_screen)
        self.address = f"http://127.0.0.1:{self.screen.serve('127.0.0.1', 0)}"
        self.screen.at(self.address)
        self.screen.show(self.session, News())

    def _after(self, session: Session | None, event: Event) -> Session:
        turn = crank.advance(SHELF, session, event)
        assert isinstance(turn, Turn), turn
        return turn.session

    def do(self, *events: Event) -> None:
        for event in events:
            self.session = self._after(self.session, event)
        self.screen.show(self.session, News())

    def put(self, event: Event, reply: Any) -> None:
        self.asked.put(event)
        turn = crank.advance(SHELF, self.session, event)
        if isinstance(turn, Turn):
            self.session = turn.session
            self.screen.show(self.session, News())
        reply(turn)

    def sit(self, page: Page, name: str, lang: str = "en") -> None:
        page.goto(f"{self.address}/j?lang={lang}#{self.screen.code}")
        page.locator(".choices button", has_text=name).click()
        page.wait_for_url("**/seat")
        page.goto(f"{self.address}/seat?lang={lang}")
        expect(page.locator("header h1")).to_have_text(name)

    def lead(self, page: Page, lang: str = "en") -> None:
        page.goto(f"{self.address}/op?lang={lang}")
        page.locator(".pin input").fill(PIN)
        page.locator(".pin button").click()
        expect(page.locator(".op-page")).to_be_visible()
