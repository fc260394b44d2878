"""A map's file: map.toml becomes a map and a map becomes its file again. Pure: text in, text out."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from typing import Any

from companion.games.rescue.rules_map import (
    KINDS,
    KOALA,
    LARGEST,
    NEEDS,
    NOTHING,
    RANKS,
    RULEBOOK_RANKS,
    TREE,
    Area,
    Badge,
    BadMap,
    Bonus,
    Hospital,
    Map,
)
from companion.games.rescue.rules_shapes import PRESET, PRESET_NAME, Cells


class BadPlan(BadMap):
    """A map that can be read and contradicts itself; `key` and `values`: the phrase "no.map_<key>" that says it."""

    def __init__(self, key: str, text: str, **values: str | int) -> None:
        """`text`: the same for whoever has only the file."""
        super().__init__(text)
        self.key, self.values = key, values


def read(text: str, where: str = "map.toml") -> Map:
    """A map from a file's text. BadMap names the line or the entry that is wrong."""
    try:
        raw = tomllib.loads(text.removeprefix("\ufeff"))  # a byte order mark of an editor
    except RecursionError as fault:
        raise BadMap(f"{where}: it is nested far too deep") from fault
    except ValueError as fault:  # no TOML, or a number of thousands of figures
        raise BadMap(f"{where}: no TOML: {fault}; compare it with the practice map") from fault
    try:
        return parse(raw)
    except BadPlan as fault:
        raise BadPlan(fault.key, f"{where}: {fault}", **fault.values) from fault
    except BadMap as fault:
        raise BadMap(f"{where}: {fault}") from fault
    except (TypeError, ValueError, AttributeError, KeyError, OverflowError) as fault:
        raise BadMap(f"{where}: {fault}; compare it with the practice map") from fault


def write(board: Map) -> str:
    """The file of a map: `read` gives the same map back."""
    lines = [
        f"name = {_quoted(board.name)}", f"source = {_quoted(board.source)}",
        f"verified = {_flag(board.verified)}", f"made_up = {_flag(board.made_up)}",
        f"start_area = {_quoted(board.start_area)}", f"start_volunteers = {board.start_volunteers}",
        f"volunteer_slots = {board.slots}", f"ranks = {list(board.ranks)}",
        f"shapes_source = {_quoted(board.shapes_source)}",
    ]  # fmt: skip
    if board.shapes != PRESET:
        lines.append(f"shapes = {[[list(cell) for cell in shape] for shape in board.shapes]}")
    for area in board.areas:
        lines += ["", "[[areas]]", f"id = {_quoted(area.id)}"]
        lines += [f"at = {list(area.at)}"] if area.at is not None else []
        lines.append(f"rows = [{', '.join(_quoted(row) for row in area.rows)}]")
        for side, own in (("row_bonus", area.row_bonus), ("col_bonus", area.col_bonus)):
            lines.append(f"{side} = [{', '.join(_quoted(_word(bonus)) for bonus in own)}]")
    for hospital in board.hospitals:
        lines += [
            "", "[[hospitals]]", f"id = {_quoted(hospital.id)}", f"size = {hospital.size}",
            f"points = {hospital.points}", f"penalty = {hospital.penalty}",
        ]  # fmt: skip
    for badge in board.badges:
        lines += [
            "", "[[badges]]", f"id = {_quoted(badge.id)}", f"points = {list(badge.points)}",
            f"needs = {_quoted(badge.needs)}", f"of = {_quoted(badge.of)}", f"count = {badge.count}",
        ]  # fmt: skip
    return "\n".join(lines) + "\n"


def _quoted(word: str) -> str:
    plain = word.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(each if each.isprintable() else " " for each in plain) + '"'


def _flag(yes: bool) -> str:
    return "true" if yes else "false"


def _word(bonus: Bonus | None) -> str:
    if bonus is None:
        return ""
    return " ".join(
        [bonus.kind, *([f"x{bonus.times}"] if bonus.times > 1 else []), *filter(None, [bonus.to])]
    )


def parse(raw: Mapping[str, Any]) -> Map:
    """A map from plain data (a map.toml, or JSON). BadMap names the place that is wrong.

    Areas: id, rows of "K" (koala), "T" (tree alone), "." (nothing), row_bonus and col_bonus, each a list of
    words ("tree", "hospital x2", "skybridge B", "" for none) or of tables {kind, times, to}.
    """
    areas = tuple(_area(row, f"areas[{n}]") for n, row in enumerate(_list(raw, "areas")))
    shapes = raw.get("shapes")
    whole = Map(
        str(raw.get("name", "map")), areas,
        tuple(_hospital(row, f"hospitals[{n}]") for n, row in enumerate(_list(raw, "hospitals", True))),
        tuple(_badge(row, f"badges[{n}]") for n, row in enumerate(_list(raw, "badges", True))),
        str(raw.get("start_area", areas[0].id if areas else "A")),
        _number(raw, "start_volunteers", 0, 0, 20), _number(raw, "volunteer_slots", 6, 0, 20),
        PRESET if shapes is None else _shapes(shapes),
        str(raw.get("shapes_source", PRESET_NAME if shapes is None else "")),
        tuple(raw.get("ranks", RULEBOOK_RANKS)), str(raw.get("source", "owner")),
        bool(raw.get("verified", False)), bool(raw.get("made_up", False)),
    )  # fmt: skip
    _whole(whole)
    return whole


def _list(raw: Mapping[str, Any], name: str, may_miss: bool = False) -> Sequence[Any]:
    rows = raw.get(name, [] if may_miss else None)
    if not isinstance(rows, list | tuple) or (not rows and not may_miss):
        raise BadMap(f"{name}: a list with at least one entry is needed")
    return rows


def _number(raw: Mapping[str, Any], name: str, default: int, low: int, high: int) -> int:
    number = raw.get(name, default)
    if type(number) is not int or not low <= number <= high:
        raise BadMap(f"{name}: a whole number from {low} to {high} is needed, not {number!r}")
    return number


def _table(row: Any, where: str) -> Mapping[str, Any]:
    if not isinstance(row, Mapping):
        raise BadMap(f"{where}: a table is needed, not {row!r}")
    return row


def _area(given: Any, where: str) -> Area:
    row = _table(given, where)
    rows = tuple(str(line) for line in _list(row, "rows"))
    name = str(row.get("id", ""))
    if not name.isalpha() or not name.isupper():
        raise BadMap(f"{where}.id: a capital letter is needed, not {name!r}")
    if len({len(line) for line in rows}) != 1 or not 1 <= len(rows[0]) <= LARGEST or len(rows) > LARGEST:
        raise BadMap(f"{where}.rows: rows of one length are needed, at most {LARGEST} x {LARGEST}")
    strange = sorted(set("".join(rows)) - set(TREE + KOALA + NOTHING))
    if strange:
        raise BadMap(
            f"{where}.rows: {strange[0]!r} is no cell; write K (koala), T (tree alone) or . (nothing)"
        )
    at = row.get("at")
    if at is not None and (len(at) != 2 or any(type(n) is not int or not 0 <= n <= 99 for n in at)):
        raise BadMap(f"{where}.at: [row, column] on the sheet is needed, both from 0")
    right = _ends(row, "row_bonus", len(rows), where)
    below = _ends(row, "col_bonus", len(rows[0]), where)
    return Area(name, rows, right, below, None if at is None else (at[0], at[1]))


def _ends(row: Mapping[str, Any], side: str, size: int, where: str) -> tuple[Bonus | None, ...]:
    """The bonuses at the ends of the rows or columns; lines without one behind them need not be told."""
    given = list(row.get(side, ()))
    if len(given) > size:
        raise BadMap(f"{where}.{side}: {len(given)} bonuses for {size} lines; take some away")
    own = [_bonus(each, f"{where}.{side}[{n}]") for n, each in enumerate(given)]
    return (*own, *(None,) * (size - len(own)))


def _bonus(given: Any, where: str) -> Bonus | None:
    if given is None or given == "":
        return None
    if isinstance(given, str):
        kind, *rest = given.split()
        times = next((word[1:] for word in rest if word[:1] == "x" and word[1:].isdecimal()), "1")
        given = {"kind": kind, "times": int(times), "to": next((w for w in rest if w.isupper()), "")}
    row = _table(given, where)
    kind = str(row.get("kind"))
    if kind not in KINDS:
        raise BadMap(f"{where}: {kind!r} is no bonus; known: {', '.join(KINDS)}")
    if kind == "skybridge" and not row.get("to"):
        raise BadMap(f"{where}: a skybridge leads somewhere; write it as 'skybridge B'")
    return Bonus(kind, _number(row, "times", 1, 1, 9), str(row.get("to", "")))


def _hospital(given: Any, where: str) -> Hospital:
    row = _table(given, where)
    return Hospital(
        str(row.get("id", where)), _number(row, "size", 0, 1, 9), _number(row, "points", 0, 0, 20),
        _number(row, "penalty", 0, -20, 0),
    )  # fmt: skip


def _badge(given: Any, where: str) -> Badge:
    row = _table(given, where)
    points, need = row.get("points", ()), str(row.get("needs", ""))
    if len(points) != 2 or any(type(n) is not int for n in points) or points[0] < points[1]:
        raise BadMap(f"{where}.points: [first, later] is needed, the first not below the later")
    if need not in NEEDS:
        raise BadMap(f"{where}.needs: {need!r} is nothing a badge asks for; known: {', '.join(NEEDS)}")
    return Badge(
        str(row.get("id", where)), (points[0], points[1]), need, str(row.get("of", "")),
        _number(row, "count", 0, 0, 99),
    )  # fmt: skip


def _shapes(given: Any) -> tuple[Cells, ...]:
    rows: list[Any] = (
        [given.get(str(n), ()) for n in range(1, 7)] if isinstance(given, Mapping) else list(given)
    )
    if len(rows) != 6 or any(any(len(cell) != 2 for cell in row) for row in rows):
        raise BadMap("shapes: six shapes are needed, each a list of [row, column]")
    empty = next((number for number, row in enumerate(rows, 1) if not row), 0)
    if empty:
        raise BadPlan("shape", f"shapes: the shape of a {empty} needs a circle at least", number=empty)
    return tuple(tuple((int(cell[0]), int(cell[1])) for cell in row) for row in rows)


def _whole(whole: Map) -> None:
    """What no part can tell by itself."""
    ids = [area.id for area in whole.areas]
    if len(set(ids)) != len(ids):
        names = ", ".join(sorted({i for i in ids if ids.count(i) > 1}))
        raise BadPlan("twice", f"areas: {names} is given twice", names=names)
    if whole.start_area not in ids:
        raise _no_area("start_area", whole.start_area, ids)
    for line, bonus in whole.bonuses.items():
        if bonus.to and bonus.to not in ids:
            raise _no_area(f"{line}: its skybridge leads to {bonus.to}", bonus.to, ids)
    for badge in whole.badges:
        if badge.needs in ("trees", "koalas") and badge.of not in ids:
            raise _no_area(f"badge {badge.id}", badge.of, ids)
    for things in (whole.hospitals, whole.badges):
        own = [thing.id for thing in things]
        if len(set(own)) != len(own):
            names = ", ".join(sorted({n for n in own if own.count(n) > 1}))
            raise BadPlan("twice", f"{names} is given twice", names=names)
    _apart(whole)
    if whole.start_volunteers > whole.slots:
        text = f"start_volunteers: {whole.start_volunteers} of {whole.slots} circles; lower it"
        raise BadPlan("volunteers", text, count=whole.start_volunteers, most=whole.slots)
    rising = all(type(rank) is int for rank in whole.ranks) and list(whole.ranks) == sorted(set(whole.ranks))
    if not rising or len(whole.ranks) != len(RANKS) - 1:
        text = f"ranks: {len(RANKS) - 1} numbers are needed, rising: the lowest score of each rank above the first"
        raise BadPlan("ranks", text, count=len(RANKS) - 1)


def _no_area(where: str, area: str, ids: Sequence[str]) -> BadPlan:
    known = ", ".join(ids)
    return BadPlan("no_area", f"{where}: there is no area {area!r}; known: {known}", area=area, known=known)


def _apart(whole: Map) -> None:
    """Two areas may not be printed over each other."""
    taken: dict[tuple[int, int], str] = {}
    for area in whole.areas:
        for _, row, col in sorted(whole.trees_of[area.id]) if area.at is not None else ():
            assert area.at is not None, "asked just now"
            spot = area.at[0] + row, area.at[1] + col
            if spot in taken:
                text = (
                    f"area {area.id}: its tree in row {row + 1}, column {col + 1} lies on area {taken[spot]}"
                )
                other = taken[spot]
                raise BadPlan("overlap", text, area=area.id, other=other, row=spot[0] + 1, column=spot[1] + 1)
            taken[spot] = area.id
