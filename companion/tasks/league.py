"""The results of several tables, from their archives, their exports, and a club's broker."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from json import JSONDecodeError
from pathlib import Path
from typing import Any

from companion import config
from companion.edges import archive
from companion.shelf import shelf
from companion.table.things import CompanionError
from companion.telling import BadOption
from companion.wire.foreign import loads, visible
from companion.wire.records import BadRecord, whole

Record = dict[str, Any]
Echo = Callable[[str], object]
TABLES_OWN = (
    ".seats.json",
    ".starts.json",
    ".tempo.json",
    ".loud.json",
)  # what a table keeps beside its journal
NOTHING = (
    "nothing to collect: name archives (.games.db), exports (games.json) or folders of them, or say --mqtt"
)


class BadResults(CompanionError, ValueError):
    """A file holds no results; the text names it and what would."""


def collected(sources: Sequence[Path], settings: Path | None, asked: bool, echo: Echo) -> list[Record]:
    """All results, each with its table's name. BadResults, ArchiveError or BrokerError: one cannot be had.

    In a folder what holds no results is named by `echo` and left alone, and so is every game that is damaged. A
    table's other files beside its archive (seats, starts, tempo, volumes) are no results and nobody's mistake.
    """
    found: list[Record] = []
    for source in sources:
        if not source.is_dir():
            found += _read(source, echo)
            continue
        every = (*source.rglob("*.games.db"), *source.rglob("*.json"))
        for file in sorted(each for each in every if not each.name.endswith(TABLES_OWN)):
            try:
                found += _read(file, echo)
            except CompanionError as fault:
                echo(visible(f"left out: {fault.args[0]}"))
    if asked:
        found += _asked(settings, echo)
    if not sources and not asked:
        raise BadResults(NOTHING)
    return found


def known(game: str, results: Sequence[Record]) -> str:
    """A game of this house, or one that is among the results; BadOption names what was meant."""
    names = sorted({*shelf(), *(str(each["game"]) for each in results)})
    if game not in names:
        near = get_close_matches(game, names, 1)
        hint = f"did you mean {near[0]}?" if near else f"known are {', '.join(names)}"
        raise BadOption(f"--game {game}: there is none of that name; {hint}")
    return game


def _read(file: Path, echo: Echo) -> list[Record]:
    name = file.name.removesuffix(".json").removesuffix(".games.db")
    if file.suffix == ".json":
        try:
            games = loads(file.read_text("utf-8-sig"))
        except OSError as fault:
            raise BadResults(
                f"{file}: {fault.strerror}. Name a games.json that was saved on /history"
            ) from fault
        except (ValueError, RecursionError) as fault:
            raise BadResults(
                f"{file}: no export of games ({_no_json(fault)}). Save games.json on /history"
            ) from fault
        if not isinstance(games, list):
            raise BadResults(f"{file}: no export of games. Save games.json on /history")
    else:
        games = archive.read(file)
    return _whole(games, str(file), echo, name)


def _no_json(fault: Exception) -> str:
    """What is wrong with a file that should be JSON, in words of ours."""
    if isinstance(fault, JSONDecodeError):
        return f"no JSON from line {fault.lineno}, column {fault.colno} on"
    return "nested far too deep" if isinstance(fault, RecursionError) else "no text in UTF-8"


def _asked(settings: Path | None, echo: Echo) -> list[Record]:
    from companion.edges.mqtt import Address, collected  # noqa: PLC0415  # most clubs have no broker

    given = config.load(settings).mqtt
    if given is None:
        raise BadResults(
            f"{settings or 'the settings'}: no [mqtt] in it. Name the club's broker there, and say --config FILE"
        )
    address = Address(given.host, given.port, given.user, given.password, given.tls)
    return _whole(collected(address, given.topic), f"{given.host}:{given.port}", echo)


def _whole(games: Sequence[object], where: str, echo: Echo, table: str | None = None) -> list[Record]:
    """The games that are whole; what is not is named and left out. BadResults: none is, of several."""
    kept: list[Record] = []
    fault: BadRecord | None = None
    for number, game in enumerate(games, 1):
        told = game.get("table") if isinstance(game, Mapping) else None
        try:
            kept.append(whole(game, str(told or "") if table is None else table))
        except BadRecord as found:
            fault = found
            whose = f", table {told}" if isinstance(told, str) and table is None else ""
            echo(
                visible(
                    f"left out: {where}{whose}: game {number} is not whole ({found}). Export it anew on /history"
                )
            )
    if fault is not None and not kept:
        raise BadResults(f"{where}: no game in it is whole ({fault}). Export it anew on /history")
    return kept
