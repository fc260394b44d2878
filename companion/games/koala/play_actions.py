"""Phase 3: on command the first action card laid is carried out, until a count stays unanswered."""

from __future__ import annotations

from dataclasses import replace

from companion.games.koala.floor import call_fault, claimed, cleared, laid, lies_about, next_claim, pause_cues
from companion.games.koala.rules_actions import fault
from companion.games.koala.rules_seats import ACTIONS, possible
from companion.games.koala.state import ACTION, State, all_foods, ruled, words
from companion.table.cues import Cue, Expect, Press, Show, Wait
from companion.table.effects import Say
from companion.table.events import Clock, Move, Pressed, Rang, Shown
from companion.table.game import Refusal, Step
from companion.table.phases import seconds, step
from companion.table.things import BID, CALL, CardId, Player


def enter_wait(state: State) -> Step[State]:
    """With no card in any hand there is nothing to command."""
    floor = cleared(state.action)
    if not any(state.hands.values()):
        return Step(replace(state, action=floor, phase="refill", queue=(), back="new"))
    return Step(replace(state, action=floor), (Say("say.command", {"name": str(state.starter)}),))


def legal_wait(state: State) -> tuple[Cue, ...]:
    """The starting player's command, or the clock that gives it for him."""
    assert state.starter is not None, "a round has a starting player"
    cues: list[Cue] = [Press(state.starter, button, "cue.command") for button in (CALL, BID)]
    if seconds(state, "command_s") > 0:
        cues.append(Wait(Clock("command", state.action.lap), seconds(state, "command_s")))
    cues.append(Show(ACTION, Expect(0, seen=lies_about(state.action))))
    return tuple(cues)


def apply_wait(state: State, move: Move) -> Step[State] | Refusal:
    """The window opens by command; a card laid before it waits unjudged."""
    if isinstance(move, Shown) and move.zone == ACTION:
        floor = laid(state, state.action, move.cards, ())
        return floor if isinstance(floor, Refusal) else step(state, Say("did.nothing"), action=floor)
    if isinstance(move, Pressed) and move.player != state.starter:
        code = "command_not_start_player"
        return Refusal("KOALA-PLA-01", code, {"name": move.player, "starter": str(state.starter)})
    if not isinstance(move, Pressed | Rang):
        return Refusal("KOALA-PLA-01", "not_waited_for", aloud=False)
    floor = replace(state.action, quiet=False, lap=state.action.lap + 1)
    return step(state, Say("did.command"), Say("say.actions"), phase="actions", action=floor)


def legal(state: State) -> tuple[Cue, ...]:
    """Every hand with a card, the action place, and the clocks of the window."""
    cues: list[Cue] = []
    if not state.action.ran_out:
        cues = [Press(p, BID, "cue.action") for p in state.setting.players if state.hands[p] > 0]
    cues.append(Show(ACTION, Expect(1, ACTIONS, seen=lies_about(state.action))))
    cues.extend(pause_cues(state, state.action, state.phase == "action_call"))
    return tuple(cues)


def apply(state: State, move: Move) -> Step[State] | Refusal:
    """A press, a card beside the pile, or a clock."""
    if isinstance(move, Pressed):
        return _call(state, move) if move.button == CALL else _press(state, move)
    if isinstance(move, Shown) and move.zone == ACTION:
        floor = laid(state, state.action, move.cards, ())
        return floor if isinstance(floor, Refusal) else _judge(replace(state, action=floor))
    if isinstance(move, Rang):
        return _rang(state, move)
    return Refusal("KOALA-PLA-02", "actions_run", aloud=False)


def _call(state: State, move: Pressed) -> Step[State] | Refusal:
    if state.phase == "action_call":
        return Refusal("KOALA-PLA-05", "already_counting", aloud=False)
    refusal = call_fault(state, state.action, move.player)
    return refusal or step(state, Say("did.call", {"name": move.player}), phase="action_call")


def _press(state: State, move: Pressed) -> Step[State] | Refusal:
    if state.action.ran_out:
        return Refusal("KOALA-AMB-30", "window_closed", {"name": move.player})
    if state.hands[move.player] == 0:
        values: dict[str, str | int] = {"name": move.player, "need": 1, "hand": 0}
        return Refusal("KOALA-PLA-02", "more_cards_than_hand", values)
    floor = claimed(state, state.action, move)
    if isinstance(floor, Refusal):
        return floor
    if floor.fresh:
        return _judge(replace(state, action=floor))
    pressed = Say("did.pressed", {"name": move.player})
    said = Say("say.lay_action" if len(floor.claims) == 1 else "say.waits", {"name": move.player})
    return step(state, pressed, said, action=floor)


def _judge(state: State) -> Step[State]:
    floor = state.action
    shown = Say("did.shown", {"cards": words(state, floor.fresh)})
    if not floor.fresh:
        return step(state, Say("did.taken_back"))
    if not floor.claims:
        return step(state, shown, Say("say.press_first", {"count": len(floor.fresh)}))
    player = floor.claims[0].players[0]
    if len(floor.fresh) > 1 and len(floor.claims) == 1 and ruled(state, 27, "all_back"):
        return _refused(state, player, "one_card_only")
    if len(floor.fresh) > 1:
        return step(state, shown, Say("say.separate", {"name": player, "need": 1}))
    card = floor.fresh[0]
    face = state.deck.face(card)
    can = face in ACTIONS and bool(possible(face, state.seats, all_foods(state), player, state.rulings))
    refusal = fault(face, can, player, state.rulings)
    if refusal is not None:
        return _refused(state, player, refusal.code)
    return _carry_out(state, player, card)


def _refused(state: State, player: Player, code: str) -> Step[State]:
    """The card goes back; a refused card counts as not placed, so the next one is carried out."""
    cards = state.action.fresh
    values = {"name": player, "cards": words(state, cards) or "-", "why": f"@why.{code}"}
    floor = next_claim(state.action, cards)
    if ruled(state, 32, "command_again"):
        done = step(state, Say("did.invalid", values), Say("say.take_back", values), action=floor)
        return Step(replace(done.state, phase="action_wait"), done.says)
    return _over_if_ran_out(
        step(state, Say("did.invalid", values), Say("say.take_back", values), action=floor)
    )


def _over_if_ran_out(done: Step[State]) -> Step[State]:
    state = done.state
    if state.action.claims or not state.action.ran_out:
        return done
    closed = _close(state)
    return Step(closed.state, (*done.says, *closed.says))


def _carry_out(state: State, player: Player, card: CardId) -> Step[State]:
    """The first card placed is carried out; all other claims of this command are void."""
    face = state.deck.face(card)
    others = [name for claim in state.action.claims[1:] for name in claim.players]
    floor = cleared(replace(state.action, fresh=()))
    floor = replace(floor, spent=(*floor.spent, card))
    hands = {**state.hands, player: max(0, state.hands[player] - 1)}
    values = {"name": player, "card": f"@{face}"}
    says = [Say("say.carry_out", values)]
    if others:
        says.append(Say("say.others_take_back", {"names": ", ".join(others)}))
    if not possible(face, state.seats, all_foods(state), player, state.rulings):
        did = Say("did.played", values)
        return step(state, did, Say("say.no_effect", values), phase="action_wait", action=floor, hands=hands)
    return step(
        state, Say("did.played", values), *says, phase="action_do", action=floor, hands=hands, card=card,
        owner=player, back="action_wait",
    )  # fmt: skip


def _rang(state: State, move: Rang) -> Step[State] | Refusal:
    floor, name = state.action, move.clock.name
    if name == "quiet":
        return step(state, Say("did.quiet"), action=replace(floor, quiet=True))
    if name == "pause":
        return step(state, Say("did.call", {"name": str(state.starter)}), phase="action_call")
    if name == "call":
        if floor.claims:
            return step(state, Say("did.call_ended"), action=replace(floor, ran_out=True))
        return _close(state)
    player = floor.claims[0].players[0]
    if floor.fresh:
        return _refused(state, player, "one_card_only")
    said = Say("say.nothing_laid", {"name": player})
    return _over_if_ran_out(step(state, Say("did.lapsed"), said, action=next_claim(floor)))


def _close(state: State) -> Step[State]:
    floor = cleared(state.action)
    late = tuple(c for c in floor.strays if c not in state.action.strays)
    says = [Say("say.late_cards", {"cards": words(state, late)})] if late else []
    return step(
        state, Say("did.actions_over"), *says, phase="refill", action=floor, queue=(), back="new",
    )  # fmt: skip
