"""Ku-Ka-König as the crank plays it: the rulebook's phases, each with its cues and its answers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from companion.games.kukakoenig import play_choose, play_score, play_setup, play_take
from companion.games.kukakoenig import view as views
from companion.games.kukakoenig.options import OPTIONS, settle_options
from companion.games.kukakoenig.rules_deck import layout
from companion.games.kukakoenig.state import ONWARD, State
from companion.games.kukakoenig.tales import tales
from companion.games.kukakoenig.tally import GAME as TALLY
from companion.table.cues import Cue
from companion.table.effects import Say
from companion.table.events import Move, Pressed, Setting
from companion.table.game import Game, Refusal, Score, Step, View, Viewer
from companion.table.phases import Phase
from companion.table.things import Deck

PHASES: dict[str, Phase[State]] = {
    "setup": Phase(play_setup.legal_setup, play_setup.apply_setup),
    "layout": Phase(play_setup.legal_layout, play_setup.apply_layout),
    "think": Phase(play_choose.legal_think, play_choose.apply_think),
    "beat": Phase(play_choose.legal_beat, play_choose.apply_beat),
    "show": Phase(play_choose.legal_show, play_choose.apply_show),
    "take": Phase(play_take.legal, play_take.apply),
    "again": Phase(play_take.legal_again, play_take.apply_again),
    "score": Phase(play_score.legal, play_score.apply),
    "keep": Phase(play_score.legal_keep, play_score.apply_keep),
    "refill": Phase(play_setup.legal_refill, play_setup.apply_refill),
}
ENTER: dict[str, Callable[[State], Step[State]]] = {  # how what is to do begins; it may be done at once
    "think": play_choose.enter_think,
    "round_end": play_take.enter_round_end,
    "score1": play_score.enter_first,
    "score2": play_score.enter_second,
    "keep": play_score.enter_keep,
    "refill": play_setup.enter_refill,
}


def setup(setting: Setting, deck: Deck) -> Step[State] | Refusal:
    """Lay number cards for the players; refuse a number the rulebook does not know, or an unknown option."""
    rulings = settle_options(setting.options)
    if isinstance(rulings, Refusal):
        return rulings
    found = layout(len(setting.players))
    if isinstance(found, Refusal):
        return found
    rows: dict[int, tuple[()]] = dict.fromkeys(range(1, found.rows + 1), ())
    state = State(
        setting, deck, rulings, "setup", rows, found.cards, found.unseen,
        collections=dict.fromkeys(setting.players, ()),
    )  # fmt: skip
    says = [Say("say.welcome", {"count": len(setting.players), "rows": found.rows})]
    if found.unseen:
        says.append(Say("say.count_out", {"count": found.unseen}))
    if deck.made_up:
        says.append(Say("say.made_up"))
    return Step(state, tuple(says))


def legal(state: State) -> tuple[Cue, ...]:
    """What the phase waits for; nothing once the score stands."""
    return () if state.phase == "over" else PHASES[state.phase].legal(state)


def apply(state: State, move: Move) -> Step[State] | Refusal:
    """The phase's answer, followed by whatever begins and ends by itself."""
    if isinstance(move, Pressed) and move.player not in state.collections:
        return Refusal("TABLE-PLAYER", "unknown_player", {"name": move.player})
    if state.phase == "over":
        return Refusal("KUKA-END2-04", "game_is_over", aloud=False)
    answer = PHASES[state.phase].apply(state, move)
    if isinstance(answer, Refusal):
        return answer
    says, after = list(answer.says), answer.state
    while after.phase == ONWARD:
        entered = ENTER[after.todo[0]](replace(after, todo=after.todo[1:]))
        says.extend(entered.says)
        after = entered.state
    return Step(after, tuple(says))


def score(state: State) -> Score:
    """All scorings so far."""
    return state.score if state.score is not None else play_score.score(state)


def view(state: State, viewer: Viewer) -> View:
    """The table as plain data for one viewer."""
    return views.view(state, viewer, legal(state))


GAME = Game("kukakoenig", setup, legal, apply, score, view, OPTIONS, tales)
GAMES = (GAME, TALLY)
