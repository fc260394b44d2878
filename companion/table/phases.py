"""A game as phases: each waits for something, answers it, and may do something by itself when it begins."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Generic, Protocol, TypeVar

from companion.table.cues import Cue
from companion.table.effects import Say
from companion.table.events import Move
from companion.table.game import Refusal, Step
from companion.table.things import value


class Phased(Protocol):
    """A game's state, as far as its phases look at it; `did` titles the newest step on the undo list."""

    @property
    def phase(self) -> str:
        """The phase it is in."""

    @property
    def did(self) -> Say:
        """What was done."""

    @property
    def rulings(self) -> Mapping[str, object]:
        """The options of this table."""


S = TypeVar("S")
P = TypeVar("P", bound=Phased)


def no_cue(state: object) -> tuple[Cue, ...]:
    """A phase that waits for nothing."""
    del state
    return ()


def not_waited_for(state: object, move: Move) -> Refusal:
    """A phase in which nothing can be done."""
    del state, move
    return Refusal("TABLE-WAIT", "not_waited_for", aloud=False)


@value
class Phase(Generic[S]):
    """One phase: what it waits for, how it answers, and what it does by itself when it begins."""

    legal: Callable[[S], tuple[Cue, ...]] = no_cue
    apply: Callable[[S, Move], Step[S] | Refusal] = not_waited_for
    enter: Callable[[S], Step[S]] | None = None


def phase_of(state: Phased) -> object:
    """What makes a phase begin anew, where nothing else does: its name."""
    return state.phase


def go_on(
    phases: Mapping[str, Phase[P]], before: P, answer: Step[P], turn: Callable[[P], object] = phase_of
) -> Step[P]:
    """Enter the phases that follow an answer, until one waits. `turn`: what makes a phase begin anew."""
    says, state, was = list(answer.says), answer.state, turn(before)
    while True:
        now = turn(state)
        enter = phases[state.phase].enter if state.phase in phases else None
        if now == was or enter is None:
            return Step(state, tuple(says))
        was = now
        entered = enter(state)
        says.extend(entered.says)
        state = entered.state


def step(state: P, did: Say, *says: Say, **changes: Any) -> Step[P]:
    """The state changed, titled by what was done (for the undo list), and what is to be said."""
    after: Any = state  # a dataclass of the game's own, which a protocol cannot say
    return Step(replace(after, did=did, **changes), says)


def seconds(state: Phased, name: str) -> float:
    """A table setting in seconds: as agreed before the game, or its default."""
    chosen = state.rulings[name]
    assert isinstance(chosen, int | float), "settings are checked before a game opens"
    return chosen
