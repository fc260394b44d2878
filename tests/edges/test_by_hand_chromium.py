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
from companion.table.crank import Turn
from companion.table.cues import Show
from companion.table.events import Chosen, Event, Opened, Pressed, Setting, Shown, Undone
from companion.table.session import Session
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

    def session_lies(self, zone: Zone) -> tuple[CardId, ...]:
        """What the game says lies in a zone."""
        assert self.session is not None
        shows = (cue for cue in self.session.cues if isinstance(cue, Show) and cue.zone == zone)
        return next(cue.expect.lying for cue in shows)

    def undo(self, steps: int = 1) -> None:
        assert self.session is not None
        self.do(Undone(list(self.session.path())[steps].number))

    def stand(self, **changes: Any) -> None:
        """The game stands so, by whatever has happened."""
        assert self.session is not None
        state = replace(self.state, **changes)
        cues = self.session.box.game.legal(state)
        self.session = replace(self.session, head=replace(self.session.head, state=state, cues=cues))
        self.screen.show(self.session, News())

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


@pytest.mark.parametrize(
    ("base", "cards", "start", "wanted"),
    [
        ("a-1 b-1 c-1", "a-1 x-1 c-1", "a-1 b-1 c-1 d-1", "a-1 x-1 c-1 d-1"),  # b replaced, then d read
        ("a-1", "x-1", "a-1 d-1", "x-1 d-1"),  # the only one replaced
        ("a-1 b-1", "x-1 b-1", "a-1 b-1 d-1", "x-1 b-1 d-1"),
        ("a-1 b-1 c-1", "a-1 x-1 c-1", "a-1 d-1 c-1", "a-1 x-1 d-1 c-1"),  # b is gone meanwhile
        ("a-1", "a-1 x-1", "a-1 d-1", "a-1 d-1 x-1"),  # laid last stays last
        ("k-1", "f-1 k-1", "g-1 k-1", "f-1 g-1 k-1"),  # laid before the others
        ("", "f-1", "k-1", "f-1 k-1"),
        ("a-1 b-1", "a-1", "a-1 b-1 d-1", "a-1 d-1"),  # taken away stays away
        ("", "p-1", "p-3", "p-3"),  # a guess at which pizza it is, and what was read
        ("", "p-1 p-2", "p-3", "p-3 p-2"),  # two pizzas typed, one read
        ("", "p-1 p-2", "p-1", "p-1 p-2"),  # the one typed was read
        ("p-1", "p-1 p-2", "p-1", "p-1 p-2"),  # nothing was read
    ],
)
def test_what_is_typed_keeps_its_place_beside_what_was_read_and_a_guess_gives_way(
    browser: Browser, house: House, base: str, cards: str, start: str, wanted: str
) -> None:
    every = {card for told in (base, cards, start) for card in told.split()}
    deck = [[card, card[0], "x", []] for card in sorted(every)]
    with Watched(browser, 412, 915) as page:
        page.goto(f"{house.address}/op?lang=en")
        found = page.evaluate(
            """async ([base, cards, start, deck]) => {
              const { over } = await import("/static/cards.js");
              return over({ base, cards }, start, deck, (card) => "fgk".includes(card[0]) && card[0] !== "k");
            }""",
            [base.split(), cards.split(), start.split(), deck],
        )
    assert found == wanted.split()


def test_a_card_typed_by_guess_is_not_sent_beside_the_one_of_its_face_that_was_read(
    browser: Browser, house: House
) -> None:
    house.tribe_phase("crown crown spear spear koala")
    king = house.state.kings[MIA]
    deck = SHELF["karnivore"].deck
    hunter = house.card("huntbear")
    guess, real = [c.id for c in deck.cards if c.face == deck.face(hunter) and c.id in house.state.box][:2]
    name = phrases()["karnivore"].texts["en"][deck.face(hunter)]
    with Watched(browser, 412, 915) as page:
        hand = by_hand(page, house, "tribe A")
        tiles = hand.get_by_label("What lies there").locator(".tile")
        expect(tiles).to_have_text(lies(house, king))
        hand.locator(".faces .tile", has_text=name).first.click()
        expect(tiles).to_have_text(lies(house, king, guess))
        expect(hand.get_by_role("group", name="Another one")).to_have_count(1)
        house.do(Shown(TRIBE, (king, real)))
        expect(tiles).to_have_text(lies(house, *house.session_lies(TRIBE)))
        expect(hand.get_by_role("group", name="Another one")).to_have_count(0)
        assert guess not in house.session_lies(TRIBE) and real in house.session_lies(TRIBE)


def test_what_two_crowns_fetched_and_what_a_hunt_took_is_told_by_the_list_though_nobody_showed_it(
    browser: Browser, house: House
) -> None:
    house.tribe_phase("crown crown koala koala koala")
    king, work = house.state.kings[MIA], house.card("workbear", 0)
    house.stand(tribes={MIA: (), PAUL: (work,)})
    with Watched(browser, 412, 915) as page:
        hand = by_hand(page, house, "tribe A")
        tiles = hand.get_by_label("What lies there").locator(".tile")
        expect(tiles).to_have_text(lies(house, king))
        house.do(Chosen(MIA, "act", "crowns"), Chosen(MIA, "crowns", f"Paul:{work.replace('-', ':')}"))
        expect(tiles).to_have_text(lies(house, work, king))
        house.stand(tribes={MIA: (), PAUL: ()}, discarded=(work,))
        expect(tiles).to_have_text(lies(house, king))


def entered(page: Page, house: House, lang: str = "en") -> None:
    page.goto(f"{house.address}/op?lang={lang}")
    page.locator(".pin input").fill(PIN)
    page.locator(".pin button").click()


def test_a_zone_offers_what_may_lie_there_with_its_symbols_and_no_card_that_is_not_in_the_box(
    browser: Browser, house: House
) -> None:
    house.put(Opened(Setting("karnivore", (MIA, PAUL), {}, 3)))
    house.do(Chosen(MIA, "starter", "Mia"))
    deck = SHELF["karnivore"].deck
    box = {deck.face(card) for card in house.state.box}
    with Watched(browser, 412, 915) as page:
        hand = by_hand(page, house, "menu")
        fit = hand.locator(":scope > .faces .tile")
        wanted = {c.face for c in deck.cards if c.kind in ("animal", "back")} & box
        expect(fit).to_have_count(len(wanted))
        assert len(set(fit.all_inner_texts())) == len(wanted)  # no name twice
        expect(fit.first.locator(".ka-symbol")).to_have_count(2)
        hand.locator("summary", has_text="Choose other cards").click()
        rest = hand.locator("details .faces .tile")
        names = phrases()["karnivore"].texts["en"]
        offered = {text.strip() for text in [*fit.all_inner_texts(), *rest.all_inner_texts()]}
        assert offered == {
            names[face] for face in box if not face.startswith(("crown", "spear", "koala", "skull"))
        }


def test_a_choice_is_told_in_words_a_number_only_where_two_cards_are_alike_and_no_deed_is_offered_twice(
    browser: Browser, house: House
) -> None:
    house.put(Opened(Setting("karnivore", (MIA, PAUL), {}, 3)))
    with Watched(browser, 412, 915) as page:
        entered(page, house)
        for name in ("Mia", "Paul"):  # "Who begins?"
            expect(page.locator("section").first.get_by_role("button", name=name)).to_have_count(1)
    house.session = None
    house.tribe_phase("crown crown spear koala koala")
    alike = [c.id for c in SHELF["karnivore"].deck.cards if c.face == "larderbear"][:2]
    house.stand(tribes={MIA: (), PAUL: (*alike, house.card("workbear"))})
    house.do(Chosen(MIA, "act", "crowns"))
    with Watched(browser, 412, 915) as page:
        entered(page, house)
        options = page.locator("section").first.locator("button")
        expect(options).to_have_text(["Paul: Larderbear 01", "Paul: Larderbear 02", "Paul: Fishbear", "back"])
        house.do(Chosen(MIA, "crowns", "back"))
        expect(page.get_by_role("button", name="end the turn")).to_have_count(1)


@pytest.mark.parametrize(("lang", "die"), [("en", "skull"), ("de", "Totenkopf")])
def test_dice_marked_for_a_re_roll_and_faces_tapped_already_are_seen_where_they_are_chosen(
    browser: Browser, house: House, lang: str, die: str
) -> None:
    house.put(Opened(Setting("karnivore", (MIA, PAUL), {}, 3)))
    house.do(Chosen(MIA, "starter", "Mia"))
    animals = [house.card("animal", n) for n in range(3)]
    house.do(
        Shown(MENU, (*animals, house.card("back", 5))),
        Chosen(MIA, "kings", "by_chance"),
        Pressed(MIA, BID, 1),
    )
    with Watched(browser, 412, 915) as page:
        entered(page, house, lang)
        asked = page.locator("section").first
        house.do(Chosen(MIA, "dice", "skull"))
        expect(asked.get_by_text(die, exact=True).first).to_be_visible()
        for face in ["skull", "spear", "crown", "koala"]:
            house.do(Chosen(MIA, "dice", face))
        house.do(Chosen(MIA, "reroll", "2:koala"))
        expect(asked.locator("button[aria-pressed=true]")).to_have_count(1)
        expect(asked.locator("button[aria-pressed=true]")).to_contain_text("2")
