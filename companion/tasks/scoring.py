"""`companion score`: a finished table that was not played with the companion."""

from __future__ import annotations

import json
from collections.abc import Iterable

from companion.shelf import finished_of, phrases
from companion.table.told import BadTable, Row
from companion.telling import BadOption
from companion.wire.foreign import loads, visible


def scored(game: str, text: str, as_json: bool, lang: str, where: str = "") -> str:
    """Score a finished table, or a list of them. Errors name the file (`where`), which table, the field, the remedy."""
    place = f"{where}: " if where else ""
    try:
        given = loads(text.removeprefix("\ufeff"))  # a byte order mark of an editor
    except json.JSONDecodeError as fault:
        raise BadOption(
            f"{place}line {fault.lineno}, column {fault.colno}: no JSON ({fault.msg}). {_like(game)}"
        ) from fault
    except RecursionError as fault:
        raise BadOption(f"{place}no finished table: it is nested far too deep. {_like(game)}") from fault
    scorer, words = finished_of(game), phrases()[game]
    answers, tables = [], given if isinstance(given, list) else [given]
    if not tables:
        raise BadOption(f"{place}no table in the list. {_like(game)}")
    for number, each in enumerate(tables, 1):
        try:
            rows = tuple(scorer.explained(each, words, lang))  # knows the names of the cards: for JSON, too
            answers.append(scorer.finished(each) if as_json else _rows(rows))
        except BadTable as fault:
            which = f"{place}table {number}: " if isinstance(given, list) else place
            told = (visible(f"{which}{each}") for each in (*fault.faults, _like(game)))
            raise BadOption("\n".join(told)) from fault
    if as_json:
        return json.dumps(answers if isinstance(given, list) else answers[0])
    return "\n\n".join(map(str, answers))


def example(game: str) -> str:
    """A finished table as `scored` takes it."""
    return json.dumps(finished_of(game).EXAMPLE, ensure_ascii=False, indent=1)


def _like(game: str) -> str:
    return f"`companion score {game} --example` prints a table as it may be told"


def _rows(rows: Iterable[Row]) -> str:
    """A table that explains each point: who, how many, why, by which rule."""
    told = [(visible(row.who), str(row.points or ""), visible(f"{row.why} ({row.rule})")) for row in rows]
    wide = max((len(who) for who, _, _ in told), default=0)
    return "\n".join(f"{who:<{wide}}  {points:>2}  {why}" for who, points, why in told)
