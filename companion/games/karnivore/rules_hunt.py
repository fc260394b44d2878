"""Hunting: what a dish wants, which workbears give it, and what the hunt costs (KARN-HUN, KARN-ADV, KARN-EXP)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from itertools import combinations
from typing import TypeVar

from companion.games.karnivore.options import mode, ruled
from companion.games.karnivore.rules_setup import DISHES
from companion.table.game import Refusal

Name = TypeVar("Name", bound=str)
Shows = TypeVar("Shows", bound=Sequence[str])


def spears_needed(rulings: Mapping[str, object]) -> int:
    """Three spears; four in the advanced and the expert mode."""
    return 3 if mode(rulings) == "normal" else 4


def required(
    dish: str, front: Sequence[str], back: str | None, rulings: Mapping[str, object]
) -> tuple[str, ...]:
    """The symbols a dish wants: both of its animal, and for the main dish (expert: any dish) the pile's back."""
    third = dish == "main" or mode(rulings) == "expert"
    return (*front, back) if third and back is not None else tuple(front)


def third(back: str | None, last: str | None, began: str | None, rulings: Mapping[str, object]) -> str | None:
    """The third symbol that counts: the pile's back as it lies now, or as the table has ruled.

    `last`: the back that lay there before, which may outlast the pile; `began`: the one when the turn began.
    """
    if began is not None and ruled(rulings, 12, "when_the_turn_began"):
        return began
    return last if back is None and ruled(rulings, 8, "last_seen") else back


def able(
    bears: Mapping[Name, Shows], skulled: Collection[str], rulings: Mapping[str, object]
) -> dict[Name, Shows]:
    """The workbears that may hunt: by another ruling than the usual one not those under a skull."""
    rest = ruled(rulings, 5, "skulled_workbear_rests")
    return {name: shows for name, shows in bears.items() if not (rest and name in skulled)}


def next_dish(progress: int) -> str | None:
    """The dish a player must hunt next, after so many; None when all are hunted."""
    return DISHES[progress] if progress < len(DISHES) else None


def missing(wanted: Sequence[str], bears: Mapping[Name, Sequence[str]]) -> tuple[str, ...]:
    """What these workbears cannot give all together: for equal symbols each needs a bear of its own."""
    want = Counter(wanted)
    have = Counter(symbol for shows in bears.values() for symbol in set(shows))
    return tuple(sorted((want - have).elements()))


def choices(wanted: Sequence[str], bears: Mapping[Name, Sequence[str]]) -> tuple[tuple[Name, ...], ...]:
    """Every set of workbears that suffices and needs each of its bears, the smallest first."""
    useful = [name for name, shows in bears.items() if set(shows) & set(wanted)]
    found: list[tuple[Name, ...]] = []
    for size in range(len(wanted) + 1):
        for group in combinations(useful, size):
            if any(set(smaller) <= set(group) for smaller in found):
                continue
            if not missing(wanted, {name: bears[name] for name in group}):
                found.append(group)
    return tuple(found)


def sharing(wanted: Sequence[str], bears: Mapping[Name, Sequence[str]]) -> dict[Name, tuple[str, ...]]:
    """Which bear gives which of the wanted symbols, none more than is wanted.

    Each gives one if there is one for it, the first bears first; then each gives whatever else is wanted. A bear
    with nothing to give has no part in the hunt.
    """
    first = _one_each(wanted, bears)
    left = Counter(wanted) - Counter(first.values())
    out: dict[Name, tuple[str, ...]] = {}
    for name, shows in bears.items():
        more = {symbol for symbol in shows if symbol != first.get(name) and left[symbol] > 0}
        left.subtract(more)
        out[name] = tuple(symbol for symbol in dict.fromkeys(shows) if symbol in {first.get(name), *more})
    return out


def _one_each(wanted: Sequence[str], bears: Mapping[Name, Sequence[str]]) -> dict[Name, str]:
    """One wanted symbol for as many bears as possible; whoever has one keeps one when the next comes."""
    by: dict[int, Name] = {}  # the place among the wanted symbols, and who gives it

    def finds(name: Name, tried: set[int]) -> bool:
        for place, symbol in enumerate(wanted):
            if symbol in bears[name] and place not in tried:
                tried.add(place)
                if place not in by or finds(by[place], tried):
                    by[place] = name
                    return True
        return False

    for name in bears:
        finds(name, set())
    return {name: wanted[place] for place, name in by.items()}


def declared(
    dish: str, progress: int, menu: Mapping[str, object], wanted: Sequence[str],
    bears: Mapping[Name, Sequence[str]], use: Mapping[Name, Sequence[str]], spears: int,
    rulings: Mapping[str, object],
) -> Refusal | None:  # fmt: skip
    """Why a hunt is not allowed; None if it is. `use`: what each workbear is to give."""
    due = next_dish(progress)
    if due is None:
        return Refusal("KARN-VIC-01", "game_over")
    if dish not in DISHES:
        return Refusal("KARN-HUN-02", "no_such_dish", {"dish": dish})
    if dish != due:
        return Refusal("KARN-HUN-02", f"next_dish_is_{due}", {"dish": f"@{due}"})
    if menu.get(dish) is None:
        return Refusal("KARN-AMB-08", "no_such_dish", {"dish": f"@{dish}"})
    fault = _giving(bears, use)
    if fault is not None:
        return fault
    given = Counter(symbol for symbols in use.values() for symbol in symbols)
    lacking = tuple(sorted((Counter(wanted) - given).elements()))
    if lacking:
        words = ", ".join(f"@{symbol}" for symbol in lacking)
        return Refusal("KARN-HUN-06", f"symbols_missing:{','.join(lacking)}", {"symbols": words})
    need = spears_needed(rulings)
    if spears < need:
        rule = "KARN-HUN-11" if need == 3 else "KARN-ADV-01"
        return Refusal(rule, f"spears_{spears}_of_{need}", {"have": spears, "need": need})
    return None


def _giving(bears: Mapping[Name, Sequence[str]], use: Mapping[Name, Sequence[str]]) -> Refusal | None:
    """A workbear gives each symbol that it shows, once."""
    for name, symbols in use.items():
        if name not in bears:
            return Refusal("KARN-HUN-04", "no_such_workbear", {"card": str(name)})
        for symbol in symbols:
            if symbol not in bears[name]:
                return Refusal("KARN-HUN-04", "symbol_not_on_workbear", {"symbol": f"@{symbol}"})
        if len(set(symbols)) != len(symbols):
            return Refusal("KARN-HUN-10", "one_workbear_per_equal_symbol")
    return None
