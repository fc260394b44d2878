"""Check what is told about a finished table: every fault with the path of its field. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from typing import Any

from companion.games.kukakoenig.options import settle_options
from companion.games.kukakoenig.rules_deck import CARDS, ROWS
from companion.games.kukakoenig.rules_score import ALL_TYPES
from companion.table.game import Refusal

WHOLE = tuple(kind for kind in ALL_TYPES if kind not in ("vp", "animals"))
KEYS = ("tables", "first", "second", "scores", "green", "detail", "cards", "options")
MOST_POINTS = 1000


def faults(given: object) -> Iterator[str]:
    """Every fault of what is told."""
    if not isinstance(given, Mapping):
        yield f"a finished table must be an object, not {_short(given)}"
        return
    yield from _strange(given, KEYS, "the table")
    yield from _which(given)
    for name in ("tables", "first", "second"):
        if name in given:
            yield from _tables(given[name], name)
    if "scores" in given:
        yield from _scores(given["scores"])
    if "cards" in given:
        yield from _counts(given["cards"], "cards")
    if "green" in given:
        yield from _green(given["green"])
    if "detail" in given and not isinstance(given["detail"], bool):
        yield f"detail must be true or false, not {_short(given['detail'])}"
    yield from _options(given.get("options", {}))


def _which(given: Mapping[str, Any]) -> Iterator[str]:
    """One scoring, a whole game, or the points of both scorings."""
    told = [name for name in ("tables", "first", "second", "scores") if name in given]
    if told not in (["tables"], ["first", "second"], ["scores"]):
        has = ", ".join(told) or "none of them"
        yield f"tell either tables, or first and second, or scores; there is {has}"
    first, second = given.get("first"), given.get("second")
    if isinstance(first, Mapping) and isinstance(second, Mapping) and set(first) != set(second):
        yield f"first and second must tell of the same players, not {_short(sorted(set(first) ^ set(second)))}"


def _tables(tables: object, path: str) -> Iterator[str]:
    if not isinstance(tables, Mapping) or not 1 <= len(tables) <= max(ROWS):
        yield f"{path} must be an object of 1 to {max(ROWS)} players, not {_short(tables)}"
        return
    for player, table in tables.items():
        yield from _name(player, path)
        if not isinstance(table, Mapping):
            yield f"{path}.{player} must be an object, not {_short(table)}"
            continue
        yield from _strange(table, ALL_TYPES, f"{path}.{player}")
        for kind in WHOLE:
            if kind in table:
                yield from _whole(table[kind], f"{path}.{player}.{kind}", CARDS)
        yield from _vp(table.get("vp", []), f"{path}.{player}.vp")
        yield from _counts(table.get("animals", {}), f"{path}.{player}.animals")


def _name(player: object, path: str) -> Iterator[str]:
    if not isinstance(player, str) or not player.strip() or player.startswith("@"):
        yield f"{path}: {_short(player)} is no player's name"


def _vp(cards: object, path: str) -> Iterator[str]:
    if not isinstance(cards, list | tuple) or not all(type(each) is int for each in cards):
        yield f"{path} must be a list of the cards' values, not {_short(cards)}"


def _counts(counts: object, path: str) -> Iterator[str]:
    if not isinstance(counts, Mapping):
        yield f"{path} must be an object of names and numbers, not {_short(counts)}"
        return
    for name, count in counts.items():
        yield from _name(name, path)
        yield from _whole(count, f"{path}.{name}", CARDS)


def _whole(count: object, path: str, most: int) -> Iterator[str]:
    if type(count) is not int or not 0 <= count <= most:
        yield f"{path} must be a whole number from 0 to {most}, not {_short(count)}"


def _scores(scores: object) -> Iterator[str]:
    if not isinstance(scores, Mapping) or not 1 <= len(scores) <= max(ROWS):
        yield f"scores must be an object of 1 to {max(ROWS)} players, not {_short(scores)}"
        return
    many = set()
    for player, points in scores.items():
        yield from _name(player, "scores")
        if not isinstance(points, list | tuple) or not 1 <= len(points) <= 2:
            yield f"scores.{player} must be a list of one or two scorings, not {_short(points)}"
            continue
        many.add(len(points))
        for place, each in enumerate(points):
            yield from _whole(each, f"scores.{player}[{place}]", MOST_POINTS)
    if len(many) > 1:
        yield "scores: some players have one scoring, others two"


def _green(green: object) -> Iterator[str]:
    if not isinstance(green, list | tuple):
        yield f"green must be a list of types, not {_short(green)}"
        return
    for kind in green:
        if kind not in ALL_TYPES:
            yield f"green knows no {_short(kind)}{_meant(str(kind), ALL_TYPES)}; known: {', '.join(ALL_TYPES)}"


def _options(options: object) -> Iterator[str]:
    if not isinstance(options, Mapping):
        yield f"options must be an object of rulings and settings, not {_short(options)}"
        return
    for name, chosen in options.items():
        fault = settle_options({str(name): chosen})
        if isinstance(fault, Refusal) and fault.code == "unknown_option":
            yield f"options knows no {name!r}; did you mean {fault.values['meant']!r}?"
        elif isinstance(fault, Refusal):
            yield f"options.{name} must be one of {fault.values['allowed']}, not {_short(chosen)}"


def _strange(holder: Mapping[str, Any], known: Iterable[str], where: str) -> Iterator[str]:
    for key in holder:
        if key not in known:
            yield f"{where} knows no {key!r}{_meant(str(key), known)}; known: {', '.join(known)}"


def _meant(word: str, known: Iterable[str]) -> str:
    near = get_close_matches(word, list(known), 1)
    return f"; did you mean {near[0]!r}?" if near else ""


def _short(given: object, most: int = 40) -> str:
    told = repr(given)
    return told if len(told) <= most else f"{told[:most]}..."
