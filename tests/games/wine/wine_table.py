"""A table of Koala & Wine for tests: events go in, phases and words come out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from companion.games.wine.state import State
from companion.shelf import deck, shelf
from companion.table import crank
from companion.table.crank import Turn
from companion.table.cues import Choose, Wait
from companion.table.effects import Say
from companion.table.events import Chosen, Clock, Event, Opened, Pressed, Rang, Setting, Shown
from companion.table.game import Refusal, Table
from companion.table.session import Session
from companion.table.things import BID, CardId, Player, Zone

SHELF = shelf()
DECK = deck("wine")
FOUR = ("Mia", "Paul", "Ada", "Ben")


def card(face: str, number: int = 0) -> CardId:
    """The number-th physical card that shows this face."""
    return [each.id for each in DECK.cards if each.face == face][number]


class Wine:
    """One game; every call is one event, refused ones give their code."""

    def __init__(self, *names: str, **options: object) -> None:
        self.names = tuple(Player(name) for name in names or FOUR)
        self.time = 0
        self.said: list[Say] = []
        self.refused: Refusal | None = None
        chosen = {
            name.replace("AMB_", "WINE-AMB-").replace("extra_", "extra."): of for name, of in options.items()
        }
        turn = crank.advance(SHELF, None, Opened(Setting("wine", self.names, chosen)))
        assert isinstance(turn, Turn), turn
        self.session: Session = turn.session

    @property
    def state(self) -> State:
        state: State = self.session.state
        return state

    @property
    def phase(self) -> str:
        return self.state.phase

    @property
    def view(self) -> Mapping[str, Any]:
        return crank.look(self.session, Table())

    @property
    def keys(self) -> list[str]:
        """What was said last."""
        return [say.key for say in self.said]

    def hear(self, event: Event) -> str:
        """ "" for an accepted event, the refusal's code otherwise."""
        turn = crank.advance(SHELF, self.session, event)
        if isinstance(turn, Refusal):
            self.refused = turn
            return turn.code
        self.session = turn.session
        self.said = [effect for effect in turn.effects if isinstance(effect, Say)]
        return ""

    def press(self, name: str, **more: Any) -> str:
        self.time += 1_000_000_000
        return self.hear(Pressed(Player(name), BID, more.pop("at", self.time), **more))

    def show(self, zone: str, *cards: str) -> str:
        return self.hear(Shown(Zone(zone), tuple(CardId(card) for card in cards)))

    def play(self, face: str, number: int = 0) -> str:
        """A hand card is laid, and what lay there before is tidied up."""
        return self.show("played", card(face, number))

    def draw(self, face: str, number: int = 0) -> str:
        return self.show("drawn", card(face, number))

    def row(self, name: str, *faces: str) -> str:
        """A row as the camera sees it: the glasses that lie face up."""
        zone = "middle" if name == "middle" else f"row:{'abcdef'[self.names.index(Player(name))]}"
        place = 3 * ("abcdef".find(zone[-1]) % 2)
        return self.show(zone, *(card(face, place + i) for i, face in enumerate(faces)))

    def choose(self, name: str, cue: str, option: str) -> str:
        return self.hear(Chosen(Player(name), cue, option))

    def options(self, cue: str) -> tuple[str, ...]:
        """What is offered for a question; () if nobody asks it."""
        return next(
            (each.options for each in self.session.cues if isinstance(each, Choose) and each.what == cue), ()
        )

    def ring(self, name: str) -> str:
        """The clock of this name that runs now rings."""
        clocks = [cue.clock for cue in self.session.cues if isinstance(cue, Wait)]
        return self.hear(Rang(next((clock for clock in clocks if clock.name == name), Clock(name, -1))))

    def ready(self) -> Wine:
        """Up to the first turn; the first of the names begins."""
        assert self.press(self.names[0]) == ""
        assert self.press(self.names[0]) == ""
        for name in self.names:
            assert self.press(name) == ""
        assert self.phase == "all_down"
        assert self.press(self.names[0]) == ""
        assert self.press(self.names[0]) == ""
        assert self.phase == "turn"
        return self

    def later(self) -> Wine:
        """The first turn of the second round."""
        return self.ready().set(round=2, play=replace(self.state.play, first=False))

    def set(self, **changes: Any) -> Wine:
        """Put the table into a state that would take long to play to."""
        head = replace(self.session.head, state=replace(self.state, **changes))
        head = replace(head, cues=self.session.box.game.legal(head.state))
        self.session = replace(self.session, head=head)
        return self

    def counts(self) -> dict[str, int]:
        """Glasses in each row."""
        return {str(owner): len(row) for owner, row in self.state.rows.items()}
