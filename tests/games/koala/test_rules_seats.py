"""Seats and moves: whatever card is played, nobody is lost and no black koala stands alone."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games.koala.rules_seats import (
    ACTIONS,
    BLACK,
    CAVES,
    FOODS,
    Moved,
    Seat,
    Seats,
    bump,
    distance,
    execute,
    is_white,
    leap,
    partner,
    possible,
    ring,
    seat_of,
    seating,
    sticky,
    team_cards,
)
from companion.table.game import Refusal
from companion.table.things import Player

COUNTS = range(3, 11)


def shapes(n: int) -> Iterator[tuple[int, ...]]:
    """Every way n players can be spread over their caves: 0, 1 or 2 at each."""
    caves = min(n, 6)
    for pairs in range(n // 2 + 1):
        singles = n - 2 * pairs
        if pairs + singles > caves:
            continue
        for doubled in combinations(range(caves), pairs):
            free = [cave for cave in range(caves) if cave not in doubled]
            for alone in combinations(free, singles):
                yield tuple(2 if c in doubled else 1 if c in alone else 0 for c in range(caves))


def seated(shape: tuple[int, ...]) -> Seats:
    """Players P1, P2, ... at the seats of a shape."""
    names = iter(range(1, 11))
    return tuple(Seat(*(Player(f"P{next(names)}") for _ in range(count))) for count in shape)


def people(seats: Seats) -> list[Player]:
    """Everybody at the table."""
    return sorted(p for seat in seats for p in (seat.white, seat.black) if p is not None)


def whole(before: Seats, moved: Moved | Refusal) -> None:
    """Nobody lost or doubled, as many caves as before, and never a black koala without a white one."""
    assert isinstance(moved, Moved)
    assert people(moved.seats) == people(before)
    assert len(moved.seats) == len(before)
    assert all(seat.white is not None or seat.black is None for seat in moved.seats)
    for walk in moved.walks:
        assert (walk.becomes == BLACK) is (moved.seats[walk.end].black == walk.player)
    for player in moved.slid_forward:
        assert seat_of(moved.seats, player) == seat_of(before, player)
        assert is_white(moved.seats, player)
        assert not is_white(before, player)


@pytest.mark.parametrize("n", COUNTS)
def test_every_bump_at_every_table_keeps_everybody_and_ends(n: int) -> None:
    """All seatings, all white targets, both directions: no chain goes round the table (KOALA-AMB-15)."""
    longest = 0
    for shape in shapes(n):
        seats = seated(shape)
        for seat in seats:
            for direction in ("left", "right") if seat.white is not None else ():
                assert seat.white is not None
                by = next(p for p in people(seats) if p != seat.white)
                moved = bump(seats, by, seat.white, direction)
                whole(seats, moved)
                assert isinstance(moved, Moved)
                assert len(moved.walks) < len(seats)
                longest = max(longest, len(moved.walks))
    assert (
        longest == 1 + (n - 1) // 2
    )  # the one who is bumped, then one of each koalation the others can form


@pytest.mark.parametrize("n", COUNTS)
def test_every_ring_moves_each_white_one_seat_and_no_black(n: int) -> None:
    """All seatings, both directions; left and right undo each other for the white koalas' seats."""
    for shape in shapes(n):
        seats = seated(shape)
        for direction, step in (("left", 1), ("right", -1)):
            moved = ring(seats, direction)
            whole(seats, moved)
            assert isinstance(moved, Moved)
            for place, seat in enumerate(seats):
                if seat.white is not None:
                    assert moved.seats[(place + step) % len(seats)].white == seat.white
                if seat.black is not None:
                    assert seat_of(moved.seats, seat.black) == place


@pytest.mark.parametrize("n", COUNTS)
def test_every_leapfrog_swaps_two_and_twice_swaps_back(n: int) -> None:
    """All seatings, all koalations."""
    for shape in shapes(n):
        seats = seated(shape)
        for cave in range(len(seats)):
            moved = leap(seats, cave)
            if shape[cave] < 2:
                assert isinstance(moved, Refusal)
                assert moved.code == "not_a_koalation"
                continue
            whole(seats, moved)
            assert isinstance(moved, Moved)
            back = leap(moved.seats, cave)
            assert isinstance(back, Moved)
            assert back.seats == seats


@pytest.mark.parametrize("n", COUNTS)
def test_every_possible_option_can_be_executed(n: int) -> None:
    """What is offered is never refused; nothing offered means no effect (KOALA-AMB-05)."""
    for shape in list(shapes(n))[:40]:
        seats = seated(shape)
        foods = tuple({"pizza": place, "hamburger": 0, "spaghetti": 1} for place in range(len(seats)))
        for by in people(seats)[:3]:
            for action in ACTIONS:
                options = possible(action, seats, foods, by)
                for option in options:
                    whole(seats, execute(action, seats, foods, by, option))
                if action == "leapfrog":
                    assert len(options) == shape.count(2)
                if action == "bump":
                    assert len(options) == 2 * (n - shape.count(2) - is_white(seats, by))


@given(st.integers(0, 40), st.booleans())
def test_only_three_to_ten_players_are_seated(n: int, teams: bool) -> None:
    """Six sit at most, the others stand evenly behind; teams need four players."""
    players = tuple(Player(f"P{i}") for i in range(n))
    seats = seating(players, teams)
    if n not in COUNTS:
        assert isinstance(seats, Refusal)
        assert seats.code == "player_count"
    elif teams and n < 4:
        assert isinstance(seats, Refusal)
        assert seats.code == "team_variant_needs_4"
    else:
        assert not isinstance(seats, Refusal)
        assert people(seats) == sorted(players)
        assert len(seats) == min(n, 6)
        behind = [place for place, seat in enumerate(seats) if seat.black is not None]
        gaps = {(b - a) % 6 or 6 for a, b in zip(behind, behind[1:] + behind[:1], strict=True)}
        assert not gaps or max(gaps) - min(gaps) <= 1


def test_ten_team_cards_serve_every_number_of_players() -> None:
    """Four pairs and two question marks at most; every player draws exactly one card."""
    for n in range(4, 11):
        pairs, questions = team_cards(n)
        assert 2 * pairs + questions == n
        assert pairs <= 4
        assert questions <= 2


def test_the_partner_is_the_other_of_a_koalation() -> None:
    """Black and white of one seat; a single koala has none."""
    seats = (Seat(Player("A"), Player("B")), Seat(Player("C")), Seat())
    assert partner(seats, Player("A")) == "B"
    assert partner(seats, Player("B")) == "A"
    assert partner(seats, Player("C")) is None


def test_the_distance_counts_clockwise_and_white_before_black() -> None:
    """From the starting player's seat on."""
    seats = (Seat(Player("A"), Player("B")), Seat(Player("C")), Seat(Player("D")))
    far = {name: distance(seats, Player("C"), Player(name)) for name in "ABCD"}
    assert sorted(far, key=lambda name: far[name]) == ["C", "D", "A", "B"]


def test_a_stranger_sits_nowhere() -> None:
    """Asked for somebody's seat who is not there, the rules fail loudly."""
    with pytest.raises(KeyError):
        seat_of((Seat(Player("A")),), Player("Z"))


def test_a_thief_finds_only_what_lies_in_an_unoccupied_cave() -> None:
    """All cards of one food; other foods, occupied and unknown caves are refused."""
    seats = (Seat(Player("A")), Seat(Player("B")), Seat())
    foods = tuple(dict.fromkeys(FOODS, 0) | {"pizza": 2 + i} for i in range(3))
    assert sticky(seats, foods, 2, "pizza") == 4
    for cave, food, code in ((0, "pizza", "cave_occupied"), (2, "hamburger", "nothing_to_steal"),
                             (2, "sushi", "nothing_to_steal"), (3, "pizza", "unknown_cave")):  # fmt: skip
        refused = sticky(seats, foods, cave, food)
        assert isinstance(refused, Refusal)
        assert refused.code == code


def test_what_is_no_action_card_carries_nothing_out() -> None:
    """No option, and a refusal where somebody tries."""
    seats, foods = (Seat(Player("A")), Seat(Player("B")), Seat()), ({"pizza": 9},) * 3
    assert possible("pizza", seats, foods, Player("A")) == ()
    refused = execute("pizza", seats, foods, Player("A"), f"{CAVES[2]}:pizza")
    assert isinstance(refused, Refusal)
    assert refused.code == "not_an_action"
