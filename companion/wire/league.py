"""The games of several tables in one league table: each game once, by wins, then by how many were left behind. Pure."""

from __future__ import annotations

import csv
import html
import io
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import field
from typing import Any

from companion.table.things import value
from companion.wire.exports import day, safe_cell
from companion.wire.foreign import visible
from companion.wire.records import BadRecord, whole

Record = Mapping[str, Any]
NOBODY = "–"  # a player who was deleted
COLUMNS = ("place", "name", "games", "wins", "beaten", "points", "last")
_WORDS = {
    "en": {
        "title": "League", "place": "Place", "name": "Name", "games": "Games", "wins": "Wins", "beaten": "Left behind",
        "points": "Points", "last": "Last played", "note": "{games} of {tables}; {out}. "
        "Left behind: of all groups one has played against, how many had less; a tie is half of one.",
        "one": "game|table", "many": "games|tables", "counts": "does not count", "count": "do not count",
    },
    "de": {
        "title": "Liga", "place": "Platz", "name": "Name", "games": "Spiele", "wins": "Siege", "beaten": "Überholt",
        "points": "Punkte", "last": "Zuletzt", "note": "{games} von {tables}; {out}. "
        "Überholt: wie viele der Gegner weniger hatten; Gleichstand zählt halb.",
        "one": "Spiel|Tisch", "many": "Spiele|Tischen", "counts": "zählt nicht", "count": "zählen nicht",
    },
}  # fmt: skip


@value
class Row:
    """One person: games, wins (shared ones too), share of opponents left behind, points of all games, last day."""

    place: int
    name: str
    games: int
    wins: int
    beaten: float
    points: int
    last: str


@value
class League:
    """All rows, best first, and what they were made of."""

    rows: tuple[Row, ...]
    games: int
    out: int  # games that do not count
    tables: tuple[str, ...] = field(default=())


def once(records: Iterable[Record]) -> tuple[Record, ...]:
    """Each game once, however many have kept it; one that does not count for one of them counts for nobody.

    A record that is damaged is left out: whoever collects names it.
    """
    kept: dict[str, dict[str, Any]] = {}
    for each in records:
        with suppress(BadRecord):
            record = whole(each)
            before = kept.get(record["id"])
            counts = record["counts"] and (before is None or before["counts"])
            kept[record["id"]] = {**record, "counts": counts}
    return tuple(kept.values())


def league(records: Iterable[Record], game: str | None = None) -> League:
    """The table of all games, or of one game's only."""
    every = [each for each in once(records) if game is None or each["game"] == game]
    counted = sorted((each for each in every if each["counts"]), key=lambda each: int(each["on"]))
    people: dict[str, dict[str, Any]] = {}
    for each in counted:
        for name in each["players"]:
            if not name.startswith(NOBODY):
                _add(people.setdefault(" ".join(name.split()).casefold(), _nobody_yet(name)), each, name)
    ordered = sorted(people.values(), key=_rank)
    rows: list[Row] = []
    for number, person in enumerate(ordered, 1):
        tied = rows and _rank(person)[:3] == _rank(ordered[number - 2])[:3]
        rows.append(
            Row(rows[-1].place if tied else number, person["name"], person["games"], person["wins"],
                round(_share(person), 3), person["points"], person["last"])
        )  # fmt: skip
    tables = sorted({str(each["table"]) for each in every if each.get("table")})
    return League(tuple(rows), len(counted), len(every) - len(counted), tuple(tables))


def _nobody_yet(name: str) -> dict[str, Any]:
    return {
        "name": name.strip(),
        "games": 0,
        "wins": 0,
        "against": 0.0,
        "beaten": 0.0,
        "points": 0,
        "last": "",
    }


def _rank(person: Mapping[str, Any]) -> tuple[float, float, int, str]:
    return -person["wins"], -round(_share(person), 6), -person["points"], person["name"].casefold()


def _share(person: Mapping[str, Any]) -> float:
    return float(person["beaten"] / person["against"]) if person["against"] else 0.0


def _add(person: dict[str, Any], record: Record, name: str) -> None:
    """One more game of a person, who has the points and the place of his group."""
    totals = {str(group): int(points) for group, points in record["totals"].items()}
    mine = next((group for group in totals if _in(name, group)), name)
    own, won = totals.get(mine, 0), any(_in(name, group) for group in record["winners"])
    grouped = {player for group in totals for player in group.split("+")}
    groups = {**totals, **{str(other): 0 for other in record["players"] if other not in grouped}}
    person["games"] += 1
    person["wins"] += won
    person["points"] += own
    person["last"] = max(person["last"], day(record) if record.get("on") else "")
    for group, points in groups.items():
        if group == mine:
            continue
        too = any(_in(player, winner) for player in group.split("+") for winner in record["winners"])
        person["against"] += 1
        if won != too:
            person["beaten"] += won
        elif own != points:
            person["beaten"] += own > points
        else:
            person["beaten"] += 0.5


def _in(name: str, group: str) -> bool:
    return name == group or name in group.split("+")


def text(table: League, lang: str) -> str:
    """For a terminal."""
    words = _WORDS[lang]
    head = [words[column] for column in COLUMNS]
    lines = [head, *([str(cell) for cell in _cells(row)] for row in table.rows)]
    wide = [max(len(line[at]) for line in lines) for at in range(len(head))]
    left = (COLUMNS.index("name"), COLUMNS.index("last"))
    rows = (
        "  ".join(
            cell.ljust(wide[at]) if at in left else cell.rjust(wide[at]) for at, cell in enumerate(line)
        )
        for line in lines
    )
    return "\n".join((*(row.rstrip() for row in rows), _note(table, words)))


def plain(table: League) -> dict[str, Any]:
    """For another program."""
    rows = [dict(zip(COLUMNS, _cells(row, exact=True), strict=True)) for row in table.rows]
    return {"rows": rows, "games": table.games, "out": table.out, "tables": list(table.tables)}


def as_csv(table: League) -> str:
    """For a spreadsheet."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(COLUMNS)
    for row in table.rows:
        place, name, *more = _cells(row, exact=True)
        writer.writerow((place, safe_cell(str(name)), *more))
    return out.getvalue()


def as_html(table: League, lang: str) -> str:
    """One page that needs nothing else, for a notice board or a club's site."""
    words = _WORDS[lang]
    head = "".join(f'<th scope="col">{html.escape(words[column])}</th>' for column in COLUMNS)
    rows = "\n".join(
        "<tr>" + "".join(f"<td>{html.escape(str(cell))}</td>" for cell in _cells(row)) + "</tr>" for row in table.rows
    )  # fmt: skip
    return f"""<!doctype html>
<html lang="{lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{words["title"]}</title>
<style>
:root {{ color-scheme: light dark; }}
body {{ font: 1.1rem/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 50rem; padding: 0 1rem; }}
table {{ border-collapse: collapse; width: 100%; }}
th, td {{ text-align: right; padding: .4rem .6rem; border-bottom: 1px solid #8888; }}
th:nth-child(2), td:nth-child(2) {{ text-align: left; }}
</style>
</head>
<body>
<h1>{words["title"]}</h1>
<table>
<thead><tr>{head}</tr></thead>
<tbody>
{rows}
</tbody>
</table>
<p>{html.escape(_note(table, words))}</p>
</body>
</html>
"""


def _note(table: League, words: Mapping[str, str]) -> str:
    tables = len(table.tables) or 1
    games, of = (
        words["one" if count == 1 else "many"].split("|")[at]
        for at, count in enumerate((table.games, tables))
    )
    counts = words["counts" if table.out == 1 else "count"]
    return words["note"].format(
        games=f"{table.games} {games}", tables=f"{tables} {of}", out=f"{table.out} {counts}"
    )


def _cells(row: Row, exact: bool = False) -> tuple[Any, ...]:
    beaten = row.beaten if exact else f"{row.beaten:.0%}"
    return row.place, visible(row.name), row.games, row.wins, beaten, row.points, row.last
