"""What is a valid bid, and when nobody can bid more: the rulebook over plain values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.games.koala.options import ruled
from companion.games.koala.rules_seats import Seats, partner, seat_of
from companion.table.game import Refusal
from companion.table.things import Player, value

JOINT = 2  # players of a koalation


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
    hands: Mapping[Player, int] | None, seats: Seats, laid: Mapping[Player, int] | None = None,
) -> Refusal | None:  # fmt: skip
    """Why a bid is invalid, tested in this order: which cards, who, from which hand, how many, over whom.

    `hands` None: hand sizes are not known and not tested. `laid`: who of a koalation laid how many, if known.
    """
    names, need = ", ".join(sorted(bidders)), next_bid(lead)
    if any(face != food for face in faces):
        return Refusal("KOALA-AUC-02", "wrong_food", {"food": f"@{food}"})
    if len(bidders) > 1 and not _koalation(bidders, seats):
        return Refusal("KOALA-AUC-07", "not_a_koalation", {"names": names})
    if hands is not None and _beyond_hand(len(faces), bidders, hands, laid):
        hand = sum(hands.get(player, 0) for player in bidders)
        return Refusal("KOALA-AUC-05", "more_cards_than_hand", {"name": names, "need": need, "hand": hand})
    if len(faces) != need:
        return Refusal("KOALA-AUC-19", f"bid_must_be_{need}", {"need": need})
    if lead is not None and bidders & lead.bidders:
        return Refusal("KOALA-AUC-04", "self_outbid", {"name": names})
    return None


def _koalation(bidders: frozenset[Player], seats: Seats) -> bool:
    return len(bidders) == JOINT and any({seat.white, seat.black} == bidders for seat in seats)


def _beyond_hand(
    count: int, bidders: frozenset[Player], hands: Mapping[Player, int], laid: Mapping[Player, int] | None
) -> bool:
    """Whether somebody laid more than he can hold; a hand whose size is not known is not tested."""
    if any(player not in hands for player in bidders):
        return False
    if laid is not None and any(laid.get(player, 0) > hands[player] for player in bidders):
        return True
    return count > sum(hands[player] for player in bidders)


def can_outbid(
    hands: Mapping[Player, int], seats: Seats, lead: Lead | None, unseen: int | None = None,
    starter: Player | None = None, rulings: Mapping[str, object] = {},
) -> bool:  # fmt: skip
    """Whether any single player or koalation without a leader could bid more (hand sizes are public).

    `unseen`: cards of the food that nobody has seen yet; no bid can be higher. `starter`: matters only
    where the starting player may not bid (KOALA-AMB-26).
    """
    need = next_bid(lead)
    if unseen is not None and unseen < need:
        return False
    return any(
        most >= need
        for player in hands
        if may_bid(player, seats, lead, starter, rulings)
        for most in _most(player, hands, seats, lead, starter, rulings)
    )


def may_bid(
    player: Player, seats: Seats, lead: Lead | None, starter: Player | None = None,
    rulings: Mapping[str, object] = {},
) -> bool:  # fmt: skip
    """Whether a player may bid now at all: never over an own bid, others by rulings 8 and 26."""
    leaders = lead.bidders if lead is not None else frozenset()
    if player in leaders or (player == starter and ruled(rulings, 26, "may_not_bid")):
        return False
    return partner(seats, player) not in leaders or ruled(rulings, 8, "partner_may_outbid")


def _most(
    player: Player, hands: Mapping[Player, int], seats: Seats, lead: Lead | None, starter: Player | None,
    rulings: Mapping[str, object],
) -> tuple[int, ...]:  # fmt: skip
    """The highest bids of a player: alone, and together with a partner who may bid."""
    mate = partner(seats, player)
    if mate is None or not may_bid(mate, seats, lead, starter, rulings):
        return (hands[player],)
    both = hands[player], hands.get(mate, 0)
    return hands[player], sum(both) if ruled(rulings, 4, "sum") else min(both)


def new_starters(bidders: frozenset[Player], seats: Seats) -> tuple[Player, ...]:
    """Who may start after a bid won: the bidder, or either of a koalation, its white koala first."""
    return tuple(sorted(bidders, key=lambda player: seats[seat_of(seats, player)].white != player))
