"""Phase 1 begins: the starting player turns cards until food comes up."""

from __future__ import annotations

from dataclasses import replace

from companion.games.koala import play_refill
from companion.games.koala.floor import laid, lies_about
from companion.games.koala.rules_refill import HAND
from companion.games.koala.rules_reveal import IGNORED, turn
from companion.games.koala.rules_seats import ACTIONS, FOODS, possible
from companion.games.koala.state import ACTION, MIDDLE, State, all_foods
from companion.table.cues import Choose, Cue, Expect, Show
from companion.table.effects import Say
from companion.table.events import Chosen, Move, Shown
from companion.table.game import Refusal, Step
from companion.table.phases import step
from companion.table.things import CardId

PILE_FACES = (*FOODS, *ACTIONS)


def enter(state: State) -> Step[State]:
    """Ask for the top card; with the pile used up a card that must be revealed ends the game."""
    assert state.starter is not None, "a round has a starting player"
    if state.pile == 0:
        return _out_of_cards(state)
    return Step(state, (Say("say.reveal", {"name": state.starter}),))


def legal(state: State) -> tuple[Cue, ...]:
    """The next card in the middle, or the word that the pile is really empty; bad cards of who drew last."""
    assert state.starter is not None, "a round has a starting player"
    expect = Expect(1, PILE_FACES, state.bonus, seen=lies_about(state.middle))
    cues = Show(MIDDLE, expect), Choose(state.starter, "pile", ("empty",))
    return (*cues, Show(ACTION, Expect(HAND, seen=lies_about(state.action)))) if state.drew else cues


def apply(state: State, move: Move) -> Step[State] | Refusal:
    """A card turned up: food opens the auction, a first action is carried out, later ones are ignored."""
    if isinstance(move, Chosen) and move.cue == "pile" and move.option == "empty":
        return _out_of_cards(replace(state, pile=0))
    if isinstance(move, Shown) and move.zone == ACTION and state.drew:
        return play_refill.shown(state, move)
    if not isinstance(move, Shown) or move.zone != MIDDLE:
        return Refusal("KOALA-REV-01", "reveal_first", {"starter": str(state.starter)})
    floor = laid(state, state.middle, move.cards, state.bonus)
    if isinstance(floor, Refusal):
        return floor
    if len(floor.fresh) > 1:
        return Refusal("KOALA-REV-01", "one_card_at_a_time", {"count": len(floor.fresh)})
    if not floor.fresh:
        return step(state, Say("did.taken_back"), middle=floor)
    card = floor.fresh[0]
    after = replace(state, middle=replace(floor, fresh=()), pile=state.pile - 1, walks=(), slid=(), drew=())
    if state.deck.by_id[card].kind == "food":
        return _food(after, card)
    return _action(after, card)


def _food(state: State, card: CardId) -> Step[State]:
    face = state.deck.face(card)
    floor = replace(state.middle, quiet=False, ran_out=False, lap=state.middle.lap + 1)
    said = Say("say.auction", {"food": f"@{face}"})
    did = Say("did.revealed", {"card": f"@{face}"})
    return step(state, did, said, phase="auction", food=card, pot=(), lead=None, middle=floor)


def _action(state: State, card: CardId) -> Step[State] | Refusal:
    face, starter = state.deck.face(card), state.starter
    assert starter is not None, "a round has a starting player"
    floor = replace(state.middle, spent=(*state.middle.spent, card))
    did = Say("did.revealed", {"card": f"@{face}"})
    shed = {"middle": floor, "discarded": state.discarded, "first_card": False}
    can = bool(possible(face, state.seats, all_foods(state), starter, state.rulings))
    does = turn(face, state.first_card, can, state.rulings)
    if isinstance(does, Refusal):
        return does
    if does == IGNORED:
        return step(state, did, Say("say.ignored", {"card": f"@{face}"}), phase="reveal", **shed)
    if not can:  # by ruling 5 it may be carried out all the same: nothing happens
        return step(state, did, Say("say.no_effect", {"card": f"@{face}"}), phase="reveal", **shed)
    said = Say("say.carry_out", {"name": starter, "card": f"@{face}"})
    return step(state, did, said, phase="reveal_action", card=card, owner=starter, back="reveal", **shed)


def _out_of_cards(state: State) -> Step[State]:
    lost = len(state.bonus)
    said = Say("say.pile_empty_lost", {"lost": lost}) if lost else Say("say.pile_empty")
    return step(state, Say("did.pile_empty"), said, phase="scan", pile=0)
