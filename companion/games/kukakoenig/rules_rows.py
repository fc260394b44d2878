"""One reveal: who takes a row, which rows lose a card, who repeats; and the refilling of rows.

A row lists its cards inner first, the outermost (fully visible) one last.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from companion.games.kukakoenig.options import ruled
from companion.games.kukakoenig.rules_deck import IN_ROW
from companion.table.game import Refusal
from companion.table.things import CardId, Player, value

Row = int
Rows = Mapping[Row, tuple[CardId, ...]]
Choices = Mapping[Player, Row]


@value
class Reveal:
    """What one reveal brings. `groups`: who repeats in one common reveal each, in this order."""

    rows: Rows
    got: Mapping[Player, tuple[CardId, ...]]  # who took which cards
    took: Choices  # and from which row
    box: tuple[CardId, ...]  # removed, in the order of rows
    lost: Mapping[Row, tuple[CardId, ...]] = field(default_factory=dict)  # what each row lost
    together: tuple[tuple[Player, ...], ...] = ()  # who chose the same row
    groups: tuple[tuple[Player, ...], ...] = ()
    empty_handed: tuple[Player, ...] = ()
    round_over: bool = False
    special: bool = False  # because cards are left in one row at most


def choice_fault(rows: Rows, player: Player, row: Row) -> Refusal | None:
    """Why a row cannot be chosen; None if it can."""
    if type(row) is not int or row not in rows:
        return Refusal("KUKA-RND-10", "no_such_row", {"name": player, "rows": len(rows)})
    if not rows[row]:
        return Refusal("KUKA-RND-10", "row_empty", {"name": player})
    return None


def reveal(
    rows: Rows, affected: tuple[Player, ...], choices: Choices, said: Mapping[Player, Row] = {},
    rulings: Mapping[str, object] = {}, later: tuple[tuple[Player, ...], ...] = (),
) -> Reveal | Refusal:  # fmt: skip
    """Everybody affected has shown a number: lone choosers take, equal numbers cost the row its outermost card.

    `said`: the numbers spoken, where they were heard. `later`: groups that still wait for a reveal of their own.
    """
    if not affected:
        return Refusal("KUKA-RND-02", "round_is_over")
    if set(choices) != set(affected):
        names = ",".join(affected)
        return Refusal("KUKA-RND-09", f"wrong_players:{names}", {"names": ", ".join(affected)})
    void = ruled(rulings, 4, "gets_nothing")
    for player in affected:
        fault = choice_fault(rows, player, choices[player])
        if fault is not None and not void:
            return fault
        if said.get(player, choices[player]) != choices[player]:
            return Refusal("KUKA-RND-05", "said_differs_from_shown", {"name": player})
    nothing = tuple(p for p in affected if choice_fault(rows, p, choices[p]) is not None)
    chosen = {p: choices[p] for p in affected if p not in nothing}
    return _resolved(rows, chosen, nothing, rulings, later)


def _resolved(
    rows: Rows, chosen: Choices, nothing: tuple[Player, ...], rulings: Mapping[str, object],
    later: tuple[tuple[Player, ...], ...],
) -> Reveal:  # fmt: skip
    on = {row: tuple(p for p in chosen if chosen[p] == row) for row in sorted(set(chosen.values()))}
    after = dict(rows)
    lost: dict[Row, tuple[CardId, ...]] = {}
    for row, players in on.items():
        if len(players) > 1:
            count = len(players) - 1 if ruled(rulings, 12, "one_fewer_than_players") else 1
            lost[row] = tuple(reversed(rows[row][-count:]))  # outermost first
            after[row] = rows[row][:-count]
        else:
            after[row] = ()
    took = {p: row for p, row in chosen.items() if len(on[row]) == 1}
    together = tuple(players for players in on.values() if len(players) > 1)
    groups = together
    if len(together) > 1 and ruled(rulings, 3, "together"):
        groups = (tuple(p for p in chosen if p not in took),)
    groups = (*groups, *later)
    special = bool(groups) and sum(1 for cards in after.values() if cards) <= 1
    left = tuple(p for p in chosen if p not in took) + tuple(p for group in later for p in group)
    return Reveal(
        after, {p: rows[row] for p, row in took.items()}, took,
        tuple(card for cards in lost.values() for card in cards), lost, together,
        () if special else groups, (*nothing, *(left if special else ())), special or not groups,
        special,
    )  # fmt: skip


@value
class Refill:
    """How rows are filled: cards from the pile and from the shuffled box by row, and what is left."""

    added: Mapping[Row, int]
    from_box: Mapping[Row, int]
    rows: Mapping[Row, int]
    pile: int
    box: int
    final_round: bool


def refill(
    rows: Mapping[Row, int], pile: int, box: int, rulings: Mapping[str, object] = {}, unseen: int = 0
) -> Refill:
    """Fill each row to three, row 1 first; what the pile lacks comes from the box.

    `unseen`: cards of the box that were counted out before the game (AMB-22 may leave them out).
    """
    spare = max(0, box - unseen) if ruled(rulings, 22, "seen_only") else box
    added: dict[Row, int] = {}
    from_box: dict[Row, int] = {}
    after = dict(rows)
    short = False
    for row in sorted(rows):
        need = max(0, IN_ROW - rows[row])
        drawn = min(need, pile)
        short = short or drawn < need
        boxed = min(need - drawn, spare)
        pile, spare, box = pile - drawn, spare - boxed, box - boxed
        after[row] += drawn + boxed
        if drawn:
            added[row] = drawn
        if boxed:
            from_box[row] = boxed
    final = short or (pile == 0 and ruled(rulings, 5, "final_at_zero"))
    return Refill(added, from_box, after, pile, box, final)


THIRTEEN = 13


def first_scoring(
    cards: Mapping[Player, int], stage: int = 1, special: bool = False, final: bool = False,
    rulings: Mapping[str, object] = {},
) -> tuple[Player, ...]:  # fmt: skip
    """Who makes the first scoring due after a round by holding 13 cards; nobody: it is not due.

    `special`: the round ended because only one row was left; `final`: it was the final round.
    """
    if stage != 1 or (special and ruled(rulings, 8, "no_check")):
        return ()
    if final and ruled(rulings, 21, "concluding_only"):
        return ()
    return tuple(player for player, count in cards.items() if count >= THIRTEEN)
