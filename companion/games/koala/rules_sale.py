"""The course of one auction: bids and calls at their times become a winner, or a card set aside. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from companion.games.koala import rules_call
from companion.games.koala.options import ruled
from companion.games.koala.rules_auction import Auction, bid_fault, over, paid, taken
from companion.games.koala.rules_call import Fault, Pace, Window
from companion.games.koala.rules_seats import distance, seated, stranger
from companion.table.game import Refusal
from companion.table.things import Player, value

CALLED, NOBODY_CAN = "call", "nobody_can"


@value
class Bid:
    """Cards laid into the middle at a time, by one player or both of a koalation."""

    t: float  # seconds since the reveal
    cards: Mapping[Player, Sequence[str]]


@value
class Call:
    """KO - A - LA begins."""

    t: float
    by: Player


@value
class Sale:
    """An auction as far as it went."""

    now: Auction
    aside: tuple[str, ...] = ()  # set aside for the winner
    pace: Pace = Pace()
    window: Window = Window()
    pot: tuple[str, ...] = ()  # valid bids, outbid ones too
    faults: tuple[Fault, ...] = ()
    ended_by: str | None = None


def hold(sale: Sale, events: Sequence[Bid | Call]) -> Sale:
    """The whole auction: events in their order of time; a count nobody answered ends it at last."""
    for event in sorted(events, key=lambda each: (rules_call.milliseconds(each.t), *_turn(sale, each))):
        sale = hear(sale, event)
    return replace(sale, ended_by=CALLED) if _counted(sale) else sale


def _counted(sale: Sale) -> bool:
    return sale.ended_by is None and sale.window.until is not None


def _turn(sale: Sale, event: Bid | Call) -> tuple[int, int]:
    """Of two bids at one time the nearer to the starting player is first (KOALA-AMB-02); calls come after."""
    if isinstance(event, Call):
        return len(sale.now.seats), 0
    if ruled(sale.now.rulings, 2, "time_stamp"):
        return 0, 0
    known = [player for player in event.cards if seated(sale.now.seats, player)]
    away = (distance(sale.now.seats, sale.now.starter, player) for player in known)
    return min(away, default=(len(sale.now.seats), 0))


def hear(sale: Sale, event: Bid | Call) -> Sale:
    """One bid or call. After the end both are named and taken back (KOALA-AMB-30)."""
    window = rules_call.at(sale.window, event.t)
    if window.over and sale.ended_by is None:
        sale = replace(sale, window=window, ended_by=CALLED)
    if sale.ended_by is not None:
        name = event.by if isinstance(event, Call) else ", ".join(event.cards)
        return _refused(sale, event, Refusal("KOALA-AMB-30", "auction_over", {"name": name}))
    if isinstance(event, Bid):
        unknown = stranger(sale.now.seats, event.cards)
        return _bid(sale, event) if unknown is None else _refused(sale, event, unknown)
    called = rules_call.call(window, event.t, event.by, sale.now.starter, sale.pace)
    return _refused(sale, event, called) if isinstance(called, Refusal) else replace(sale, window=called)


def _refused(sale: Sale, event: Bid | Call, refusal: Refusal) -> Sale:
    return replace(sale, faults=(*sale.faults, Fault(event.t, refusal)))


def _bid(sale: Sale, bid: Bid) -> Sale:
    """A valid bid leads and cancels a count; an invalid one goes back, or is lost by ruling 22."""
    laid = {player: len(cards) for player, cards in bid.cards.items() if cards}
    bidders = frozenset(laid) or frozenset(bid.cards)  # who lays nothing takes no part
    faces = tuple(face for cards in bid.cards.values() for face in cards)
    refusal = bid_fault(sale.now, bidders, faces, laid)
    if refusal is not None:
        sale = _refused(sale, bid, refusal)
        if ruled(sale.now.rulings, 22, "discard"):
            sale = replace(sale, now=paid(sale.now, laid))
        stalls = ruled(sale.now.rulings, 31, "any_bid_cancels")
        return replace(sale, window=rules_call.went_on(bid.t)) if stalls else sale
    now = taken(sale.now, bidders, len(faces), laid)
    ended = NOBODY_CAN if over(now) else None
    return replace(sale, now=now, pot=(*sale.pot, *faces), window=rules_call.went_on(bid.t), ended_by=ended)


def spoils(sale: Sale) -> tuple[str, ...]:
    """What lies in the middle: the cards set aside, the revealed card, all valid bids."""
    return (*sale.aside, sale.now.food, *sale.pot)
