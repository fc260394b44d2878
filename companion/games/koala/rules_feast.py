"""Who may hold a feast, in which order, and with what: the rulebook over plain values."""

from __future__ import annotations

from collections.abc import Mapping

from companion.games.koala.rules_seats import FOODS, Seats, seat_of
from companion.table.things import Player

LEAST = 6


def order(seats: Seats, starter: Player) -> tuple[Player, ...]:
    """All white koalas: the one in the starting player's cave first, then clockwise."""
    first = seat_of(seats, starter)
    turned = seats[first:] + seats[:first]
    return tuple(seat.white for seat in turned if seat.white is not None)


def offers(foods: Mapping[str, int], feast_cards_left: int) -> tuple[str, ...]:
    """The foods that may be eaten: six or more of one, while feast cards last."""
    return tuple(food for food in FOODS if foods[food] >= LEAST) if feast_cards_left > 0 else ()
