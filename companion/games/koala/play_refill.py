"""Phase 4: hands are refilled in order; bad cards may be exchanged; the pile may end here."""

from __future__ import annotations

from dataclasses import replace

from companion.games.koala.floor import cleared, laid, lies_about
from companion.games.koala.rules_refill import HAND, may_show, need, order, show_fault
from companion.games.koala.state import ACTION, State, faces, question_clock, ruled, words
from companion.table.cues import Cue, Expect, Press, Show, Wait
from companion.table.effects import Say
from companion.table.events import Move, Pressed, Rang, Shown
from companion.table.game import Refusal, Step
from companion.table.phases import seconds, step
from companion.table.things import BID, Player


def enter(state: State) -> Step[State]:
    """Ask the next player to draw; after the last one the next round begins."""
    assert state.starter is not None, "a round has a starting player"
    if state.shown:
        return Step(state)  # bad cards brought their player to turn again
    queue = state.queue
    if state.back == "new":
        queue = order(state.seats, state.starter, ruled(state, 10, "starter_first"))
        state = replace(state, drew=(), exchanged=None)
    if not queue:
        return Step(
            replace(
                state, phase="reveal", queue=(), back="", round=state.round + 1, first_card=True, walks=(),
                slid=(),
            )
        )  # fmt: skip
    after = replace(state, queue=queue, back="", asked=state.asked + 1, action=cleared(state.action))
    if queue != state.queue:
        return Step(after)  # whose turn it is has changed: the phase is entered once more, and asks then
    count = draws(after)
    return Step(after, (Say("say.draw", {"name": queue[0], "count": count}),) if count else ())


def draws(state: State) -> int:
    """How many cards the player at turn draws: up to three in hand, as far as the pile reaches."""
    return min(_need(state), state.pile)


def _need(state: State) -> int:
    return HAND if state.shown else need(state.hands[state.queue[0]])


def legal(state: State) -> tuple[Cue, ...]:
    """The press after drawing; who draws nothing has a moment for bad cards; bad cards on the action place."""
    player = state.queue[0]
    cues: list[Cue] = [Press(player, BID, "cue.drawn")]
    cues += [Press(other, BID, "cue.bad_cards") for other in whose(state)]
    if _need(state) == 0:
        cues.append(Wait(question_clock(state), seconds(state, "bad_cards_s")))
    cues.append(Show(ACTION, Expect(HAND, seen=lies_about(state.action))))
    return tuple(cues)


def apply(state: State, move: Move) -> Step[State] | Refusal:
    """Drawn, time over, bad cards shown, or whose they are."""
    player = state.queue[0]
    if isinstance(move, Shown) and move.zone == ACTION:
        return shown(state, move)
    if isinstance(move, Rang):
        return step(state, Say("did.nothing"), queue=state.queue[1:], drew=(*state.drew, (player, 0)))
    if not isinstance(move, Pressed) or move.button != BID:
        return Refusal("KOALA-REF-01", "not_waited_for", aloud=False)
    if move.player in whose(state):
        return _claim(state, move.player)
    if move.player != player:
        return Refusal("KOALA-REF-03", "draw_in_order", {"name": move.player, "turn": player}, aloud=False)
    return _drawn(state)


def _drawn(state: State) -> Step[State]:
    player, count, wanted = state.queue[0], draws(state), _need(state)
    hand = count if state.shown else state.hands[player] + count
    hands, pile = {**state.hands, player: hand}, state.pile - count
    did = Say("did.drawn", {"name": player, "count": count, "pile": pile})
    if count < wanted:
        said = Say("say.pile_short", {"name": player, "count": count})
        return step(state, did, said, phase="scan", hands=hands, pile=pile, shown=())
    drew = ((player, count),) if count else (*state.drew, (player, 0))
    return step(
        state, did, hands=hands, pile=pile, queue=state.queue[1:], shown=(), drew=drew, guess=None,
        exchanged=player if state.shown else state.exchanged,
    )  # fmt: skip


def shown(state: State, move: Shown) -> Step[State] | Refusal:
    """Cards on the action place: bad cards of who is at turn, or of who has pressed already.

    Play goes on with the next card drawn or turned up: till then they may be shown. Who draws may show them
    before he presses: his they are, unless another one presses.
    """
    floor = laid(state, state.action, move.cards, ())
    if isinstance(floor, Refusal):
        return floor
    if not floor.fresh:
        return step(state, Say("did.taken_back"), action=floor)
    if state.shown:
        return Refusal("KOALA-REF-07", "bad_cards_once", {"name": state.queue[0]})
    seen, late = replace(state, action=floor), _late(state)
    if state.queue and draws(state) == _need(state) and may_show(_need(state), state.rulings):
        return _exchange(seen, state.queue[0], _need(state))
    if late:
        return _exchange(_again(seen, late[-1][0]), *late[-1])
    if state.queue and draws(state) < _need(state):
        return Refusal("KOALA-REF-05", "draw_first", {"name": state.queue[0], "count": draws(state)})
    return _exchange(seen, state.queue[0] if state.queue else state.drew[-1][0], 0)


def _late(state: State) -> tuple[tuple[Player, int], ...]:
    """Who may still show bad cards though he has pressed: nobody has drawn since. Each with what he drew."""
    return tuple(each for each in state.drew if may_show(each[1], state.rulings))


def _again(state: State, player: Player) -> State:
    """He who drew last is at turn once more, though the next round may have begun; he draws nothing twice."""
    round_ = state.round if state.queue else state.round - 1
    return replace(state, phase="refill", queue=(player, *state.queue), round=round_)


def _exchange(state: State, player: Player, drew: int) -> Step[State] | Refusal:
    """The bad cards of who is at turn go, and he draws three in their place."""
    bad = state.action.fresh
    fault = show_fault(player, faces(state, bad), drew, player == state.exchanged, state.rulings)
    if fault is not None:
        return fault
    count = HAND - state.hands[player]  # who shows three cards before he pressed has drawn
    pile, others = state.pile - count, [other for other, _ in _late(state) if other != player]
    floor = replace(state.action, fresh=(), spent=(*state.action.spent, *bad))
    says = [Say("say.bad_cards", {"name": player, "count": min(HAND, pile)})]
    if others:
        says.append(Say("say.or_yours", {"names": ", ".join(others)}))
    did = Say("did.bad_cards", {"name": player, "cards": words(state, bad)})
    return step(
        state, did, *says, action=floor, shown=bad, pile=pile, hands={**state.hands, player: HAND},
        guess=count if others else None,
    )  # fmt: skip


def whose(state: State) -> tuple[Player, ...]:
    """Who else may say that the bad cards are his, as long as none were drawn in their place."""
    if state.guess is None:
        return ()
    return tuple(player for player, _ in _late(state) if player != state.queue[0])


def _claim(state: State, player: Player) -> Step[State] | Refusal:
    """The bad cards are another's: who was booked for them has shown none, and still draws if he had not."""
    if player == state.exchanged:
        return Refusal("KOALA-REF-07", "bad_cards_once", {"name": player})
    taken, other = state.guess or 0, state.queue[0]
    hands, pile = {**state.hands, other: state.hands[other] - taken}, state.pile + taken
    did = Say("did.bad_cards", {"name": player, "cards": words(state, state.shown)})
    said = Say("say.bad_cards", {"name": player, "count": min(HAND, pile)})
    waiting = state.queue[1:] if any(other == late for late, _ in state.drew) else state.queue
    return step(state, did, said, hands=hands, pile=pile, queue=(player, *waiting), guess=None)
