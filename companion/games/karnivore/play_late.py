"""A koala that was laid into the tribe together with ending the turn: the press is faster than the camera.

It counts as placed. The tribe is looked at until the next player takes up the dice, as the discard pile is.
"""

from __future__ import annotations

from dataclasses import replace

from companion.games.karnivore.play_card import filled_up
from companion.games.karnivore.play_effect import joined
from companion.games.karnivore.play_end import apply_sweep
from companion.games.karnivore.play_place import hints
from companion.games.karnivore.rules_setup import PLACED, TRIBE
from companion.games.karnivore.rules_tribe import added_to
from companion.games.karnivore.state import State, before, face, faces, lefts, place_of, row, tribe_zone
from companion.table.cues import Cue, Expect, Show
from companion.table.effects import Say
from companion.table.events import Move, Shown
from companion.table.game import Refusal, Step
from companion.table.phases import step
from companion.table.things import CardId, Player, Words


def ended(state: State) -> Player | None:
    """Whose turn has just been ended, while a koala laid before that may still be seen."""
    if state.phase in ("sweep", "keep", "draw"):
        player = state.player
    elif state.phase == "roll" and state.turns > 1 and not state.lifted and not state.typed:
        player = before(state, state.player)
    else:
        return None
    return player if _held(state, player) > 0 else None


def _held(state: State, player: Player) -> int:
    """The hand cards that a player held when the turn was ended: those drawn since then are not among them."""
    return state.hands[player] - (state.drawn if state.phase == "draw" else 0)


def late_cues(state: State) -> tuple[Cue, ...]:
    """The tribe; the sweep looks at it anyway."""
    player = ended(state)
    if player is None or state.phase == "sweep":
        return ()
    placed = tuple(dict.fromkeys(c.face for c in state.deck.cards if c.kind in PLACED))
    return (Show(tribe_zone(state, player), Expect(None, placed, row(state, player), first=lefts(state))),)


def late_koala(state: State, move: Move) -> Step[State] | Refusal | None:
    """Book a koala that nobody has seen yet; None where none lies there."""
    player = ended(state)
    if player is None or not isinstance(move, Shown) or move.zone != tribe_zone(state, player):
        return None
    new = tuple(card for card in move.cards if _new(state, card))
    if not new:
        return None if state.phase == "sweep" else Refusal("TABLE-SAME", "nothing_new", aloud=False)
    if len(new) > _held(state, player):
        values: Words = {"card": face(state, new[-1]), "name": player}
        return Refusal("KARN-PLA-01", "not_in_hand", values)
    if len(state.tribes[player]) + len(new) > TRIBE and len(new) > 1:
        return Refusal("KARN-PLA-08", "one_by_one", {"count": len(new)})
    gone = _gone(state, player, move.cards)
    if gone and len(state.tribes[player]) + len(new) <= TRIBE:
        return Refusal("KARN-PLA-08", "no_removal_needed", {"cards": faces(state, gone)})
    placed = _placed(state, player, new, move.cards)
    if isinstance(placed, Refusal) or placed.state.phase != "sweep":
        return placed
    swept = apply_sweep(placed.state, move)  # who leaves may be gone already
    return placed if isinstance(swept, Refusal) else Step(swept.state, (*placed.says, *swept.says))


def _new(state: State, card: CardId) -> bool:
    """A koala from hand: what is known to lie somewhere, or was told to have left this tribe, is none."""
    known = state.bears.get(card)
    fits = known is not None and known.kind in PLACED and card in state.box
    return fits and card not in state.left and place_of(state, card) is None


def _gone(state: State, player: Player, seen: tuple[CardId, ...]) -> tuple[CardId, ...]:
    """Who is missing without having to leave."""
    return tuple(card for card in state.tribes[player] if card not in seen and card not in state.gone)


def _placed(
    state: State, player: Player, new: tuple[CardId, ...], seen: tuple[CardId, ...]
) -> Step[State] | Refusal:
    """Out of the hand, into the tribe; the eighth in the place of one that is gone, or asked for."""
    koalas = state.tribes[player]
    did = Say("did.placed", {"name": player, "cards": faces(state, new)})
    hinted = hints(
        state, player, tuple(card for card in seen if card in (*koalas, *new, state.kings[player])), new
    )
    after = (
        filled_up(state, player, len(new))
        if state.phase in ("draw", "roll")
        else _paid(state, player, len(new))
    )
    gone = _gone(state, player, seen)
    if len(koalas) < TRIBE:
        tribes = {**state.tribes, player: (*koalas, *new)}
        return step(after.state, did, *after.says, *hinted, tribes=tribes)
    if len(gone) != 1:
        return joined(after.state, player, new[0], state.phase, did, *after.says, *hinted)
    row = added_to(koalas, new[0], state.skulled, state.rulings, gone[0])
    if isinstance(row, Refusal):
        return row
    room = Say("say.made_room", {"name": player, "card": face(state, gone[0])})
    tribes, discarded = {**state.tribes, player: row}, (*after.state.discarded, gone[0])
    return step(after.state, did, *after.says, *hinted, room, tribes=tribes, discarded=discarded)


def _paid(state: State, player: Player, count: int) -> Step[State]:
    """The hand is filled up later."""
    return Step(replace(state, hands={**state.hands, player: state.hands[player] - count}))
