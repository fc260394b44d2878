"""The end of a turn: discard what one likes, draw up to three, reshuffle when the pile runs out (KARN-EOT)."""

from __future__ import annotations

from collections.abc import Mapping

from companion.games.karnivore.options import ruled
from companion.games.karnivore.rules_setup import HAND
from companion.table.game import Refusal
from companion.table.things import value


@value
class Drawn:
    """Hand, pile and discard pile after drawing, how many cards were drawn, and whether was reshuffled."""

    drawn: int
    hand: int
    deck: int
    discard: int
    reshuffled: bool


def take(count: int, hand: int, deck: int, discard: int) -> Drawn:
    """Draw so many cards, as far as pile and discard pile reach; an empty pile is made anew at once."""
    drawn, reshuffled = 0, False
    while drawn < count and deck + discard > 0:
        if deck == 0:
            deck, discard, reshuffled = discard, 0, True
        step = min(count - drawn, deck)
        drawn, deck = drawn + step, deck - step
        if deck == 0 and discard > 0:
            deck, discard, reshuffled = discard, 0, True
    return Drawn(drawn, hand + drawn, deck, discard, reshuffled)


def turn_end(
    hand: int, deck: int, discard: int, thrown: int = 0, rulings: Mapping[str, object] = {}
) -> Drawn | Refusal:  # rulings are read only
    """Discard `thrown` hand cards, then draw up to three. More than three cards: nothing is drawn."""
    if thrown > hand or thrown < 0:
        return Refusal("KARN-EOT-02", "more_than_hand", {"count": thrown, "hand": hand})
    kept = hand - thrown
    if ruled(rulings, 13, "discard_to_three") and kept > HAND:
        thrown, kept = thrown + kept - HAND, HAND
    return take(max(0, HAND - kept), kept, deck, discard + thrown)
