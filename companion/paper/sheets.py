"""All that is printed for a game: stickers for the cards, plates for the zones, a card for each player."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import BinaryIO

from companion.paper.page import BadSheet, Mark, Pages
from companion.paper.plates import plate
from companion.paper.players import player_cards
from companion.paper.stickers import stickers
from companion.table.things import Deck, value

SMALLEST_MM, LARGEST_MM = 6.0, 40.0
JOIN = "http://companion.local:8080/"


@value
class Printed:
    """What was printed: how many pages, and where each marker is."""

    pages: int
    markers: tuple[Mark, ...]


def sheets(
    deck: Deck, names: Mapping[str, str], out: BinaryIO, *, paper: str = "a4", marker_mm: float = 12.0,
    lang: str = "en", join_url: str | None = None, players: Sequence[str] = (),
) -> Printed:  # fmt: skip
    """Write the PDF of a deck into an open binary file.

    `names`: words for faces and zones ("pizza", "zone.middle"); `marker_mm`: side of a card's marker.
    Raises BadSheet, which names the limits, for a marker size, paper or language that cannot be printed.
    """
    if not SMALLEST_MM <= marker_mm <= LARGEST_MM:
        raise BadSheet(f"markers of {marker_mm:g} mm: choose {SMALLEST_MM:g} to {LARGEST_MM:g} mm")
    pages = Pages(out, paper, lang, names.get(deck.game, deck.game), deck.made_up, deck.game)
    stickers(pages, deck.cards, names, marker_mm)
    for which in deck.plates:
        plate(pages, which, names)
    player_cards(pages, join_url or JOIN, players)
    pages.save()
    return Printed(pages.count, tuple(pages.marks))
