"""Check what is told about a finished game: every fault with the path of its field. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from typing import Any

from companion.games.rescue.maps import chosen
from companion.games.rescue.options import MAP, settle_options
from companion.games.rescue.rules_draw import named
from companion.games.rescue.rules_map import Map
from companion.table.game import Refusal

KEYS = ("map", "players", "options")
PLAYER_KEYS = ("round1", "round2", "badges")
SHEET_KEYS = ("trees", "koalas", "hospitals")


def faults(given: object) -> Iterator[str]:
    """Every fault of a finished game."""
    if not isinstance(given, Mapping):
        yield 'a table {"players": {name: {"round1": ..., "round2": ...}}} is needed'
        return
    yield from _known(given, KEYS, "")
    options = given.get("options", {})
    if not isinstance(options, Mapping):
        yield "options: a table is needed"
        return
    rulings = settle_options(options)
    if isinstance(rulings, Refusal):
        yield f"options: {rulings.code}: " + ", ".join(f"{k} {v}" for k, v in rulings.values.items())
        return
    board = chosen({MAP: given.get("map")}, rulings)
    if isinstance(board, Refusal):
        told = ", ".join(f"{what} {which}" for what, which in board.values.items())
        yield f"map: {board.values.get('why') or f'{board.code}: {told}'}"
        return
    players = given.get("players")
    if not isinstance(players, Mapping) or not players:
        yield "players: a table with at least one name is needed"
        return
    for name, told in players.items():
        yield from _player(board, told, f"players.{name}")


def _known(told: Mapping[str, Any], known: tuple[str, ...], where: str) -> Iterator[str]:
    for key in told:
        if key not in known:
            meant = get_close_matches(str(key), known, 1)
            yield f"{where}{key}: no such field" + (f"; did you mean {meant[0]}?" if meant else "")


def _player(board: Map | None, told: object, where: str) -> Iterator[str]:
    if not isinstance(told, Mapping):
        yield f"{where}: a table with round1, round2 and badges is needed"
        return
    yield from _known(told, PLAYER_KEYS, f"{where}.")
    for name in ("round1", "round2"):
        yield from _round(board, told.get(name, 0), f"{where}.{name}")
    badges = told.get("badges", {})
    if isinstance(badges, Mapping):
        known = [badge.id for badge in board.badges] if board is not None else []
        for badge, which in badges.items():
            if badge not in known or which not in ("first", "later"):
                yield f"{where}.badges.{badge}: one of {', '.join(known)} with first or later is needed"
    elif not isinstance(badges, list) or any(type(points) is not int for points in badges):
        yield f"{where}.badges: a table, or a list of points, is needed"


def _round(board: Map | None, told: object, where: str) -> Iterator[str]:
    if type(told) is int:
        return
    if not isinstance(told, Mapping) or board is None:
        yield f"{where}: points, or a table with trees, koalas and hospitals, is needed"
        return
    yield from _known(told, SHEET_KEYS, f"{where}.")
    for kind, cells in (("trees", board.trees), ("koalas", board.koalas)):
        words = told.get(kind, [])
        if not isinstance(words, list):
            yield f"{where}.{kind}: a list of cells (A-b3) or areas (A) is needed"
            continue
        for word in words:
            if not isinstance(word, str) or (word not in board.area and named(word) not in cells):
                yield f"{where}.{kind}: there is no {word!r} on this map"
    sizes = {hospital.id: hospital.size for hospital in board.hospitals}
    hospitals = told.get("hospitals", {})
    if not isinstance(hospitals, Mapping):
        yield f"{where}.hospitals: a table of filled circles is needed"
        return
    for hospital, filled in hospitals.items():
        if hospital not in sizes or type(filled) is not int or not 0 <= filled <= sizes[hospital]:
            yield f"{where}.hospitals.{hospital}: 0 to {sizes.get(hospital, 0)} circles of a hospital of this map"
