"""The courses of auction, action cards, feasts and refill: whatever happens, the sums hold."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from companion.games.koala import rules_actions, rules_feast, rules_refill, rules_sale
from companion.games.koala.rules_auction import Auction, Lead, can_outbid, next_bid
from companion.games.koala.rules_seats import ACTIONS, FOODS, Seat, Seats
from companion.table.game import Refusal
from companion.table.things import Player

A, B, C, D = (Player(name) for name in "ABCD")
SEATS: Seats = (Seat(A, D), Seat(B), Seat(C), Seat())
PLAYERS = st.sampled_from([A, B, C, D])
TIMES = st.integers(0, 200).map(lambda tenths: tenths / 10)
BIDS = st.builds(
    rules_sale.Bid, TIMES,
    st.dictionaries(PLAYERS, st.lists(st.sampled_from(["pizza", "pizza", "pizza", "bump"]), max_size=4),
                    min_size=1, max_size=2),
)  # fmt: skip
CALLS = st.builds(rules_sale.Call, TIMES, PLAYERS)


@given(
    st.lists(BIDS | CALLS, max_size=12), st.dictionaries(PLAYERS, st.integers(0, 3), min_size=4) | st.none()
)
def test_every_bid_is_either_in_the_pot_or_named_as_a_fault(
    events: list[rules_sale.Bid | rules_sale.Call], hands: dict[Player, int] | None
) -> None:
    """Valid bids rise by one; pot and faults together are all that was laid; hands never go below zero."""
    sale = rules_sale.hold(rules_sale.Sale(Auction("pizza", A, SEATS, hands)), events)
    count = 0 if sale.now.lead is None else sale.now.lead.count
    assert len(sale.pot) == count * (count + 1) // 2
    assert set(sale.pot) <= {"pizza"}
    bids = [event for event in events if isinstance(event, rules_sale.Bid)]
    calls = len(events) - len(bids)
    assert len(bids) - count <= len(sale.faults) <= len(bids) - count + calls
    assert [fault.t for fault in sale.faults] == sorted(fault.t for fault in sale.faults)
    if hands is not None and sale.now.hands is not None:
        assert sum(hands.values()) - sum(sale.now.hands.values()) == len(sale.pot)
        assert min(sale.now.hands.values()) >= 0
    if sale.ended_by == rules_sale.NOBODY_CAN:
        assert sale.now.hands is not None
        assert not can_outbid(sale.now)


def test_a_card_that_all_have_seen_cannot_be_bid() -> None:
    """With two cards of the food unseen nobody can bid three, whatever the hands."""
    hands = dict.fromkeys((A, B, C, D), 3)
    now = Auction("pizza", A, SEATS, hands, {}, Lead(frozenset({B}), 2))
    assert next_bid(now.lead) == 3
    assert can_outbid(replace(now, unseen=3))
    assert not can_outbid(replace(now, unseen=2))


PLAYS = st.builds(rules_actions.Play, TIMES, PLAYERS, st.sampled_from([*ACTIONS, *FOODS]))
COMMANDS = st.builds(rules_actions.Command, TIMES, PLAYERS)


@given(st.lists(PLAYS | COMMANDS | CALLS, max_size=14))
def test_every_card_is_carried_out_taken_back_or_named(events: list[rules_actions.Event]) -> None:
    """At most one card is carried out for each command, and only action cards."""
    phase = rules_actions.Actions(A, SEATS, lambda card, _: card != "leapfrog")
    phase = rules_actions.hold(phase, events)
    plays = sum(isinstance(event, rules_actions.Play) for event in events)
    commands = sum(isinstance(event, rules_actions.Command) and event.by == A for event in events)
    assert len(phase.executed) <= commands
    assert {card for _, card in phase.executed} <= set(ACTIONS) - {"leapfrog"}
    codes = Counter(fault.refusal.code for fault in phase.faults)
    named = codes["not_an_action"] + codes["no_effect_possible"]
    assert len(phase.executed) + len(phase.taken_back) + named <= plays
    assert plays <= len(phase.executed) + len(phase.taken_back) + named + codes["window_closed"]


@given(
    st.lists(st.tuples(PLAYERS, st.sampled_from([*FOODS, None])), max_size=8),
    st.lists(st.lists(st.integers(0, 9), min_size=3, max_size=3), min_size=4, max_size=4),
    st.integers(0, 8),
)
def test_feasts_eat_all_of_a_food_for_one_card(
    wishes: list[tuple[Player, str | None]], held: list[list[int]], left: int
) -> None:
    """Food eaten and food left are what was there; a card for each feast, none without."""
    foods = tuple(dict(zip(FOODS, counts, strict=True)) for counts in held)
    now = rules_feast.Feasting(SEATS, A, foods, left)
    for by, food in wishes:
        then = rules_feast.hold(now, rules_feast.Feast(by, food))
        now = now if isinstance(then, Refusal) else then
    assert now.left == left - len(now.eaten)
    for food in FOODS:
        gone = sum(count for _, eaten, count in now.eaten if eaten == food)
        assert gone + sum(cave[food] for cave in now.foods) == sum(cave[food] for cave in foods)
    assert all(count >= rules_feast.LEAST for _, _, count in now.eaten)
    assert D not in {who for who, _, _ in now.eaten}


@given(
    st.dictionaries(PLAYERS, st.integers(0, 3), min_size=4), st.integers(0, 15), PLAYERS,
    st.lists(st.tuples(PLAYERS, st.just(("bump", "bump", "leapfrog"))), max_size=2, unique_by=lambda s: s[0]),
)  # fmt: skip
def test_the_pile_pays_every_draw_and_ends_the_game_when_it_cannot(
    hands: dict[Player, int], pile: int, starter: Player, shows: list[tuple[Player, tuple[str, ...]]]
) -> None:
    """Draws and what is left are the pile; the game ends exactly when one card too few was there."""
    done = rules_refill.refill(SEATS, starter, hands, pile, shows)
    assert isinstance(done, rules_refill.Refilled)
    assert sum(count for _, count in done.draws) + done.left == pile
    wanted = sum(3 - hand for hand in hands.values()) + 3 * len(shows)
    assert done.game_end is (wanted > pile)
    if not done.game_end:
        assert len(done.draws) == len(hands) + len(shows)
    assert done.draws[0][0] in (starter, A)
