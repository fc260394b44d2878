"""Koala as the crank plays it: the rulebook's phases, each with its cues and its answers."""

from __future__ import annotations

from companion.games.koala import (
    play_actions,
    play_auction,
    play_collect,
    play_feast,
    play_moves,
    play_opening,
    play_refill,
    play_reveal,
    play_scan,
)  # fmt: skip
from companion.games.koala import (
    view as views,
)
from companion.games.koala.options import OPTIONS, settle_options
from companion.games.koala.rules_seats import seating
from companion.games.koala.state import State
from companion.games.koala.tales import tales
from companion.games.koala.tally import GAME as TALLY
from companion.table.cues import Cue
from companion.table.effects import Say
from companion.table.events import Move, Pressed, Setting
from companion.table.game import Game, Refusal, Score, Step, View, Viewer
from companion.table.phases import Phase, go_on
from companion.table.things import Deck

_OPENING = Phase(play_opening.legal, play_opening.apply)
_AUCTION = Phase(play_auction.legal, play_auction.apply)
_WINDOW = Phase(play_actions.legal, play_actions.apply)
_DO = Phase(play_moves.legal_do, play_moves.apply_do)

PHASES: dict[str, Phase[State]] = {
    "starter": _OPENING,
    "team_draw": _OPENING,
    "deal": _OPENING,
    "reveal": Phase(play_reveal.legal, play_reveal.apply, play_reveal.enter),
    "reveal_action": _DO,
    "auction": _AUCTION,
    "call": _AUCTION,
    "split": Phase(play_collect.legal_split, play_collect.apply_split, play_collect.enter_split),
    "new_starter": Phase(play_collect.legal_starter, play_collect.apply_starter, play_collect.enter_starter),
    "collect": Phase(play_collect.legal_collect, play_collect.apply_collect),
    "feast": Phase(play_feast.legal, play_feast.apply, play_feast.enter),
    "feast_eat": Phase(play_feast.legal_eat, play_feast.apply_eat),
    "action_wait": Phase(play_actions.legal_wait, play_actions.apply_wait, play_actions.enter_wait),
    "actions": _WINDOW,
    "action_call": _WINDOW,
    "action_do": _DO,
    "move": Phase(play_moves.legal_move, play_moves.apply_move),
    "take": Phase(play_moves.legal_take, play_moves.apply_take),
    "refill": Phase(play_refill.legal, play_refill.apply, play_refill.enter),
    "scan": Phase(play_scan.legal, play_scan.apply, play_scan.enter),
    "scan_feasts": Phase(play_scan.legal_feasts, play_scan.apply_feasts, play_scan.enter_feasts),
    "scan_teams": Phase(play_scan.legal_teams, play_scan.apply_teams, play_scan.enter_teams),
    "question": Phase(play_scan.legal_question, play_scan.apply_question, play_scan.enter_question),
}


def setup(setting: Setting, deck: Deck) -> Step[State] | Refusal:
    """Seat the players; refuse a number the rulebook does not know, or an option nobody knows."""
    rulings = settle_options(setting.options)
    if isinstance(rulings, Refusal):
        return rulings
    teams = bool(setting.options.get("teams"))
    seats = seating(setting.players, teams)
    if isinstance(seats, Refusal):
        return seats
    pile = sum(1 for card in deck.cards if card.kind in ("food", "action"))
    state = State(
        setting, deck, rulings, "starter", seats, ((),) * len(seats), dict.fromkeys(setting.players, 0),
        dict.fromkeys(setting.players, 0), pile, sum(1 for card in deck.cards if card.kind == "feast"),
    )  # fmt: skip
    return Step(state, (Say("say.welcome", {"count": len(setting.players)}), Say("say.who_begins")))


def legal(state: State) -> tuple[Cue, ...]:
    """What the phase waits for; nothing once the score stands."""
    return () if state.phase == "over" else PHASES[state.phase].legal(state)


def apply(state: State, move: Move) -> Step[State] | Refusal:
    """The phase's answer, followed by whatever the next phases do by themselves."""
    if isinstance(move, Pressed) and move.player not in state.hands:
        return Refusal("TABLE-PLAYER", "unknown_player", {"name": move.player})
    if state.phase == "over":
        return Refusal("KOALA-END-01", "game_is_over", aloud=False)
    answer = PHASES[state.phase].apply(state, move)
    if isinstance(answer, Refusal):
        return answer
    return go_on(PHASES, state, answer, _turn)


def _turn(state: State) -> tuple[object, ...]:
    """What makes a phase begin anew: its name, whose turn it is, a card off the pile, a cave counted."""
    top = state.pile if state.phase == "reveal" else 0
    return state.phase, state.queue, state.splits, state.counted, state.joins, top


def score(state: State) -> Score:
    """The score as the caves stand; teams count once all are known, "?" between equal teams at the end."""
    if state.score is not None:
        return state.score
    if state.setting.options.get("teams") and not set(state.setting.players) <= set(state.teams):
        return Score((), {}, ())
    result = play_scan.final(state)
    return Score((), {}, ()) if isinstance(result, Refusal) else result


def view(state: State, viewer: Viewer) -> View:
    """The public table as plain data."""
    return views.view(state, viewer, legal(state))


GAME = Game("koala", setup, legal, apply, score, view, OPTIONS, tales, standing=views.standing)
GAMES = (GAME, TALLY)
