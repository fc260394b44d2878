"""A table of Karnivore Koala for tests: events go in, phases and words come out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from companion.games.karnivore.state import MENU, State, tribe_zone
from companion.shelf import shelf
from companion.table import crank
from companion.table.crank import Turn
from companion.table.effects import Say
from companion.table.events import Chosen, Event, Opened, Pressed, Rang, Setting, Shown
from companion.table.game import Refusal, Table
from companion.table.session import Session
from companion.table.things import BID, CardId, Player, Zone

SHELF = shelf()
DICE = {"crown": 1, "spear": 2, "koala": 2, "skull": 1}
MENU_CARDS = ("cameleon-01", "oystrich-01", "octoturtle-01", "back_reptile-01")
KINGS = ("king_amber-01", "king_moss-01", "king_dusk-01", "king_ember-01", "king_tide-01", "king_frost-01")


def sides(faces: str) -> tuple[str, ...]:
    """Five dice as they lie: one side of each die for "spear spear koala crown skull"."""
    out = []
    for die, face in enumerate(faces.split(), start=1):
        number = 2 * die if DICE[face] == 2 else die
        out.append(f"{face}-{number:02d}")
    return tuple(out)


class Desk:
    """One game; every call is one event, refused ones give their code."""

    def __init__(self, *names: str, **options: object) -> None:
        self.names = tuple(Player(name) for name in names or ("Mia", "Ben"))
        self.said: list[str] = []
        chosen = {key.replace("AMB", "KARN-AMB-"): value for key, value in options.items()}
        turn = crank.advance(SHELF, None, Opened(Setting("karnivore", self.names, chosen, 7)))
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
        self.said = [effect.key for effect in turn.effects if isinstance(effect, Say)]
        return ""

    def press(self, name: str = "Mia") -> str:
        return self.hear(Pressed(Player(name), BID, 0))

    def choose(self, what: str, option: str, name: str = "Mia") -> str:
        return self.hear(Chosen(Player(name), what, option))

    def show(self, zone: str, *cards: str) -> str:
        return self.hear(Shown(Zone(zone), tuple(CardId(card) for card in cards)))

    def tray(self, faces: str) -> str:
        return self.show("tray", *sides(faces))

    def tribe(self, *cards: str, name: str = "Mia") -> str:
        return self.show(tribe_zone(self.state, Player(name)), *cards)

    def options(self, what: str) -> tuple[str, ...]:
        return next(cue.options for cue in self.session.cues if getattr(cue, "what", "") == what)

    def started(self) -> Desk:
        """Mia begins, the menu lies, the kings are laid, three cards are dealt."""
        assert not self.press("Mia")
        assert not self.show(MENU, *MENU_CARDS)
        for name, king in zip(self.names, KINGS, strict=False):
            assert not self.tribe(king, name=name)
        assert not self.press("Mia")
        return self

    def rolled(self, faces: str) -> Desk:
        """Mia has rolled this and keeps it; where skulls lie they are still to be placed."""
        assert not self.tray(faces)
        assert not self.choose("reroll", "accept")
        return self

    def given(self, **changes: Any) -> Desk:
        """The same game with another state: tribes, hands, pool as a test needs them."""
        state = replace(self.state, **changes)
        cues = self.session.box.game.legal(state)
        self.session = replace(self.session, head=replace(self.session.head, state=state, cues=cues))
        return self

    def owns(self, *koalas: str, name: str = "Mia", **changes: Any) -> Desk:
        """A player's tribe as a test needs it."""
        mine = tuple(CardId(card) for card in koalas)
        return self.given(tribes={**self.state.tribes, Player(name): mine}, **changes)

    def rang(self) -> str:
        """The first clock that runs rings."""
        clock = next(cue.clock for cue in self.session.cues if hasattr(cue, "clock"))
        return self.hear(Rang(clock))
