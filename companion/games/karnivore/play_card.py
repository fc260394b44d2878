"""Cards that come from hands in any phase: backstabbears on the hunt place, cards on the discard pile."""

from __future__ import annotations

from dataclasses import replace

from companion.games.karnivore import cards
from companion.games.karnivore.rules_setup import HAND, KINDS
from companion.games.karnivore.rules_tribe import skulls_wait
from companion.games.karnivore.state import (
    DISCARD,
    PLAY,
    SAME,
    State,
    Todo,
    before,
    counted,
    face,
    pile_draw,
    place_of,
    ruled,
    stranger,
    turn_of,
)
from companion.table.cues import Choose, Cue, Expect, Press, Show
from companion.table.effects import Say
from companion.table.events import Chosen, Move, Pressed, Shown
from companion.table.game import Refusal, Step
from companion.table.phases import step
from companion.table.things import BID, CardId, Player


def play_cues(state: State) -> tuple[Cue, ...]:
    """The hunt place, where backstabbears are played."""
    faces = tuple(dict.fromkeys(c.face for c in state.deck.cards if c.kind == "backstabbear"))
    lying = tuple(card for card in state.stage if place_of(state, card) is None)
    return (Show(PLAY, Expect(1, faces, lying)),)


def hand_faces(state: State) -> tuple[str, ...]:
    """All that can come from a hand."""
    return tuple(dict.fromkeys(c.face for c in state.deck.cards if c.kind in KINDS))


def watches_discard(state: State) -> bool:
    """Whether the discard pile is looked at now: a card there pays, is thrown away, or does what an effect asks."""
    if state.phase in ("decide", "keep"):
        seen = state.phase == "keep" or ruled(state, 16, "face_up")
        return seen and state.hands[state.player] > 0
    if state.phase in ("draw", "roll"):
        return bool(late_cues(state))
    return state.phase == "effect" and bool(state.todo) and state.todo[0].kind == "discard"


def discard_new(state: State, seen: tuple[CardId, ...]) -> tuple[CardId, ...] | Step[State] | Refusal:
    """What is new on the discard pile, all of it fit to come from a hand; a pile seen again is nothing new.

    Cards that were thrown there unseen may show up at the first look: they are known from then on (a Step).
    """
    new = tuple(card for card in seen if card not in state.discarded)
    for card in new:
        fault = stranger(state, card, KINDS)
        if fault is not None:
            return fault
    if state.blind and not state.looked:
        known = new[: state.blind]
        return step(
            state, Say("did.pile_seen"), looked=True, blind=state.blind - len(known),
            discarded=(*state.discarded, *known),
        )  # fmt: skip
    return new or SAME


def late_cues(state: State) -> tuple[Cue, ...]:
    """The discard pile after "I keep the rest": a hand is faster than the camera, and a press faster than both.

    In the next player's turn until the dice are taken up: what comes then is that player's. A pile that was just
    shuffled may still lie there, so an empty one is not looked at; nor is one that holds cards thrown unseen and
    was not seen since: whoever looks next begins there.
    """
    turned = state.phase == "roll" and (state.lifted or state.turns < 2 or bool(state.typed))
    unsure = not state.discarded or (state.blind and not state.looked)
    return () if turned or unsure else (Show(DISCARD, Expect(None, hand_faces(state))),)


def late_throw(state: State, move: Shown) -> Step[State] | Refusal:
    """Cards that lay there before the hand was filled up: they count as thrown, and are drawn for now."""
    player, drawn = (state.player, state.drawn) if state.phase == "draw" else (before(state, state.player), 0)
    new = discard_new(state, move.cards)
    if isinstance(new, Refusal | Step):
        return new
    kept = state.hands[player] - drawn
    if len(new) > kept:
        return Refusal("KARN-EOT-02", "more_than_hand", {"count": len(new), "hand": kept})
    thrown = replace(state, discarded=(*state.discarded, *new), looked=True)
    after = filled_up(thrown, player, len(new))
    return step(after.state, Say("did.discarded", {"name": player, "count": len(new)}), *after.says)


def filled_up(state: State, player: Player, gone: int) -> Step[State]:
    """So many cards have left a hand that was filled up already: more are drawn for them."""
    hand = state.hands[player] - gone
    after = replace(state, hands={**state.hands, player: hand})
    if hand >= HAND:
        return Step(after)
    more = pile_draw(after, player, HAND - hand)
    due = state.drawn + more.state.hands[player] - hand
    return Step(replace(more.state, drawn=due if state.phase == "draw" else state.drawn), more.says)


def play_new(state: State, seen: tuple[CardId, ...]) -> tuple[CardId, ...]:
    """What is new on the hunt place: cards done with may still lie about."""
    return tuple(card for card in seen if card not in state.stage and card not in state.discarded)


def cleared(state: State, seen: tuple[CardId, ...]) -> Step[State] | Refusal:
    """Nothing new on the hunt place; what was taken away may come again."""
    if set(seen) == set(state.stage):
        return SAME
    return step(state, Say("did.place_cleared"), stage=seen)


def backstab(state: State, move: Shown) -> Step[State] | Refusal:
    """A card on the hunt place: a backstabbear is played from hand, at once, in the owner's turn or any."""
    new = play_new(state, move.cards)
    if not new:
        return cleared(state, move.cards)
    card = new[0]
    fault = stranger(state, card, KINDS)
    if fault is not None:
        return fault
    if state.bears[card].kind != "backstabbear":
        return Refusal("KARN-BAC-03", "not_a_backstabbear", {"card": face(state, card)})
    if len(new) > 1:
        return Refusal("KARN-BAC-04", "one_after_the_other", {"count": len(new)})
    if ruled(state, 6, "after_skulls") and state.phase in ("skulls", "tribe"):
        waits = skulls_wait(state.bears, turn_of(state), state.rulings)
        if waits is not None:
            return waits
    if cards.told(state.deck, state.deck.face(card)).window == "any" and len(state.order) > 1:
        said = Say("say.whose", {"card": face(state, card)})
        shown = Say("did.shown", {"card": face(state, card)})
        return step(state, shown, said, phase="whose", played=card, resume=state.phase, stage=move.cards)
    return _played(replace(state, stage=move.cards), state.player, card, state.phase)


def legal_whose(state: State) -> tuple[Cue, ...]:
    """A card that may be played in anybody's turn: its owner says so."""
    able = tuple(player for player in state.order if state.hands[player] > 0)
    presses = tuple(Press(player, BID, "cue.mine") for player in able)
    return (*presses, Choose(state.player, "whose", (*able, "nobody")))


def apply_whose(state: State, move: Move) -> Step[State] | Refusal:
    """The owner says so; or it was laid by mistake and is taken back."""
    assert state.played is not None, "a card lies on the hunt place"
    if isinstance(move, Pressed) and move.button == BID:
        who = str(move.player)
    elif isinstance(move, Chosen) and move.cue == "whose":
        who = move.option
    else:
        return Refusal("KARN-BAC-02", "whose_card", {"card": face(state, state.played)}, aloud=False)
    if who == "nobody":
        said = Say("say.take_back", {"card": face(state, state.played)})
        return step(state, Say("did.taken_back"), said, phase=state.resume, played=None, resume="")
    if who not in state.order:
        return Refusal("TABLE-PLAYER", "unknown_player", {"name": who})
    return _played(state, Player(who), state.played, state.resume)


def _played(state: State, player: Player, card: CardId, resume: str) -> Step[State] | Refusal:
    """Out of the hand, its effect at once, then on the discard pile."""
    if state.hands[player] < 1:
        return Refusal("KARN-BAC-03", "not_in_hand", {"card": face(state, card), "name": player})
    after = replace(
        state, hands={**state.hands, player: state.hands[player] - 1}, played=card,
        counts=counted(state, "backstabs", player),
    )  # fmt: skip
    did = Say("did.backstab", {"name": player, "card": face(state, card)})
    said = Say("say.backstab", {"name": player, "card": face(state, card)})
    return step(after, did, said, **effects(after, player, card, resume))


def effects(state: State, player: Player, card: CardId, resume: str) -> dict[str, object]:
    """What a card's effect asks for, one thing after the other; then the phase goes on."""
    todo = tuple(
        Todo(op.kind, op.n, who, card)
        for op in cards.told(state.deck, state.deck.face(card)).ops
        if op.kind != "spears" or state.bears[card].kind == "backstabbear"
        for who in (state.order if op.who == "others" else (player,))
        if op.who == "self" or who != player
    )
    return {"todo": todo, "resume": resume, "phase": "effect"}
