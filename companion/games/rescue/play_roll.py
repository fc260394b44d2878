"""A turn begins: the die is rolled, by the companion, in the tray, or it is typed in. Then everybody draws."""

from __future__ import annotations

from dataclasses import replace

from companion.games.rescue.drafts import drafted
from companion.games.rescue.rules_badges import TURNS
from companion.games.rescue.rules_flow import roll
from companion.games.rescue.rules_turn import begin
from companion.games.rescue.state import TRAY, Draft, Pupil, State, pupil, ruled, shape_of
from companion.table.cues import Choose, Cue, Press, Roll
from companion.table.effects import Say
from companion.table.events import Chosen, Move, Pressed, Rolled
from companion.table.figures import number
from companion.table.game import Refusal, Step
from companion.table.phases import step
from companion.table.things import BID, Player

FACES = ("1", "2", "3", "4", "5", "6")


def legal(state: State) -> tuple[Cue, ...]:
    """Any player rolls; in a class the teacher does. What lies in the tray counts, or what is typed."""
    cues: list[Cue] = []
    die = state.rulings["die"]
    if die != "companion":
        cues.append(Roll(TRAY, 1))
    if die != "tray":
        rollers = (state.host,) if state.rulings["classroom"] else state.present
        cues += [Press(player, BID, "cue.roll") for player in rollers]
    cues.append(Choose(state.host, "die", FACES))
    return (*cues, *offered_back(state))


def offered_back(state: State) -> list[Cue]:
    """Who is away may come back, named as they sit."""
    away = tuple(player for player in state.playing if player in state.away)
    return [Choose(state.host, "back", away, aside=True)] if away else []


def apply(state: State, move: Move) -> Step[State] | Refusal:
    """The number of this turn, however it came; or a player who was away is back."""
    if isinstance(move, Chosen) and move.cue == "back":
        return came_back(state, move.option)
    if isinstance(move, Rolled) and move.zone == TRAY:
        return _seen(state, move.faces)
    if isinstance(move, Chosen) and move.cue == "die":
        return _begin(state, number(move.option))
    if isinstance(move, Pressed) and move.button == BID and state.rulings["die"] != "tray":
        if state.rulings["classroom"] and move.player != state.host:
            return Refusal("RESC-CLA-02", "teacher_rolls", {"name": state.host}, aloud=False)
        face, luck = state.luck.below(6)
        return _begin(replace(state, luck=luck), face + 1)
    return Refusal("RESC-CLA-03", "nothing_to_finish", aloud=False)


def _seen(state: State, faces: tuple[str, ...]) -> Step[State] | Refusal:
    """Exactly one die, its face named "die_4"; a die that still lies there from the last roll is none."""
    if faces == state.tray:
        return Refusal("TABLE-SAME", "nothing_new", aloud=False)
    if not faces:
        return step(state, Say("did.picked_up"), tray=())
    if len(faces) > 1:
        return Refusal("RESC-SET-02", "one_die", {"count": len(faces)})
    word = faces[0].removeprefix("die_")
    return _begin(replace(state, tray=faces), number(word))


def _begin(state: State, face: int) -> Step[State] | Refusal:
    flow = roll(state.flow, face)
    if isinstance(flow, Refusal):
        return flow
    pupils = {player: _drawing(state, player, face, flow.turn == TURNS) for player in state.pupils}
    says = (
        Say(
            "say.rolled_full" if state.full else "say.rolled",
            {"turn": flow.turn, "number": f"@die_{face}", "shape": f"@{shape_of(state, face).key}"},
        ),
    )
    did = Say("did.rolled", {"turn": flow.turn, "number": f"@die_{face}"})
    return step(
        state, did, *says, phase="draw", flow=flow, pupils=pupils, lap=state.lap + 1,
        rolled=(*state.rolled, face),
    )  # fmt: skip


def _drawing(state: State, player: Player, face: int, last: bool) -> Pupil:
    own = state.pupils[player]
    if own.sheet is None or state.board is None or player in state.away:
        return replace(own, draft=None, done=None)
    turn = begin(state.board, own.sheet, face, state.rulings, last)
    return replace(own, draft=drafted(state.board, Draft(turn, face), state.rulings), done=None)


def came_back(state: State, name: str) -> Step[State] | Refusal:
    """Somebody who was away joins again and draws in this turn; the numbers are on the screen to be copied."""
    player = next((each for each in state.away if each == name), None)
    if player is None:
        return Refusal("RESC-AMB-17", "not_away", {"name": name}, aloud=False)
    away = state.away - {player}
    flow = replace(state.flow, players=state.flow.players | {player})
    there = replace(state, away=away, flow=flow)
    if state.phase == "draw":
        own = _drawing(there, player, state.rolled[-1], flow.turn == TURNS)
        there = replace(there, pupils=pupil(there, player, draft=own.draft))
    return step(there, Say("did.back", {"name": name}))


def written(state: State, own: Pupil) -> int:
    """The number that goes into the turn counter: as rolled, by another ruling as changed."""
    face = state.rolled[-1]
    if own.done is None or ruled(state, 18, "rolled_number"):
        return face
    return own.done.turn.number
