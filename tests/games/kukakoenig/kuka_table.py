"""A small table of Ku-Ka-König for tests: the crank, a deck, and hands that answer what is waited for."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from companion.games.kukakoenig.game import GAME
from companion.shelf import deck
from companion.table.crank import Turn, advance, look
from companion.table.cues import Wait
from companion.table.effects import Say
from companion.table.events import Chosen, Event, Opened, Pressed, Rang, Setting, Shown
from companion.table.game import Refusal, Table
from companion.table.session import Box, Session
from companion.table.things import BID, CALL, Button, CardId, Player, Zone

NAMES = ("Tim", "Sarah", "Linus", "Mia")
DECK = deck("kukakoenig")
SHELF = {"kukakoenig": Box(GAME, DECK)}
CARDS = tuple(card.id for card in DECK.cards if card.kind != "number")


class Desk:
    """A game under way; each method does one thing and returns the answer."""

    def __init__(self, players: int = 3, seed: int = 0, **options: object) -> None:
        """Open a game. Options with a dash come as KUKA_AMB_03=..."""
        named = {
            name.replace("_", "-") if name.startswith("KUKA") else name: of for name, of in options.items()
        }
        self.names = tuple(Player(name) for name in NAMES[:players])
        self.says: list[Say] = []
        self.session: Session = None  # type: ignore[assignment]  # opened in the next line
        answer = self.hear(Opened(Setting("kukakoenig", self.names, named)))
        assert isinstance(answer, Turn), answer
        step = [1, 5, 11, 13, 17, 19, 23, 25, 27, 29][seed % 10]  # without a common divisor with 112
        self.pile = [CARDS[i * step % len(CARDS)] for i in range(len(CARDS))]

    def hear(self, event: Event) -> Turn | Refusal:
        answer = advance(SHELF, self.session, event)
        if isinstance(answer, Turn):
            self.session = answer.session
            self.says = [effect for effect in answer.effects if isinstance(effect, Say)]
        return answer

    @property
    def state(self) -> Any:
        return self.session.state

    @property
    def phase(self) -> str:
        return str(self.state.phase)

    @property
    def view(self) -> Any:
        return look(self.session, Table())

    def said(self, key: str) -> list[dict[str, Any]]:
        return [dict(say.values) for say in self.says if say.key == key]

    def press(self, name: str, button: Button = BID) -> Turn | Refusal:
        return self.hear(Pressed(Player(name), button, 0))

    def call(self, name: str) -> Turn | Refusal:
        return self.press(name, CALL)

    def choose(self, name: str, cue: str, option: str) -> Turn | Refusal:
        return self.hear(Chosen(Player(name), cue, option))

    def show(self, row: int, cards: tuple[CardId, ...] | list[CardId]) -> Turn | Refusal:
        return self.hear(Shown(Zone(f"row:{row}"), tuple(cards)))

    def box(self, cards: tuple[CardId, ...]) -> Turn | Refusal:
        return self.hear(Shown(Zone("box"), tuple(cards)))

    def ring(self, name: str) -> Turn | Refusal:
        clock = next(c.clock for c in self.session.cues if isinstance(c, Wait) and c.clock.name == name)
        return self.hear(Rang(clock))

    def row(self, number: int) -> tuple[CardId, ...]:
        return tuple(self.state.rows[number])

    def put(self, **changes: Any) -> Desk:
        """Put the table into a state that would take long to play to."""
        state = replace(self.state, **changes)
        head = replace(self.session.head, state=state)
        self.session = replace(self.session, head=replace(head, cues=GAME.legal(state)))
        return self

    def lay(self) -> Desk:
        """Set up and lay all rows."""
        self.press(self.names[0])
        for row in self.state.rows:
            self.fill(row, 3)
        assert self.phase == "think"
        return self

    def fill(self, row: int, count: int) -> Turn | Refusal:
        fresh = [self.pile.pop(0) for _ in range(count)]
        return self.show(row, (*self.row(row), *fresh))

    def seal(self, **rows: int) -> Desk:
        """Everybody seals a number, and the beat runs out."""
        for name, row in rows.items():
            answer = self.choose(name, "row", str(row))
            assert isinstance(answer, Turn), answer
        self.ring("beat")
        return self

    def settle(self) -> Desk:
        """People do exactly what was said."""
        for row, cards in list(self.state.reveal.rows.items()):
            if self.phase == "take" and set(cards) != set(self.state.seen[row]):
                self.show(row, cards)
        return self

    def refill(self) -> Desk:
        """Rows are filled from the pile, or from the box when that is used up."""
        while self.phase == "refill":
            row, need = next((r["row"], r["needs"]) for r in self.view["rows"] if r["needs"])
            dealt = [card for card in self.pile if not self.lies(card) and card not in self.state.box]
            self.pile = (
                dealt
                if self.view["rows"][row - 1]["boxed"] == 0
                else [*dealt[: self.state.pile], *self.state.box]
            )
            if len(self.pile) < need:  # cards that were counted out
                self.pile += [card for card in CARDS if card not in self.pile and not self.lies(card)]
            self.fill(row, need)
        return self

    def lies(self, card: CardId) -> bool:
        held = (*self.state.rows.values(), *self.state.collections.values())
        return any(card in cards for cards in held)

    def round(self, *rows: int) -> Desk:
        """A round without collisions: the players take these rows, in order."""
        self.seal(**dict(zip(self.names, rows, strict=True)))
        return self.settle()
