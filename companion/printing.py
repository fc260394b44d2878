"""Sheets as a PDF, for the command and for the page."""

from __future__ import annotations

import re
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from typing import Any

from companion.shelf import LANGS, deck, folders, phrases
from companion.telling import BadOption
from companion.writing import PDF, save

FILLED = "rescue"  # the game whose sheets are filled in with a pen
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
    first, dash, last = cards.partition("-")
    if not first.isdecimal() or (dash and not last.isdecimal()):
        raise BadOption(f"cards {cards!r}: write 7 or 1-20")
    return int(first), int(last if dash else first)


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
    from companion.paper.rescue_sheet import rescue_sheets  # noqa: PLC0415  # reportlab is loaded only where it is used

    asked = wishes.get("sheets") or "1"
    first, dash, last = asked.partition("-")
    ends = [int(end) if end.isdecimal() and len(end) < 4 else 0 for end in (first, last if dash else first)]
    if not 1 <= ends[0] <= ends[1] <= SHEETS:
        raise BadOption(f"sheets {asked}: write 7 or 1-30, at most {SHEETS}")
    drawn, numbers, words = BytesIO(), range(ends[0], ends[1] + 1), phrases()[FILLED].texts[lang]
    try:
        board = entered(wishes["map"]) if wishes.get("map") else practice()
    except BadPlan as fault:
        raise BadOption(words[f"no.map_{fault.key}"].format_map(fault.values)) from fault
    rescue_sheets(board, drawn, words, numbers=numbers, paper=wishes.get("paper") or "a4", lang=lang)
    return drawn.getvalue()
