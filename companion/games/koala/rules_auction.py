"""What is a valid bid, what it costs, and when nobody can bid more: the rulebook over plain values."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import field, replace
from typing import TypeVar

from companion.games.koala.options import ruled
from companion.games.koala.rules_seats import Seats, is_white, partner, seat_of
from companion.table.game import Refusal
from companion.table.things import Player, value

JOINT = 2  # players of a koalation
T = TypeVar("T")
Split = tuple[Player, Player, int]  # a joint bid: white, black, cards; who laid how many is not known


@value
class Lead:
    """The bid that stands: one player or both of a koalation, and how many cards."""

    bidders: frozenset[Player]
    count: int


@value
class Auction:
    """Where an auction stands, as far as the rules of a bid look at it."""

    food: str
    starter: Player
    seats: Seats
    hands: Mapping[Player, int] | None = None  # None: hand sizes are not known and not tested
    rulings: Mapping[str, object] = field(default_factory=dict)
    lead: Lead | None = None
    splits: tuple[Split, ...] = ()  # joint bids paid, and not yet taken out of `hands`
    unseen: int | None = None  # cards of the food that nobody has seen yet: no bid can be higher


def next_bid(lead: Lead | None) -> int:
    """How many cards the next bid must have."""
    return 1 if lead is None else lead.count + 1


def cards_needed(now: Auction, bidders: Collection[Player]) -> int:
    """How many cards the next bid of these players puts down together."""
    return next_bid(now.lead) * (JOINT if _each_the_number(now, bidders) else 1)


def bid_fault(
    now: Auction, bidders: frozenset[Player], faces: Sequence[str], laid: Mapping[Player, int] | None = None
) -> Refusal | None:
    """Why a bid is invalid, tested in this order: which cards, who, from which hand, how many, over whom.

    `laid`: who of a koalation laid how many, if known.
    """
    need, counted = next_bid(now.lead), faces
    if _each_the_number(now, bidders):  # both lay the number: the bid counts once
        each = {need} if laid is None and len(faces) == JOINT * need else set((laid or {}).values())
        counted = faces[:need] if each == {need} else ()
        laid = dict.fromkeys(bidders, need) if counted and laid is None else laid
    fault = _fault(now, bidders, counted or faces, laid)
    if fault is None and len(counted) != need:
        fault = _wrong_number(need)
    return fault or next(filter(None, (bar(now, player) for player in sorted(bidders))), None)


def _each_the_number(now: Auction, bidders: Collection[Player]) -> bool:
    return len(bidders) == JOINT and ruled(now.rulings, 4, "each_the_number")


def _fault(
    now: Auction, bidders: frozenset[Player], faces: Sequence[str], laid: Mapping[Player, int] | None
) -> Refusal | None:
    names, need = ", ".join(sorted(bidders)), next_bid(now.lead)
    if any(face != now.food for face in faces):
        return Refusal("KOALA-AUC-02", "wrong_food", {"food": f"@{now.food}"})
    if len(bidders) > 1 and not _koalation(bidders, now.seats):
        return Refusal("KOALA-AUC-07", "not_a_koalation", {"names": names})
    if _beyond_hand(now, len(faces), bidders, laid):
        values: Mapping[str, str | int] = {"name": names, "need": need, "hand": held(now, bidders)}
        return Refusal("KOALA-AUC-05", "more_cards_than_hand", values)
    return None if len(faces) == need else _wrong_number(need)


def _wrong_number(need: int) -> Refusal:
    return Refusal("KOALA-AUC-19", f"bid_must_be_{need}", {"need": need})


def _koalation(bidders: frozenset[Player], seats: Seats) -> bool:
    return len(bidders) == JOINT and any({seat.white, seat.black} == bidders for seat in seats)


def _beyond_hand(
    now: Auction, count: int, bidders: frozenset[Player], laid: Mapping[Player, int] | None
) -> bool:
    """Whether somebody laid more than he can hold; a hand whose size is not known is not tested."""
    if now.hands is None or any(player not in now.hands for player in bidders):
        return False
    if laid is not None and any(laid.get(player, 0) > held(now, {player}) for player in bidders):
        return True
    return count > held(now, bidders)


def held(now: Auction, bidders: Collection[Player]) -> int:
    """The most cards that a player, or both of a koalation, can still hold.

    What a joint bid cost has left the two hands together, whoever laid it.
    """
    hands = now.hands or {}
    paid = sum(count for white, black, count in now.splits if {white, black} & set(bidders))
    both = {player for split in now.splits for player in split[:2] if set(split[:2]) & set(bidders)}
    most = sum(hands.get(player, 0) for player in bidders)
    return min(most, sum(hands.get(player, 0) for player in both) - paid) if both else most


def bar(now: Auction, player: Player) -> Refusal | None:
    """Why a player may not bid now at all: over an own bid, or by rulings 8 and 26; None if he may."""
    leaders = now.lead.bidders if now.lead is not None else frozenset()
    if player in leaders:
        return Refusal("KOALA-AUC-04", "self_outbid", {"name": player})
    if player == now.starter and ruled(now.rulings, 26, "may_not_bid"):
        return Refusal("KOALA-AMB-26", "starter_may_not_bid", {"name": player})
    if leaders and partner(now.seats, player) in leaders and ruled(now.rulings, 8, "partner_may_not"):
        return Refusal("KOALA-AMB-08", "self_outbid", {"name": player})
    return None


def reach(now: Auction, player: Player) -> int:
    """The highest bid of a player: alone, or together with a partner who may bid."""
    mate, alone = partner(now.seats, player), held(now, {player})
    if mate is None or bar(now, mate) is not None:
        return alone
    if ruled(now.rulings, 4, "each_the_number"):
        return max(alone, min(alone, held(now, {mate})))
    return max(alone, held(now, {player, mate}))


def can_outbid(now: Auction) -> bool:
    """Whether any single player or koalation without a leader could bid more (hand sizes are public)."""
    need = next_bid(now.lead)
    if now.unseen is not None and now.unseen < need:
        return False
    return any(bar(now, player) is None and reach(now, player) >= need for player in now.hands or {})


def over(now: Auction) -> bool:
    """Whether an auction ends by itself (KOALA-AMB-09): never where no hand size is known."""
    return now.hands is not None and not ruled(now.rulings, 9, "call_only") and not can_outbid(now)


def taken(
    now: Auction, bidders: frozenset[Player], count: int, laid: Mapping[Player, int] | None = None
) -> Auction:
    """A valid bid of so many cards leads and is paid. `laid`: who of a koalation laid how many, if known."""
    if laid is None and _each_the_number(now, bidders):
        laid = dict.fromkeys(bidders, count // JOINT)
    return replace(cost(now, bidders, count, laid), lead=Lead(bidders, next_bid(now.lead)))


def cost(
    now: Auction, bidders: frozenset[Player], count: int, laid: Mapping[Player, int] | None = None
) -> Auction:
    """So many cards have left the hands of a player, or of a koalation: together, until they say who laid them."""
    if laid is None and len(bidders) == JOINT:
        white, black = sorted(bidders, key=lambda player: not is_white(now.seats, player))
        return replace(now, splits=(*now.splits, (white, black, count)))
    return paid(now, laid or dict.fromkeys(bidders, count))


def paid(now: Auction, laid: Mapping[Player, int]) -> Auction:
    """The cards are out of the hands."""
    if now.hands is None:
        return now
    left = {player: max(0, hand - laid.get(player, 0)) for player, hand in now.hands.items()}
    return replace(now, hands=left)


def shares(now: Auction) -> tuple[int, ...]:
    """What the white koala may have laid of the first joint bid: one answer where the hands leave one only."""
    hands, (white, black, count) = now.hands or {}, now.splits[0]
    least, most = max(0, count - hands.get(black, 0)), min(count, hands.get(white, 0))
    return tuple(range(least, most + 1)) or (count,)


def left_aside(aside: Sequence[T], card: T, rulings: Mapping[str, object]) -> tuple[T, ...]:
    """What is set aside for the next winner after an auction of a card without a bid (KOALA-AMB-03)."""
    return (*(aside if ruled(rulings, 3, "all_to_next_winner") else ()), card)


def new_starters(bidders: frozenset[Player], seats: Seats) -> tuple[Player, ...]:
    """Who may start after a bid won: the bidder, or either of a koalation, its white koala first."""
    return tuple(sorted(bidders, key=lambda player: seats[seat_of(seats, player)].white != player))
