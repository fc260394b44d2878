"""The results of several tables, from their archives, their exports, and a club's broker."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from companion import config
from companion.edges import archive
from companion.table.things import CompanionError

Record = dict[str, Any]
NOTHING = (
    "nothing to collect: name archives (.games.db), exports (games.json) or folders of them, or say --mqtt"
)


class BadResults(CompanionError, ValueError):
    """A file holds no results; the text names it and what would."""


def collected(
    sources: Sequence[Path], settings: Path | None, asked: bool, echo: Callable[[str], object]
) -> list[Record]:
    """All results, each with its table's name. BadResults, ArchiveError or BrokerError: one cannot be had.

    In a folder what holds no results is named by `echo` and left alone.
    """
    found: list[Record] = []
    for source in sources:
        if not source.is_dir():
            found += _read(source)
            continue
        for file in sorted((*source.rglob("*.games.db"), *source.rglob("*.json"))):
            try:
                found += _read(file)
            except CompanionError as fault:
                echo(f"left out: {fault.args[0]}")
    if asked:
        found += _asked(settings)
    if not sources and not asked:
        raise BadResults(NOTHING)
    return found


def _read(file: Path) -> list[Record]:
    name = file.name.removesuffix(".json").removesuffix(".games.db")
    if file.suffix == ".json":
        try:
            games = json.loads(file.read_text("utf-8"))
        except (OSError, ValueError, RecursionError) as fault:
            raise BadResults(f"{file}: no export of games ({fault}). Save games.json on /history") from fault
        if not isinstance(games, list):
            raise BadResults(f"{file}: no export of games. Save games.json on /history")
    else:
        games = archive.read(file)
    return [_checked(game, file, name) for game in games]


def _asked(settings: Path | None) -> list[Record]:
    from companion.edges.mqtt import Address, collected  # noqa: PLC0415  # most clubs have no broker

    given = config.load(settings).mqtt
    if given is None:
        raise BadResults(
            f"{settings or 'the settings'}: no [mqtt] in it. Name the club's broker there, and say --config FILE"
        )
    address = Address(given.host, given.port, given.user, given.password, given.tls)
    told = collected(address, given.topic)
    return [_checked(game, Path(given.host), str(game.get("table", ""))) for game in told]


def _checked(game: object, where: Path, table: str) -> Record:
    """A game as a league needs it; whatever else it may hold stays as it is."""
    try:
        if not isinstance(game, Mapping):
            raise TypeError("a game is an object")
        totals = {str(group): int(points) for group, points in game["totals"].items()}
        return {
            **game, "id": str(game["id"]), "game": str(game["game"]), "on": int(game.get("on") or 0), "totals": totals,
            "players": [str(name) for name in game["players"]], "winners": [str(name) for name in game["winners"]],
            "table": str(game.get("table") or table),
        }  # fmt: skip
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as fault:
        raise BadResults(
            f"{where}: a game in it is not whole ({fault!r}). Export it anew on /history"
        ) from fault
