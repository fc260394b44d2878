"""The auction that a table runs, against the course of an auction in which everybody sees who laid what."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from table import Koala

from companion.games.koala import rules_sale
from companion.games.koala.rules_auction import Auction, next_bid

EIGHT = ("Mia", "Paul", "Ada", "Ben", "Cleo", "Emil", "Finn", "Gus")  # Mia + Finn, Ben + Gus
RULINGS = st.fixed_dictionaries(
    {},
    optional={
        "KOALA-AMB-04": st.just("each_the_number"),
        "KOALA-AMB-08": st.just("partner_may_not"),
        "KOALA-AMB-26": st.just("may_not_bid"),
    },
)


class Course:
    """One auction played twice: at the table, and by the rules with every hand known."""

    def __init__(self, players: int, rulings: Mapping[str, object]) -> None:
        self.table = Koala(*(f"P{i}" for i in range(1, players + 1)), **rulings).auction()
        self.pizzas = [card.id for card in self.table.state.deck.cards if card.face == "pizza"][1:]
        state = self.table.state
        assert state.starter is not None
        self.sale = rules_sale.Sale(Auction("pizza", state.starter, state.seats, state.hands, state.rulings))

    def bids(self) -> list[rules_sale.Bid]:
        """Every next bid that is valid by the rules: alone, and of each koalation in every share."""
        need, at = next_bid(self.sale.now.lead), self.table.time
        both = need if self.sale.now.rulings["KOALA-AMB-04"] == "each_the_number" else None
        found = [rules_sale.Bid(at, {player: ["pizza"] * need}) for player in self.table.names]
        for seat in self.table.state.seats:
            if seat.white is not None and seat.black is not None:
                shares = [(both, both)] if both else [(n, need - n) for n in range(1, need)]
                found += [
                    rules_sale.Bid(at, {seat.white: ["pizza"] * white, seat.black: ["pizza"] * black})
                    for white, black in shares
                ]
        return [bid for bid in found if not rules_sale.hear(self.sale, bid).faults]

    def lay(self, bid: rules_sale.Bid) -> None:
        """The bid at the table: all press, then the cards lie there."""
        self.sale = rules_sale.hear(self.sale, bid)
        assert [self.table.press(player) for player in bid.cards] == [""] * len(bid.cards)
        count = sum(len(cards) for cards in bid.cards.values())
        assert self.table.lay(*(self.pizzas.pop() for _ in range(count))) == ""

    def ended(self) -> bool:
        return self.table.phase not in ("auction", "call")


@settings(max_examples=60, deadline=None)
@given(st.integers(3, 10), RULINGS, st.lists(st.integers(0, 99), min_size=8, max_size=8))
def test_a_table_ends_its_auction_when_the_rules_do_whoever_paid_what(
    players: int, rulings: Mapping[str, object], wishes: list[int]
) -> None:
    """Valid bids alone and together, under the rulings of a bid; nobody's cards are counted twice."""
    course = Course(players, rulings)
    for wish in wishes:
        bids = course.bids()
        if course.ended() or not bids:
            break
        course.lay(bids[wish % len(bids)])
        assert course.table.state.lead == course.sale.now.lead
        assert course.ended() is (course.sale.ended_by is not None)
    state, hands = course.table.state, course.sale.now.hands or {}
    pending = sum(count for *_, count in state.splits)
    assert sum(state.hands.values()) - pending == sum(hands.values())


def together(game: Koala, white: str, black: str, *cards: str) -> None:
    """Both press, then their cards lie there."""
    assert [game.press(white), game.press(black), game.lay(*cards)] == ["", "", ""]


def test_two_koalations_that_outbid_each_other_run_out_of_cards() -> None:  # KOALA-AUC-11 KOALA-AMB-09
    game = Koala(*EIGHT).auction().bid("Paul", "pizza-02")
    together(game, "Mia", "Finn", "pizza-03", "pizza-04")
    together(game, "Ben", "Gus", "pizza-05", "pizza-06", "pizza-07")
    assert game.phase == "auction"
    together(game, "Mia", "Finn", "pizza-08", "pizza-09", "pizza-10", "pizza-11")
    assert game.said[:2] == ["say.highest", "say.wins"]  # nobody can bid five


def test_a_koalation_that_has_spent_its_cards_cannot_press_for_more() -> None:
    game = Koala(*EIGHT, **{"KOALA-AMB-09": "call_only"}).auction().bid("Paul", "pizza-02")
    together(game, "Mia", "Finn", "pizza-03", "pizza-04")
    together(game, "Ben", "Gus", "pizza-05", "pizza-06", "pizza-07")
    together(game, "Mia", "Finn", "pizza-08", "pizza-09", "pizza-10", "pizza-11")
    assert game.press("Ben") == "more_cards_than_hand"
    game.counted_out()
    assert game.phase == "split" and game.choose("Ben", "split", "1+2") == ""
    assert game.phase == "new_starter"  # Mia's and Finn's six cards of six: there is nothing to ask
    assert [game.state.hands[name] for name in ("Mia", "Finn", "Ben", "Gus")] == [0, 0, 2, 1]


@pytest.mark.parametrize("bid", [1, 2, 3])
def test_where_both_lay_the_number_nobody_is_asked_who_paid(bid: int) -> None:  # KOALA-AMB-04
    game = Koala(*EIGHT, **{"KOALA-AMB-04": "each_the_number"}).auction()
    cards = [f"pizza-{n:02d}" for n in range(2, 20)]
    for single, name in zip(range(1, bid), ("Paul", "Ada"), strict=False):
        game.bid(name, *(cards.pop() for _ in range(single)))
    together(game, "Mia", "Finn", *(cards.pop() for _ in range(2 * bid)))
    assert game.view["middle"]["bid"] == bid
    assert game.state.hands["Mia"] == game.state.hands["Finn"] == 3 - bid
    if game.phase == "auction":
        game.counted_out()
    assert game.phase == "new_starter"


def test_where_both_lay_the_number_the_second_one_is_waited_for() -> None:  # KOALA-AMB-04
    game = Koala(*EIGHT, **{"KOALA-AMB-04": "each_the_number"}).auction().bid("Paul", "pizza-02")
    together(game, "Mia", "Finn", "pizza-03", "pizza-04")
    assert game.said == [] and game.view["middle"]["leader"] == ["Paul"]
    assert game.lay("pizza-05", "pizza-06") == "" and game.view["middle"]["leader"] == ["Mia", "Finn"]


def test_cards_of_a_joint_bid_that_are_lost_are_missing_in_their_hands() -> None:  # KOALA-AMB-22
    game = Koala(*EIGHT, **{"KOALA-AMB-22": "discard"}).auction().bid("Paul", "pizza-02")
    together(game, "Mia", "Finn", "pizza-03", "bump-01")
    assert game.said == ["say.bid_lost"]
    game.bid("Ada", "pizza-04", "pizza-05").counted_out()
    assert game.phase == "split" and game.choose("Mia", "split", "1+1") == ""
    assert game.state.hands["Mia"] == game.state.hands["Finn"] == 2
