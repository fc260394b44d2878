"""Turning cards up until food comes: the first may be an action, later ones are ignored."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from companion.games.koala.options import ruled
from companion.games.koala.rules_seats import ACTIONS, FOODS
from companion.table.game import Refusal
from companion.table.things import value

AUCTION, EXECUTED, IGNORED, NO_EFFECT = "auction", "executed", "ignored", "no_effect"


@value
class Revealed:
    """What happened to the cards turned up. `food` None: the pile ran out, the game is over."""

    executed: tuple[str, ...] = ()
    ignored: tuple[str, ...] = ()
    no_effect: tuple[str, ...] = ()
    food: str | None = None
    left: int = 0  # cards in the pile


def turn(
    face: str,
    first: bool,
    possible: bool,
    rulings: Mapping[str, object] = {},
) -> str | Refusal:
    """What a card turned up does. `first`: of this round; `possible`: the action can have an effect."""
    if face in FOODS:
        return AUCTION
    if face not in ACTIONS:
        return Refusal("KOALA-CMP-01", "foreign_card", {"card": face})
    if not first:
        return IGNORED
    return EXECUTED if possible or ruled(rulings, 5, "allow_null_actions") else NO_EFFECT


def reveal(
    pile: Sequence[str], first: bool, possible: Callable[[str], bool],
    rulings: Mapping[str, object] = {},
) -> Revealed | Refusal:  # fmt: skip
    """Turn cards of a pile (top first) until food comes or no card is left."""
    seen: dict[str, list[str]] = {EXECUTED: [], IGNORED: [], NO_EFFECT: []}
    food, turned = None, 0
    for turned, face in enumerate(pile, 1):  # noqa: B007  # how many were turned counts after the loop
        does = turn(face, first, possible(face), rulings)
        if isinstance(does, Refusal):
            return does
        if does == AUCTION:
            food = face
            break
        seen[does].append(face)
        first = False
    executed, ignored, no_effect = (tuple(seen[what]) for what in (EXECUTED, IGNORED, NO_EFFECT))
    return Revealed(executed, ignored, no_effect, food, len(pile) - turned)
