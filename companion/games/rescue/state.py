"""Where a game of Koala Rescue Club stands: the clock, the badges, and each player's sheet as far as it is known."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from typing import Any

from companion.games.rescue import options
from companion.games.rescue.rules_badges import Badges
from companion.games.rescue.rules_flow import Flow
from companion.games.rescue.rules_map import Map
from companion.games.rescue.rules_score import round_points
from companion.games.rescue.rules_sheet import Sheet
from companion.games.rescue.rules_turn import Turn
from companion.table.effects import Say
from companion.table.events import Clock, Setting
from companion.table.game import Point
from companion.table.luck import Luck
from companion.table.things import Deck, Player, Zone, value

TRAY = Zone("tray")
NOTHING = Say("did.nothing")


@value
class Draft:
    """What a player does in this turn, and how it stood one step before: a draft can be taken back.

    `offers` and `ready` follow from the rest; they are kept because they are asked for at every event.
    """

    turn: Turn
    rolled: int
    spent: int = 0  # volunteers filled in for this number
    before: Draft | None = None
    offers: tuple[str, ...] = ()  # some answers that would be accepted now
    ready: bool = False  # whether "ready" would be


@value
class Pupil:
    """One player. In light mode the sheet is on paper only and `sheet` is None."""

    sheet: Sheet | None = None  # as of the last turn that everybody has finished
    draft: Draft | None = None
    done: Draft | None = None  # ready: the draft as it was when its bonuses were closed
    numbers: tuple[int, ...] = ()  # the squares of the turn counter
    worth: int = 0  # what the sheet would score if the round ended now
    areas: int = 0  # full of trees
    told: Mapping[str, int] = field(default_factory=dict)  # light mode: answers at the scoring desk


@value
class State:
    """One moment of a game. `playing` are those with a sheet, `away` those nobody waits for."""

    setting: Setting
    deck: Deck
    rulings: Mapping[str, object]
    board: Map | None
    phase: str
    flow: Flow
    pupils: Mapping[Player, Pupil]
    badges: Badges
    luck: Luck
    away: frozenset[Player] = frozenset()
    rolled: tuple[int, ...] = ()
    tray: tuple[str, ...] | None = None  # what lay in it when the camera last looked; None: it never did
    announced: Mapping[Player, tuple[str, ...]] = field(default_factory=dict)
    rounds: tuple[tuple[Point, ...], ...] = ()  # the lines of round 1, then of round 2
    todo: tuple[str, ...] = ()  # what still follows this turn: badges, score_round_n
    lap: int = 0  # of the clocks: a new one for each turn and each window
    over: bool = False
    did: Say = NOTHING

    @property
    def playing(self) -> tuple[Player, ...]:
        """Everybody with a sheet, as they sit."""
        return tuple(self.pupils)

    @property
    def present(self) -> tuple[Player, ...]:
        """Everybody with a sheet who is there."""
        return tuple(player for player in self.pupils if player not in self.away)

    @property
    def host(self) -> Player:
        """Who answers for the table: the teacher of a class, else whoever was named first."""
        return self.setting.players[0]

    @property
    def full(self) -> bool:
        """Whether the companion keeps the sheets."""
        return self.board is not None and self.rulings["depth"] == "full"


def ruled(state: State, number: int, setting: str) -> bool:
    """Whether the ruling RESC-AMB-nn has this value at this table."""
    return options.ruled(state.rulings, number, setting)


def pupil(state: State, player: Player, **changes: Any) -> dict[Player, Pupil]:
    """Everybody, one of them changed."""
    return {**state.pupils, player: replace(state.pupils[player], **changes)}


def drawing(state: State) -> tuple[Player, ...]:
    """Who still draws."""
    return tuple(player for player in state.present if player not in state.flow.ready)


def remind_clock(state: State) -> Clock:
    """The clock that reminds those who still draw."""
    return Clock("remind", state.lap)


def badge_clock(state: State) -> Clock:
    """The clock of the badge window."""
    return Clock("badges", state.lap)


def points_now(state: State, player: Player) -> tuple[Point, ...]:
    """What a sheet would score if the round ended now; nothing where there is no sheet."""
    sheet = state.pupils[player].sheet
    if sheet is None or state.board is None:
        return ()
    return round_points(state.board, sheet, player, state.rulings)


def shape_of(state: State, number: int) -> Say:
    """What a number asks to draw, in words where the shape has some."""
    known = state.board is None or state.board.shapes_source == "unverified"
    return Say(f"shape.{number}" if known else "shape.own")
