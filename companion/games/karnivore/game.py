"""Karnivore Koala as the crank plays it: the rulebook's phases, each with its cues and its answers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from companion.games.karnivore import (
    cards,
    play_card,
    play_dice,
    play_effect,
    play_end,
    play_hunt,
    play_late,
    play_setup,
    play_tribe,
)
from companion.games.karnivore import view as views
from companion.games.karnivore.options import OPTIONS, settle_options
from companion.games.karnivore.rules_setup import DISHES
from companion.games.karnivore.rules_setup import setup as stock
from companion.games.karnivore.state import PLAY, State
from companion.table.cues import Cue
from companion.table.effects import Say
from companion.table.events import Chosen, Move, Pressed, Rang, Setting, Shown
from companion.table.game import Game, Point, Refusal, Score, Step, View, Viewer
from companion.table.luck import Luck
from companion.table.phases import step
from companion.table.things import Deck, value


def _no_cue(_: State) -> tuple[Cue, ...]:
    return ()


def _not_now(_: State, __: Move) -> Step[State] | Refusal:
    return play_setup.NOT_NOW


def _waits(_: State) -> Step[State] | None:
    return None


@value
class Phase:
    """One phase: what it waits for, how it answers, and what it does by itself (None: it waits)."""

    legal: Callable[[State], tuple[Cue, ...]] = _no_cue
    apply: Callable[[State, Move], Step[State] | Refusal] = _not_now
    enter: Callable[[State], Step[State] | None] = _waits


PHASES: dict[str, Phase] = {
    "starter": Phase(play_setup.legal_starter, play_setup.apply_starter),
    "menu": Phase(play_setup.legal_menu, play_setup.apply_menu),
    "kings": Phase(play_setup.legal_kings, play_setup.apply_kings),
    "deal": Phase(play_setup.legal_deal, play_setup.apply_deal),
    "turn": Phase(enter=play_dice.enter_turn),
    "roll": Phase(play_dice.legal_roll, play_dice.apply_roll),
    "roll_done": Phase(enter=play_dice.enter_done),
    "decide": Phase(play_dice.legal_decide, play_dice.apply_decide, play_dice.enter_decide),
    "reroll": Phase(play_dice.legal_reroll, play_dice.apply_reroll),
    "reroll_done": Phase(enter=play_dice.enter_done),
    "locked": Phase(enter=play_dice.enter_locked),
    "skulls": Phase(play_tribe.legal_skulls, play_tribe.apply_skulls, play_tribe.enter_skulls),
    "tribe": Phase(play_tribe.legal, play_tribe.apply),
    "crowns": Phase(play_tribe.legal_crowns, play_tribe.apply_crowns),
    "effect": Phase(play_effect.legal, play_effect.apply, play_effect.enter),
    "room": Phase(play_effect.legal_room, play_effect.apply_room),
    "whose": Phase(play_card.legal_whose, play_card.apply_whose),
    "hunt": Phase(play_hunt.legal_hunt, play_hunt.apply_hunt),
    "clear": Phase(play_hunt.legal_clear, play_hunt.apply_clear),
    "refill": Phase(play_hunt.legal_refill, play_hunt.apply_refill),
    "sweep": Phase(play_end.legal_sweep, play_end.apply_sweep, play_end.enter_sweep),
    "keep": Phase(play_end.legal_keep, play_end.apply_keep),
    "draw": Phase(play_end.legal_draw, play_end.apply_draw),
    "next": Phase(enter=play_end.enter_next),
    "over": Phase(),
}
BACKSTABS = ("roll", "decide", "reroll", "skulls", "keep")  # the tribe phase looks at its workbears first


def setup(setting: Setting, deck: Deck) -> Step[State] | Refusal:
    """Seat the players; refuse a number the box is not made for, an unknown option, a deck with faults."""
    rulings = settle_options(setting.options)
    if isinstance(rulings, Refusal):
        return rulings
    ready = stock(len(setting.players), rulings)
    if isinstance(ready, Refusal):
        return ready
    faults = cards.faults(deck)
    if faults:
        return Refusal("KARN-CMP-01", "bad_cards", {"why": faults[0], "count": len(faults)})
    empty = dict.fromkeys(setting.players, ())
    box = cards.in_play(deck, rulings)
    state = State(
        setting, deck, rulings, cards.bears(deck), box, "starter", setting.players,
        dict.fromkeys(setting.players, 0), ready.koala_deck, ready.animal_pile, {**empty}, {**empty},
        Luck(setting.seed),
    )  # fmt: skip
    return Step(state, (Say("say.welcome", {"count": len(setting.players)}), Say("say.who_begins")))


def legal(state: State) -> tuple[Cue, ...]:
    """What the phase waits for; nothing once a dessert is hunted."""
    return (*PHASES[state.phase].legal(state), *play_late.late_cues(state))


def apply(state: State, move: Move) -> Step[State] | Refusal:
    """The phase's answer, followed by whatever the next phases do by themselves."""
    if isinstance(move, Pressed | Chosen) and move.player not in state.hands:
        return Refusal("TABLE-PLAYER", "unknown_player", {"name": move.player})
    if state.phase == "over":
        return Refusal("KARN-VIC-01", "game_over", aloud=False)
    answer = _answer(state, move)
    if isinstance(answer, Refusal):
        return answer
    after = _go_on(answer)
    kept = play_card.watches_discard(state) or not after.state.looked
    return after if kept else Step(replace(after.state, looked=False), after.says)


def _answer(state: State, move: Move) -> Step[State] | Refusal:
    if isinstance(move, Rang):
        return step(state, Say("did.sand"), Say("say.sand", {"name": state.player}), sand_over=True)
    if isinstance(move, Shown) and move.zone == PLAY and state.phase in BACKSTABS:
        return play_card.backstab(state, move)
    if isinstance(move, Chosen) and move.player != state.player and _turn_only(state):
        return Refusal("KARN-TRN-02", "not_your_turn", {"name": move.player, "turn": state.player})
    late = play_late.late_koala(state, move)
    return PHASES[state.phase].apply(state, move) if late is None else late


def _turn_only(state: State) -> bool:
    """Whether only the player whose turn it is has anything to choose."""
    return state.phase not in ("starter", "room", "effect", "whose")


def _go_on(answer: Step[State]) -> Step[State]:
    """Enter the phases that follow, until one waits."""
    says, state = list(answer.says), answer.state
    while (entered := PHASES[state.phase].enter(state)) is not None:
        says.extend(entered.says)
        state = entered.state
    return Step(state, tuple(says))


def score(state: State) -> Score:
    """One point for each dish; whoever hunts a dessert has won, whatever the others have."""
    lines = tuple(
        Point(
            player, 1, "KARN-VIC-01" if place + 1 == len(DISHES) else "KARN-HUN-14", "score.dish",
            {"dish": f"@{DISHES[place]}", "animal": f"@{state.deck.face(animal)}"},
        )
        for player in state.order
        for place, animal in enumerate(state.hunted[player])
    )  # fmt: skip
    totals = {str(player): len(state.hunted[player]) for player in state.order}
    return Score(lines, totals, () if state.winner is None else (state.winner,))


def view(state: State, viewer: Viewer) -> View:
    """The public table as plain data."""
    return views.view(state, viewer, legal(state), score(state))


# Options of questions that may also name a player.
WORDS = frozenset({"by_chance", "nobody", "none", "back"})
GAME = Game(
    "karnivore", setup, legal, apply, score, view, OPTIONS, reserved=WORDS, box=lambda state: state.box
)
GAMES = (GAME,)
