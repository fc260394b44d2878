"""Player cards: a name, the join code for a phone, and the same address in letters and figures."""

from __future__ import annotations

from collections.abc import Sequence

import qrcode

from companion.paper.page import FOOT, TOP, Pages

CARD = (90.0, 55.0)  # mm
CODE = 35.0  # mm, a join code's side
QUIET = 7.0  # mm of white around it: four modules of the smallest code, which has 21
SEATS = 10  # cards printed when no names are given


def player_cards(pages: Pages, url: str, players: Sequence[str]) -> None:
    """Print a card for each player, or numbered ones for a full table."""
    pages.begin(pages.words["players"])
    wide, high = CARD
    rows = int((pages.height - TOP - FOOT) // high)
    left = (pages.width - 2 * wide) / 2
    people = list(players) or [f"{pages.words['seat']} {number}" for number in range(1, SEATS + 1)]
    code = _code(url)
    for first in range(0, len(people), 2 * rows):
        sheet = people[first : first + 2 * rows]
        if first:
            pages.begin(pages.words["players"])
        pages.grid(left, TOP, wide, high, 2, -(-len(sheet) // 2))
        for place, name in enumerate(sheet):
            _card(pages, name, url, code, left + place % 2 * wide, TOP + place // 2 * high)


def _card(pages: Pages, name: str, url: str, code: list[list[bool]], x: float, y: float) -> None:
    wide, high = CARD
    room = wide - CODE - 2 * QUIET - 3
    pages.text(x + 6, y + 15, name, 18, bold=True, most=room)
    pages.text(x + 6, y + high - 13, pages.words["join"], 8)
    pages.text(x + 6, y + high - 6.5, url, 10, most=wide - 12)
    pages.squares(code, x + wide - CODE - QUIET, y + QUIET, CODE)


def _code(url: str) -> list[list[bool]]:
    """A QR code's modules, dark is True, without a border."""
    code = qrcode.QRCode(error_correction=qrcode.constants.ERROR_CORRECT_M, border=0)
    code.add_data(url)
    code.make(fit=True)
    return [[bool(dark) for dark in row] for row in code.get_matrix()]
