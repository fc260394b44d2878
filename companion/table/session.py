"""A game under way, as a value: the box it came in, where it stands, and each step that led there. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from companion.table.cues import Cue
from companion.table.events import Event, Setting
from companion.table.game import Game
from companion.table.things import Deck, value


@value
class Box:
    """A game and the deck it is played with, as it stands on the shelf."""

    game: Game[Any]  # any: the shelf holds games of different states side by side
    deck: Deck


Shelf = Mapping[str, Box]


@value
class Node:
    """One step of a session's history: an event, its number, the state after it, and the step before."""

    number: int
    event: Event
    state: Any  # the game's own state; only the game's functions look inside
    cues: tuple[Cue, ...]
    before: Node | None
    mended: bool = False  # a reading that a correction has put right


@value
class Session:
    """A game under way: where it stands, how it came there, and the branches that undo left behind."""

    box: Box
    setting: Setting
    head: Node
    last: int  # number of the newest event, undone or not
    left: tuple[Node, ...] = ()

    @property
    def state(self) -> Any:
        """The game's state now."""
        return self.head.state

    @property
    def cues(self) -> tuple[Cue, ...]:
        """What the game waits for now; none: it is over."""
        return self.head.cues

    @property
    def over(self) -> bool:
        """Whether nothing is waited for any more."""
        return not self.head.cues

    def path(self) -> Iterator[Node]:
        """The steps that led here, newest first."""
        node: Node | None = self.head
        while node is not None:
            yield node
            node = node.before
