"""A table of Koala for tests: events go in, phases and words come out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from companion.games.koala.state import State
from companion.shelf import shelf
from companion.table import crank
from companion.table.crank import Turn
from companion.table.cues import Wait
from companion.table.effects import Say
from companion.table.events import Chosen, Clock, Event, Opened, Pressed, Rang, Setting, Shown
from companion.table.game import Refusal, Table
from companion.table.session import Session
from companion.table.things import BID, CALL, Button, CardId, Player, Zone

SHELF = shelf()
FOUR = ("Mia", "Paul", "Ada", "Ben")


class Koala:
    """One game; every call is one event, refused ones give their code."""

    def __init__(self, *names: str, **options: object) -> None:
        self.names = tuple(Player(name) for name in names or FOUR)
        self.time = 0
        self.said: list[str] = []
        self.says: list[Say] = []
        self.lying: list[CardId] = []
        turn = crank.advance(SHELF, None, Opened(Setting("koala", self.names, options)))
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

    def hear(self, event: Event) -> str:
        """ "" for an accepted event, the refusal's code otherwise."""
        turn = crank.advance(SHELF, self.session, event)
        if isinstance(turn, Refusal):
            return turn.code
        self.session = turn.session
        self.says = [effect for effect in turn.effects if isinstance(effect, Say)]
        self.said = [say.key for say in self.says]
        return ""

    def press(self, name: str, button: Button = BID, **more: Any) -> str:
        self.time += 1_000_000
        return self.hear(Pressed(Player(name), button, more.pop("at", self.time), **more))

    def call(self, name: str) -> str:
        return self.press(name, CALL)

    def show(self, zone: str, *cards: str) -> str:
        return self.hear(Shown(Zone(zone), tuple(CardId(card) for card in cards)))

    def lay(self, *cards: str) -> str:
        """Cards are laid into the middle, beside what lies there."""
        self.lying += [CardId(card) for card in cards]
        return self.show("middle", *self.lying)

    def take(self, *cards: str) -> str:
        """Cards are taken out of the middle."""
        self.lying = [card for card in self.lying if card not in cards]
        return self.show("middle", *self.lying)

    def choose(self, name: str, cue: str, option: str) -> str:
        return self.hear(Chosen(Player(name), cue, option))

    def ring(self, name: str) -> str:
        """The clock of this name that runs now rings."""
        clocks = [cue.clock for cue in self.session.cues if isinstance(cue, Wait)]
        clock = next((clock for clock in clocks if clock.name == name), Clock(name, -1))
        return self.hear(Rang(clock))

    def waits(self) -> set[str]:
        """The names of the clocks that run."""
        return {cue.clock.name for cue in self.session.cues if isinstance(cue, Wait)}

    def dealt(self) -> Koala:
        """Up to the first reveal; the first of the names starts."""
        assert self.press(self.names[0]) == ""
        if self.phase == "team_draw":
            assert self.press(self.names[0]) == ""
        assert self.press(self.names[0]) == ""
        assert self.phase == "reveal"
        return self

    def auction(self, card: str = "pizza-01") -> Koala:
        """Up to an open auction of this card."""
        if self.phase == "starter":
            self.dealt()
        assert self.lay(card) == ""
        assert self.phase == "auction"
        return self

    def bid(self, name: str, *cards: str) -> Koala:
        assert self.press(name) == ""
        assert self.lay(*cards) == ""
        assert name in self.view["middle"]["leader"]
        return self

    def counted_out(self) -> Koala:
        """Nobody bids any more."""
        for clock in ("quiet", "pause", "call"):
            assert self.ring(clock) == "", clock
        return self

    def set(self, **changes: Any) -> Koala:
        """Put the table into a state that would take long to play to."""
        head = replace(self.session.head, state=replace(self.state, **changes))
        head = replace(head, cues=self.session.box.game.legal(head.state))
        self.session = replace(self.session, head=head)
        return self
