"""Score a finished table that nobody watched: check what is told about it, count it, explain each point."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from companion.games.kukakoenig import rules_score
from companion.games.kukakoenig.finished_check import faults
from companion.games.kukakoenig.options import settle_options
from companion.games.kukakoenig.rules_score import Held
from companion.table.game import Point, Refusal
from companion.table.phrases import Phrases
from companion.table.things import Player, Words, value
from companion.table.told import BadTable, Row

SCORINGS = ("first", "second")


@value
class Told:
    """What is told: collections of one or two scorings, or only the points of both."""

    scorings: tuple[tuple[str, Mapping[Player, Held]], ...]
    scores: Mapping[Player, tuple[int, ...]] | None
    cards: Mapping[Player, int]
    green: tuple[str, ...] | None
    detail: bool
    rulings: Mapping[str, object]
    named: Mapping[str, tuple[str, ...]]  # the types that were told of each player


# What a table can look like, as `companion score kukakoenig --example` prints it.
EXAMPLE: dict[str, object] = {
    "first": {"Mia": {"king": 3, "vp": [4, 2], "animals": {"sheep": 2}}, "Paul": {"church": 2, "knight": 1}},
    "second": {"Mia": {"king": 4, "vp": [4, 2], "animals": {"sheep": 2}}, "Paul": {"church": 3, "knight": 1}},
}


def finished(given: object) -> dict[str, Any]:
    """The score of a table as plain data; {"error": code} for collections that cannot be; BadTable names fields.

    `given`, one of: {"tables": {player: {"king", "church", "vp": [4, 2], "knight", "animals": {"sheep": 3},
    "farmer", "wife", "house"}}, "detail": true} for one scoring; the same with "green": [types] for what stays
    after the first one; {"first": tables, "second": tables} for a whole game; {"scores": {player: [40, 45]}} for
    who has won; "options": {ruling: setting} with any of them.
    """
    told = read(given)
    if told.scores is not None:
        return _final(told, told.scores)
    for _, tables in told.scorings:
        wrong = rules_score.fault(tables)
        if wrong is not None:
            return {"error": wrong.code}
    if len(told.scorings) == len(SCORINGS):
        return _whole(told)
    tables = told.scorings[0][1]
    if told.green is not None:
        return _kept(told, tables, told.green)
    return dict(_sums(told, tables))


def _sums(told: Told, tables: Mapping[Player, Held]) -> dict[str, Any]:
    found = rules_score.sums(tables, told.rulings)
    return {str(player): dict(own) if told.detail else own["total"] for player, own in found.items()}


def _kept(told: Told, tables: Mapping[Player, Held], green: tuple[str, ...]) -> dict[str, Any]:
    """What stays with whom after the first scoring, and how many cards go back to the box."""
    kept = {player: rules_score.kept(table, green) for player, table in tables.items()}
    back = sum(tables[player].cards - table.cards for player, table in kept.items())
    stay = {
        str(player): {
            kind: list(table.vp) if kind == "vp" else getattr(table, kind)
            for kind in green
            if kind in told.named[player]
        }
        for player, table in kept.items()
    }
    return {"kept": stay, "to_box": back}


def _final(told: Told, scores: Mapping[Player, tuple[int, ...]]) -> dict[str, Any]:
    totals, best = rules_score.winners(scores, told.cards, told.rulings)
    return {"totals": {str(player): total for player, total in totals.items()}, "winners": list(best)}


def _scores(told: Told) -> dict[Player, tuple[int, ...]]:
    """Points of each scoring by player."""
    if told.scores is not None:
        return dict(told.scores)
    each = [rules_score.sums(tables, told.rulings) for _, tables in told.scorings]
    return {player: tuple(own[player]["total"] for own in each) for player in each[0]}


def _whole(told: Told) -> dict[str, Any]:
    first, second = (tables for _, tables in told.scorings)
    back = _kept(told, first, told.green or rules_score.GREEN_TYPES)
    return {
        "first": _sums(told, first), "to_box": back["to_box"], "kept": back["kept"],
        "second": _sums(told, second), **_final(told, _scores(told)),
    }  # fmt: skip


def explained(given: object, phrases: Phrases | None = None, lang: str = "en") -> tuple[Row, ...]:
    """Every point with its rule and reason, sums, what goes back to the box, then who wins and why.

    A Refusal of the rules is one row without points. Without phrases the reasons are their keys and values.
    """
    told = read(given)
    return tuple(_row(line, phrases, lang) for line in _lines(told))


def _lines(told: Told) -> Iterator[Point]:
    for name, tables in told.scorings:
        wrong = rules_score.fault(tables)
        if wrong is not None:
            yield Point("-", 0, wrong.rule, f"no.{wrong.stem}", wrong.values)
            return
        if len(told.scorings) > 1:
            yield Point("-", 0, "KUKA-SCO-01", f"say.{name}_scoring")
        if told.green is None or len(told.scorings) > 1:
            for lines in rules_score.by_type(tables, told.rulings).values():
                yield from lines
            yield from _totals(rules_score.sums(tables, told.rulings))
        if name == "first" or told.green is not None:
            yield from _back(tables, told.green or rules_score.GREEN_TYPES)
        if told.green is not None and len(told.scorings) == 1:
            return
    if told.scores is not None or len(told.scorings) == len(SCORINGS):
        yield from _won(told)


def _totals(sums: Mapping[Player, Mapping[str, int]]) -> Iterator[Point]:
    for player, own in sums.items():
        yield Point(player, own["total"], "KUKA-SCO-03", "score.total")


def _back(tables: Mapping[Player, Held], green: tuple[str, ...]) -> Iterator[Point]:
    """Which cards each player lays back into the box."""
    for player, table in tables.items():
        stays = rules_score.kept(table, green)
        kinds = [k for k in ("king", "church", "knight", "farmer", "wife", "house") if _more(table, stays, k)]
        names = [f"{getattr(table, kind)} × @{kind}" for kind in kinds]
        names += [f"@vp{each}" for each in table.vp if not stays.vp]
        names += [f"{n} × @{animal}" for animal, n in table.animals.items() if n and not stays.animals]
        count = table.cards - stays.cards
        if count:
            values: Words = {"count": count, "cards": ", ".join(names)}
            yield Point(player, 0, "KUKA-END1-04", "score.to_box", values)


def _more(one: Held, other: Held, kind: str) -> bool:
    return bool(getattr(one, kind) > getattr(other, kind))


def _won(told: Told) -> Iterator[Point]:
    scores = _scores(told)
    totals, best = rules_score.winners(scores, told.cards, told.rulings)
    for player, total in totals.items():
        yield Point(player, total, "KUKA-END2-05", "score.total")
    top = max(totals.values(), default=0)
    tied = sum(1 for total in totals.values() if total == top)
    why = "score.shared" if len(best) > 1 else "score.tie_broken" if tied > 1 else "score.wins"
    for player in best:
        yield Point(player, 0, "KUKA-AMB-09" if tied > 1 else "KUKA-END2-05", why, {"count": top})


def _row(line: Point, phrases: Phrases | None, lang: str) -> Row:
    if phrases is not None:
        values = {name: _known(phrases, lang, word) for name, word in line.values.items()}
        why = phrases.text(lang, line.why, values)
    else:
        why = " ".join([line.why, *(f"{key}={word}" for key, word in line.values.items())])
    return Row(line.who, line.points, line.rule, why)


def _known(phrases: Phrases, lang: str, word: str | int) -> str | int:
    """A word of the game; an animal that only this table knows keeps its own name."""
    texts = phrases.texts[lang]
    return (
        re.sub(r"@([^,]+)", lambda named: texts.get(named[1], named[1]), word)
        if isinstance(word, str)
        else word
    )


def read(given: object) -> Told:
    """A table as told; BadTable with every fault found."""
    found = tuple(faults(given))
    if found or not isinstance(given, Mapping):
        raise BadTable(found)
    rulings = settle_options(given.get("options", {}))
    assert not isinstance(rulings, Refusal), "options were checked"
    named = [(name, given[name]) for name in SCORINGS if name in given]
    named += [("tables", given["tables"])] if "tables" in given else []
    scorings = tuple(
        (name, {Player(player): _held(table) for player, table in tables.items()}) for name, tables in named
    )
    scores = given.get("scores")
    last = {p: table.cards for p, table in scorings[-1][1].items()} if scorings else given.get("cards", {})
    return Told(
        scorings, None if scores is None else {Player(p): tuple(points) for p, points in scores.items()}, last,
        tuple(given["green"]) if "green" in given else None, bool(given.get("detail", False)), rulings,
        {player: tuple(table) for player, table in (named[0][1] if named else {}).items()},
    )  # fmt: skip


def _held(table: Mapping[str, Any]) -> Held:
    typed: dict[str, Any] = {kind: tuple(of) if kind == "vp" else of for kind, of in table.items()}
    return Held(**typed)
