"""The worked cases of Karnivore Koala for tests, and a table on which their cards stand for real ones."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from adapted import adapter
from karn_table import KINGS, Desk

from companion.table.things import CardId, Player

HERE = Path(__file__).parent
FILES = (HERE.parents[1] / "cases" / "karnivore.cases.json", HERE / "own.cases.json")
CASES = [case for path in FILES for case in json.loads(path.read_text("utf-8"))["cases"]]
MIA = Player("Mia")
KING = CardId(KINGS[0])
PLACES = {  # real cards that stand for a case's: what they are is told anew, what they do is taken away
    "workbear": ("fishbear", "birdbear", "lizardbear"),
    "huntbear": ("barbearian", "netbear", "pathfindbear"),
    "villagebear": ("freebootbear", "subearhero"),
    "backstabbear": ("pocketbear",),
}


ADAPTER = adapter("karnivore")


class Played:
    """A case's turn at the table: names of the case on one side, real cards on the other."""

    def __init__(self, given: Mapping[str, Any]) -> None:
        self.desk = Desk("Mia", "P2", "P3").started()
        self.real: dict[str, CardId] = {"king": KING}
        self.stock = {kind: [c for c in self.desk.state.deck.cards if c.face in faces and c.id in self.desk.state.box]
                      for kind, faces in PLACES.items()}  # fmt: skip
        deck = self.desk.state.deck
        facts = {face: {**told, "ops": []} for face, told in deck.facts.items()}
        self.desk.given(deck=replace(deck, facts=facts), rulings=ADAPTER.rulings(given))
        self.code = ""

    def cards(self, told: Mapping[str, Any]) -> None:
        """The case's cards on real ones."""
        bears = dict(self.desk.state.bears)
        for name, card in told.items():
            self.real[name] = self.stock[card["type"]].pop(0).id if name != "king" else KING
            bears[self.real[name]] = ADAPTER._bear(card)
        self.desk.given(bears=bears)

    def of(self, *names: str) -> tuple[CardId, ...]:
        return tuple(self.real[name] for name in names)

    def names(self, cards: Any) -> list[str]:
        back = {card: name for name, card in self.real.items()}
        return [back[card] for card in cards]

    def say(self, code: str) -> None:
        """The first refusal is the case's answer."""
        self.code = self.code or code
