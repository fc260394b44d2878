"""The map a game is played on: the table's own as the text of its file, else the practice map."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from companion.games.rescue.map_file import BadPlan, parse, read
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
        if not isinstance(told, str):  # from a program: cases of the rules are odd on purpose
            return parse(told if isinstance(told, Mapping) else {})
        return read(told, MAP)
    except BadPlan as fault:
        return Refusal("RESC-AMB-01", f"map_{fault.key}", fault.values)
    except BadMap as fault:
        return Refusal("RESC-AMB-01", "bad_map", {"why": str(fault)})


def entered(text: str) -> Map:
    """A map that somebody enters now, to be played or printed. BadMap, BadPlan where it cannot be.

    More is asked of it than of the map of a game that is under way: earlier versions began such games.
    """
    board = read(text, MAP)
    _ways(board)
    _shapes(board)
    return board


def doubted(given: Mapping[str, object]) -> Refusal | None:
    """Why no new game is begun on the map of this setting, although it can be read."""
    told = given.get(MAP)
    try:
        if isinstance(told, str) and told:
            entered(told)
    except BadPlan as fault:
        return Refusal("RESC-AMB-01", f"map_{fault.key}", fault.values)
    return None


def _ways(board: Map) -> None:
    """Each skybridge leads to another area, and from the start there is a way to each: else the entry is wrong."""
    ways: dict[str, set[str]] = {area: set() for area in board.area}
    for line, bonus in board.bonuses.items():
        area, _, end = line.partition(":")
        if bonus.to == area:
            n, side = int(end[3:]) + 1, "row" if end.startswith("row") else "column"
            text = f"area {area}, {side} {n}: its skybridge leads to its own area"
            raise BadPlan(f"home_{side}", text, area=area, n=n)
        ways[area].update(filter(None, [bonus.to]))
    reached, edge = set[str](), {board.start_area}
    while edge:
        reached |= edge
        edge = {to for area in edge for to in ways[area]} - reached
    lost = [area for area in board.area if area not in reached]
    if lost:
        raise BadPlan("no_way", f"area {lost[0]}: no skybridge leads there", area=lost[0])


def _shapes(board: Map) -> None:
    """The circles of a shape touch each other: else one of them was tapped by mistake."""
    for number, shape in enumerate(board.shapes, 1):
        left, edge = set(shape), set(shape[:1])
        while edge:
            left -= edge
            around = [
                spot
                for row, col in edge
                for spot in ((row + 1, col), (row - 1, col), (row, col + 1), (row, col - 1))
            ]
            edge = left.intersection(around)
        if left:
            text = f"shapes: the circles of the shape of a {number} do not touch each other side by side"
            raise BadPlan("shape", text, number=number)
