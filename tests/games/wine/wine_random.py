"""Random play of Koala & Wine from its cues alone, and its twin: the same public course with other glasses."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from wine_table import DECK, SHELF

from companion.games.wine.options import EXTENSION, RULINGS
from companion.games.wine.state import DRAWN, PLAYED, State, base, is_glass, owner_of
from companion.table import crank
from companion.table.crank import Turn
from companion.table.cues import Choose, Cue, Press, Roll, Show, Wait
from companion.table.effects import Effect
from companion.table.events import Chosen, Event, Move, Opened, Pressed, Rang, Setting, Shown
from companion.table.game import Refusal
from companion.table.luck import Luck
from companion.table.session import Session
from companion.table.things import CardId, Player

NAMES = ("Mia", "Paul", "Ada", "Ben", "Cleo", "Emil")
GLASSES = [card.id for card in DECK.cards if card.kind == "glass"]
STEPS = 900  # at most, then a course is left


@dataclass
class Dice:
    """A stream of luck that is used up."""

    luck: Luck

    def below(self, n: int) -> int:
        number, self.luck = self.luck.below(n)
        return number

    def one(self, items: list[CardId]) -> CardId:
        return items[self.below(len(items))]


def setting(dice: Dice) -> Setting:
    """Any number of players, with or without the extension and the variant, one unusual ruling."""
    count = 2 + dice.below(5)
    options: dict[str, object] = {"extension": "all" if dice.below(3) else "none"}
    if count < 4 and dice.below(2):
        options["variant_2_3"] = True
    ruling = RULINGS[dice.below(len(RULINGS))]
    options[ruling.id] = ruling.allowed[-1]
    return Setting("wine", tuple(Player(name) for name in NAMES[:count]), options)


def opened(chosen: Setting) -> Session:
    turn = crank.advance(SHELF, None, Opened(chosen))
    assert isinstance(turn, Turn), turn
    return turn.session


def any_move(session: Session, dice: Dice, now: int) -> Move | None:
    """Something that is waited for, and sometimes something that is not."""
    cues = [cue for cue in session.cues if not _silent(cue)]
    cue = cues[dice.below(len(cues))]
    if dice.below(25) == 0:
        names = session.setting.players
        return Pressed(names[dice.below(len(names))], "bid", now)  # type: ignore[arg-type]  # the button's own word
    if isinstance(cue, Press):
        return Pressed(cue.player, cue.button, now)
    if isinstance(cue, Choose):
        return (
            Chosen(cue.player, cue.what, cue.options[dice.below(len(cue.options))]) if cue.options else None
        )
    if isinstance(cue, Wait):
        return Rang(cue.clock)
    assert isinstance(cue, Show) and not isinstance(cue, Roll)
    if cue.expect.exactly is not None:
        return Shown(cue.zone, cue.expect.exactly)
    return _cards(session.state, cue, dice)


def _silent(cue: Cue) -> bool:
    return isinstance(cue, Show) and cue.expect.new == 0 and cue.expect.exactly is None


def _cards(state: State, cue: Show, dice: Dice) -> Shown | None:
    if owner_of(state, cue.zone) is not None:
        count = len(state.rows[owner_of(state, cue.zone)]) if state.phase == "finale" else 1
        start = dice.below(len(GLASSES))
        return Shown(cue.zone, tuple((GLASSES * 2)[start : start + count]))
    extra = EXTENSION if state.rulings["extension"] == "all" else {}
    free = [
        card.id for card in DECK.cards
        if card.kind != "glass" and card.id not in state.spent and card.id not in state.lying.get(cue.zone, ())
        and (base(card.face) in extra or base(card.face) not in EXTENSION)
    ]  # fmt: skip
    kinds = {
        PLAYED: ("thieves", "stop", "green", "blue"),
        DRAWN: ("thieves", "stop", "green", "blue", "black"),
    }
    if cue.zone == DRAWN and state.pile.cards <= state.pile.black:
        kinds[DRAWN] = ("black",)
    free = [card for card in free if DECK.by_id[card].kind in kinds[cue.zone]]
    return Shown(cue.zone, (dice.one(free),)) if free else None


@dataclass
class Twins:
    """Two courses of one game: every word, choice, card and outcome alike, the glasses different."""

    one: Session
    two: Session
    event: Event
    other: Event
    effects: tuple[tuple[Effect, ...], tuple[Effect, ...]]


def other_glasses(state: State, twin: State, move: Shown, dice: Dice) -> Shown:
    """Other physical glasses that decide the same: of the wine asked for if that was it, else any other wine.

    A glass that lies there already is the twin's that lies there already.
    """
    owner = owner_of(state, move.zone)
    here, there = state.shown.get(owner), twin.shown.get(owner)
    if here is not None and there is not None and move.cards == (here.card,):
        return Shown(move.zone, (there.card,))
    taken: list[CardId] = [] if there is None else [there.card]
    for card in move.cards:
        same = state.wine is not None and DECK.face(card) == state.wine
        fits = [
            g
            for g in GLASSES
            if g not in taken and (state.wine is None or (DECK.face(g) == state.wine) == same)
        ]
        taken.append(dice.one(fits))
    return Shown(move.zone, tuple(taken[-len(move.cards) :]))


def twins(seed: int) -> Iterator[Twins]:
    """A random course and its twin, step by step, until the game is over."""
    dice = Dice(Luck(seed))
    one = two = opened(setting(dice))
    for step in range(STEPS):
        if one.over or one.state.phase == "finale":
            return
        move = any_move(one, dice, (step + 1) * 1_000_000_000)
        if move is None:
            continue
        twin = move
        if isinstance(move, Shown) and any(is_glass(one.state, card) for card in move.cards):
            twin = other_glasses(one.state, two.state, move, dice)
        first, second = crank.advance(SHELF, one, move), crank.advance(SHELF, two, twin)
        if isinstance(first, Refusal) or isinstance(second, Refusal):
            assert first == second, (move, twin)
            continue
        one, two = first.session, second.session
        yield Twins(one, two, move, twin, (first.effects, second.effects))
