"""Finished games for other programs: CSV, JSON, and a link that the app BG Stats takes. Values in, text out."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote

from companion.wire.foreign import sendable
from companion.wire.records import LATEST, BadRecord, whole

Record = Mapping[str, Any]
COLUMNS = ("date_utc", "game", "counts", "players", "who", "total", "won", "rule", "points", "why")


def as_json(games: Sequence[Record]) -> str:
    """All games with everything that is kept of them."""
    text = json.dumps(list(games), ensure_ascii=False, indent=1)
    return (
        text if sendable(text) else json.dumps(list(games), indent=1)
    )  # half of a sign: escaped, as it came


def as_csv(games: Iterable[Record]) -> str:
    """One row for each point of each game, and one for each total (with an empty rule).

    A game that is damaged has one row, which says so.
    """
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(COLUMNS)
    for record in games:
        try:
            game = whole(record)
            lines = [_line(line) for line in game["lines"]]
        except (BadRecord, KeyError, TypeError) as fault:
            writer.writerow(("", "", 0, "", "", "", "", "", "", f"left out: a damaged game ({fault})"))
            continue
        head = (day(game), game["game"], int(game.get("counts", True)), safe_cell(", ".join(game["players"])))
        for who, total in game["totals"].items():
            writer.writerow((*head, safe_cell(who), total, int(who in game["winners"]), "", "", ""))
        writer.writerows((*head, *line) for line in lines)
    return out.getvalue()


def _line(line: Record) -> tuple[object, ...]:
    cells = str(line["who"]), str(line["rule"]), str(line["why"])
    if not sendable("".join(cells)) or type(line["points"]) is not int:
        raise TypeError("lines")
    who, rule, why = map(safe_cell, cells)
    return who, "", "", rule, line["points"], why


def safe_cell(text: str) -> str:
    """A spreadsheet takes what begins like a formula for one: a name must not become a command."""
    return f"'{text}" if text[:1] in ("=", "+", "-", "@", "\t", "\r") else text


def bg_stats(game: Record, title: str) -> str:
    """A link with which BG Stats takes over a game; `title`: the game's name there.

    Made from the app's published format; it was never tried with the app itself.
    """
    people = [
        {
            "sourcePlayerId": name, "name": name, "score": _score(game, name),
            "winner": any(_of(name, group) for group in game["winners"]),
        }
        for name in game["players"]
    ]  # fmt: skip
    play = {
        "sourceName": "companion", "sourcePlayId": game["id"], "date": f"{day(game)} {_clock(game)}".strip(),
        "game": {"name": title, "sourceGameId": game["game"]}, "players": people,
    }  # fmt: skip
    data = json.dumps(play, ensure_ascii=False, separators=(",", ":"))
    return f"https://app.bgstatsapp.com/createPlay.html?data={quote(data, errors='replace')}"


def day(game: Record) -> str:
    """The day a game was opened, as the device knew it; empty where nobody said."""
    return _then(game, "%Y-%m-%d")


def _clock(game: Record) -> str:
    return _then(game, "%H:%M:%S")


def _then(game: Record, form: str) -> str:
    on = game["on"]
    return datetime.fromtimestamp(on, UTC).strftime(form) if on and 0 < on <= LATEST else ""


def _of(name: str, group: str) -> bool:
    """Whether a player belongs to a scoring group named by its members."""
    return name == group or name in group.split("+")


def _score(game: Record, name: str) -> str:
    """A player's total: the own one, else that of the group whose name holds his."""
    for group, total in game["totals"].items():
        if _of(name, group):
            return str(total)
    return ""
