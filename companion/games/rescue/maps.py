"""The map a game is played on: the table's own as the text of its file, else the practice map."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from companion.games.rescue.map_file import parse, read
from companion.games.rescue.options import MAP, Rulings, ruled
from companion.games.rescue.rules_map import BadMap, Map
from companion.table.game import Refusal


@cache  # the package's own file does not change
def practice() -> Map:
    """The practice map that comes with the companion."""
    path = files("companion.games.rescue") / "map.toml"
    return read(path.read_text("utf-8"), "companion/games/rescue/map.toml")


def chosen(given: Mapping[str, object], rulings: Rulings) -> Map | Refusal | None:
    """The map of a setting: `options["map"]` as TOML text or as plain data; None: the game is played without one.

    It travels with the setting, so that a journal folds to the same game when the file has changed.
    """
    told = given.get(MAP)
    if told is None or told == "":
        return practice() if ruled(rulings, 1, "practice_map") else None
    try:
        return read(told, MAP) if isinstance(told, str) else parse(told if isinstance(told, Mapping) else {})
    except BadMap as fault:
        return Refusal("RESC-AMB-01", "bad_map", {"why": str(fault)})
