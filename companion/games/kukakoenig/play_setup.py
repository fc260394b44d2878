"""Laying out the rows, and filling them up again after each round, row 1 first."""

from __future__ import annotations

from dataclasses import replace

from companion.games.kukakoenig.rules_deck import IN_ROW, Layout, layout
from companion.games.kukakoenig.rules_rows import refill
from companion.games.kukakoenig.state import (
    ONWARD,
    State,
    place_of,
    playing,
    row_of,
    row_zone,
    ruled,
    stranger,
    words,
)
from companion.table.cues import Cue, Expect, Press, Show
from companion.table.effects import Say
from companion.table.events import Move, Pressed, Shown
from companion.table.game import Refusal, Step
from companion.table.phases import step  # fmt: skip
from companion.table.things import BID, CardId


def spread(state: State) -> Layout:
    """The set-up for this table's players."""
    found = layout(len(state.setting.players))
    assert isinstance(found, Layout), "the number of players was checked before the game opened"
    return found


def legal_setup(state: State) -> tuple[Cue, ...]:
    """Anybody says that cards are shuffled and counted out."""
    return tuple(Press(player, BID, "cue.set_up") for player in state.setting.players)


def apply_setup(state: State, move: Move) -> Step[State] | Refusal:
    """The rows are laid next."""
    if not isinstance(move, Pressed) or move.button != BID:
        return Refusal("KUKA-SET-03", "not_waited_for", aloud=False)
    return step(state, Say("did.set_up"), Say("say.lay_out", {"rows": len(state.rows)}), phase="layout")


def legal_layout(state: State) -> tuple[Cue, ...]:
    """Every row that does not lie yet."""
    return tuple(Show(row_zone(row), Expect(IN_ROW)) for row, cards in state.rows.items() if not cards)


def apply_layout(state: State, move: Move) -> Step[State] | Refusal:
    """A row counts once exactly three cards lie there."""
    if not isinstance(move, Shown):
        return Refusal("KUKA-SET-06", "not_waited_for", aloud=False)
    row = row_of(move.zone, state.rows)
    if row is None or state.rows[row]:
        return Refusal("TABLE-SAME", "nothing_new", aloud=False)
    cards = playing(state.deck, move.cards)
    fault = _fault(state, row, cards, IN_ROW)
    if fault is not None:
        return fault
    after = replace(state, rows={**state.rows, row: cards}, pile=state.pile - len(cards))
    did = Say("did.row_laid", {"place": f"@zone.row:{row}", "cards": words(state, cards)})
    if all(after.rows.values()):
        return step(after, did, Say("say.rows_lie", {"pile": after.pile}), phase=ONWARD, todo=("think",))
    return step(after, did)


def _fault(state: State, row: int, fresh: tuple[CardId, ...], need: int) -> Refusal | None:
    """Why newly laid cards do not fill a row; silent while somebody is still laying."""
    strange = stranger(state.deck, fresh)
    if strange is not None:
        return Refusal("KUKA-SET-06", "foreign_card", {"card": strange, "place": f"@zone.row:{row}"})
    for card in fresh:
        place = place_of(state, card)
        if place is not None:
            values = {"card": words(state, (card,)), "place": f"@zone.row:{row}", "home": place}
            return Refusal("KUKA-RND-13", "card_elsewhere", values)
    if len(fresh) > need:
        return Refusal(
            "KUKA-RND-15", "too_many_cards", {"place": f"@zone.row:{row}", "count": len(fresh) - need}
        )
    return Refusal("TABLE-SAME", "nothing_new", aloud=False) if len(fresh) < need else None


def enter_refill(state: State) -> Step[State]:
    """Plan the refill; where the pile runs out, the box helps and the final round begins."""
    counts = {row: len(cards) for row, cards in state.rows.items()}
    box = len(state.box) + state.unseen
    plan = refill(counts, state.pile, box, state.rulings, state.unseen)
    after = replace(state, phase="refill", plan=plan, filled=frozenset(), early=False, final=plan.final_round)
    says = [Say("say.refill")] if _needs(after) else []
    if plan.final_round:
        says.append(Say("say.last_round_box" if plan.from_box else "say.last_round"))
        if ruled(state, 11, "both") and state.stage == 1 and "score1" not in state.todo:
            after = replace(after, todo=("score1", "keep", *state.todo))
    return Step(after, tuple(says)) if _needs(after) else Step(replace(after, phase=ONWARD), tuple(says))


def _needs(state: State) -> dict[int, int]:
    """How many cards each row still needs, in the order of filling."""
    assert state.plan is not None, "a refill has a plan"
    wanted = {row: state.plan.added.get(row, 0) + state.plan.from_box.get(row, 0) for row in state.rows}
    return {row: count for row, count in wanted.items() if count and row not in state.filled}


def needs(state: State) -> dict[int, int]:
    """How many cards each row still needs; nothing outside a refill."""
    return _needs(state) if state.phase == "refill" else {}


def legal_refill(state: State) -> tuple[Cue, ...]:
    """Every row that needs cards, the next one first."""
    return tuple(
        Show(row_zone(row), Expect(need, (), state.rows[row])) for row, need in _needs(state).items()
    )


def apply_refill(state: State, move: Move) -> Step[State] | Refusal:
    """A row is full once the old cards and exactly as many new ones lie there."""
    row = row_of(move.zone, state.rows) if isinstance(move, Shown) else None
    need = _needs(state)
    if not isinstance(move, Shown) or row not in need:
        return Refusal("TABLE-SAME", "nothing_new", aloud=False)
    cards = playing(state.deck, move.cards)
    old = state.rows[row]
    gone = tuple(card for card in old if card not in cards)
    if gone:
        values = {"place": f"@zone.row:{row}", "cards": words(state, gone)}
        return Refusal("KUKA-RND-16", "leftover_missing", values)
    fresh = tuple(card for card in cards if card not in old)
    fault = _fault(state, row, fresh, need[row])
    return fault or _filled(state, row, fresh)


def _filled(state: State, row: int, fresh: tuple[CardId, ...]) -> Step[State]:
    assert state.plan is not None, "a refill has a plan"
    boxed = state.plan.from_box.get(row, 0)
    known = sum(1 for card in fresh if card in state.box)
    cards = (*fresh, *state.rows[row]) if ruled(state, 13, "inside") else (*state.rows[row], *fresh)
    early = not state.early and row != next(iter(_needs(state)))
    after = replace(
        state, rows={**state.rows, row: cards}, pile=state.pile - state.plan.added.get(row, 0),
        box=tuple(card for card in state.box if card not in fresh), unseen=state.unseen - (boxed - known),
        filled=state.filled | {row}, early=state.early or early,
    )  # fmt: skip
    first = next(iter(_needs(state)))
    says = [Say("say.row_first", {"place": f"@zone.row:{first}"})] if early else []
    did = Say("did.row_filled", {"place": f"@zone.row:{row}", "cards": words(state, cards)})
    if _needs(after):
        return step(after, did, *says)
    return step(after, did, *says, phase=ONWARD, plan=None)
