"""Any game of the house played by chance, from its cues alone."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field

from companion.shelf import shelf
from companion.table import crank
from companion.table.crank import Turn
from companion.table.cues import Choose, Press, Roll, Show, Wait
from companion.table.events import Chosen, Move, Opened, Pressed, Rang, Rolled, Setting, Shown
from companion.table.session import Session
from companion.table.things import CardId, Player

SHELF = shelf()
NAMES = tuple(Player(name) for name in ("Mia", "Paul", "Ada", "Ben", "Cleo", "Emil", "Ida", "Leo", "Zoe"))
CROWD = {"koala": (4, 9), "wine": (2, 5), "kukakoenig": (2, 4), "karnivore": (2, 4), "rescue": (1, 3)}
MOVES = 600  # of one course


@dataclass
class Course:
    """People who do anything that is asked, by chance."""

    game: str
    seed: int
    strange: float = 0.1  # of all readings: any cards, also such as lie elsewhere
    moves: int = MOVES
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
        if self.random.random() < self.strange:
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
        for _ in range(self.moves):
            if session is None:
                return
            yield session
            if session.over:
                return
            turn = crank.advance(SHELF, session, self.move(self.random.choice(session.cues)))
            session = turn.session if isinstance(turn, Turn) else session
