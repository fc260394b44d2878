"""Who draws when, and what bad cards are: the rulebook over plain values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.games.koala.options import ruled
from companion.games.koala.rules_seats import ACTIONS, FOODS, Seats, seat_of, seated
from companion.table.game import Refusal
from companion.table.things import Player, value

HAND = 3


@value
class Refilled:
    """Who drew how many in which order, and whether the pile ran out."""

    draws: tuple[tuple[Player, int], ...]
    left: int
    game_end: bool


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


def show_fault(
    by: Player, faces: Sequence[str], drew: int, again: bool, rulings: Mapping[str, object] = {}
) -> Refusal | None:
    """Why shown cards are refused, in this order: three, of the pile, bad enough, not `again`, after drawing.

    `drew`: how many cards he drew before he showed them.
    """
    who: dict[str, str | int] = {"name": by, "cards": ", ".join(f"@{face}" for face in faces)}
    if len(faces) != HAND:
        return Refusal("KOALA-REF-05", "bad_cards_show_3", {**who, "count": len(faces)})
    strange = [face for face in faces if face not in (*FOODS, *ACTIONS)]
    if strange:
        return Refusal("KOALA-CMP-01", "foreign_card", {"card": strange[0]})
    if not bad_cards(faces):
        return Refusal("KOALA-REF-05", "bad_cards_not_valid", who)
    if again:
        return Refusal("KOALA-REF-07", "bad_cards_once", who)
    return None if may_show(drew, rulings) else Refusal("KOALA-REF-05", "bad_cards_after_drawing", who)


def may_show(drew: int, rulings: Mapping[str, object]) -> bool:
    """Whether who drew so many cards may show bad ones at all (KOALA-AMB-11)."""
    return drew > 0 or ruled(rulings, 11, "without_drawing")


def need(hand: int) -> int:
    """How many cards a player draws."""
    return max(0, HAND - hand)


def refill(
    seats: Seats, starter: Player, hands: Mapping[Player, int], pile: int,
    shows: Sequence[tuple[Player, Sequence[str]]] = (), rulings: Mapping[str, object] = {},
) -> Refilled | Refusal:  # fmt: skip
    """Everybody draws up to three in turn; who shows bad cards draws three anew; a short pile ends the game.

    `shows`: who shows which cards as bad, each at the own turn after drawing.
    """
    for by, _ in shows:
        if not seated(seats, by):
            return Refusal("KOALA-REF-05", "unknown_player", {"name": by})
    draws: list[tuple[Player, int]] = []
    for player in order(seats, starter, ruled(rulings, 10, "starter_first")):
        wanted = [need(hands[player])]
        for again, faces in enumerate(faces for by, faces in shows if by == player):
            if pile - sum(wanted) < 0:
                break  # the game ends before he can show anything
            fault = show_fault(player, faces, wanted[0], again > 0, rulings)
            if fault is not None:
                return fault
            wanted.append(HAND)
        for count in wanted:
            draws.append((player, min(count, pile)))
            pile -= min(count, pile)
            if draws[-1][1] < count:
                return Refilled(tuple(draws), pile, True)
    return Refilled(tuple(draws), pile, False)
