"""The rulebook as plain functions: what the cases leave open, and what holds for whatever is dealt."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.karnivore import rules_dice, rules_draw, rules_hunt, rules_setup, rules_tribe
from companion.games.karnivore.rules_dice import Cup
from companion.games.karnivore.rules_tribe import Bear, Turn
from companion.table.game import Refusal
from companion.table.things import CardId

KING = CardId("king")
SKULL, HUNT = CardId("luchabear-01"), CardId("pathfindbear-01")
BOTH, TWO = CardId("dual-01"), CardId("two-01")
WORK, STAB = CardId("fishbear-01"), CardId("lurebear-01")
BEARS = {
    KING: Bear("king", ("crown",)), SKULL: Bear("huntbear", ("skull",), spears=1),
    HUNT: Bear("huntbear", ("koala",), spears=1), BOTH: Bear("villagebear", ("koala", "spear")),
    TWO: Bear("villagebear", ("skull", "koala"), 2), WORK: Bear("workbear", animals=("fish",)),
    STAB: Bear("backstabbear"),
}  # fmt: skip
ANIMALS = ("fish", "bird", "reptile")
DICE = ("crown", "spear", "koala", "skull")


def code(answer: object) -> str:
    assert isinstance(answer, Refusal), answer
    return answer.code


def turn(*koalas: CardId, **pool: int) -> Turn:
    return Turn(koalas, KING, pool)


def test_the_box_holds_what_the_rulebook_lists() -> None:
    """KARN-CMP-02, KARN-CMP-03, KARN-CMP-04, KARN-CMP-05, KARN-CMP-06: 24 workbears, 16 huntbears, 16 villagebears, 24 backstabbears, 14 animals."""
    assert rules_setup.COUNTS["rulebook"] == {
        "workbear": 24, "huntbear": 16, "villagebear": 16, "backstabbear": 24, "animal": 14
    }  # fmt: skip


@pytest.mark.parametrize("n", [1, 7, 0, "three", True, 2.0])
def test_six_kings_seat_two_to_six(n: object) -> None:
    """KARN-CMP-01."""
    assert code(rules_setup.setup(n, {})) == "player_count"


def test_a_die_has_one_crown_two_spears_two_koalas_and_a_skull() -> None:
    """KARN-CMP-07, KARN-CMP-08: five such dice."""
    assert Counter(rules_dice.faces({})) == {"crown": 1, "spear": 2, "koala": 2, "skull": 1}
    assert code(rules_dice.roll(Cup(3), ["spear"] * 4, {})) == "five_dice"
    assert code(rules_dice.roll(Cup(3), ["spear"] * 4 + ["sword"], {})) == "unknown_face"


def test_after_acceptance_the_dice_do_not_change() -> None:
    """KARN-DIC-05."""
    cup = rules_dice.roll(Cup(3), ["spear"] * 5, {})
    assert isinstance(cup, Cup)
    kept = rules_dice.accept(cup)
    assert isinstance(kept, Cup)
    assert code(rules_dice.reroll(kept, [0], ["koala"], {})) == "dice_locked"
    assert code(rules_dice.accept(kept)) == "dice_locked"


@pytest.mark.parametrize(
    ("which", "dice", "cards", "says"),
    [([5], ["koala"], 1, "bad_die_index"), ([0, 0], ["koala"] * 2, 1, "bad_die_index"), ([-1], ["koala"], 1, "bad_die_index"),
     ([0], ["koala"] * 2, 1, "dice_count"), ([0], ["koala"], 2, "discard_exactly_one"), ([0], ["sword"], 1, "unknown_face")],
)  # fmt: skip
def test_a_wrong_re_roll_is_named(which: list[int], dice: list[str], cards: int, says: str) -> None:
    cup = rules_dice.roll(Cup(3), ["spear"] * 5, {})
    assert isinstance(cup, Cup)
    assert code(rules_dice.reroll(cup, which, dice, {}, cards)) == says


def test_two_symbols_take_one_die_of_either() -> None:
    """KARN-ASS-06."""
    for die in ("koala", "spear"):
        once = rules_tribe.assign(BEARS, turn(BOTH, koala=1, spear=1), die, BOTH, {})
        assert isinstance(once, Turn)
        other = "spear" if die == "koala" else "koala"
        assert code(rules_tribe.assign(BEARS, once, other, BOTH, {})) == "die_limit"


def test_one_skull_on_a_card_that_cannot_take_one() -> None:
    """KARN-SKU-05, and KARN-AMB-10: what is left over stays unused."""
    once = rules_tribe.skull(BEARS, turn(skull=2), KING, {})
    assert isinstance(once, Turn)
    assert code(rules_tribe.skull(BEARS, once, KING, {})) == "one_skull_max"
    assert rules_tribe.skulls_wait(BEARS, once, {}) is None


def test_a_king_only_loses_its_skull() -> None:
    """KARN-SKU-07: it never leaves."""
    once = rules_tribe.skull(BEARS, turn(skull=1), KING, {})
    assert isinstance(once, Turn)
    assert rules_tribe.leaving(BEARS, once, {}) == ()


def test_dice_may_stay_unused_but_no_skull_that_can_be_placed() -> None:
    """KARN-UNA-01."""
    assert rules_tribe.skulls_wait(BEARS, turn(HUNT, koala=5), {}) is None
    assert code(rules_tribe.skulls_wait(BEARS, turn(HUNT, skull=1), {})) == "skulls_first"


def test_a_crown_activates_the_king_once() -> None:
    """KARN-CRO-01 and KARN-AMB-09; a blocked king takes none."""
    once = rules_tribe.assign(BEARS, turn(crown=2), "crown", KING, {})
    assert isinstance(once, Turn)
    assert code(rules_tribe.assign(BEARS, once, "crown", KING, {})) == "die_limit"
    assert isinstance(rules_tribe.assign(BEARS, once, "crown", KING, {"KARN-AMB-09": "any_crowns"}), Turn)
    blocked = rules_tribe.skull(BEARS, turn(skull=1, crown=1), KING, {})
    assert isinstance(blocked, Turn)
    assert code(rules_tribe.assign(BEARS, blocked, "crown", KING, {})) == "blocked_by_skull"


def test_seven_koalas_and_the_king_beside_them() -> None:
    """KARN-PLA-05, KARN-PLA-06: the king does not count; KARN-BAC-05: neither do backstabbears."""
    six = tuple(CardId(f"fishbear-{n:02d}") for n in range(2, 8))
    bears = {**BEARS, **dict.fromkeys(six, BEARS[WORK])}
    full = rules_tribe.place(bears, turn(*six), WORK, {})
    assert isinstance(full, Turn)
    assert len(full.koalas) == 7
    assert code(rules_tribe.place(bears, full, HUNT, {})) == "eighth_needs_removal"
    assert code(rules_tribe.place(bears, full, HUNT, {}, remove=HUNT)) == "not_in_tribe"
    assert code(rules_tribe.place(bears, turn(), HUNT, {}, remove=WORK)) == "no_removal_needed"
    assert code(rules_tribe.place(bears, turn(), KING, {})) == "not_a_koala"
    assert code(rules_tribe.place(bears, full, STAB, {})) == "backstabbear_not_placed"


def test_crowns_move_a_koala_of_that_tribe_only() -> None:
    """KARN-USE-03."""
    others = {"Ben": (HUNT,)}
    assert code(rules_tribe.two_crowns(BEARS, turn(crown=1), others, "Ben", HUNT, {})) == "need_two_crowns"
    assert code(rules_tribe.two_crowns(BEARS, turn(crown=2), others, "Ben", WORK, {})) == "not_in_that_tribe"
    assert code(rules_tribe.two_crowns(BEARS, turn(crown=2), others, "Ada", HUNT, {})) == "not_in_that_tribe"


def test_a_workbear_gives_one_or_both_symbols() -> None:
    """KARN-HUN-05, KARN-HUN-06: both symbols of the animal are needed."""
    menu = {"appetizer": "a", "main": "b", "dessert": "c"}

    def says(**use: list[str]) -> str:
        bears = {"w": ("fish", "bird"), "v": ("bird",)}
        fault = rules_hunt.declared("appetizer", 0, menu, ("fish", "bird"), bears, use, 3, {})
        return "" if fault is None else fault.code

    assert says(w=["fish", "bird"]) == says(w=["fish"], v=["bird"]) == ""
    assert says(w=["fish"]) == "symbols_missing:bird"
    assert says(w=["fish", "fish"]) == "one_workbear_per_equal_symbol"
    assert says(x=["fish"]) == "no_such_workbear"


def test_a_dish_that_is_not_there_or_not_due_is_named() -> None:
    for dish, progress, menu, says in (
        ("soup", 0, {}, "no_such_dish"), ("appetizer", 0, {"appetizer": None}, "no_such_dish"),
        ("dessert", 1, {}, "next_dish_is_main"), ("dessert", 3, {}, "game_over"),
    ):  # fmt: skip
        assert code(rules_hunt.declared(dish, progress, menu, (), {}, {}, 9, {})) == says


def test_more_than_the_hand_cannot_be_thrown() -> None:
    assert code(rules_draw.turn_end(2, 30, 0, 3)) == "more_than_hand"


def test_the_known_chances() -> None:
    """Three spears in one roll: 20.99 %; no skull: 40.19 %."""
    assert round(float(rules_dice.chance(3, 5, "spear", {})) * 100, 2) == 20.99
    assert round(float(1 - rules_dice.chance(1, 5, "skull", {})) * 100, 2) == 40.19


@pytest.mark.parametrize("need", range(6))
def test_a_chance_is_what_counting_all_rolls_gives(need: int) -> None:
    sides = rules_dice.faces({})
    hits = sum(roll.count("spear") >= need for roll in product(sides, repeat=4))
    assert rules_dice.chance(need, 4, "spear", {}) == Fraction(hits, 6**4)
    assert rules_dice.chance_with(need, 4, 0, "spear", {}) == Fraction(hits, 6**4)
    assert rules_dice.chance_with(need, 4, 2, "spear", {}) >= rules_dice.chance_with(need, 4, 1, "spear", {})


@settings(deadline=None)
@given(
    st.lists(st.sampled_from(ANIMALS), min_size=2, max_size=3),
    st.lists(st.lists(st.sampled_from(ANIMALS), min_size=1, max_size=3), max_size=6),
)
def test_the_proposed_workbears_are_all_sets_that_suffice_and_waste_nobody(
    wanted: list[str], shows: list[list[str]]
) -> None:
    bears = {f"w{i}": tuple(each) for i, each in enumerate(shows)}

    def suffices(group: tuple[str, ...]) -> bool:
        need = Counter(wanted)
        return all(sum(s in bears[name] for name in group) >= n for s, n in need.items())

    every = [g for size in range(len(bears) + 1) for g in combinations(bears, size) if suffices(g)]
    least = {frozenset(g) for g in every if not any(set(o) < set(g) for o in every)}
    found = rules_hunt.choices(wanted, bears)
    assert {frozenset(group) for group in found} == least
    assert [len(group) for group in found] == sorted(len(group) for group in found)
    assert bool(found) == (not rules_hunt.missing(wanted, bears))
    for group in found:
        given_by = rules_hunt.sharing(wanted, {name: bears[name] for name in group})
        assert Counter(s for symbols in given_by.values() for s in symbols) == Counter(wanted)
        assert all(given_by.values())  # none of a smallest set is idle
    together = rules_hunt.sharing(wanted, bears)
    can = Counter(symbol for shows in bears.values() for symbol in set(shows)) & Counter(wanted)
    assert Counter(s for symbols in together.values() for s in symbols) == can


@settings(deadline=None)
@given(
    st.lists(st.sampled_from(DICE), max_size=5), st.sets(st.sampled_from([SKULL, HUNT, BOTH, TWO, WORK])),
    st.lists(st.tuples(st.sampled_from(DICE), st.sampled_from([SKULL, HUNT, BOTH, TWO, WORK, KING])), max_size=12),
)  # fmt: skip
def test_no_die_is_lost_or_used_twice(
    dice: list[str], tribe: set[CardId], tries: list[tuple[str, CardId]]
) -> None:
    now = Turn(tuple(sorted(tribe)), KING, Counter(dice))
    for die, card in tries:
        after = rules_tribe.assign(BEARS, now, die, card, {})
        now = now if isinstance(after, Refusal) else after
        used = Counter(d for taken in now.dice.values() for d in taken) + Counter(now.pool)
        used["skull"] += len(now.skulled)
        assert +used == Counter(dice)
        assert all(len(taken) <= (BEARS[c].most or 1) for c, taken in now.dice.items())
        assert not set(now.skulled) & set(now.dice)


@settings(deadline=None)
@given(st.integers(0, 9), st.integers(0, 90), st.integers(0, 90), st.integers(0, 9))
def test_drawing_loses_no_card(hand: int, deck: int, discard: int, thrown: int) -> None:
    after = rules_draw.turn_end(hand, deck, discard, thrown)
    if isinstance(after, Refusal):
        assert thrown > hand
        return
    assert after.hand + after.deck + after.discard == hand + deck + discard
    assert after.hand >= min(3, hand + deck + discard)
    assert after.deck > 0 or after.drawn == 0 or after.discard == 0


def test_setting_aside_takes_a_die() -> None:
    """KARN-USE-02: none, and fewer than none, are no spears."""
    turn = Turn((), KING, {"spear": 2})
    for count in (0, -1):
        answer = rules_tribe.set_aside({}, turn, count, {})
        assert isinstance(answer, Refusal)
        assert answer.code == "no_such_die"
