"""Koala & Wine as the crank plays it: the rulebook's phases, each with its cues and its answers."""

from __future__ import annotations

from dataclasses import replace

from companion.games.wine import (
    play_auction,
    play_black,
    play_blue,
    play_down,
    play_end,
    play_fair,
    play_green,
    play_lost,
    play_opening,
    play_show,
    play_thief,
    play_turn,
)  # fmt: skip
from companion.games.wine import (
    view as views,
)
from companion.games.wine.options import OPTIONS, extras, settle_options
from companion.games.wine.rules_deck import WINES, serve
from companion.games.wine.rules_glasses import MIDDLE
from companion.games.wine.state import State, ruled
from companion.games.wine.tales import tales
from companion.table.cues import Cue
from companion.table.effects import Say
from companion.table.events import Chosen, Move, Pressed, Setting
from companion.table.game import Game, Point, Refusal, Score, Step, View, Viewer
from companion.table.phases import Phase, go_on
from companion.table.things import Deck, Player

_OPENING = Phase(play_opening.legal, play_opening.apply)
_SWAP = Phase(play_green.legal_swap, play_green.apply_swap, play_green.enter_swap)
_LOOKS = Phase(enter=play_green.enter_looks)
_TO = Phase(play_blue.legal_to, play_blue.apply_to)

PHASES: dict[str, Phase[State]] = {
    "starter": _OPENING,
    "serve": _OPENING,
    "memorise": Phase(play_opening.legal_memorise, play_opening.apply_memorise),
    "all_down": Phase(play_opening.legal_down, play_opening.apply_down),
    "deal": _OPENING,
    "next": Phase(enter=play_turn.enter_next),
    "resume": Phase(enter=play_turn.enter_resume),
    "turn": Phase(play_turn.legal, play_turn.apply),
    "discard": Phase(play_turn.legal_discard, play_turn.apply_discard),
    "draw": Phase(play_turn.legal_draw, play_turn.apply_draw),
    "show": Phase(play_show.legal, play_show.apply),
    "second_try": Phase(play_lost.legal_second, play_lost.apply_second),
    "sommelier_lost": Phase(play_down.legal_which, play_lost.apply_which),
    "fine": Phase(play_lost.legal_fine, play_lost.apply_fine),
    "down": Phase(play_down.legal_down, play_down.apply_down),
    "thieves": Phase(play_thief.legal, play_thief.apply, play_thief.enter),
    "stop_window": Phase(play_thief.legal_window, play_thief.apply_window),
    "stop_lay": Phase(play_thief.legal_lay, play_thief.apply_lay),
    "tipsy_taster": _SWAP,
    "sneaky_taster": _SWAP,
    "under_the_table": Phase(play_green.legal_under, play_green.apply_under),
    "grape_picker": Phase(play_green.legal_grape, play_green.apply_grape, play_green.enter_grape),
    "oenologist": Phase(
        play_green.legal_oenologist, play_green.apply_oenologist, play_green.enter_oenologist
    ),
    "auditor": _LOOKS,
    "meteorologist": _LOOKS,
    "looking": Phase(play_green.legal_looking, play_green.apply_looking),
    "sommelier": Phase(enter=play_black.enter_sommelier),
    "lobbyists": Phase(play_black.legal_lobby, play_black.apply_lobby, play_black.enter_lobby),
    "wine_fair": Phase(play_fair.legal_fair, play_fair.apply_fair, play_fair.enter_fair),
    "fair_missing": Phase(play_fair.legal_missing, play_fair.apply_missing),
    "fair_look": Phase(play_fair.legal_look, play_fair.apply_look),
    "farandole": Phase(play_black.legal_farandole, play_black.apply_farandole, play_black.enter_farandole),
    "auction": Phase(play_auction.legal, play_auction.apply, play_auction.enter),
    "auction_tie": Phase(play_auction.legal_tie, play_auction.apply_tie),
    "charity": Phase(play_blue.legal_charity, play_blue.apply_charity, play_blue.enter_charity),
    "charity_to": _TO,
    "blind_test": Phase(play_blue.legal_blind, play_blue.apply_blind, play_blue.enter_blind),
    "vintage": Phase(enter=play_blue.enter_vintage),
    "contest": Phase(play_fair.legal_wine, play_fair.apply_wine, play_fair.enter_contest),
    "contest_race": Phase(play_fair.legal_race, play_fair.apply_race),
    "contest_won": Phase(play_fair.legal_won, play_fair.apply_won),
    "ageing": Phase(play_blue.legal_ageing, play_blue.apply_ageing, play_blue.enter_ageing),
    "finale": Phase(play_end.legal, play_end.apply, play_end.enter),
}


def setup(setting: Setting, deck: Deck) -> Step[State] | Refusal:
    """Seat the players; refuse a number the rulebook does not know, or an option nobody knows."""
    rulings = settle_options(setting.options)
    if isinstance(rulings, Refusal):
        return rulings
    glasses = {wine: sum(card.face == wine for card in deck.cards) for wine in WINES}
    variant = bool(rulings["variant_2_3"])
    served = serve(len(setting.players), extras(rulings), variant, glasses)
    if isinstance(served, Refusal):
        return served
    nobody: dict[Player, tuple[int, ...]] = dict.fromkeys((*setting.players, MIDDLE), ())
    state = State(
        setting, deck, rulings, "starter", setting.players, served.pile, nobody,
        dict.fromkeys(setting.players, 0), served.per_type,
    )  # fmt: skip
    if ruled(state, 24, "anticlockwise"):
        state = replace(state, order=setting.players[::-1])
    return Step(state, (Say("say.welcome", {"count": len(setting.players)}), Say("say.who_begins")))


def legal(state: State) -> tuple[Cue, ...]:
    """What the phase waits for; nothing once the game is over."""
    return () if state.phase == "over" else PHASES[state.phase].legal(state)


def apply(state: State, move: Move) -> Step[State] | Refusal:
    """The phase's answer, followed by whatever the next phases do by themselves."""
    if isinstance(move, Pressed | Chosen) and move.player not in state.setting.players:
        return Refusal("TABLE-PLAYER", "unknown_player", {"name": move.player})
    if state.phase == "over":
        return Refusal("WINE-OBJ-03", "game_over", aloud=False)
    if isinstance(move, Pressed) and move.player in state.out and move.player not in state.down:
        return Refusal("WINE-OBJ-02", "eliminated_player", {"name": move.player})
    answer = PHASES[state.phase].apply(state, move)
    return answer if isinstance(answer, Refusal) else go_on(PHASES, state, answer)


def score(state: State) -> Score:
    """Who is the last with glasses; there are no points."""
    if state.winner is None:
        return Score((), {}, ())
    glasses = len(state.rows[state.winner])
    line = Point(state.winner, 1, "WINE-OBJ-03", "score.last", {"count": glasses})
    return Score((line,), {state.winner: 1}, (state.winner,))


def view(state: State, viewer: Viewer) -> View:
    """The public table as plain data."""
    return views.view(state, viewer, legal(state))


# What a glass holds, and who drew which card, is told by no screen afterwards, not by the list of steps either.
GAME = Game("wine", setup, legal, apply, score, view, OPTIONS,
    private=("row:", "middle", "drawn"), tales=tales,
    reserved=frozenset({"middle"}), standing=views.standing,
)  # fmt: skip
GAMES = (GAME,)
