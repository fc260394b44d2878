"""Any screen of the network may answer anything: at every phase of every game it is refused, and nothing fails."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

import pytest

from companion.shelf import shelf
from companion.table import crank
from companion.table.crank import Session, Turn
from companion.table.cues import Choose, Press, Roll, Show, Wait
from companion.table.events import Chosen, Move, Opened, Pressed, Rang, Rolled, Setting, Shown
from companion.table.game import Refusal
from companion.table.things import CardId, Player

SHELF = shelf()
NAMES = tuple(Player(name) for name in ("Mia", "Paul", "Ada", "Ben", "Cleo", "Emil", "Ida", "Leo", "Zoe"))
CROWD = {"koala": (4, 9), "wine": (2, 5), "kukakoenig": (2, 4), "karnivore": (2, 4), "rescue": (1, 3)}
EACH = 3  # times that a question of a phase is answered wrongly
FEWEST, MOST = 5, 60  # courses; more than the fewest only for a phase that was never met
MOVES = 600  # of one course
WRONG = (
    "", " ", "x", ":", "::", "+", ",", "-", "-1", "0", "0x1", "1e3", "1_0", "99", "²", "¾", "9" * 5000, "Mia",
    "Mia:", "Mia:x", "Mia:²", "Mia:-1", "Mia:99", ":1", "middle:", "middle:0", "nobody:1", "1+", "1+x", "a:", "z:pizza",
    "left:", "left:nobody", "number:", "number:x", "number:3:x", "plant:", "plant:A", "plant:-", "plant:A-a٣",
    "plant:A-", "rehome:,", "bonus:", "bonus:x:", "bonus:x:,", "\x00", "\ud800", "None", "[]",
)  # fmt: skip


def wrong(options: tuple[str, ...]) -> set[str]:
    """Texts of no shape, and of the right shape that name nothing."""
    near = {
        bent
        for option in options[:4]
        for bent in (option + ":", ":" + option, option + "x", option + "9" * 5000)
    }
    return ({*WRONG} | near) - {*options}


@dataclass
class Course:
    """People who do anything that is asked, by chance."""

    game: str
    seed: int
    at: int = 0
    bag: list[CardId] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.random, self.box = random.Random(self.seed), SHELF[self.game]
        self.bag = [card.id for card in self.box.deck.cards]
        self.random.shuffle(self.bag)

    def opened(self) -> Session | None:
        """A new game with some unusual rulings; None where they do not go together."""
        options: dict[str, object] = {
            option.id: self.random.choice(option.allowed)
            for option in self.box.game.options
            if len(option.allowed) > 1 and self.random.random() < 0.3
        }
        options |= {"wine": {"extension": "all"}, "koala": {"teams": bool(self.seed % 2)}}.get(self.game, {})
        count = self.random.randint(*CROWD[self.game.partition("-")[0]])
        turn = crank.advance(SHELF, None, Opened(Setting(self.game, NAMES[:count], options, self.seed)))
        return turn.session if isinstance(turn, Turn) else None

    def move(self, cue: object) -> Move:
        """An answer to a cue."""
        self.at += 1_000_000_000
        if isinstance(cue, Press):
            return Pressed(cue.player, cue.button, self.at)
        if isinstance(cue, Choose):
            return Chosen(cue.player, cue.what, self.random.choice(cue.options or ("x",)))
        if isinstance(cue, Wait):
            return Rang(cue.clock)
        if isinstance(cue, Roll):
            faces = [card.face for card in self.box.deck.cards if card.kind == "die"]
            return Rolled(cue.zone, tuple(self.random.choice(faces) for _ in range(cue.dice)))
        assert isinstance(cue, Show)
        return Shown(cue.zone, self.cards(cue))

    def cards(self, cue: Show) -> tuple[CardId, ...]:
        """Cards that were long not seen; sometimes any, also such as lie elsewhere."""
        wish, card = cue.expect, self.box.deck.by_id
        if self.random.random() < 0.1:
            return tuple(self.random.sample(self.bag, self.random.randint(0, 4)))
        if wish.exactly is not None:
            return wish.exactly
        count = self.random.randint(0, 3) if wish.new is None else wish.new
        fits = [
            each for each in self.bag
            if each not in wish.lying
            and (not wish.faces or {card[each].face, card[each].face.rpartition("_")[0]} & {*wish.faces})
        ]  # fmt: skip
        self.bag = [each for each in self.bag if each not in fits[:count]] + fits[:count]
        return (*wish.lying, *fits[:count])

    def sessions(self) -> Iterator[Session]:
        """The course, step by step."""
        session = self.opened()
        for _ in range(MOVES):
            if session is None or session.over:
                return
            yield session
            turn = crank.advance(SHELF, session, self.move(self.random.choice(session.cues)))
            session = turn.session if isinstance(turn, Turn) else session


def asking(game: str) -> set[str]:
    """The phases of a game that wait for something; a tally has none."""
    if game.endswith("-tally"):
        return set()
    phases: dict[str, Any] = import_module(f"companion.games.{game}.game").PHASES
    return {
        name
        for name, phase in phases.items()
        if getattr(phase.legal, "__name__", "") not in ("no_cue", "_no_cue")
    }


def hostile(session: Session, answered: Counter[tuple[str, str]]) -> Iterator[Chosen]:
    """Wrong answers to the questions asked now, and to a question that nobody asks."""
    phase = getattr(session.state, "phase", "")
    choices = {cue.what: cue for cue in session.cues if isinstance(cue, Choose)}
    for what, cue in choices.items():
        if answered[phase, what] < EACH:
            yield from (Chosen(cue.player, what, text) for text in wrong(cue.options))
    if answered[phase, ""] < EACH:
        for player in (session.setting.players[0], Player("nobody")):
            yield from (
                Chosen(player, what, text) for what in ("", "x", "glass") for text in ("", "Mia:x", "1")
            )
    answered.update((phase, what) for what in (*choices, ""))


@pytest.mark.parametrize("game", SHELF)
def test_an_answer_that_nobody_offers_is_refused_at_every_phase(game: str) -> None:
    """Of the right shape and of none, by those asked and by others; no rule fails on it."""
    answered: Counter[tuple[str, str]] = Counter()
    phases, seed = asking(game), 0
    while seed < FEWEST or (seed < MOST and not phases <= {phase for phase, _ in answered}):
        seed += 1
        for session in Course(game, seed).sessions():
            for event in hostile(session, answered):
                turn = crank.advance(SHELF, session, event)
                assert isinstance(turn, Refusal), (session.state.phase, event.cue, event.option[:40])
    assert {phase for phase, _ in answered} >= phases
