"""What every screen is told of the table: copies, strangers, stickers of no card, covered cards, doubts. Through pictures."""

from __future__ import annotations

import threading
from dataclasses import replace

import cv2
import numpy as np
import pytest

from companion.edges.camera import Camera, Frame
from companion.running.eyes import naming, strangers
from companion.shelf import deck
from companion.sim.evenings import evening
from companion.sim.picture import Picture
from companion.table.events import Shown
from companion.table.luck import Luck
from companion.table.things import Card, CardId, Zone

DECK, WINE, MIDDLE, CAVE = deck("koala"), deck("wine"), Zone("middle"), Zone("cave:a")
THREE = tuple(CardId(f"pizza-{n:02d}") for n in range(1, 4))
GLASS, SPARE = CardId("glass"), CardId("spare")
NUMBER = next(marker for marker, game in sorted(strangers().items()) if not game)
PRINTED = replace(
    DECK,
    cards=(
        *(card for card in DECK.cards if card.id != "pizza-22"),
        Card(SPARE, "spare", "food", NUMBER), Card(GLASS, "glass", "food", WINE.cards[0].marker),
    ),
)  # fmt: skip
PATIENCE = 30.0  # s until a test gives up on a machine that does nothing


class Table:
    """A camera above a drawn table; frames go on until the test has heard enough."""

    def __init__(self, lang: str) -> None:
        self.picture = Picture(PRINTED, Luck(3), evening("koala").spots)
        self.twin = Picture(DECK, Luck(3), evening("koala").spots)
        self.lying: dict[Zone, tuple[CardId, ...]] = {}
        self.doubled = self.shaded = False
        self.frames, self.said, self.told = 0, list[Shown](), list[str]()
        self._news = threading.Condition()
        self.camera = Camera(
            self._grab, DECK, self.said.append, lambda _: None, marker_px=(12.0, 34.0), pause_s=0.0,
            others=strangers(), table=self._hear, naming=naming(lang), witness=self,
        )  # fmt: skip
        self.camera.watch((MIDDLE, CAVE))

    def _grab(self) -> Frame:
        grey = self.picture.shot(self.lying)
        if self.doubled:  # the copy: the left half of another picture, where the same card lies in the cave
            grey = grey.copy()
            grey[:380, :640] = self.twin.shot({CAVE: (THREE[1],)})[:380, :640]
        if self.shaded:  # an arm from the lower edge over the cards in the middle
            grey = grey.copy()
            cv2.line(grey, (900, 1100), (735, 480), 120, 130)
        self.frames += 1
        return Frame(np.asarray(grey, np.uint8), self.frames * 50_000_000)

    def seen(self, *_: object) -> None:
        with self._news:
            self._news.notify_all()

    def _hear(self, text: str) -> None:
        with self._news:
            self.told.append(text)
            self._news.notify_all()

    def until(self, *words: str) -> str:
        """Wait until the newest sentence has all these words; "" until nothing is wrong."""
        with self._news:

            def fits() -> bool:
                if not self.told:
                    return False
                return all(word in self.told[-1] for word in words) if words[0] else not self.told[-1]

            assert self._news.wait_for(fits, PATIENCE), self.told
            return self.told[-1]

    def more(self, frames: int) -> None:
        """Let so many frames pass."""
        with self._news:
            until = self.frames + frames
            assert self._news.wait_for(lambda: self.frames >= until, PATIENCE)


@pytest.fixture
def table():
    made = Table("de")
    made.lying = {MIDDLE: THREE}
    made.more(9)
    assert [(each.zone, each.cards) for each in made.said if each.cards] == [(MIDDLE, THREE)]
    yield made
    made.camera.close()


def test_a_23rd_pizza_is_named_at_once_and_not_counted(table: Table) -> None:
    before = len(table.said)
    table.doubled = True
    table.until("pizza-02", "22", "Mitte", "Höhle A")
    table.more(8)
    assert len(table.said) == before
    table.doubled = False
    table.until("")


def test_a_card_of_another_game_is_named_and_not_counted(table: Table) -> None:
    before = len(table.said)
    table.lying = {MIDDLE: THREE, CAVE: (GLASS,)}
    text = table.until("nimm sie weg")
    assert "Koala & Wine" in text
    table.more(8)
    table.lying = {MIDDLE: (*THREE, SPARE)}
    table.until(str(NUMBER), "Aufkleber")
    table.more(8)
    assert not [each for each in table.said[before:] if each.cards]


def test_an_arm_that_stays_over_cards_is_named_and_nothing_is_said(table: Table) -> None:
    before = len(table.said)
    table.shaded = True
    table.until("verdeckt", "Pizza")
    assert len(table.said) == before
    table.shaded = False
    table.until("")
    table.more(6)
    assert len(table.said) == before
