"""Score a finished table of Koala & Wine that nobody watched: who is the last with glasses, and who went when."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from companion.games.wine.options import settle_options
from companion.games.wine.rules_deck import FEWEST, MOST, WINES
from companion.games.wine.rules_glasses import Table, alive, winner
from companion.table.game import Refusal
from companion.table.phrases import Phrases
from companion.table.things import Player, Words
from companion.table.told import BadTable, Row

ALL_GLASSES = 3 * MOST  # in the box
KNOWN = ("glasses", "out", "options")


# What a table can look like, as `companion score wine --example` prints it.
EXAMPLE: dict[str, object] = {"glasses": {"Mia": 4, "Paul": 0}, "out": ["Paul"]}


def finished(given: object) -> dict[str, object]:
    """The end of a game as plain data; BadTable names the fields that are wrong.

    `given`: {"glasses": {player: glasses in front of him}, "out": [players in the order they lost their last
    glass], "options": {ruling: setting}}; all but "glasses" may be absent. While several have glasses nobody
    has won: {"error": "not_over"}.
    """
    table = read(given)
    won = winner(table)
    if won is None:
        return {"error": "not_over", "left": list(alive(table))}
    return {
        "winner": won,
        "winners": [won],
        "glasses": dict(table.glasses),
        "places": list(_places(table, won)),
    }


def explained(given: object, phrases: Phrases | None = None, lang: str = "en") -> tuple[Row, ...]:
    """The winner and the others, the one who went last first. Without phrases the reasons are keys and values."""
    table = read(given)
    won = winner(table)
    if won is None:
        values: Words = {"names": ", ".join(alive(table))}
        return (Row("-", 0, "WINE-OBJ-03", _why("score.not_over", values, phrases, lang)),)
    rows = [Row(won, 1, "WINE-OBJ-03", _why("score.last", {"count": table.glasses[won]}, phrases, lang))]
    for place, player in enumerate(_places(table, won)[1:], start=2):
        known = player in table.out
        key, told = ("score.went", {"place": place}) if known else ("score.no_glass", {})
        rows.append(Row(player, 0, "WINE-OBJ-02", _why(key, told, phrases, lang)))
    return tuple(rows)


def _why(key: str, values: Words, phrases: Phrases | None, lang: str) -> str:
    if phrases is not None:
        return phrases.text(lang, key, values)
    return " ".join([key, *(f"{name}={word}" for name, word in values.items())])


def _places(table: Table, won: Player) -> tuple[Player, ...]:
    """The winner first, then who went last, and at the end those of whom nobody told when."""
    told = tuple(reversed(table.out))
    return (won, *told, *(player for player in table.order if player != won and player not in told))


def read(given: object) -> Table:
    """A table as told; BadTable with every fault found."""
    found = tuple(faults(given))
    if found or not isinstance(given, Mapping):
        raise BadTable(found)
    rulings = settle_options(given.get("options", {}))
    if isinstance(rulings, Refusal):
        raise BadTable((f"options: {rulings.code}",))
    order = tuple(Player(name) for name in given["glasses"])
    out = tuple(Player(name) for name in given.get("out", ()))
    return Table(order, dict(given["glasses"]), out=out, rulings=rulings)


def faults(given: object) -> Iterator[str]:
    """What cannot be, field by field."""
    if not isinstance(given, Mapping):
        yield f"no table but {type(given).__name__}; needed: {{glasses: {{name: number}}}}"
        return
    yield from (f"{name}: unknown; known: {', '.join(KNOWN)}" for name in given if name not in KNOWN)
    glasses = given.get("glasses")
    if not isinstance(glasses, Mapping) or not FEWEST <= len(glasses) <= MOST:
        yield f"glasses: wanted are {FEWEST} to {MOST} players, each with a number"
        return
    for name, count in glasses.items():
        if type(count) is not int or not 0 <= count <= ALL_GLASSES:
            yield f"glasses.{name}: {count!r} is no number of glasses from 0 to {ALL_GLASSES}"
    yield from _out_faults(given.get("out", ()), glasses)
    if not isinstance(given.get("options", {}), Mapping):
        yield "options: wanted is {ruling: setting}"
    counts = [count for count in glasses.values() if type(count) is int]
    if len(counts) == len(glasses) and not 0 < sum(counts) <= ALL_GLASSES:
        yield f"glasses: {sum(counts)} in all; there are {ALL_GLASSES}, {len(WINES)} wines of {MOST}"


def _out_faults(out: object, glasses: Mapping[object, object]) -> Iterator[str]:
    if not isinstance(out, list | tuple):
        yield "out: wanted is a list of players in the order they went"
        return
    for place, name in enumerate(out):
        if not isinstance(name, str) or name not in glasses:
            yield f"out[{place}]: {name!r} is no player of this table"
        elif glasses[name] != 0:
            yield f"out[{place}]: {name} still has glasses"
        elif name in out[:place]:
            yield f"out[{place}]: {name} went twice"
