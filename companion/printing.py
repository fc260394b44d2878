"""Sheets as a PDF, for the command and for the page."""

from __future__ import annotations

import re
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.shelf import LANGS, deck, folders, phrases
from companion.telling import BadOption
from companion.writing import PDF, save

if TYPE_CHECKING:
    from companion.games.rescue.rules_map import Map

FILLED = "rescue"  # the game whose sheets are filled in with a pen
LONGEST = 10  # figures of a number that somebody may mean
_ADDRESS = re.compile(r"https?://[^\s/]+(/\S*)?", re.IGNORECASE)


def printed(game: str, output: Path, **wishes: Any) -> str:
    """Write the PDF of a game's stickers, plates and player cards."""
    content, pages = drawn_sheets(game, **wishes)
    save(output, content, "-o", over=PDF)  # a sheet that was refused has left an older file alone
    return f"{output}: {pages} pages. Print at 100 % and check the 100 mm ruler on each."


def drawn_sheets(
    game: str, *, paper: str = "a4", marker_mm: float = 12.0, lang: str = "en", join: str | None = None,
    parts: tuple[str, ...] = (), cards: str | None = None, labels: str | None = None, players: tuple[str, ...] = (),
) -> tuple[bytes, int]:  # fmt: skip
    """The PDF and its number of pages; `cards` as "1-20"."""
    from companion.paper.sheets import PARTS, sheets  # noqa: PLC0415  # reportlab is loaded only where it is used

    if join is not None and not 0 < len(join) <= 200:
        raise BadOption(f"--join: an address has 1 to 200 characters, not {len(join)}")
    if join is not None and not _ADDRESS.fullmatch(join):
        raise BadOption(
            f"--join {join}: a phone opens no such address. Write it as http://koala.local:8080/j"
        )
    names, drawn = phrases()[game].texts[lang], BytesIO()
    done = sheets(
        deck(game), names, drawn, paper=paper, marker_mm=marker_mm, lang=lang, join_url=join,
        parts=parts or PARTS, cards=None if not cards else _range(cards), labels=labels or None, players=players,
    )  # fmt: skip
    return drawn.getvalue(), done.pages


def _range(cards: str) -> tuple[int, int]:
    """One card or several, 7 or 1-20, as numbers; BadOption for anything else."""
    found = ends(cards)
    if found is None:
        raise BadOption(f"cards {cards!r}: write 7 or 1-20")
    return found


def ends(text: str) -> tuple[int, int] | None:
    """7 as (7, 7), 1-20 as (1, 20); None for anything else."""
    first, dash, last = text.partition("-")
    both = (first, last if dash else first)
    if not all(end.isdecimal() and len(end) < LONGEST for end in both):
        return None
    return int(both[0]), int(both[1])


def printed_for_screen(game: str, wishes: Mapping[str, str]) -> bytes:
    """The PDF that the print page asks for; BadOption or BadSheet says in words what cannot be printed."""
    known = {"paper", "mm", "lang", "parts", "cards", "labels", "join", "sheets", "map"}
    strange = sorted(wishes.keys() - known)
    if strange or game not in folders():
        raise BadOption(
            f"{', '.join(strange) or game}: known are {', '.join(sorted(known))}; {', '.join(folders())}"
        )
    try:
        side = float(wishes.get("mm") or 12)
    except ValueError as fault:
        raise BadOption(f"mm={wishes['mm']}: write a number such as 12") from fault
    lang = wishes.get("lang") or "en"
    if lang not in LANGS:
        raise BadOption(f"lang={lang}: {' or '.join(LANGS)}")
    if game == FILLED and wishes.get("parts") == "sheets":
        return _to_fill(wishes, lang)
    content, _ = drawn_sheets(
        game, paper=wishes.get("paper") or "a4", marker_mm=side, lang=lang, join=wishes.get("join") or None,
        parts=tuple(filter(None, wishes.get("parts", "").split(","))), cards=wishes.get("cards"),
        labels=wishes.get("labels"),
    )  # fmt: skip
    return content


def _to_fill(wishes: Mapping[str, str], lang: str) -> bytes:
    """Empty numbered sheets, of the map that is given as the text of its file, else of the practice map."""
    from companion.games.rescue.map_file import BadPlan  # noqa: PLC0415  # a table may play and print other games only
    from companion.games.rescue.maps import entered, practice  # noqa: PLC0415  # as above
    from companion.games.rescue.sheet_layout import SHEETS  # noqa: PLC0415  # as above

    asked = wishes.get("sheets") or "1"
    first, last = ends(asked) or (0, 0)
    if not 1 <= first <= last <= SHEETS:
        raise BadOption(f"sheets {asked}: write 7 or 1-30, at most {SHEETS}")
    try:
        board = entered(wishes["map"]) if wishes.get("map") else practice()
    except BadPlan as fault:
        words = phrases()[FILLED].texts[lang]
        raise BadOption(words[f"no.map_{fault.key}"].format_map(fault.values)) from fault
    return sheets_to_fill(board, range(first, last + 1), wishes.get("paper") or "a4", lang)[0]


def sheets_to_fill(board: Map, numbers: range, paper: str, lang: str) -> tuple[bytes, int]:
    """Empty sheets of a map with these numbers, as a PDF, and how many they are."""
    from companion.paper.rescue_sheet import rescue_sheets  # noqa: PLC0415  # reportlab is loaded only where it is used

    drawn, words = BytesIO(), phrases()[FILLED].texts[lang]
    pages = rescue_sheets(board, drawn, words, numbers=numbers, paper=paper, lang=lang)
    return drawn.getvalue(), pages
