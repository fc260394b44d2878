"""Cards are things: whatever people do with them, each of them lies somewhere, once."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from companion.shelf import deck
from companion.sim.koala.physical import ACTION, MIDDLE, Physical
from companion.table.luck import Luck
from companion.table.things import Player

DECK = deck("koala")
NAMES = tuple(Player(name) for name in "ABCDEFGHIJ")


def act(table: Physical, kind: int, player: Player) -> None:
    hand, cave = table.hands[player], table.cave(player)
    match kind:
        case 0:
            table.draw(player, 2)
        case 1 if table.pile:
            table.turn_up()
        case 2:
            table.lay(player, hand[:2], MIDDLE)
        case 3:
            table.take(player, table.zones[MIDDLE][-1:], MIDDLE)
        case 4:
            table.move(list(table.zones[MIDDLE]), MIDDLE, cave)
        case 5 if table.stock:
            table.eat(player, "pizza")
        case 6:
            table.lay(player, hand[:1], ACTION)
        case 7:
            table.throw(list(table.zones[ACTION]), ACTION)
        case 8:
            table.bump(player, 1 if len(hand) % 2 else -1)
        case 9:
            table.ring(1)
        case 10 if table.mate(player) is not None:
            table.leap(table.seat(player))


@settings(max_examples=40, deadline=None)
@given(
    st.integers(3, 10),
    st.integers(0, 999),
    st.lists(st.tuples(st.integers(0, 10), st.integers(0, 9)), max_size=60),
)
def test_no_act_makes_or_loses_a_card_or_a_person(
    players: int, seed: int, acts: list[tuple[int, int]]
) -> None:
    table = Physical(DECK, NAMES[:players], Luck(seed))
    cards, caves = sorted(table.everything()), len(table.seats)
    for kind, who in acts:
        act(table, kind, NAMES[who % players])
        assert sorted(table.everything()) == cards
        assert sorted(person for seat in table.seats for person in seat) == sorted(NAMES[:players])
        assert len(table.seats) == caves and all(len(seat) <= 2 for seat in table.seats)


def test_a_bump_pushes_on_whoever_stood_behind() -> None:
    table = Physical(DECK, NAMES[:8], Luck(1))  # A+G B C D+H E F
    table.bump(NAMES[2], 1)
    assert table.seats == [["A", "G"], ["B"], [], ["D", "C"], ["E", "H"], ["F"]]


def test_those_behind_stay_when_the_others_slide() -> None:
    table = Physical(DECK, NAMES[:8], Luck(1))
    table.ring(1)
    assert table.seats == [["F", "G"], ["A"], ["B"], ["C", "H"], ["D"], ["E"]]
