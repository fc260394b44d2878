"""The sheets of Koala Rescue Club: a map on paper, circles to fill with a pen, a marker in each corner."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import BinaryIO

from companion.games.rescue.rules_map import Bonus, Map
from companion.games.rescue.sheet_layout import (
    CORNERS,
    LOW,
    MARKER,
    Box,
    Layout,
    badge_rows,
    corner_markers,
    hospital_rows,
    layout,
)
from companion.paper.page import Pages

RING, FAINT = 0.45, 0.7  # greys: a circle to fill, the cells around it
GAME = "rescue"


def rescue_sheets(
    board: Map, out: BinaryIO, words: Mapping[str, str], *, numbers: Sequence[int] = (1,), paper: str = "a4",
    lang: str = "en",
) -> int:  # fmt: skip
    """Write a PDF with a page for each sheet number into an open binary file; how many pages.

    `words`: the game's phrases. BadMap for a map too large for a page or a number that is none, BadSheet for
    an unknown paper or language.
    """
    plan = layout(board)
    pages = Pages(out, paper, lang, words[GAME], board.made_up, GAME)
    for number in numbers:
        pages.begin(None)
        _corners(pages, number)
        _header(pages, board, words, number)
        _cells(pages, plan)
        _ends(pages, plan)
        for circle in plan.circles:
            pages.ring(circle.x, circle.y, circle.r, grey=RING)
        _hospitals(pages, board, words)
        _volunteers(pages, board, plan, words)
        _badges(pages, board, words)
        _shapes(pages, board, words)
        _scores(pages, words)
        _counter(pages)
    pages.save()
    return pages.count


def _corners(pages: Pages, number: int) -> None:
    for marker, (x, y) in zip(corner_markers(number), CORNERS, strict=True):
        pages.marker(marker, x, y, MARKER)


def _header(pages: Pages, board: Map, words: Mapping[str, str], number: int) -> None:
    pages.text(28, 19, words[GAME], 13, bold=True)
    pages.text(28, 24.5, words["sheet.how"], 8, most=152)
    pages.text(28, 29.5, f"{words['sheet.name']} ______________________________", 9)
    pages.text(180, 19, f"{words['sheet.number']} {number}", 9, align="right", bold=True)
    made_up = words["map.made_up"] if board.made_up else board.name
    pages.text(180, 29.5, made_up, 7, align="right", most=70)


def _cells(pages: Pages, plan: Layout) -> None:
    for _, at in plan.cells:
        _frame(pages, at)
        small = 0.34 * at.high
        pages.picture("tree", at.x + 0.52 * at.wide, at.y + 0.08 * at.high, small)
    koalas = {circle.id.partition(":")[2] for circle in plan.circles if circle.id.startswith("koala:")}
    for (area, row, col), at in plan.cells:
        if f"{area}-{'abcdefghijkl'[col]}{row + 1}" in koalas:
            pages.picture("koala", at.x + 0.1 * at.wide, at.y + 0.58 * at.high, 0.34 * at.high)
    for sign, x, y in plan.signs:
        pages.text(x, y, sign, 12, align="right", bold=True)


def _frame(pages: Pages, at: Box) -> None:
    right, low = at.x + at.wide, at.y + at.high
    for x0, y0, x1, y1 in (
        (at.x, at.y, right, at.y), (at.x, low, right, low), (at.x, at.y, at.x, low), (right, at.y, right, low)
    ):  # fmt: skip
        pages.line(x0, y0, x1, y1, grey=FAINT)


def _ends(pages: Pages, plan: Layout) -> None:
    for _, bonus, at in plan.ends:
        side = 0.36 * at.high
        pages.picture(bonus.kind, at.x + 0.53 * at.wide, at.y + 0.5 * at.high - side / 2, side)
        told = _told(bonus)
        if told:
            pages.text(at.x + 0.53 * at.wide + side + 0.6, at.y + 0.5 * at.high + 1.1, told, 8, bold=True)


def _told(bonus: Bonus) -> str:
    return bonus.to if bonus.to else f"x{bonus.times}" if bonus.times > 1 else ""


def _hospitals(pages: Pages, board: Map, words: Mapping[str, str]) -> None:
    pages.text(12, LOW + 3, words["sheet.hospitals"], 8, bold=True)
    for n, y in hospital_rows(board):
        each = board.hospitals[n]
        pages.picture("hospital", 11, y - 2, 4)
        cost = f" ({each.penalty})" if each.penalty else ""
        pages.text(18 + each.size * 6.4, y + 1.2, f"= {each.points}{cost}", 9)


def _volunteers(pages: Pages, board: Map, plan: Layout, words: Mapping[str, str]) -> None:
    pages.text(66, LOW + 3, words["sheet.volunteers"], 8, bold=True)
    pages.text(80, LOW + 10.2, words["sheet.won"], 7, align="right", most=14)
    pages.text(80, LOW + 18.2, words["sheet.used"], 7, align="right", most=14)
    start = {f"won:{k}" for k in range(1, board.start_volunteers + 1)}
    for circle in plan.circles:
        if circle.id in start:  # circled from the first turn on
            pages.text(circle.x, circle.y - 2.9, words["sheet.start"], 6, align="middle", most=6)


def _badges(pages: Pages, board: Map, words: Mapping[str, str]) -> None:
    pages.text(137, LOW + 3, words["sheet.badges"], 8, bold=True)
    for n, y in badge_rows(board):
        badge = board.badges[n]
        asks = words[f"badge.{badge.needs}"].format(area=badge.of, count=badge.count)
        pages.text(137, y + 1, f"{n + 1}: {asks}", 7.5, most=46)
        for place, points in enumerate(badge.points):
            pages.text(188 + place * 6.4, y - 2.9, str(points), 6, align="middle")


def _shapes(pages: Pages, board: Map, words: Mapping[str, str]) -> None:
    """The six shapes as dots, three in a row."""
    left, top, step = 70.0, LOW + 24.0, 2.4
    for n, shape in enumerate(board.shapes):
        x, y = left + n % 3 * 20, top + n // 3 * 12
        pages.text(x, y + 3, f"{n + 1}", 9, bold=True)
        for row, col in shape:
            pages.ring(x + 5 + col * step * 1.2, y + 1 + row * step * 1.2, 1.2, 0.4)
    if board.shapes_source == "unverified":
        pages.text(left, top + 24, words["shape.unverified"], 5.5, most=60)


def _scores(pages: Pages, words: Mapping[str, str]) -> None:
    """The score of round 1 as figures to fill: so that one picture of the finished sheet tells both rounds."""
    pages.text(133, LOW + 34, words["sheet.round1"], 8, bold=True, most=66)
    for k in range(1, 5):
        pages.text(137 + (k - 1) * 6.4, LOW + 37, f"{k}0", 5.5, align="middle")
    pages.text(137 + 5 * 6.4, LOW + 37, "-", 5.5, align="middle")
    for k in range(10):
        pages.text(137 + k * 6.4, LOW + 46, str(k), 5.5, align="middle")


def _counter(pages: Pages) -> None:
    """Thirty squares for the numbers rolled: they tell which turn it is."""
    left, top, wide, high = 28.0, 262.0, 10.2, 7.0
    for row in range(2):
        y = top + row * high
        pages.line(left, y, left + 15 * wide, y, grey=RING)
        for column in range(16):
            x = left + column * wide
            pages.line(x, y, x, y + high, grey=RING)
        for column in range(15):
            pages.text(left + column * wide + 0.6, y + 2.2, str(row * 15 + column + 1), 4.5)
    pages.line(left, top + 2 * high, left + 15 * wide, top + 2 * high, grey=RING)
