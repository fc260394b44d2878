"""Phase 4: hands are refilled in order; bad cards may be exchanged; the pile may end here."""

from __future__ import annotations

from dataclasses import replace

from companion.games.koala.floor import cleared, laid
from companion.games.koala.rules_refill import bad_cards, order
from companion.games.koala.state import ACTION, State, faces, question_clock, ruled, words
from companion.table.cues import Cue, Expect, Press, Show, Wait
from companion.table.effects import Say
from companion.table.events import Move, Pressed, Rang, Shown
from companion.table.game import Refusal, Step
from companion.table.phases import seconds, step
from companion.table.things import BID

FULL = 3


def enter(state: State) -> Step[State]:
    """Ask the next player to draw; after the last one the next round begins."""
    assert state.starter is not None, "a round has a starting player"
    queue = (
        order(state.seats, state.starter, ruled(state, 10, "starter_first"))
        if state.back == "new"
        else state.queue
    )
    if not queue:
        return Step(
            replace(
                state,
                phase="reveal",
                queue=(),
                back="",
                round=state.round + 1,
                first_card=True,
                shown=(),
                walks=(),
                slid=(),
            )
        )
    after = replace(
        state, queue=queue, back="", shown=(), asked=state.asked + 1, action=cleared(state.action)
    )
    need = draws(after)
    if need == 0:
        return Step(after)
    return Step(after, (Say("say.draw", {"name": queue[0], "count": need}),))


def draws(state: State) -> int:
    """How many cards the player at turn draws: up to three in hand, as far as the pile reaches."""
    need = FULL if state.shown else FULL - state.hands[state.queue[0]]
    return max(0, min(need, state.pile))


def legal(state: State) -> tuple[Cue, ...]:
    """The press after drawing; who draws nothing has a moment for bad cards; bad cards on the action place."""
    player = state.queue[0]
    cues: list[Cue] = [Press(player, BID, "cue.drawn")]
    if state.hands[player] >= FULL and not state.shown:
        cues.append(Wait(question_clock(state), seconds(state, "bad_cards_s")))
    cues.append(Show(ACTION, Expect(FULL, (), state.action.spent)))
    return tuple(cues)


def apply(state: State, move: Move) -> Step[State] | Refusal:
    """Drawn, time over, or bad cards shown."""
    player = state.queue[0]
    if isinstance(move, Shown) and move.zone == ACTION:
        return _shown(state, move)
    if isinstance(move, Rang):
        return step(state, Say("did.nothing"), queue=state.queue[1:])
    if not isinstance(move, Pressed) or move.button != BID:
        return Refusal("KOALA-REF-01", "not_waited_for", aloud=False)
    if move.player != player:
        return Refusal("KOALA-REF-03", "draw_in_order", {"name": move.player, "turn": player}, aloud=False)
    return _drawn(state)


def _drawn(state: State) -> Step[State]:
    player, count = state.queue[0], draws(state)
    need = FULL if state.shown else FULL - state.hands[player]
    hand = count if state.shown else state.hands[player] + count
    hands, pile = {**state.hands, player: hand}, state.pile - count
    did = Say("did.drawn", {"name": player, "count": count, "pile": pile})
    if count < need:
        said = Say("say.pile_short", {"name": player, "count": count})
        return step(state, did, said, phase="scan", hands=hands, pile=pile, shown=())
    return step(state, did, hands=hands, pile=pile, queue=state.queue[1:])


def _shown(state: State, move: Shown) -> Step[State] | Refusal:
    player = state.queue[0]
    floor = laid(state, state.action, move.cards, ())
    if isinstance(floor, Refusal):
        return floor
    if not floor.fresh:
        return step(state, Say("did.taken_back"), action=floor)
    if state.shown:
        return Refusal("KOALA-REF-07", "bad_cards_once", {"name": player})
    short = FULL - state.hands[player]
    if short == 0 and ruled(state, 11, "after_drawing_only"):
        return Refusal("KOALA-REF-05", "bad_cards_after_drawing", {"name": player})
    if short > 0 and state.pile < short:
        return Refusal("KOALA-REF-05", "draw_first", {"name": player, "count": draws(state)})
    if len(floor.fresh) != FULL:
        return Refusal("KOALA-REF-05", "bad_cards_show_3", {"name": player, "count": len(floor.fresh)})
    if not bad_cards(faces(state, floor.fresh)):
        cards = words(state, floor.fresh)
        return Refusal("KOALA-REF-05", "bad_cards_not_valid", {"name": player, "cards": cards})
    # Who shows three cards has drawn, pressed or not.
    hands, pile = {**state.hands, player: FULL}, state.pile - max(0, short)
    bad = floor.fresh
    floor = replace(floor, fresh=(), spent=(*floor.spent, *bad))
    values = {"name": player, "cards": words(state, bad)}
    said = Say("say.bad_cards", {"name": player, "count": min(FULL, pile)})
    return step(state, Say("did.bad_cards", values), said, action=floor, shown=bad, hands=hands, pile=pile)
