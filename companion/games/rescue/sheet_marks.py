"""What is filled in on a printed sheet becomes a sheet, and every mark that cannot be is named. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from companion.games.rescue.options import Rulings
from companion.games.rescue.rules_badges import TURNS
from companion.games.rescue.rules_draw import name, named
from companion.games.rescue.rules_map import Cell, Map
from companion.games.rescue.rules_sheet import Sheet, complete, earned
from companion.games.rescue.sheet_layout import layout
from companion.table.effects import Say
from companion.table.things import value


@value
class Told:
    """A sheet as its owner left it: what is drawn, badge points, what is written for round 1; faults by mark."""

    sheet: Sheet
    badges: dict[str, str]  # badge: first or later
    round1: int | None
    faults: tuple[tuple[str, Say], ...]  # the mark that cannot be, and why


def told(board: Map, marks: Collection[str], rulings: Rulings) -> Told:
    """Judge the filled circles by their names."""
    sheet = _drawn(board, marks)
    badges = {
        badge.id: which
        for badge in board.badges
        for which in ("later", "first")
        if f"badge:{badge.id}:{which}" in marks
    }
    faults = (
        *_cells(sheet), *_lines(board, sheet, rulings), *_counts(board, sheet, marks),
        *_badges(board, sheet, marks, rulings), *_number(marks),
    )  # fmt: skip
    return Told(sheet, badges, _round1(marks), faults)


def marked(board: Map, sheet: Sheet, badges: dict[str, str], round1: int | None) -> frozenset[str]:
    """The circles that stand for a sheet: what `told` reads back."""
    out = {f"tree:{name(cell)}" for cell in sheet.trees} | {f"koala:{name(cell)}" for cell in sheet.koalas}
    out |= {f"bonus:{line.replace(':', '-')}" for line in sheet.claimed}
    out |= {f"won:{k}" for k in range(1, sheet.circled + 1)} | {f"used:{k}" for k in range(1, sheet.used + 1)}
    for hospital, filled in zip(board.hospitals, sheet.beds, strict=True):
        out |= {f"bed:{hospital.id}:{k}" for k in range(1, filled + 1)}
    out |= {f"badge:{badge}:{which}" for badge, which in badges.items()}
    if round1 is not None:
        out |= {f"ones:{abs(round1) % 10}"} | ({f"tens:{abs(round1) // 10}"} if abs(round1) > 9 else set())
        out |= {"minus"} if round1 < 0 else set()
    known = {circle.id for circle in layout(board).circles}
    return frozenset(out & known)


def _named(marks: Collection[str], kind: str) -> frozenset[Cell]:
    cells = (named(mark.removeprefix(kind)) for mark in marks if mark.startswith(kind))
    return frozenset(cell for cell in cells if cell is not None)


def _drawn(board: Map, marks: Collection[str]) -> Sheet:
    claimed = frozenset(line for line in board.bonuses if f"bonus:{line.replace(':', '-')}" in marks)
    connected, grown = {board.start_area}, True
    while grown:  # a bridge counts once its own area is reached
        before = len(connected)
        for line in claimed:
            bonus = board.bonuses[line]
            if bonus.kind == "skybridge" and line.partition(":")[0] in connected:
                connected.add(bonus.to)
        grown = len(connected) > before
    beds = tuple(len(_row(marks, f"bed:{each.id}:", each.size)) for each in board.hospitals)
    return Sheet(
        _named(marks, "tree:"), _named(marks, "koala:"), frozenset(connected), _circled(board, marks),
        len(_row(marks, "used:", board.slots)), beds, claimed, len(connected) - 1,
    )  # fmt: skip


def _row(marks: Collection[str], kind: str, size: int) -> list[str]:
    """The marks in a row of circles, first to last."""
    return [mark for mark in (f"{kind}{k}" for k in range(1, size + 1)) if mark in marks]


def _circled(board: Map, marks: Collection[str]) -> int:
    """The volunteers of the start are circled from the first turn on (RESC-VOL-07): nobody need mark them."""
    own = {f"won:{k}" for k in range(1, board.start_volunteers + 1)}
    return len(own | {*_row(marks, "won:", board.slots)})


def _cells(sheet: Sheet) -> Iterator[tuple[str, Say]]:
    for cell in sorted(sheet.koalas - sheet.trees):
        yield f"koala:{name(cell)}", Say("no.koala_needs_circled_tree", {"cell": name(cell)})
    for cell in sorted(sheet.koalas & sheet.trees):
        if cell[0] not in sheet.connected:
            yield f"koala:{name(cell)}", Say("no.area_not_connected", {"area": cell[0]})
    for cell in sorted(sheet.trees):
        if cell[0] not in sheet.connected:
            yield f"tree:{name(cell)}", Say("no.area_not_connected", {"area": cell[0]})


def _lines(board: Map, sheet: Sheet, rulings: Rulings) -> Iterator[tuple[str, Say]]:
    done = complete(board, sheet, rulings)
    for line in board.bonuses:
        if line in sheet.claimed and line not in done:
            yield f"bonus:{line.replace(':', '-')}", Say("no.line_not_complete", {"line": line})


def _counts(board: Map, sheet: Sheet, marks: Collection[str]) -> Iterator[tuple[str, Say]]:
    """More than thirty turns and the filled bonuses can have brought; the last mark is named, as it can be spared."""
    won = board.start_volunteers + _given(board, sheet, "volunteer")
    if sheet.circled > won:
        last = _row(marks, "won:", board.slots)[-1]
        yield last, Say("fault.volunteers", {"count": sheet.circled, "most": won})
    if sheet.used > sheet.circled:
        last = _row(marks, "used:", board.slots)[-1]
        yield last, Say("fault.used", {"count": sheet.used, "most": sheet.circled})
    beds, most = sum(sheet.beds), _given(board, sheet, "hospital")
    if beds > most:
        yield _spare_bed(board, sheet, marks), Say("fault.hospitals", {"count": beds, "most": most})
    largest = max(len(shape) for shape in board.shapes)
    most = TURNS * largest + _given(board, sheet, "tree") + _given(board, sheet, "koala")
    count = len(sheet.trees) + len(sheet.koalas)
    if count > most:
        last = f"tree:{name(max(sheet.trees))}" if sheet.trees else f"koala:{name(max(sheet.koalas))}"
        yield last, Say("fault.circles", {"count": count, "most": most})


def _spare_bed(board: Map, sheet: Sheet, marks: Collection[str]) -> str:
    """The last circle of the last hospital that was begun; of one that is not finished, if there is any."""
    begun = [
        (filled < each.size, n)
        for n, (each, filled) in enumerate(zip(board.hospitals, sheet.beds, strict=True))
        if filled
    ]
    hospital = board.hospitals[max(begun)[1]]
    return _row(marks, f"bed:{hospital.id}:", hospital.size)[-1]


def _given(board: Map, sheet: Sheet, kind: str) -> int:
    return sum(board.bonuses[line].times for line in sheet.claimed if board.bonuses[line].kind == kind)


def _badges(board: Map, sheet: Sheet, marks: Collection[str], rulings: Rulings) -> Iterator[tuple[str, Say]]:
    have = earned(board, sheet, rulings)
    for n, badge in enumerate(board.badges, 1):
        both = [which for which in ("first", "later") if f"badge:{badge.id}:{which}" in marks]
        if len(both) == 2:
            yield f"badge:{badge.id}:later", Say("fault.both_circles", {"badge": n})
        if both and badge.id not in have:
            yield f"badge:{badge.id}:{both[0]}", Say("fault.badge", {"badge": n})


def _round1(marks: Collection[str]) -> int | None:
    ones = [n for n in range(10) if f"ones:{n}" in marks]
    if not ones:
        return None
    tens = [n for n in range(1, 5) if f"tens:{n}" in marks]
    number = (tens[0] if tens else 0) * 10 + ones[0]
    return -number if "minus" in marks else number


def _number(marks: Collection[str]) -> Iterator[tuple[str, Say]]:
    for row in ("tens:", "ones:"):
        more = sorted(mark for mark in marks if mark.startswith(row))
        if len(more) > 1:
            yield more[1], Say("fault.two_numbers")
    written = "minus" in marks or any(mark.startswith("tens:") for mark in marks)
    if written and not any(mark.startswith("ones:") for mark in marks):
        yield "ones:0", Say("fault.no_ones")
