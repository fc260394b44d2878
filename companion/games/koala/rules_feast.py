"""Who may hold a feast, in which order, and with what: the rulebook over plain values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from companion.games.koala.options import ruled
from companion.games.koala.rules_seats import FOODS, Food, Seats, is_white, seat_of, seated
from companion.table.game import Refusal
from companion.table.things import Player, Words, value

LEAST = 6
CARDS = 8


@value
class Feast:
    """One wish: who, which food (None: no feast), and how many cards go (None: all of them)."""

    by: Player
    food: str | None
    discard: int | None = None


@value
class Feasting:
    """Phase 2 as far as it went. `turn`: how many of the order have had their opportunity."""

    seats: Seats
    starter: Player
    foods: tuple[Food, ...]
    left: int = CARDS
    turn: int = 0
    eaten: tuple[tuple[Player, str, int], ...] = ()  # who ate how many cards of which food


def order(seats: Seats, starter: Player) -> tuple[Player, ...]:
    """All white koalas: the one in the starting player's cave first, then clockwise."""
    first = seat_of(seats, starter)
    turned = seats[first:] + seats[:first]
    return tuple(seat.white for seat in turned if seat.white is not None)


def offers(foods: Mapping[str, int], feast_cards_left: int) -> tuple[str, ...]:
    """The foods that may be eaten: six or more of one, while feast cards last."""
    return tuple(food for food in FOODS if foods[food] >= LEAST) if feast_cards_left > 0 else ()


def offered(
    seats: Seats, foods: Sequence[Food], starter: Player, feast_cards_left: int
) -> tuple[Player, ...]:
    """The white koalas who can hold a feast, in the order in which they are asked."""
    return tuple(
        player for player in order(seats, starter) if offers(foods[seat_of(seats, player)], feast_cards_left)
    )


def fault(now: Feasting, wish: Feast, rulings: Mapping[str, object] = {}) -> Refusal | None:
    """Why a feast is refused, in this order: known, six cards, all of them, white, in turn, card left."""
    who = {"name": wish.by, "food": f"@{wish.food}"}
    if not seated(now.seats, wish.by):
        return Refusal("KOALA-FEA-01", "unknown_player", who)
    wrong_food = _food_fault(now, wish, who)
    if wrong_food is not None:
        return wrong_food
    if not is_white(now.seats, wish.by):
        return Refusal("KOALA-FEA-11", "feast_black_koala", who)
    if order(now.seats, now.starter).index(wish.by) < now.turn:
        return Refusal("KOALA-FEA-03", "feast_out_of_order", who)
    if wish.food is not None and now.left <= 0 and ruled(rulings, 12, "limit"):
        return Refusal("KOALA-AMB-12", "no_feast_cards_left", who)
    return None


def _food_fault(now: Feasting, wish: Feast, who: Words) -> Refusal | None:
    if wish.food is None:
        return None
    if wish.food not in FOODS:
        return Refusal("KOALA-FEA-04", "unknown_food", who)
    count = now.foods[seat_of(now.seats, wish.by)][wish.food]
    if count < LEAST:
        return Refusal("KOALA-FEA-04", "feast_needs_6", who)
    if wish.discard is not None and wish.discard != count:
        return Refusal("KOALA-FEA-05", "feast_discard_all", who)
    return None


def hold(now: Feasting, wish: Feast, rulings: Mapping[str, object] = {}) -> Feasting | Refusal:
    """One feast held or declined: all cards of the food go, one feast card comes."""
    refused = fault(now, wish, rulings)
    if refused is not None:
        return refused
    place = order(now.seats, now.starter).index(wish.by)
    if wish.food is None:  # declined: his opportunity has passed (KOALA-AMB-25)
        return replace(now, turn=place + 1)
    cave = seat_of(now.seats, wish.by)
    count = now.foods[cave][wish.food]
    foods = (*now.foods[:cave], {**now.foods[cave], wish.food: 0}, *now.foods[cave + 1 :])
    eaten = (*now.eaten, (wish.by, wish.food, count))
    return replace(now, foods=foods, left=max(0, now.left - 1), turn=place, eaten=eaten)
