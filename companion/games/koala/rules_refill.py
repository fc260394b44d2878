"""Who draws when, and what bad cards are: the rulebook over plain values."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.koala.rules_seats import ACTIONS, FOODS, Seats, seat_of
from companion.table.things import Player

HAND = 3


def order(seats: Seats, starter: Player, starter_first: bool = False) -> tuple[Player, ...]:
    """From the starting player's seat clockwise, white before black at each seat.

    `starter_first`: a black starting player draws before his white koala (KOALA-AMB-10).
    """
    first = seat_of(seats, starter)
    turned = seats[first:] + seats[:first]
    drawing = [player for seat in turned for player in (seat.white, seat.black) if player is not None]
    return tuple(sorted(drawing, key=lambda player: player != starter)) if starter_first else tuple(drawing)


def bad_cards(faces: Sequence[str]) -> bool:
    """Three action cards, or three identical food cards."""
    if len(faces) != HAND:
        return False
    return all(face in ACTIONS for face in faces) or (faces[0] in FOODS and len(set(faces)) == 1)
