"""A deck file's text becomes a deck; what is wrong in it is named by its place."""

from __future__ import annotations

import tomllib
from typing import Any

from companion.table.things import BadDeck, Card, CardId, Deck, Plate, Sign, Zone

COMMON = ("face", "kind", "markers", "ids")  # what every game's faces have


def parse(text: str, where: str = "deck.toml") -> Deck:
    """Read a deck file (TOML). BadDeck names the file and the entry that is wrong.

    `[[faces]]` give face, kind and the markers of its physical cards (ids "face-01" ... in their order, unless
    `ids` name them: a journal that must not tell a hidden card's face names it by an id that does not), and
    whatever else the game's rules must know of a face: kept as the deck's facts, judged by the game;
    `[[plates]]` give zone, two markers, marker_mm, apart_mm and the zone's area in mm; `sign` (marker, marker_mm,
    area) names a card whose sticker marks the zone, too.
    """
    try:
        raw = tomllib.loads(text.removeprefix("\ufeff"))  # a byte order mark of an editor
    except RecursionError as fault:
        raise BadDeck(f"{where}: nested far too deep. Take a deck as it was exported") from fault
    except ValueError as fault:  # no TOML, or a number of thousands of figures
        raise BadDeck(f"{where}: no TOML: {fault}. Take a deck as it was exported") from fault
    try:
        cards = tuple(card for row in raw["faces"] for card in _cards(row))
        plates = tuple(_plate(row) for row in raw.get("plates", ()))
        source, made_up = str(raw.get("source", "rulebook")), bool(raw.get("made_up", False))
        facts = {str(row["face"]): {k: v for k, v in row.items() if k not in COMMON} for row in raw["faces"]}
        return Deck(str(raw["game"]), cards, plates, source, made_up, facts)
    except KeyError as missing:
        raise BadDeck(f"{where}: the entry {missing.args[0]!r} is missing") from missing
    except (TypeError, ValueError, AttributeError, OverflowError) as fault:
        raise BadDeck(f"{where}: {fault}") from fault


def _cards(row: dict[str, Any]) -> list[Card]:
    face, kind, markers = str(row["face"]), str(row["kind"]), [int(m) for m in row["markers"]]
    ids = [str(each) for each in row.get("ids", ())] or [f"{face}-{n + 1:02d}" for n in range(len(markers))]
    if len(ids) != len(markers):
        raise ValueError(f"{face}: {len(ids)} ids for {len(markers)} markers")
    return [Card(CardId(name), face, kind, m) for name, m in zip(ids, markers, strict=True)]


def _plate(row: dict[str, Any]) -> Plate:
    if not isinstance(row["zone"], str):
        raise TypeError(f"a plate's zone is a word, not {row['zone']!r}")
    left, right = (int(m) for m in row["markers"])
    x, y, w, h = (float(side) for side in row["area"])
    return Plate(
        Zone(row["zone"]), (left, right), float(row["marker_mm"]), float(row["apart_mm"]), (x, y, w, h),
        _sign(row["sign"]) if "sign" in row else None,
    )  # fmt: skip


def _sign(row: dict[str, Any]) -> Sign:
    x, y, w, h = (float(side) for side in row["area"])
    return Sign(int(row["marker"]), float(row["marker_mm"]), (x, y, w, h))
