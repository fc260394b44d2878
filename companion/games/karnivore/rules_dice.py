"""The dice phase: one roll, re-rolls paid by hand cards, then locked (KARN-DIC); and what the odds are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from math import comb

from companion.games.karnivore.options import ruled
from companion.games.karnivore.rules_setup import DICE
from companion.table.game import Refusal
from companion.table.things import value

# The six faces of each die. The second edition's are a public hint; what its card face does is assumed.
FACES: Mapping[str, tuple[str, ...]] = {
    "rulebook": ("crown", "spear", "spear", "koala", "koala", "skull"),
    "retail_2nd": ("spear", "skull", "card", "koala", "crown", "koala_spear"),
}
_SHOWS: Mapping[str, tuple[str, ...]] = {"koala_spear": ("koala", "spear")}


@value
class Cup:
    """The five dice of a turn while they may still be rolled."""

    hand: int
    dice: tuple[str, ...] = ()
    paid: int = 0
    locked: bool = False
    accepted: bool = False  # by the player's own word, not for want of cards


def faces(rulings: Mapping[str, object]) -> tuple[str, ...]:
    """The six faces of a die at this table, a face as often as it is there."""
    return FACES["retail_2nd" if ruled(rulings, 2, "retail_2nd") else "rulebook"]


def symbols(die: str) -> tuple[str, ...]:
    """What a die's face may count as: one symbol, or one of two."""
    return _SHOWS.get(die, (die,))


def roll(cup: Cup, dice: Sequence[str], rulings: Mapping[str, object]) -> Cup | Refusal:
    """The first roll: all five dice, once."""
    if cup.dice:
        return Refusal("KARN-DIC-01", "already_rolled")
    fault = _wrong(dice, rulings)
    if len(dice) != DICE:
        return Refusal("KARN-CMP-07", "five_dice", {"count": len(dice), "need": DICE})
    if fault is not None:
        return fault
    return _spent(replace(cup, dice=tuple(dice)), rulings)


def reroll(
    cup: Cup, which: Sequence[int], dice: Sequence[str], rulings: Mapping[str, object], cards: int = 1
) -> Cup | Refusal:
    """Some dice once more, for one hand card; `which` are places among the dice, from 0."""
    if ruled(rulings, 3, "rerolls_any_time"):
        cup = replace(cup, locked=False, accepted=False)
    fault = may_reroll(cup, cards)
    if fault is not None:
        return fault
    if not which and not ruled(rulings, 20, "card_may_be_wasted"):
        return Refusal("KARN-AMB-20", "choose_dice")
    if len(set(which)) != len(which) or any(
        not isinstance(i, int) or isinstance(i, bool) or not 0 <= i < len(cup.dice) for i in which
    ):
        return Refusal("KARN-DIC-02", "bad_die_index", {"count": len(cup.dice)})
    if len(dice) != len(which):
        return Refusal("KARN-DIC-02", "dice_count", {"count": len(dice), "need": len(which)})
    fault = _wrong(dice, rulings)
    if fault is not None:
        return fault
    after = list(cup.dice)
    for place, face in zip(which, dice, strict=True):
        after[place] = face
    return _spent(replace(cup, dice=tuple(after), hand=cup.hand - 1, paid=cup.paid + 1), rulings)


def may_reroll(cup: Cup, cards: int = 1) -> Refusal | None:
    """Why no re-roll is possible now, paid by so many cards; None if it is."""
    if not cup.dice:
        return Refusal("KARN-DIC-01", "roll_first")
    if cup.accepted:
        return Refusal("KARN-DIC-05", "dice_locked")
    if cup.hand < 1:
        return Refusal("KARN-DIC-04", "no_hand_card")
    if cup.locked:
        return Refusal("KARN-DIC-05", "dice_locked")
    if cards != 1:
        return Refusal("KARN-DIC-02", "discard_exactly_one", {"count": cards})
    return None


def accept(cup: Cup) -> Cup | Refusal:
    """The player takes the dice as they lie."""
    if not cup.dice:
        return Refusal("KARN-DIC-01", "roll_first")
    if cup.accepted:
        return Refusal("KARN-DIC-05", "dice_locked")
    return replace(cup, locked=True, accepted=True)


def _wrong(dice: Sequence[str], rulings: Mapping[str, object]) -> Refusal | None:
    """A face that no die of this table has."""
    known = faces(rulings)
    strange = next((face for face in dice if face not in known), None)
    return None if strange is None else Refusal("KARN-CMP-08", "unknown_face", {"face": str(strange)})


def _spent(cup: Cup, rulings: Mapping[str, object]) -> Cup:
    """Without a card left nothing can be rolled again: locked, but for another ruling on the first roll."""
    asks = cup.paid == 0 and ruled(rulings, 25, "accepts_first")
    return replace(cup, locked=cup.hand == 0 and not asks)


def counted(dice: Sequence[str]) -> dict[str, int]:
    """How many dice show each face."""
    return dict(sorted(Counter(dice).items()))


def chance(need: int, dice: int, symbol: str, rulings: Mapping[str, object]) -> Fraction:
    """The chance that at least `need` of so many dice show a symbol in one roll."""
    sides = faces(rulings)
    one = Fraction(sum(symbol in symbols(face) for face in sides), len(sides))
    return _at_least(need, dice, one)


def chance_with(
    need: int, dice: int, rerolls: int, symbol: str, rulings: Mapping[str, object], have: int = 0
) -> Fraction:
    """The chance of `need` of a symbol when so many re-rolls are paid and each die that shows it stays.

    `dice` are rolled now, `have` show the symbol already. Exact: each die has 1 + `rerolls` tries of its own.
    """
    sides = faces(rulings)
    one = Fraction(sum(symbol in symbols(face) for face in sides), len(sides))
    return _at_least(need - have, dice, 1 - (1 - one) ** (1 + rerolls))


def _at_least(need: int, dice: int, one: Fraction) -> Fraction:
    if need <= 0:
        return Fraction(1)
    return sum((comb(dice, k) * one**k * (1 - one) ** (dice - k) for k in range(need, dice + 1)), Fraction(0))


def lacking(kept: Sequence[str], got: Sequence[str]) -> tuple[str, ...]:
    """Dice that were to stay but do not lie among those rolled."""
    return tuple(sorted((Counter(kept) - Counter(got)).elements()))
