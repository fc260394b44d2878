"""The rulebook's setup: how many of everything lie where once all have drawn (KARN-CMP, KARN-SET)."""

from __future__ import annotations

from collections.abc import Mapping

from companion.games.karnivore.options import edition, ruled
from companion.table.game import Refusal
from companion.table.things import value

KINDS = ("workbear", "huntbear", "villagebear", "backstabbear")  # the koala deck
PLACED = KINDS[:3]  # what may stand in a tribe
DISHES = ("appetizer", "main", "dessert")
HAND = 3
TRIBE = 7  # koalas at most; the king does not count
KINGS = 6
DICE = 5
# Cards of each edition: the rulebook's own list; those of a beta and of a shop edition are public hints.
COUNTS: Mapping[str, Mapping[str, int]] = {
    "rulebook": {"workbear": 24, "huntbear": 16, "villagebear": 16, "backstabbear": 24, "animal": 14},
    "beta": {"workbear": 24, "huntbear": 16, "villagebear": 16, "backstabbear": 24, "animal": 18},
    "shop": {"workbear": 32, "huntbear": 22, "villagebear": 20, "backstabbear": 30, "animal": 18},
}


@value
class Stock:
    """What lies ready when the first turn begins."""

    koala_deck: int
    animal_pile: int
    kings_in_box: int


def setup(n: object, rulings: Mapping[str, object]) -> Stock | Refusal:
    """Three animals on the menu, a king and three cards for each of n players; the rest in piles and box."""
    least = 1 if ruled(rulings, 1, "one_to_six") else 2
    if not isinstance(n, int) or isinstance(n, bool) or not least <= n <= KINGS:
        return Refusal("KARN-CMP-01", "player_count", {"least": least})
    counts = COUNTS[edition(rulings)]
    koalas = sum(counts[kind] for kind in KINDS)
    return Stock(koalas - HAND * n, counts["animal"] - len(DISHES), KINGS - n)
