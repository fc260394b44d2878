"""The chances beside the dice: of the roll as it is, with what is tapped, marked and paid already."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import comb

import pytest
from karn_table import Desk

from companion.games.karnivore.rules_dice import Cup
from companion.games.karnivore.state import State
from companion.games.karnivore.view import odds, view
from companion.table.game import Operator, Score
from companion.table.things import Player

MIA = Player("Mia")
ONE = Fraction(1, 6) + Fraction(1, 6)  # two of six faces are spears


def by_rounds(need: int, rolled: int, missed: int, cards: int) -> Fraction:
    """Roll after roll: what shows a spear stays, the rest goes again while a card can be paid."""
    if need <= 0:
        return Fraction(1)
    total = Fraction(0)
    for spears in range(rolled + 1):
        chance = comb(rolled, spears) * ONE**spears * (1 - ONE) ** (rolled - spears)
        left = need - spears
        if left <= 0:
            total += chance
        elif cards:
            total += chance * by_rounds(left, missed + rolled - spears, 0, cards - 1)
    return total


def standing(phase: str, dice: str, marks: tuple[int, ...], typed: str, hand: int) -> State:
    state = Desk().started().state
    return replace(
        state, phase=phase, cup=Cup(hand, tuple(dice.split())), marks=marks, typed=tuple(typed.split()),
        hands={**state.hands, state.player: hand},
    )  # fmt: skip


def told(state: State) -> dict[str, object]:
    return {str(each["what"]): each["chance"] for each in odds(state)}


@pytest.mark.parametrize("hand", range(4))
@pytest.mark.parametrize("typed", ["", "spear", "skull", "spear crown", "spear koala skull"])
def test_faces_tapped_of_the_first_roll_count_as_rolled(typed: str, hand: int) -> None:
    faces = typed.split()
    have, rolled = faces.count("spear"), 5 - len(faces)
    found = told(standing("roll", "", (), typed, hand))
    assert found["spears"] == round(by_rounds(3 - have, rolled, 0, 0) * 10_000)
    assert found.get("spears_paid") == (
        round(by_rounds(3 - have, rolled, len(faces) - have, hand) * 10_000) if hand else None
    )
    clean = 0 if "skull" in faces else Fraction(5, 6) ** rolled
    assert found["no_skull"] == round(clean * 10_000)


@pytest.mark.parametrize("hand", range(3))
def test_a_re_roll_that_is_paid_counts_and_dice_that_are_not_marked_stay_for_it(hand: int) -> None:
    dice = ["crown", "koala", "koala", "skull", "spear"]
    for count, typed in product(range(1, 5), ("", "spear", "koala")):
        marks = tuple(range(count))
        have = 1 + (typed == "spear")
        rolled = count - bool(typed)
        found = told(standing("reroll", " ".join(dice), marks, typed, hand))
        missed = 5 - have - rolled
        assert found["spears_now"] == round(by_rounds(3 - have, rolled, 0, 0) * 10_000)
        if hand:
            assert found["spears_paid"] == round(by_rounds(3 - have, rolled, missed, hand) * 10_000)


def test_before_and_after_a_payment_the_same_chance_is_told() -> None:
    """The card paid is one of the tries: with nothing marked all dice but the spears are rolled."""
    dice = "crown koala koala skull spear"
    before, after = told(standing("decide", dice, (), "", 3)), told(standing("reroll", dice, (), "", 2))
    assert before["spears_paid"] == after["spears_paid"] == round(by_rounds(2, 4, 0, 2) * 10_000)


def test_what_is_marked_and_tapped_of_a_question_is_told_with_it() -> None:
    state = standing("reroll", "crown koala spear", (0, 2), "skull", 1)
    answers = view(state, Operator(), (), Score((), {}, ()))["answers"]
    assert answers == {
        "reroll": {"marked": ["1:crown", "3:spear"]},
        "again": {"marked": ["1:crown", "3:spear"]},
        "dice": {"given": ["skull"]},
    }
