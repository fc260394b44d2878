"""The end of a turn: one common window for merit badges, so that equal turns need no race."""

from __future__ import annotations

from dataclasses import replace

from companion.games.rescue.rules_badges import award
from companion.games.rescue.rules_sheet import earned
from companion.games.rescue.state import State, badge_clock, ruled
from companion.table.cues import Choose, Cue, Press, Wait
from companion.table.effects import Say
from companion.table.events import Chosen, Move, Pressed, Rang
from companion.table.game import Refusal, Step
from companion.table.phases import seconds, step
from companion.table.things import CALL, Player, Words

BADGE = "badge"
PATIENCE_S = 60.0  # at least so long somebody who has earned a badge may take to say so


def claimable(state: State, player: Player) -> tuple[str, ...]:
    """The badges that a player may announce now: what the own sheet fulfils, without a sheet any."""
    had = {*state.badges.got.get(player, {}), *state.announced.get(player, ())}
    sheet = state.pupils[player].sheet
    if state.full and sheet is not None and state.board is not None:
        ids: tuple[str, ...] = earned(state.board, sheet, state.rulings)
    else:
        ids = tuple(state.badges.points)
    return tuple(badge for badge in ids if badge not in had)


def enter(state: State) -> Step[State]:
    """Open the window; without anything to announce the game goes on at once."""
    open_ones = {player: claimable(state, player) for player in state.present}
    if not any(open_ones.values()):
        return Step(replace(state, phase="next"))
    if state.full and ruled(state, 14, "given_at_once"):
        return _close(replace(state, announced={player: own for player, own in open_ones.items() if own}))
    return Step(replace(state, announced={}), (Say("say.any_badges"),))


def legal(state: State) -> tuple[Cue, ...]:
    """What each may announce, and the end of the window by its clock or by whoever leads the game."""
    cues: list[Cue] = []
    for player in state.present:
        choice = claimable(state, player)
        if choice:
            cues.append(Choose(player, BADGE, choice))
    # Where the companion knows who has one it closes by itself once all are told: nobody need hurry.
    cues.append(Press(state.host, CALL, "cue.close_badges", aside=state.full))
    wait = seconds(state, "badges_s")
    if wait and state.full:
        wait = max(wait, PATIENCE_S)
    if wait:
        cues.append(Wait(badge_clock(state), wait))
    return tuple(cues)


def apply(state: State, move: Move) -> Step[State] | Refusal:
    """A badge is announced, or the window closes."""
    if isinstance(move, Rang) or (
        isinstance(move, Pressed) and move.button == CALL and move.player == state.host
    ):
        return _close(state)
    if not isinstance(move, Chosen) or move.cue != BADGE or move.player not in state.present:
        return Refusal("RESC-BAD-01", "badges_first", aloud=False)
    if move.option not in state.badges.points:
        return Refusal("RESC-BAD-02", "no_such_badge", {"badge": move.option})
    had = {*state.badges.got.get(move.player, {}), *state.announced.get(move.player, ())}
    values: Words = {"badge": number(state, move.option), "name": move.player}
    if move.option in had:
        return Refusal("RESC-BAD-01", "badge_already_scored", values)
    if move.option not in claimable(state, move.player):
        return Refusal("RESC-BAD-01", "badge_not_earned", values)
    own = (*state.announced.get(move.player, ()), move.option)
    after = step(state, Say("did.badge", values), announced={**state.announced, move.player: own})
    if state.full and not any(claimable(after.state, player) for player in state.present):
        return _close(after.state)
    return after


def number(state: State, badge: str) -> int:
    """A badge as people call it: its place on the sheet."""
    return list(state.badges.points).index(badge) + 1


def _close(state: State) -> Step[State]:
    """Everything announced in this window was announced in the same turn."""
    told = {str(player): own for player, own in state.announced.items()}
    badges = award(state.badges, state.flow.turn, told, state.rulings)
    assert not isinstance(badges, Refusal), "each was checked when it was announced"
    says = [
        Say("say.badge", {"name": player, "badge": number(state, badge), "count": badges.got[player][badge]})
        for player, own in state.announced.items()
        for badge in own
    ]
    did = Say("did.badges", {"count": len(says)})
    return step(state, did, *says, badges=badges, announced={}, phase="next", lap=state.lap + 1)
