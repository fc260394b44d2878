"""What a game is: five pure functions and a name. Refusals, scores and views, the answers they give."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import field
from typing import Generic, TypeVar

from companion.table.cues import Cue
from companion.table.effects import Say
from companion.table.events import Event, Move, Setting
from companion.table.things import CardId, Deck, Player, value

S = TypeVar("S")
View = Mapping[str, object]  # plain data for a screen: only str, int, float, bool, None, list, dict


@value
class Refusal:
    """The table's mistake: the rule it breaks, a code from the rules, and the phrase's values.

    `aloud` is False where nothing new happened (a zone seen again as it was): nobody need hear of it.
    """

    rule: str
    code: str
    values: Mapping[str, str | int] = field(default_factory=dict)
    aloud: bool = True
    cause: Refusal | None = None  # what stands in the way of what was wished for

    @property
    def stem(self) -> str:
        """The code without its numbers or names: what phrases are kept under ("no.bid_must_be", "no.spears_of")."""
        return re.sub(r"_?\d+", "", self.code.partition(":")[0]).rstrip("_")


@value
class Step(Generic[S]):
    """A game's answer to a move: the new state and what it wants said."""

    state: S
    says: tuple[Say, ...] = ()


@value
class Point:
    """One line of a score: who gets how many, by which rule, and the phrase that says why."""

    who: str
    points: int
    rule: str
    why: str
    values: Mapping[str, str | int] = field(default_factory=dict)


@value
class Score:
    """A final (or running) score: every point with its reason, totals by scoring group, the winners."""

    lines: tuple[Point, ...]
    totals: Mapping[str, int]
    winners: tuple[str, ...]
    notes: tuple[str, ...] = ()


@value
class Table:
    """The public viewer: what everybody at the table may see."""


@value
class Seat:
    """One player's own viewer: the public view and his own secrets."""

    player: Player


@value
class Operator:
    """The operator: the public view and what is needed to mend; never a secret of a player."""


Viewer = Table | Seat | Operator


@value
class Option:
    """A ruling or table setting that people may switch: id, default, allowed values (empty: any number)."""

    id: str
    default: object
    allowed: tuple[object, ...]
    phrase: str


def no_tales(states: tuple[object, ...]) -> tuple[Say, ...]:
    """A game of which nothing is told afterwards."""
    del states
    return ()


def whole_box(state: object) -> frozenset[CardId] | None:
    """A game with all cards of its deck."""
    del state
    return None


def no_doubt(before: object, event: Event) -> Refusal | None:
    """A game that takes today what it took down before."""
    del before, event
    return None


def no_standing(state: object) -> Mapping[Player, str]:
    """A game in which nobody leads or is out before its end."""
    del state
    return {}


@value
class Game(Generic[S]):
    """A game as the crank sees it. `legal` returning no cue means the game is over."""

    name: str
    setup: Callable[[Setting, Deck], Step[S] | Refusal]
    legal: Callable[[S], tuple[Cue, ...]]
    apply: Callable[[S, Move], Step[S] | Refusal]
    score: Callable[[S], Score]
    view: Callable[[S, Viewer], View]
    options: tuple[Option, ...] = ()
    tales: Callable[[tuple[S, ...]], tuple[Say, ...]] = no_tales  # moments of a whole game, the best first
    private: tuple[str, ...] = ()  # zones, by the beginning of their names, whose readings no screen repeats
    reserved: frozenset[str] = (
        frozenset()
    )  # words of the game that stand where names stand: no player is called so
    standing: Callable[[S], Mapping[Player, str]] = no_standing  # who leads ("lead") or is "out", for lamps
    box: Callable[[S], frozenset[CardId] | None] = (
        whole_box  # the cards it is played with; None: the whole deck
    )
    # Why what happens now is refused although a journal may have it; before an opening there is no state.
    doubted: Callable[[S | None, Event], Refusal | None] = no_doubt
