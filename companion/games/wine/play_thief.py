"""Thieves: point at a glass, a few seconds for STOP, then its owner turns it over."""

from __future__ import annotations

from dataclasses import replace

from companion.games.wine import rules_hand
from companion.games.wine.floor import closed, counted, hand_cue, laid, used
from companion.games.wine.play_down import ask
from companion.games.wine.rules_glasses import MIDDLE
from companion.games.wine.state import (
    PLAYED,
    State,
    base,
    clock,
    current,
    face_of,
    glass_word,
    pointed,
    ruled,
    slot_names,
    table_of,
    with_deed,
)
from companion.table.cues import Choose, Cue, Press, Wait
from companion.table.effects import Say
from companion.table.events import Chosen, Move, Pressed, Rang, Shown
from companion.table.game import Refusal, Step
from companion.table.phases import seconds, step
from companion.table.things import BID, CardId, Player


def targets(state: State) -> tuple[str, ...]:
    """Every glass that may be stolen now."""
    table, player = table_of(state), current(state)
    owners = [MIDDLE] if state.rows[MIDDLE] else [other for other in state.order if other != player]
    return tuple(
        name
        for owner in owners
        for slot, name in enumerate(slot_names(owner, range(1, len(state.rows[owner]) + 1)), start=1)
        if rules_hand.thief_fault(table, player, owner, slot) is None
    )


def enter(state: State) -> Step[State]:
    """Whose glass is it to be? With every glass protected the card is gone for nothing."""
    player = current(state)
    if not targets(state):
        assert state.card is not None, "a thief was played"
        return Step(replace(used(closed(state), state.card), phase="resume"), (Say("say.no_target"),))
    return Step(state, (Say("say.point", {"name": player}),))


def legal(state: State) -> tuple[Cue, ...]:
    """The glasses that may be pointed at."""
    return Choose(current(state), "glass", targets(state)), hand_cue(state, PLAYED, 0)


def apply(state: State, move: Move) -> Step[State] | Refusal:
    """A glass is pointed at: its owner has a moment for STOP."""
    player = current(state)
    if isinstance(move, Shown) and move.zone == PLAYED:
        return laid(state, move, _beside)
    if not isinstance(move, Chosen) or move.cue != "glass" or move.player != player:
        return Refusal("WINE-THI-01", "not_waited_for", aloud=False)
    owner, slot = pointed(move.option)
    fault = rules_hand.thief_fault(table_of(state), player, owner, slot)
    if fault is not None:
        return fault
    state = replace(state, target=(owner, slot), lap=state.lap + 1)
    values: dict[str, str | int] = {"name": player, "owner": glass_word(owner), "slot": slot}
    pointed_at = Say("did.pointed", values)
    last = ruled(state, 22, "no_stop_for_last_glass") and len(state.rows[owner]) == 1
    if owner == MIDDLE or state.hands[owner] <= 0 or last:
        return _reveal(replace(state, did=pointed_at))
    return step(state, pointed_at, Say("say.stop_window", values), phase="stop_window", chooser=owner)


def _beside(state: State, card: CardId) -> Refusal:
    """Another card beside the one that is being carried out."""
    name = base(state.deck.face(card))
    if name == "stop":
        return Refusal("WINE-STO-01", "stop_is_a_reaction", {"card": "@stop", "name": current(state)})
    return Refusal("WINE-TUR-02", "one_after_the_other", {"card": f"@{face_of(state, state.card)}"})


def legal_window(state: State) -> tuple[Cue, ...]:
    """The attacked player's button or STOP card; he may also say that he has none."""
    owner = _attacked(state)
    cues: list[Cue] = [
        Press(owner, BID, "cue.stop"), Choose(owner, "stop", ("no_stop",)), hand_cue(state, PLAYED, 1, ("stop",))
    ]  # fmt: skip
    if seconds(state, "stop_s") > 0:
        cues.append(Wait(clock(state, "stop"), seconds(state, "stop_s")))
    return tuple(cues)


def _attacked(state: State) -> Player:
    assert state.target is not None, "a thief points at a glass"
    return state.target[0]


def apply_window(state: State, move: Move) -> Step[State] | Refusal:
    """STOP by button or card, no STOP, or the time is over."""
    owner = _attacked(state)
    if isinstance(move, Pressed) and move.button == BID:
        fault = rules_hand.stop_fault(table_of(state), owner, move.player)
        if fault is not None:
            return fault
        values: dict[str, str | int] = {"name": owner}
        return step(
            state, Say("did.pressed", values), Say("say.lay_stop", values), phase="stop_lay", lap=state.lap + 1
        )  # fmt: skip
    if isinstance(move, Shown) and move.zone == PLAYED:
        return laid(state, move, _stop_card)
    none = isinstance(move, Chosen) and (move.player, move.cue, move.option) == (owner, "stop", "no_stop")
    if none or isinstance(move, Rang):
        return _reveal(replace(state, did=Say("did.no_stop", {"name": owner})))
    return Refusal("WINE-STO-01", "not_waited_for", aloud=False)


def legal_lay(state: State) -> tuple[Cue, ...]:
    """The STOP card itself; whoever pressed without having one says so."""
    owner = _attacked(state)
    cues: list[Cue] = [hand_cue(state, PLAYED, 1, ("stop",)), Choose(owner, "stop", ("no_stop",))]
    if seconds(state, "stop_s") > 0:
        cues.append(Wait(clock(state, "stop"), seconds(state, "stop_s")))
    return tuple(cues)


def apply_lay(state: State, move: Move) -> Step[State] | Refusal:
    """The card is laid, or there was none."""
    owner = _attacked(state)
    if isinstance(move, Shown) and move.zone == PLAYED:
        return laid(state, move, _stop_card)
    if isinstance(move, Pressed):
        if move.player != owner:
            return rules_hand.stop_fault(table_of(state), owner, move.player) or _waited()
        return _waited()
    none = isinstance(move, Chosen) and (move.player, move.cue, move.option) == (owner, "stop", "no_stop")
    if none or isinstance(move, Rang):
        after = replace(state, did=Say("did.no_stop", {"name": owner}))
        shown = _reveal(after)
        return Step(shown.state, (Say("say.no_stop", {"name": owner}), *shown.says))
    return _waited()


def _waited() -> Refusal:
    return Refusal("WINE-STO-01", "not_waited_for", aloud=False)


def _stop_card(state: State, card: CardId) -> Step[State] | Refusal:
    if base(state.deck.face(card)) != "stop":
        return Refusal("WINE-STO-01", "only_stop_now", {"name": _attacked(state)})
    return _stopped(state, card)


def _stopped(state: State, stop: CardId) -> Step[State]:
    """No glass is shown; the thief card is the stopper's."""
    owner, card = _attacked(state), state.card
    assert card is not None, "a thief was played"
    before = state.hands[owner]
    after = used(counted(state, rules_hand.stopped(table_of(state), owner)), stop)
    after = with_deed(after, owner, "stopped")
    values: dict[str, str | int] = {"name": current(state), "owner": owner}
    taken = after.hands[owner] == before
    if not taken:
        after = used(after, card)
    early = after.stopped_early | {owner} if state.round == 1 else after.stopped_early
    said = Say("say.stopped" if taken else "say.stopped_discard", values)
    return step(closed(after), Say("did.stopped", values), said, phase="resume", stopped_early=early)


def _reveal(state: State) -> Step[State]:
    owner = _attacked(state)
    assert state.target is not None, "a thief points at a glass"
    values: dict[str, str | int] = {
        "name": glass_word(owner),
        "slot": state.target[1],
        "turn": current(state),
    }
    return ask(state, owner, Say("say.reveal_middle" if owner == MIDDLE else "say.reveal", values))
