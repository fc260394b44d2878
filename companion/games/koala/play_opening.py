"""Before the first card: who begins, the team cards, the deal."""

from __future__ import annotations

from companion.games.koala.rules_seats import team_cards
from companion.games.koala.state import State
from companion.table.cues import Cue, Press
from companion.table.effects import Say
from companion.table.events import Move, Pressed
from companion.table.game import Refusal, Step
from companion.table.phases import step
from companion.table.things import BID

WHY = {"starter": "cue.start", "team_draw": "cue.teams_drawn", "deal": "cue.dealt"}


def legal(state: State) -> tuple[Cue, ...]:
    """Anybody may press to begin; then the starting player says that the cards are dealt."""
    if state.phase == "starter":
        return tuple(Press(player, BID, WHY["starter"]) for player in state.setting.players)
    assert state.starter is not None, "dealing has a starting player"
    return (Press(state.starter, BID, WHY[state.phase]),)


def apply(state: State, move: Move) -> Step[State] | Refusal:
    """The player who looks most like a koala presses first; then team cards and the deal are confirmed."""
    if not isinstance(move, Pressed) or move.player not in state.hands or move.button != BID:
        return Refusal("KOALA-SET-12", "not_waited_for", aloud=False)
    if state.phase == "starter":
        phase = "team_draw" if state.setting.options.get("teams") else "deal"
        begins = Say("say.begins", {"name": move.player})
        next_say = _team_draw(state) if phase == "team_draw" else Say("say.deal")
        return step(state, begins, begins, next_say, phase=phase, starter=move.player)
    if move.player != state.starter:
        return Refusal("KOALA-SET-12", "starter_confirms", {"starter": str(state.starter)})
    if state.phase == "team_draw":
        return step(state, Say("did.teams_drawn"), Say("say.deal"), phase="deal")
    hands = dict.fromkeys(state.setting.players, 3)
    did = Say("did.dealt", {"pile": state.pile - 3 * len(hands)})
    return step(state, did, phase="reveal", hands=hands, pile=state.pile - 3 * len(hands))


def _team_draw(state: State) -> Say:
    pairs, questions = team_cards(len(state.setting.players))
    if questions:
        return Say("say.team_draw_odd", {"pairs": pairs, "questions": questions})
    return Say("say.team_draw", {"pairs": pairs})
