"""The own tribe is seen: cards are placed from hand, an eighth makes room, two crowns bring one over (KARN-PLA)."""

from __future__ import annotations

from dataclasses import replace

from companion.games.karnivore import rules_tribe
from companion.games.karnivore.play_effect import joined
from companion.games.karnivore.rules_setup import PLACED, TRIBE
from companion.games.karnivore.state import (
    SAME,
    State,
    counted,
    face,
    faces,
    ruled,
    stranger,
    taken_from,
    turn_of,
    with_turn,
)
from companion.table.effects import Say
from companion.table.game import Refusal, Step
from companion.table.phases import step
from companion.table.things import CardId, Player, Words


def shown(state: State, seen: tuple[CardId, ...]) -> Step[State] | Refusal:
    """The own tribe was seen: new cards are placed from hand; one that is missing made room, or hunts."""
    koalas, king = state.tribes[state.player], state.kings[state.player]
    there = tuple(card for card in seen if not _is_die(state, card))
    new = tuple(card for card in there if card not in (*koalas, king))
    gone = tuple(card for card in koalas if card not in there and card not in state.stage)
    if not new:
        if gone or king not in there:
            missing = (*gone, *(() if king in there else (king,)))
            return Refusal("KARN-PLA-03", "put_back", {"cards": faces(state, missing)}, aloud=bool(there))
        return SAME
    waits = rules_tribe.skulls_wait(state.bears, turn_of(state), state.rulings)
    if waits is not None:
        return waits
    for card in new:
        fault = _misplaced(state, card)
        if fault is not None:
            return fault
    placed = _placed(state, new, gone)
    return (
        placed
        if isinstance(placed, Refusal)
        else Step(placed.state, (*placed.says, *hints(state, state.player, there, new)))
    )


def hints(
    state: State, player: Player, there: tuple[CardId, ...], new: tuple[CardId, ...]
) -> tuple[Say, ...]:
    """Which new card stands on the wrong side of the king: only told, it is easily put right.

    Nothing is told where the row is not in order anyway, as when it was answered by hand.
    """
    king = state.kings[player]
    at = there.index(king) if king in there else 0
    left = set(there[:at])
    wrong = [
        c
        for c in there
        if c in state.bears and c != king and (c in left) != (state.bears[c].kind == "workbear")
    ]
    if king not in there or any(card not in new for card in wrong):
        return ()
    side = {True: "@left", False: "@right"}
    return tuple(
        Say("say.side", {"card": face(state, c), "side": side[state.bears[c].kind == "workbear"]})
        for c in wrong
    )


def _is_die(state: State, card: CardId) -> bool:
    known = state.deck.by_id.get(card)
    return known is not None and known.kind == "die"


def _misplaced(state: State, card: CardId) -> Refusal | None:
    """Why a new card may not lie there."""
    kinds = (*PLACED, "backstabbear")
    owner = next((p for p in state.order if p != state.player and card in state.tribes[p]), None)
    if owner is not None:
        if state.pool.get("crown", 0) >= 2:
            return None
        return Refusal("KARN-USE-03", "need_two_crowns", {"count": state.pool.get("crown", 0)})
    fault = stranger(state, card, kinds)
    if fault is not None:
        return fault
    return rules_tribe.not_placed(state.bears[card], card)


def _placed(state: State, new: tuple[CardId, ...], gone: tuple[CardId, ...]) -> Step[State] | Refusal:
    """The new cards one after the other; the eighth needs a removal, seen at once or asked for."""
    if gone and len(state.tribes[state.player]) + len(new) <= TRIBE:
        return Refusal("KARN-PLA-08", "no_removal_needed", {"cards": faces(state, gone)})
    says: list[Say] = []
    after, names = state, faces(state, new)
    for place, card in enumerate(new):
        owner = next((p for p in state.order if p != state.player and card in state.tribes[p]), None)
        if owner is not None:
            return took(state, owner, card) if len(new) == 1 else _one_by_one(len(new))
        hand = after.hands[state.player]
        if hand < 1:
            return Refusal("KARN-PLA-01", "not_in_hand", {"card": face(state, card), "name": state.player})
        full = len(after.tribes[state.player]) >= TRIBE
        if full and place + 1 < len(new):
            return _one_by_one(len(new))
        after = replace(after, hands={**after.hands, state.player: hand - 1}, skulls_over=True)
        remove = gone[0] if full and len(gone) == 1 else None
        if full and remove is None:
            did = Say("did.placed", {"name": state.player, "cards": names})
            return joined(after, state.player, card, "tribe", did)
        turn = rules_tribe.place(state.bears, turn_of(after), card, state.rulings, remove=remove)
        if isinstance(turn, Refusal):
            return turn
        after = with_turn(after, turn)
        if remove is not None:
            after = replace(after, discarded=(*after.discarded, remove))
            says.append(Say("say.made_room", {"name": state.player, "card": face(state, remove)}))
    return step(after, Say("did.placed", {"name": state.player, "cards": names}), *says)


def _one_by_one(count: int) -> Refusal:
    return Refusal("KARN-PLA-08", "one_by_one", {"count": count})


def took(state: State, owner: Player, card: CardId) -> Step[State] | Refusal:
    """Two crowns are spent; an eighth koala waits until there is room."""
    others: dict[str, tuple[CardId, ...]] = {
        player: koalas for player, koalas in state.tribes.items() if player != state.player
    }
    crowned = tuple(state.kings.values())
    turn = rules_tribe.two_crowns(
        state.bears, turn_of(state), others, owner, card, state.rulings, kings=crowned
    )  # fmt: skip
    full = isinstance(turn, Refusal) and turn.code == "eighth_needs_removal"
    if isinstance(turn, Refusal) and (not full or ruled(state, 15, "not_into_a_full_tribe")):
        return turn
    pool = {die: left for die, count in state.pool.items() if (left := count - 2 * (die == "crown"))}
    after = replace(
        taken_from(state, owner, card), pool=pool, skulls_over=True,
        counts=counted(state, "stolen", state.player),
    )  # fmt: skip
    values: Words = {"name": state.player, "other": owner, "card": face(state, card)}
    return joined(after, state.player, card, "tribe", Say("did.moved", values), Say("say.moved", values))
