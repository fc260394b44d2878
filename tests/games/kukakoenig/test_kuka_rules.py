"""Ku-Ka-König's rules over all tables: no card is made or lost, majorities and groupings are the best there are."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games.kukakoenig.rules_deck import CARDS, ROWS, checked, layout
from companion.games.kukakoenig.rules_rows import first_scoring, refill, reveal
from companion.games.kukakoenig.rules_score import Held, farm, fault, kept, sums, winners
from companion.games.kukakoenig.rules_seen import as_it_lies, difference, explained
from companion.table.game import Refusal
from companion.table.things import CardId, Player

P = tuple(Player(name) for name in "ABCD")
RULINGS = st.fixed_dictionaries(
    {
        "KUKA-AMB-03": st.sampled_from(["together", "row_by_row"]),
        "KUKA-AMB-04": st.sampled_from(["group_repeats", "gets_nothing"]),
        "KUKA-AMB-12": st.sampled_from(["one_card", "one_fewer_than_players"]),
    }
)


def rows_of(sizes: list[int]) -> dict[int, tuple[CardId, ...]]:
    return {row: tuple(CardId(f"c{row}{n}") for n in range(size)) for row, size in enumerate(sizes, 1)}


SIZES = st.lists(st.integers(0, 3), min_size=6, max_size=8)


@given(SIZES, st.integers(2, 4), st.data(), RULINGS)
def test_a_reveal_makes_and_loses_no_card(
    sizes: list[int], n: int, data: st.DataObject, rulings: dict[str, str]
) -> None:
    """Rows, takers and box together are what lay there; lone choosers get whole rows (KUKA-RND-06, 07, 08)."""
    rows, affected = rows_of(sizes), P[:n]
    choices = {p: data.draw(st.integers(0, len(sizes) + 1)) for p in affected}
    shown = reveal(rows, affected, choices, {}, rulings)
    if isinstance(shown, Refusal):
        assert shown.code in ("no_such_row", "row_empty")
        return
    left = [c for cards in shown.rows.values() for c in cards]
    had = [c for cards in shown.got.values() for c in cards]
    assert sorted([*left, *had, *shown.box]) == sorted(c for cards in rows.values() for c in cards)
    for player, row in shown.took.items():
        assert list(choices.values()).count(row) == 1
        assert shown.got[player] == rows[row]
    for row, cards in shown.lost.items():
        assert rows[row][-1] == cards[0]  # the outermost goes first
    again = [p for group in shown.groups for p in group]
    assert sorted([*again, *shown.took, *shown.empty_handed]) == sorted(affected)
    assert shown.round_over == (not shown.groups)


@given(SIZES, st.integers(2, 4), st.data(), RULINGS)
def test_what_people_did_by_the_rules_is_always_explained(
    sizes: list[int], n: int, data: st.DataObject, rulings: dict[str, str]
) -> None:
    """KUKA-AMB-01: whatever was chosen is among the explanations of the rows that are left."""
    rows, affected = rows_of(sizes), P[:n]
    filled = [row for row, cards in rows.items() if cards]
    if not filled:
        return
    choices = {p: data.draw(st.sampled_from(filled)) for p in affected}
    shown = reveal(rows, affected, choices, {}, rulings)
    assert not isinstance(shown, Refusal)
    found = explained(rows, shown.rows, affected, {}, rulings)
    assert any((each.took, each.lost) == (shown.took, shown.lost) for each in found)
    assert all(each.rows == shown.rows for each in found)
    known = explained(rows, shown.rows, affected, choices, rulings)
    assert [each.took for each in known] == [shown.took]


@given(SIZES, st.integers(0, 40), st.integers(0, 60), st.integers(0, 32))
def test_a_refill_makes_and_loses_no_card(sizes: list[int], pile: int, box: int, unseen: int) -> None:
    """KUKA-RND-15, 16, END2-01..03, AMB-06, AMB-22: from the pile first, row 1 first, nothing above three."""
    counts = dict(enumerate(sizes, 1))
    for ruling in ("everything", "seen_only"):
        done = refill(counts, pile, box, {"KUKA-AMB-22": ruling}, min(unseen, box))
        assert sum(done.rows.values()) + done.pile + done.box == sum(sizes) + pile + box
        assert all(counts[row] <= after <= 3 for row, after in done.rows.items())
        assert done.final_round == (done.pile == 0)
        if done.from_box:
            assert done.pile == 0
            assert min(done.from_box) >= max(done.added, default=0)
        if ruling == "seen_only":
            assert done.box >= min(unseen, box)


@given(st.integers(0, 5), st.integers(0, 5), st.integers(0, 5))
def test_no_grouping_of_farm_cards_is_worth_more(farmers: int, wives: int, houses: int) -> None:
    """KUKA-AMB-16, by brute force over all numbers of trios and pairs."""
    best = max(
        14 * trios + 7 * pairs
        for trios in range(houses + 1)
        for pairs in range(6)
        if trios + pairs <= min(farmers, wives)
    )
    trios, pairs = farm(farmers, wives, houses)
    assert 14 * trios + 7 * pairs == best


HELD = st.builds(
    Held, st.integers(0, 2), st.integers(0, 4), st.integers(0, 5), st.integers(0, 2), st.integers(0, 3),
    st.integers(0, 2), st.lists(st.integers(2, 4), max_size=4).map(tuple),
    st.dictionaries(st.sampled_from(["sheep", "pig"]), st.integers(0, 1)),
)  # fmt: skip


@given(st.lists(HELD, min_size=2, max_size=4))
def test_points_do_not_depend_on_who_is_asked_first(held: list[Held]) -> None:
    """Ties give everybody the same (KUKA-CHU-03, KUKA-KNI-03); what stays is worth no more than before."""
    tables = dict(zip(P, held, strict=False))
    assert fault(tables) is None
    once = sums(tables)
    for order in list(permutations(tables))[:6]:
        assert sums({p: tables[p] for p in order}) == once
    for player, table in tables.items():
        left = kept(table)
        assert left.cards <= table.cards
        assert (left.king, left.knight, left.animals) == (table.king, table.knight, table.animals)
        assert once[player]["total"] == sum(
            points for kind, points in once[player].items() if kind != "total"
        )


@pytest.mark.parametrize("players", [2, 3, 4])
def test_all_cards_are_in_row_pile_or_box_at_the_start(players: int) -> None:
    found = layout(players)
    assert not isinstance(found, Refusal)
    assert found.laid_out + found.pile + found.unseen == CARDS
    assert found.rows == ROWS[players]


def test_counts_against_the_rulebook_are_refused_by_their_code() -> None:
    """KUKA-CMP-06 and 07 fix kings and farmers."""
    right: dict[str, int | None] = {
        "king": 10, "farmer": 8, "animal": 40, "wife": 8, "house": 6, "church": 8, "knight": 16, "vp2": 6, "vp3": 6,
        "vp4": 4,
    }  # fmt: skip
    assert checked(right) == (112, ())
    for change, code in (
        ({"king": 9, "wife": 9}, "king_must_be_10"), ({"farmer": 9, "wife": 7}, "farmer_must_be_8"),
        ({"wife": 9}, "sum_must_be_112"), ({"knight": 99, "vp4": None}, "sum_must_be_112"),
    ):  # fmt: skip
        found = checked({**right, **change})
        assert isinstance(found, Refusal)
        assert found.code == code


@pytest.mark.parametrize(
    ("seen", "code"),
    [(("a", "b"), None), (("a", "b", "c"), None), (("b", "c"), "wrong_card"), (("a",), "too_many_gone"),
     (("a", "b", "x"), "stranger"), ((), "too_many_gone")],
)  # fmt: skip
def test_a_row_after_a_collision_is_right_unchanged_or_named(seen: tuple[str, ...], code: str | None) -> None:
    """The outermost of a, b, c should go."""
    before = tuple(map(CardId, "abc"))
    found = difference(2, before, before[:2], tuple(map(CardId, seen)))
    assert (found.code if found else None) == code


def test_a_row_that_nobody_chose_and_one_half_taken_are_named() -> None:
    cards = tuple(map(CardId, "abc"))
    gone = difference(1, cards, cards, ())
    half = difference(1, cards, (), cards[:1])
    assert gone is not None and half is not None
    assert (gone.code, gone.missing) == ("not_theirs", cards)
    assert (half.code, half.extra) == ("still_there", cards[:1])


def test_a_table_may_leave_a_wrong_row_or_card_as_it_lies_but_not_a_riddle() -> None:
    rows = rows_of([3, 3, 3, 3])
    told = reveal(rows, P[:3], {P[0]: 1, P[1]: 2, P[2]: 2})
    assert not isinstance(told, Refusal)
    seen = {**rows, 3: (), 2: rows[2][1:]}  # A took row 3; the inner card of row 2 went
    bent = as_it_lies(rows, told, seen)
    assert bent is not None
    assert bent.got == {P[0]: rows[3]}
    assert bent.box == rows[2][:1]
    assert bent.rows == seen
    assert as_it_lies(rows, told, {**rows, 3: (), 4: (), 2: rows[2][:2]}) is None  # two rows gone, one taker
    assert as_it_lies(rows, told, {**rows, 2: (CardId("x"),)}) is None


def test_thirteen_cards_count_by_the_rulings_on_special_and_final_rounds() -> None:
    """KUKA-AMB-08 and KUKA-AMB-21; KUKA-AMB-19: never again in stage two."""
    cards = {P[0]: 13, P[1]: 12}
    assert first_scoring(cards) == (P[0],)
    assert first_scoring(cards, special=True) == ()
    assert first_scoring(cards, special=True, rulings={"KUKA-AMB-08": "check"}) == (P[0],)
    assert first_scoring(cards, final=True) == ()
    assert first_scoring(cards, final=True, rulings={"KUKA-AMB-21": "both"}) == (P[0],)
    assert first_scoring(cards, stage=2, rulings={"KUKA-AMB-08": "check"}) == ()


def test_a_tie_is_shared_or_decided_as_agreed() -> None:
    """KUKA-AMB-09."""
    scores = {P[0]: (30, 41), P[1]: (35, 36), P[2]: (1, 2)}
    cards = {P[0]: 10, P[1]: 12, P[2]: 40}
    assert winners(scores, cards)[1] == (P[0], P[1])
    assert winners(scores, cards, {"KUKA-AMB-09": "second_scoring"})[1] == (P[0],)
    assert winners(scores, cards, {"KUKA-AMB-09": "more_cards"})[1] == (P[1],)
    assert winners({}, {}) == ({}, ())


def test_more_cards_than_there_are_can_only_be_misread() -> None:
    """KUKA-AMB-17, over all collections together."""
    found = fault({P[0]: Held(animals={"sheep": 3}), P[1]: Held(animals={"sheep": 3})})
    assert found is not None and found.code == "more_than_5_of_an_animal"
    found = fault({P[0]: Held(king=6), P[1]: Held(king=5)})
    assert found is not None and found.code == "king_must_be_10"
    found = fault({P[0]: Held(farmer=9)})
    assert found is not None and found.code == "farmer_must_be_8"
    found = fault({P[0]: Held(vp=(5,))})
    assert found is not None and found.code == "vp_value"


def test_nobody_with_a_church_gets_ten_only_by_the_other_ruling() -> None:
    """KUKA-AMB-07."""
    tables = {P[0]: Held(), P[1]: Held()}
    assert [own["churches"] for own in sums(tables).values()] == [0, 0]
    other = sums(tables, {"KUKA-AMB-07": "tie_of_zeros"})
    assert [own["churches"] for own in other.values()] == [10, 10]
