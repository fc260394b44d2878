"""Score a finished table that nobody watched: who has hunted which dishes, and who has won."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from typing import Any

from companion.games.karnivore.rules_setup import DISHES, KINGS
from companion.table.phrases import Phrases
from companion.table.things import Words
from companion.table.told import BadTable, Row

# What a table can look like, as `companion score karnivore --example` prints it.
EXAMPLE: dict[str, object] = {"players": {"Mia": ["cameleon", "oystrich", "octoturtle"], "Ben": []}}


def finished(given: object) -> dict[str, object]:
    """Dishes of each player and who has won, as plain data; BadTable names fields.

    `given`: {"players": {name: [animal, ...]}}: each player's hunted animals in the order appetizer, main
    dish, dessert. Whoever has three has hunted a dessert: that ends the game, so there is at most one.
    """
    hunted = read(given)
    dishes: dict[str, object] = {name: len(animals) for name, animals in hunted.items()}
    winners = [name for name, animals in hunted.items() if len(animals) == len(DISHES)]
    return {"dishes": dishes, "winners": winners, "over": bool(winners)}


def explained(given: object, phrases: Phrases | None = None, lang: str = "en") -> tuple[Row, ...]:
    """Every dish with its rule, then who has won. Without phrases the reasons are their keys and values."""
    hunted = read(given)
    if phrases is not None and (strange := tuple(_strangers(hunted, phrases.texts[lang]))):
        raise BadTable(strange)
    rows = []
    for name, animals in hunted.items():
        for place, animal in enumerate(animals):
            rule = "KARN-VIC-01" if place + 1 == len(DISHES) else "KARN-HUN-14"
            values: Words = {"dish": f"@{DISHES[place]}", "animal": _word(animal, phrases, lang)}
            rows.append(_row(name, 1, rule, "score.dish", values, phrases, lang))
    for name, animals in hunted.items():
        if len(animals) == len(DISHES):
            rows.append(_row(name, 0, "KARN-VIC-01", "say.winner", {"name": name}, phrases, lang))
    return tuple(rows)


def read(given: object) -> dict[str, tuple[str, ...]]:
    """Each player's animals as told; BadTable with every fault found."""
    found = tuple(_faults(given))
    if found or not isinstance(given, Mapping):
        raise BadTable(found)
    return {str(name): tuple(animals) for name, animals in given["players"].items()}


def _faults(given: object) -> Iterator[str]:
    if not isinstance(given, Mapping):
        yield 'a table is an object: {"players": {"Mia": ["cameleon"], ...}}'
        return
    yield from (f"{key}: no such field; known: players" for key in given if key != "players")
    players: Any = given.get("players")
    if not isinstance(players, Mapping) or not players:
        yield "players: an object is wanted, name by name with the hunted animals"
        return
    if len(players) > KINGS:
        yield f"players: {len(players)} play, {KINGS} at most can"
    for name, animals in players.items():
        yield from _animals(f"players.{name}", animals)
    yield from _together(players)


def _strangers(hunted: Mapping[str, tuple[str, ...]], texts: Mapping[str, str]) -> Iterator[str]:
    """Animals that no card is called, own cards among them: a slip would be a dish that nobody has hunted."""
    for name, animals in hunted.items():
        for animal in animals:
            if animal not in texts:
                near = get_close_matches(animal, [word for word in texts if "." not in word], 1)
                meant = (
                    f"; did you mean {near[0]}?" if near else ". `companion deck karnivore` enters your own"
                )
                yield f"players.{name}: no card is called {animal}{meant}"


def _animals(path: str, animals: object) -> Iterator[str]:
    if not isinstance(animals, list) or not all(isinstance(each, str) and each for each in animals):
        yield f"{path}: a list of animals is wanted, appetizer first"
    elif len(animals) > len(DISHES):
        yield f"{path}: {len(animals)} animals, {len(DISHES)} at most can be hunted"


def _together(players: Mapping[str, object]) -> Iterator[str]:
    lists = {name: each for name, each in players.items() if isinstance(each, list)}
    done = [name for name, animals in lists.items() if len(animals) >= len(DISHES)]
    if len(done) > 1:
        yield f"players: {', '.join(done)} have a dessert; the first one ends the game"
    every = [animal for animals in lists.values() for animal in animals if isinstance(animal, str)]
    for animal in dict.fromkeys(every):
        if every.count(animal) > 1:
            yield f"players: {animal} was hunted {every.count(animal)} times, each animal is there once"


def _word(animal: str, phrases: Phrases | None, lang: str) -> str:
    return f"@{animal}" if phrases is not None and animal in phrases.texts[lang] else animal


def _row(
    who: str, points: int, rule: str, key: str, values: Words, phrases: Phrases | None, lang: str
) -> Row:
    if phrases is None:
        return Row(who, points, rule, " ".join([key, *(f"{name}={word}" for name, word in values.items())]))
    return Row(who, points, rule, phrases.text(lang, key, values))
