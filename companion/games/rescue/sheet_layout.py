"""Where everything stands on our printable sheet: circles to fill, corner markers, signs. Pure; lengths in mm.

The page is A4 or Letter, upright, from its upper left corner, y down. Every circle has a name:
"tree:A-a1", "koala:A-a1", "bonus:A-row0", "won:1", "used:1", "bed:h4:1", "badge:x:first", "tens:1", "ones:7".
"""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.rescue.rules_draw import name
from companion.games.rescue.rules_map import Area, BadMap, Bonus, Cell, Map
from companion.table.things import value

SHEETS = 64  # sheet numbers that the two upper markers can tell apart
UPPER_LEFT, UPPER_RIGHT = range(630, 638), range(638, 646)
LOWER_LEFT, LOWER_RIGHT = 646, 647
MARKER = 14.0
CORNERS = ((10.0, 14.0), (186.0, 14.0), (10.0, 262.0), (186.0, 262.0))  # UL, UR, LL, LR: upper left corners
MAP_TOP, MAP_HIGH = 33.0, 165.0
MAP_LEFT, MAP_WIDE = 12.0, 184.0
CELL = (15.0, 13.0)  # at most
RADIUS, SMALLEST = 2.4, 1.7
LOW = 203.0  # where the lower block begins
STEP = 6.4  # from circle to circle in a row


@value
class Circle:
    """A circle to fill: its name, centre and radius."""

    id: str
    x: float
    y: float
    r: float


@value
class Box:
    """A cell of the map on paper, or the end of a line: upper left corner and size."""

    x: float
    y: float
    wide: float
    high: float


@value
class Layout:
    """A map on paper."""

    circles: tuple[Circle, ...]
    cells: tuple[tuple[Cell, Box], ...]
    ends: tuple[tuple[str, Bonus, Box], ...]
    signs: tuple[tuple[str, float, float], ...]


def corner_markers(sheet: int) -> tuple[int, int, int, int]:
    """The markers of sheet 1 to 64, in the order of CORNERS: the two upper ones tell its number."""
    if not 1 <= sheet <= SHEETS:
        raise BadMap(f"sheet {sheet}: sheets are numbered from 1 to {SHEETS}")
    high, low = divmod(sheet - 1, len(UPPER_RIGHT))
    return UPPER_LEFT[high], UPPER_RIGHT[low], LOWER_LEFT, LOWER_RIGHT


def sheet_number(upper_left: int, upper_right: int) -> int | None:
    """The number that two upper markers tell; None if they are none."""
    if upper_left not in UPPER_LEFT or upper_right not in UPPER_RIGHT:
        return None
    return 1 + UPPER_LEFT.index(upper_left) * len(UPPER_RIGHT) + UPPER_RIGHT.index(upper_right)


def layout(board: Map) -> Layout:
    """Where a map's circles stand. BadMap for a map too large for one page."""
    spots = _spots(board)
    rows = 1 + max(top + len(board.area[id].rows) for id, (top, _) in spots.items())
    columns = 1 + max(left + board.area[id].width for id, (_, left) in spots.items())
    wide, high = min(CELL[0], MAP_WIDE / columns), min(CELL[1], MAP_HIGH / rows)
    radius = min(RADIUS, 0.19 * wide, 0.19 * high)
    if radius < SMALLEST:
        raise BadMap(
            f"{rows} x {columns} cells are too many for one page: its circles would be too small to fill"
        )
    left = MAP_LEFT + (MAP_WIDE - columns * wide) / 2

    def box(row: int, col: int) -> Box:
        return Box(left + col * wide, MAP_TOP + row * high, wide, high)

    cells, ends, signs = [], [], []
    for area in board.areas:
        top, first = spots[area.id]
        own = sorted(board.trees_of[area.id])
        cells += [(cell, box(top + cell[1], first + cell[2])) for cell in own]
        ends += [(line, bonus, box(top + row, first + col)) for line, bonus, row, col in _ends(area)]
        start = box(top + own[0][1], first + own[0][2])
        signs.append((area.id, start.x - 1.5, start.y + 0.45 * high))
    circles = [circle for cell, where in cells for circle in _pair(board, cell, where, radius)]
    circles += [
        Circle(f"bonus:{line.replace(':', '-')}", at.x + 0.3 * at.wide, at.y + 0.5 * at.high, radius)
        for line, _, at in ends
    ]
    return Layout((*circles, *_lower(board)), tuple(cells), tuple(ends), tuple(signs))


def _spots(board: Map) -> dict[str, tuple[int, int]]:
    """Where each area is printed: as the map says, else one beside the other, room for its bonuses between."""
    found: dict[str, tuple[int, int]] = {}
    row = col = tallest = 0
    for area in board.areas:
        if area.at is not None:
            found[area.id] = area.at
            continue
        if col and col + area.width + 1 > 12:
            row, col, tallest = row + tallest + 2, 0, 0
        found[area.id] = row, col
        col, tallest = col + area.width + 2, max(tallest, len(area.rows))
    return found


def _ends(area: Area) -> Iterator[tuple[str, Bonus, int, int]]:
    """Each bonus and its cell: right of its row, below its column."""
    for row, bonus in enumerate(area.row_bonus):
        if bonus is not None:
            yield f"{area.id}:row{row}", bonus, row, area.width
    for col, bonus in enumerate(area.col_bonus):
        if bonus is not None:
            yield f"{area.id}:col{col}", bonus, len(area.rows), col


def _pair(board: Map, cell: Cell, at: Box, radius: float) -> Iterator[Circle]:
    """Tree upper left, koala lower right: so a tick's tail does not run into its neighbour."""
    yield Circle(f"tree:{name(cell)}", at.x + 0.27 * at.wide, at.y + 0.32 * at.high, radius)
    if cell in board.koalas:
        yield Circle(f"koala:{name(cell)}", at.x + 0.73 * at.wide, at.y + 0.69 * at.high, radius)


def _row(names: Iterator[str], x: float, y: float) -> Iterator[Circle]:
    for n, each in enumerate(names):
        yield Circle(each, x + n * STEP, y, RADIUS)


def hospital_rows(board: Map) -> Iterator[tuple[int, float]]:
    """Each hospital by its place, and how far down it stands."""
    for n in range(len(board.hospitals)):
        yield n, LOW + 9 + n * 8


def badge_rows(board: Map) -> Iterator[tuple[int, float]]:
    """Each badge by its place, and how far down it stands."""
    for n in range(len(board.badges)):
        yield n, LOW + 9 + n * 8


def _lower(board: Map) -> Iterator[Circle]:
    """Hospitals on the left, volunteers in the middle, badges and the score of round 1 on the right."""
    if len(board.hospitals) > 6 or len(board.badges) > 3 or board.slots > 8:
        raise BadMap("the page has room for 6 hospitals, 3 badges and 8 volunteers")
    for n, y in hospital_rows(board):
        hospital = board.hospitals[n]
        yield from _row((f"bed:{hospital.id}:{k}" for k in range(1, hospital.size + 1)), 18, y)
    yield from _row((f"won:{k}" for k in range(1, board.slots + 1)), 84, LOW + 9)
    yield from _row((f"used:{k}" for k in range(1, board.slots + 1)), 84, LOW + 17)
    for n, y in badge_rows(board):
        yield from _row((f"badge:{board.badges[n].id}:{which}" for which in ("first", "later")), 188, y)
    yield from _row((f"tens:{k}" for k in range(1, 5)), 137, LOW + 40)
    yield Circle("minus", 137 + 5 * STEP, LOW + 40, RADIUS)
    yield from _row((f"ones:{k}" for k in range(10)), 137, LOW + 49)
