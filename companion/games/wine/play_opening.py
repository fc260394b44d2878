"""Before the first turn: who begins, glasses are served and memorised unseen by the camera, cards are dealt."""

from __future__ import annotations

from dataclasses import replace

from companion.games.wine.rules_deck import HAND
from companion.games.wine.rules_glasses import MIDDLE
from companion.games.wine.state import State, Went, is_glass, owner_of, row_zone
from companion.table.cues import Cue, Expect, Press, Show
from companion.table.effects import Say
from companion.table.events import Move, Pressed, Shown
from companion.table.game import Refusal, Step
from companion.table.phases import step
from companion.table.things import BID, Player

WHY = {"serve": "cue.served", "deal": "cue.dealt"}


def legal(state: State) -> tuple[Cue, ...]:
    """Anybody may press to begin; then the starting player confirms what the table has done."""
    if state.phase == "starter":
        return tuple(Press(player, BID, "cue.start") for player in state.setting.players)
    assert state.starter is not None, "serving has a starting player"
    return (Press(state.starter, BID, WHY[state.phase]),)


def apply(state: State, move: Move) -> Step[State] | Refusal:
    """The youngest (or anybody) presses first; glasses and cards are dealt."""
    if not isinstance(move, Pressed) or move.button != BID:
        return Refusal("WINE-SET-11", "not_waited_for", aloud=False)
    if state.phase == "starter":
        begins = Say("say.begins", {"name": move.player})
        return step(
            state, begins, begins, _serve(state), phase="serve", starter=move.player,
        )  # fmt: skip
    if move.player != state.starter:
        return Refusal("WINE-SET-11", "starter_confirms", {"starter": str(state.starter)})
    if state.phase == "serve":
        return _served(state)
    hands = dict.fromkeys(state.order, HAND)
    return step(
        state, Say("did.dealt", {"pile": state.pile.cards}), phase="next", hands=hands, turn=None, turns=0
    )


def _serve(state: State) -> Say:
    if state.rulings["variant_2_3"]:
        return Say("say.serve_variant", {"count": state.per_type})
    return Say("say.serve", {"count": state.per_type})


def _served(state: State) -> Step[State]:
    """Glasses get their numbers in the order of their places: nobody knows what is in which."""
    each, middle = (2, 3) if state.rulings["variant_2_3"] else (3, 0)
    rows: dict[Player, tuple[int, ...]] = {}
    number = 0
    for owner, count in (*((player, each) for player in state.setting.players), (MIDDLE, middle)):
        rows[owner] = tuple(range(number + 1, number + count + 1))
        number += count
    went = tuple(Went(0, glass, owner) for owner, row in rows.items() for glass in row)
    said = Say("say.memorise")
    return step(state, Say("did.served"), said, phase="memorise", rows=rows, went=went, ready=frozenset())


def legal_memorise(state: State) -> tuple[Cue, ...]:
    """Everybody presses when he has looked; no zone: the camera looks away."""
    return tuple(Press(p, BID, "cue.memorised") for p in state.order if p not in state.ready)


def apply_memorise(state: State, move: Move) -> Step[State] | Refusal:
    """Whoever has seen his glasses turns them face down and presses."""
    if not isinstance(move, Pressed) or move.button != BID or move.player in state.ready:
        return Refusal("WINE-SET-04", "not_waited_for", aloud=False)
    ready = state.ready | {move.player}
    did = Say("did.memorised", {"name": move.player})
    if len(ready) < len(state.order):
        return step(state, did, ready=ready)
    owners = tuple(owner for owner, row in state.rows.items() if row)
    return step(state, did, Say("say.all_down"), phase="all_down", ready=ready, down=owners)


def legal_down(state: State) -> tuple[Cue, ...]:
    """Every row that is not yet known to lie face down; the starting player may confirm for all."""
    assert state.starter is not None, "serving has a starting player"
    rows = (Show(row_zone(state, owner), Expect(0, exactly=())) for owner in state.down)
    return (*rows, Press(state.starter, BID, "cue.all_down"))


def apply_down(state: State, move: Move) -> Step[State] | Refusal:
    """Rows without a glass face up are done; with one they are named, not what it holds."""
    if isinstance(move, Pressed) and move.player == state.starter and move.button == BID:
        return _deal(replace(state, down=()))
    owner = owner_of(state, move.zone) if isinstance(move, Shown) else None
    if owner is None or owner not in state.down or not isinstance(move, Shown):
        return Refusal("WINE-SET-05", "not_waited_for", aloud=False)
    if any(is_glass(state, card) for card in move.cards):
        return Refusal("WINE-SET-05", "turn_down", {"name": owner})
    left = tuple(other for other in state.down if other != owner)
    if not left:
        return _deal(replace(state, down=left))
    return step(state, Say("did.row_down", {"name": owner}), down=left)


def _deal(state: State) -> Step[State]:
    return step(state, Say("did.all_down"), Say("say.deal"), phase="deal")
