"""Cards typed on /op, in a real Chromium: the list begins with how the game stands, whoever moved it on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from browsers import CHROMIUM, Watched
from playwright.sync_api import Browser, Locator, Page, expect
from staged import PIN

from companion.edges.screen import Screen
from companion.house import News
from companion.shelf import phrases, shelf
from companion.table import crank
from companion.table.crank import Session, Turn
from companion.table.events import Chosen, Event, Opened, Pressed, Setting, Shown, Undone
from companion.table.things import BID, CardId, Player, Zone

pytestmark = CHROMIUM
SHELF = shelf()
MIA, PAUL = Player("Mia"), Player("Paul")
TRIBE, PLAY, MENU = Zone("tribe:a"), Zone("hunt"), Zone("menu")


class House:
    """A table that takes every event there is, from the page and from elsewhere."""

    def __init__(self) -> None:
        self.session: Session | None = None
        self.screen = Screen(self.put, phrases(), PIN, shelf=SHELF)
        self.address = f"http://127.0.0.1:{self.screen.serve('127.0.0.1', 0)}"

    def put(self, event: Event, reply: Any = lambda turn: None) -> None:
        turn = crank.advance(SHELF, self.session, event)
        if isinstance(turn, Turn):
            self.session = turn.session
            self.screen.show(turn.session, News())
        reply(turn)

    def do(self, *events: Event) -> None:
        """From another screen, a button, the camera."""
        for event in events:
            before = self.session
            self.put(event)
            assert self.session is not before, event

    @property
    def state(self) -> Any:
        assert self.session is not None
        return self.session.state

    def undo(self, steps: int = 1) -> None:
        assert self.session is not None
        self.do(Undone(list(self.session.path())[steps].number))

    def card(self, kind: str, number: int = 0) -> CardId:
        found = [c.id for c in SHELF["karnivore"].deck.cards if c.kind == kind and c.id in self.state.box]
        return found[number]

    def tribe_phase(self, dice: str) -> None:
        """Mia has rolled these dice and keeps them."""
        self.put(Opened(Setting("karnivore", (MIA, PAUL), {}, 3)))
        self.do(Chosen(MIA, "starter", "Mia"))
        animals = [self.card("animal", n) for n in range(3)]
        self.do(
            Shown(MENU, (*animals, self.card("back", 5))),
            Chosen(MIA, "kings", "by_chance"),
            Pressed(MIA, BID, 1),
        )
        for die in dice.split():
            self.do(Chosen(MIA, "dice", die))
        self.do(Pressed(MIA, BID, 2))


@pytest.fixture
def house() -> Iterator[House]:
    made = House()
    yield made
    made.screen.close()


def by_hand(page: Page, house: House, zone: str) -> Locator:
    page.goto(f"{house.address}/op?lang=en")
    page.locator(".pin input").fill(PIN)
    page.locator(".pin button").click()
    page.locator("summary", has_text=zone).click()
    return page.locator("details", has=page.locator("summary", has_text=zone))


def lies(house: House, *cards: CardId) -> list[str]:
    """The tiles of these cards: name and number."""
    names = phrases()["karnivore"].texts["en"]
    deck = SHELF["karnivore"].deck
    return [f"{names[deck.face(card)]} {card.rpartition('-')[2]}" for card in cards]


def test_cards_moved_without_being_shown_undone_or_shown_elsewhere_are_what_the_list_by_hand_begins_with(
    browser: Browser, house: House
) -> None:
    house.tribe_phase("crown crown spear spear koala")
    king, work, work2, hunt = (
        house.state.kings[MIA],
        house.card("workbear", 0),
        house.card("workbear", 1),
        house.card("huntbear", 0),
    )
    with Watched(browser, 412, 915) as page:
        hand = by_hand(page, house, "tribe A")
        tiles = hand.get_by_label("What lies there").locator(".tile")
        expect(tiles).to_have_text(lies(house, king))
        house.do(Shown(TRIBE, (work, king)))  # another screen, or the camera
        expect(tiles).to_have_text(lies(house, work, king))
        house.do(Shown(TRIBE, (work, king, hunt)))
        expect(tiles).to_have_text(lies(house, work, king, hunt))
        house.undo()
        expect(tiles).to_have_text(lies(house, work, king))
        # What is typed and not sent stays, whatever the table does meanwhile; the camera's new card comes to it.
        hand.locator(".faces .tile", has_text=lies(house, hunt)[0].rpartition(" ")[0]).first.click()
        house.do(Shown(TRIBE, (work2, work, king)))
        expect(tiles).to_have_text([*lies(house, work, work2, king), *lies(house, hunt)])
        hand.get_by_role("button", name="This lies there").click()
        expect(tiles).to_have_text(lies(house, work, work2, king, hunt))
        assert house.state.tribes[MIA] == (work, work2, hunt)
        house.undo(3)
        expect(tiles).to_have_text(lies(house, king))


def test_what_two_crowns_fetched_and_what_a_hunt_took_is_told_by_the_list_though_nobody_showed_it(
    browser: Browser, house: House
) -> None:
    house.tribe_phase("crown crown koala koala koala")
    king, work = house.state.kings[MIA], house.card("workbear", 0)
    tribes = {MIA: (), PAUL: (work,)}
    assert house.session is not None
    head = replace(house.session.head, state=replace(house.state, tribes=tribes))
    house.session = replace(house.session, head=head)
    with Watched(browser, 412, 915) as page:
        hand = by_hand(page, house, "tribe A")
        tiles = hand.get_by_label("What lies there").locator(".tile")
        expect(tiles).to_have_text(lies(house, king))
        house.do(Chosen(MIA, "act", "crowns"), Chosen(MIA, "crowns", f"Paul:{work.replace('-', ':')}"))
        expect(tiles).to_have_text(lies(house, work, king))
        gone = replace(house.state, tribes={MIA: (), PAUL: ()}, discarded=(work,))
        house.session = replace(house.session, head=replace(house.session.head, state=gone))
        house.do(Chosen(MIA, "act", "end"))
        house.undo()
        expect(tiles).to_have_text(lies(house, king))
