"""The end: one player is left. He may turn his glasses over, so that the map after the game knows them."""

from __future__ import annotations

from companion.games.wine.floor import rows_cues
from companion.games.wine.state import Seen, State, is_glass, owner_of
from companion.table.cues import Cue, Press
from companion.table.effects import Say
from companion.table.events import Move, Pressed, Shown
from companion.table.game import Refusal, Step
from companion.table.phases import step
from companion.table.things import BID, Player


def _winner(state: State) -> Player:
    assert state.winner is not None, "one player is left"
    return state.winner


def enter(state: State) -> Step[State]:
    """The winner is named and asked for his glasses."""
    return Step(
        state, (Say("say.winner", {"name": _winner(state)}), Say("say.finale", {"name": _winner(state)}))
    )


def legal(state: State) -> tuple[Cue, ...]:
    """His row, or the button: no map wanted."""
    winner = _winner(state)
    return (*rows_cues(state, (winner,))[:1], Press(winner, BID, "cue.no_map"))


def apply(state: State, move: Move) -> Step[State] | Refusal:
    """All his glasses face up, left to right; or none of them."""
    winner = _winner(state)
    if isinstance(move, Pressed):
        if move.player != winner or move.button != BID:
            return Refusal("WINE-OBJ-03", "not_waited_for", aloud=False)
        return step(state, Say("did.no_map"), phase="over")
    if not isinstance(move, Shown) or owner_of(state, move.zone) != winner:
        return Refusal("WINE-OBJ-03", "not_waited_for", aloud=False)
    glasses = tuple(card for card in move.cards if is_glass(state, card))
    row = state.rows[winner]
    if len(glasses) < len(row):
        return Refusal("TABLE-SAME", "nothing_new", aloud=False)  # not yet all of them
    if len(glasses) > len(row):
        values: dict[str, str | int] = {"name": winner, "count": len(row), "seen": len(glasses)}
        return Refusal("WINE-OBJ-03", "too_many_glasses", values)
    seen = tuple(Seen(state.turns, glass, card) for glass, card in zip(row, glasses, strict=True))
    return step(state, Say("did.finale"), Say("say.map"), phase="over", seen=(*state.seen, *seen))
