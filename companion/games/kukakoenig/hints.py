"""What open cards tell: what a row is worth for somebody now, and which cards nobody has seen yet. Pure."""

from __future__ import annotations

from collections import Counter

from companion.games.kukakoenig.rules_score import held, sums
from companion.games.kukakoenig.state import State, tables
from companion.table.things import Player

FIXED_KINDS = ("king", "farmer", "animal")  # their numbers stand in the rulebook
OTHER = "other"  # the open types while the deck's split is made up


def row_values(state: State, player: Player) -> dict[int, int]:
    """By how much each row would raise a player's points if scored now, majorities included."""
    have = tables(state)
    before = sums(have, state.rulings)[player]["total"]
    values = {}
    for row, cards in state.rows.items():
        if not cards:
            continue
        mine = held(state.deck.by_id[card] for card in (*state.collections[player], *cards))
        values[row] = sums({**have, player: mine}, state.rulings)[player]["total"] - before
    return values


def known(state: State) -> set[str]:
    """Every card that was seen face up and lies open or is remembered in the box."""
    open_cards = {card for cards in (*state.rows.values(), *state.collections.values()) for card in cards}
    return open_cards | set(state.box)


def unseen(state: State) -> list[dict[str, object]]:
    """Cards still unseen, face by face: how many of how many.

    With a made-up split only what the rulebook fixes is told, all else together as "other".
    """
    shown = known(state)
    left: Counter[str] = Counter()
    total: Counter[str] = Counter()
    for card in state.deck.cards:
        if card.kind == "number":
            continue
        told = card.kind in FIXED_KINDS or not state.deck.made_up
        face = card.face if told else OTHER
        total[face] += 1
        left[face] += card.id not in shown
    hidden = sum(left.values())
    return [
        {
            "face": face,
            "left": left[face],
            "total": count,
            "percent": round(100 * left[face] / max(1, hidden)),
        }
        for face, count in total.items()
    ]
