"""A finished game as somebody's archive, export or broker tells it: taken whole, or named as damaged. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.table.things import CompanionError
from companion.wire.foreign import sendable

LATEST = 253_402_300_799  # the last second of the year 9999
MOST_POINTS = 1_000_000
LONGEST = 200  # characters of a name, and persons of a game
Record = Mapping[str, Any]


class BadRecord(CompanionError, ValueError):
    """A record of a game is not whole; the text names the field."""


def whole(record: object, table: str = "") -> dict[str, Any]:
    """A record as a league and the exports need it; whatever else it holds stays as it is. BadRecord names the field.

    `table`: whose it is, where the record does not say.
    """
    if not isinstance(record, Mapping):
        raise BadRecord("a game is an object")
    on, counts = record.get("on") or 0, record.get("counts", True)
    if isinstance(on, bool) or not isinstance(on, int | float) or not 0 <= on <= LATEST:
        raise BadRecord(f"on: seconds since 1970 until the year 9999, not {_short(on)}")
    if not isinstance(counts, bool):
        raise BadRecord(f"counts: true or false, not {_short(counts)}")
    totals = record.get("totals")
    if not isinstance(totals, Mapping) or not all(map(_is_name, totals)):
        raise BadRecord("totals: points by the names of those who have them")
    for points in totals.values():
        if type(points) is not int or abs(points) > MOST_POINTS:
            raise BadRecord(f"totals: whole numbers up to {MOST_POINTS}, not {_short(points)}")
    named = record.get("table") or table
    if named and not _is_name(named):
        raise BadRecord("table: a name")
    return {
        **record, "id": _name(record, "id"), "game": _name(record, "game"), "on": int(on), "totals": dict(totals),
        "players": _names(record, "players"), "winners": _names(record, "winners"), "table": named, "counts": counts,
    }  # fmt: skip


def _names(record: Record, field: str) -> list[str]:
    names = record.get(field)
    if not isinstance(names, list | tuple) or len(names) > LONGEST or not all(map(_is_name, names)):
        raise BadRecord(f"{field}: a list of names")
    return list(names)


def _name(record: Record, field: str) -> str:
    name = record.get(field)
    if not _is_name(name):
        raise BadRecord(f"{field}: a word is missing")
    return str(name)


def _is_name(word: object) -> bool:
    """Text of some length that can be written."""
    return isinstance(word, str) and 0 < len(word) <= LONGEST * 24 and sendable(word)


def _short(word: object) -> str:
    return ascii(word)[:40]
