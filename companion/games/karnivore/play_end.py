"""The end of a turn: who leaves the tribe, what is thrown away, drawing up to three, the next player (KARN-EOT)."""

from __future__ import annotations

from dataclasses import replace

from companion.games.karnivore import rules_draw, rules_tribe
from companion.games.karnivore.play_card import discard_new, hand_faces, late_cues, late_throw, play_cues
from companion.games.karnivore.play_hunt import left, legal_clear
from companion.games.karnivore.rules_setup import HAND
from companion.games.karnivore.state import DISCARD, State, after, faces, pile_draw, ruled, turn_of
from companion.table.cues import Choose, Cue, Expect, Press, Show
from companion.table.effects import Say
from companion.table.events import Chosen, Move, Pressed, Shown
from companion.table.figures import number
from companion.table.game import Refusal, Step
from companion.table.phases import step
from companion.table.things import BID


def enter_sweep(state: State) -> Step[State] | None:
    """Who leaves: skulled koalas and activated huntbears; the king only loses its skull."""
    if state.gone:
        return None
    gone = rules_tribe.leaving(state.bears, turn_of(state), state.rulings)
    king = state.kings[state.player] in state.skulled
    lifted = (Say("say.king_free", {"name": state.player}),) if king else ()
    if not gone:
        said = _asked_to_keep(state)
        return Step(replace(state, phase="keep", skulled=()), (*lifted, said))
    said = Say("say.leave", {"name": state.player, "cards": faces(state, gone)})
    return Step(replace(state, gone=gone, skulled=(*gone,)), (*lifted, said))


def legal_sweep(state: State) -> tuple[Cue, ...]:
    """The tribe without those who leave."""
    return legal_clear(state)


def apply_sweep(state: State, move: Move) -> Step[State] | Refusal:
    """They are gone; now hand cards may be thrown away."""
    done = left(state, move)
    if isinstance(done, Refusal):
        return done
    did = Say("did.cleared", {"name": state.player, "count": len(state.gone)})
    return step(done, did, _asked_to_keep(state), phase="keep", skulled=(), dice={})


def _asked_to_keep(state: State) -> Say:
    """How it is done is told in the first round only; the screens show it always."""
    return Say("say.keep_first" if state.round == 1 else "say.keep", {"name": state.player})


def legal_keep(state: State) -> tuple[Cue, ...]:
    """Any hand cards may go: shown, or told how many; a press keeps the rest."""
    hand = state.hands[state.player]
    cues: list[Cue] = [Press(state.player, BID, "cue.keep"), Choose(state.player, "throw", _throws(hand))]
    if hand:
        cues.append(Show(DISCARD, Expect(None, hand_faces(state))))
    return (*cues, *play_cues(state))


def _throws(hand: int) -> tuple[str, ...]:
    return tuple(str(count) for count in range(hand + 1))


def apply_keep(state: State, move: Move) -> Step[State] | Refusal:
    """Cards thrown away, shown or told; then the hand is filled up."""
    player, hand = state.player, state.hands[state.player]
    if isinstance(move, Shown) and move.zone == DISCARD:
        new = discard_new(state, move.cards)
        if isinstance(new, Refusal | Step):
            return new
        thrown = rules_draw.turn_end(hand, state.pile, 0, len(new), state.rulings)
        if isinstance(thrown, Refusal):
            return thrown
        hands = {**state.hands, player: hand - len(new)}
        did = Say("did.discarded", {"name": player, "count": len(new)})
        return step(state, did, hands=hands, discarded=(*state.discarded, *new), looked=True)
    if isinstance(move, Chosen) and move.cue == "throw" and number(move.option, -1) >= 0:
        count = number(move.option)
    elif isinstance(move, Pressed) and move.button == BID and move.player == player:
        count = 0
    else:
        return Refusal("KARN-EOT-02", "keep_first", {"name": player}, aloud=isinstance(move, Pressed))
    return _drawing(state, count)


def _drawing(state: State, count: int) -> Step[State] | Refusal:
    """So many cards are thrown unseen; then the draw, or the next player where none is due."""
    player, hand = state.player, state.hands[state.player]
    checked = rules_draw.turn_end(hand, state.pile, 0, count, state.rulings)
    if isinstance(checked, Refusal):
        return checked
    kept = hand - count
    if ruled(state, 13, "discard_to_three") and kept > HAND:
        return Refusal("KARN-AMB-13", "keep_three", {"name": player, "count": kept - HAND})
    thrown = replace(state, hands={**state.hands, player: kept}, blind=state.blind + count)
    did = Say("did.kept", {"name": player, "count": kept})
    if kept >= HAND:
        return step(thrown, did, phase="next")
    drawn = pile_draw(thrown, player, HAND - kept)
    due = drawn.state.hands[player] - kept
    looked = state.looked and count == 0  # what was told unseen may show up at the next look
    return step(drawn.state, did, *drawn.says, phase="draw", drawn=due, looked=looked)


def legal_draw(state: State) -> tuple[Cue, ...]:
    """A press says that the cards are drawn; a card thrown just before the last press may still be seen."""
    return (Press(state.player, BID, "cue.drawn"), *late_cues(state))


def apply_draw(state: State, move: Move) -> Step[State] | Refusal:
    """Drawn: the next player's turn."""
    if isinstance(move, Shown) and move.zone == DISCARD and late_cues(state):
        return late_throw(state, move)
    if not isinstance(move, Pressed) or move.button != BID:
        return Refusal("KARN-EOT-03", "draw_first", {"name": state.player, "count": state.drawn}, aloud=False)
    if move.player != state.player:
        return Refusal("KARN-EOT-05", "not_your_turn", {"name": move.player, "turn": state.player})
    did = Say("did.drawn", {"name": state.player, "count": state.drawn})
    return step(state, did, phase="next", drawn=0)


def enter_next(state: State) -> Step[State] | None:
    """The next player, clockwise; a new round begins with the starting player."""
    who = after(state, state.player)
    number = state.round + (who == state.order[0])
    return Step(replace(state, phase="turn", player=who, round=number))
