"""The course of one auction: bids and calls at their times become a winner, or a card set aside. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field, replace

from companion.games.koala import rules_call
from companion.games.koala.options import ruled
from companion.games.koala.rules_auction import JOINT, Lead, bid_fault, can_outbid, may_bid, next_bid
from companion.games.koala.rules_call import Fault, Pace, Window
from companion.games.koala.rules_seats import Seats, distance
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
    """An auction as far as it went. `hands` None: hand sizes are not known."""

    food: str
    starter: Player
    seats: Seats
    hands: Mapping[Player, int] | None = None
    aside: tuple[str, ...] = ()  # set aside for the winner
    rulings: Mapping[str, object] = field(default_factory=dict)
    pace: Pace = Pace()
    window: Window = Window()
    lead: Lead | None = None
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
        return len(sale.seats), 0
    if ruled(sale.rulings, 2, "time_stamp"):
        return 0, 0
    return min(distance(sale.seats, sale.starter, player) for player in event.cards)


def hear(sale: Sale, event: Bid | Call) -> Sale:
    """One bid or call. After the end both are named and taken back (KOALA-AMB-30)."""
    window = rules_call.at(sale.window, event.t)
    if window.over and sale.ended_by is None:
        sale = replace(sale, window=window, ended_by=CALLED)
    if sale.ended_by is not None:
        name = event.by if isinstance(event, Call) else ", ".join(event.cards)
        return _refused(sale, event, Refusal("KOALA-AMB-30", "auction_over", {"name": name}))
    if isinstance(event, Bid):
        return _bid(sale, event)
    called = rules_call.call(window, event.t, event.by, sale.starter, sale.pace)
    return _refused(sale, event, called) if isinstance(called, Refusal) else replace(sale, window=called)


def _refused(sale: Sale, event: Bid | Call, refusal: Refusal) -> Sale:
    return replace(sale, faults=(*sale.faults, Fault(event.t, refusal)))


def _bid(sale: Sale, bid: Bid) -> Sale:
    """A valid bid leads and cancels a count; an invalid one goes back, or is lost by ruling 22."""
    laid = {player: len(cards) for player, cards in bid.cards.items() if cards}
    bidders = frozenset(laid) or frozenset(bid.cards)  # who lays nothing takes no part
    faces = tuple(face for cards in bid.cards.values() for face in cards)
    refusal = _fault(sale, bidders, faces, laid)
    if refusal is not None:
        sale = _refused(sale, bid, refusal)
        if ruled(sale.rulings, 22, "discard"):
            sale = replace(sale, hands=_paid(sale.hands, laid))
        stalls = ruled(sale.rulings, 31, "any_bid_cancels")
        return replace(sale, window=rules_call.went_on(bid.t)) if stalls else sale
    lead, hands = Lead(bidders, next_bid(sale.lead)), _paid(sale.hands, laid)
    sale = replace(sale, lead=lead, hands=hands, pot=(*sale.pot, *faces), window=rules_call.went_on(bid.t))
    if hands is None or ruled(sale.rulings, 9, "call_only"):
        return sale
    if can_outbid(hands, sale.seats, lead, None, sale.starter, sale.rulings):
        return sale
    return replace(sale, ended_by=NOBODY_CAN)


def _fault(
    sale: Sale, bidders: frozenset[Player], faces: tuple[str, ...], laid: Mapping[Player, int]
) -> Refusal | None:
    counted = faces
    if len(bidders) == JOINT and ruled(sale.rulings, 4, "each_the_number"):
        need = next_bid(sale.lead)  # both lay the number: the bid counts once
        counted = faces[:need] if set(laid.values()) == {need} else ()
    fault = bid_fault(sale.food, counted or faces, bidders, sale.lead, sale.hands, sale.seats, laid)
    if fault is None and not counted and faces:
        need = next_bid(sale.lead)
        return Refusal("KOALA-AUC-19", f"bid_must_be_{need}", {"need": need})
    barred = [
        player for player in bidders if not may_bid(player, sale.seats, sale.lead, sale.starter, sale.rulings)
    ]
    if fault is None and barred:
        code = "starter_may_not_bid" if barred == [sale.starter] else "self_outbid"
        return Refusal("KOALA-AUC-04", code, {"name": ", ".join(barred)})
    return fault


def _paid(hands: Mapping[Player, int] | None, laid: Mapping[Player, int]) -> Mapping[Player, int] | None:
    if hands is None:
        return None
    return {player: max(0, hand - laid.get(player, 0)) for player, hand in hands.items()}


def spoils(sale: Sale) -> tuple[str, ...]:
    """What lies in the middle: the cards set aside, the revealed card, all valid bids."""
    return (*sale.aside, sale.food, *sale.pot)


def left_aside(sale: Sale) -> tuple[str, ...]:
    """What is set aside for the next winner after an auction without a bid (KOALA-AMB-03)."""
    kept = sale.aside if ruled(sale.rulings, 3, "all_to_next_winner") else ()
    return (*kept, sale.food)
