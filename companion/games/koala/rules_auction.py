"""What is a valid bid, and when nobody can bid more: the rulebook over plain values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.games.koala.rules_seats import Seats, partner, seat_of
from companion.table.game import Refusal
from companion.table.things import Player, value


@value
class Lead:
    """The bid that stands: one player or both of a koalation, and how many cards."""

    bidders: frozenset[Player]
    count: int


def next_bid(lead: Lead | None) -> int:
    """How many cards the next bid must have."""
    return 1 if lead is None else lead.count + 1


def bid_fault(
    food: str, faces: Sequence[str], bidders: frozenset[Player], lead: Lead | None,
    hands: Mapping[Player, int] | None, seats: Seats,
) -> Refusal | None:  # fmt: skip
    """Why a bid is invalid, tested in this order: who bids, over whom, which cards, how many, from which hand.

    `hands` None: hand sizes are not known and not tested.
    """
    names = ", ".join(sorted(bidders))
    if len(bidders) > 1 and not _koalation(bidders, seats):
        return Refusal("KOALA-AUC-07", "not_a_koalation", {"names": names})
    if any(face != food for face in faces):
        return Refusal("KOALA-AUC-02", "wrong_food", {"food": f"@{food}"})
    if lead is not None and bidders & lead.bidders:
        return Refusal("KOALA-AUC-04", "self_outbid", {"name": names})
    need = next_bid(lead)
    if hands is not None and len(faces) > sum(hands[player] for player in bidders):
        hand = sum(hands[player] for player in bidders)
        return Refusal("KOALA-AUC-05", "more_cards_than_hand", {"name": names, "need": need, "hand": hand})
    if len(faces) != need:
        return Refusal("KOALA-AUC-19", f"bid_must_be_{need}", {"need": need})
    return None


def _koalation(bidders: frozenset[Player], seats: Seats) -> bool:
    return len(bidders) == 2 and any({seat.white, seat.black} == bidders for seat in seats)


def can_outbid(
    hands: Mapping[Player, int], seats: Seats, lead: Lead | None, unseen: int | None = None
) -> bool:
    """Whether any single player or koalation without a leader could bid more (hand sizes are public).

    `unseen`: cards of the food that nobody has seen yet; no bid can be higher.
    """
    need = next_bid(lead)
    if unseen is not None and unseen < need:
        return False
    leaders = lead.bidders if lead is not None else frozenset()
    for player, hand in hands.items():
        if player in leaders:
            continue
        mate = partner(seats, player)
        together = hand + (hands[mate] if mate is not None and mate not in leaders else 0)
        if together >= need:
            return True
    return False


def new_starters(bidders: frozenset[Player], seats: Seats) -> tuple[Player, ...]:
    """Who may start after a bid won: the bidder, or either of a koalation, its white koala first."""
    return tuple(sorted(bidders, key=lambda player: seats[seat_of(seats, player)].white != player))
