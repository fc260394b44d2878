"""All that is printed for a game: stickers for the cards, plates for the zones, a card for each player."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import BinaryIO

from companion.paper.page import BadSheet, Mark, Pages
from companion.paper.plates import plate
from companion.paper.players import player_cards
from companion.paper.stickers import LABELS, WHITE, fits, stickers
from companion.table.things import Deck, value

SMALLEST_MM, LARGEST_MM = 6.0, 40.0
PARTS = ("stickers", "plates", "players")
JOIN = "http://companion.local:8080/j"


@value
class Printed:
    """What was printed: how many pages, and where each marker is."""

    pages: int
    markers: tuple[Mark, ...]


def sheets(
    deck: Deck, names: Mapping[str, str], out: BinaryIO, *, paper: str = "a4", marker_mm: float = 12.0,
    lang: str = "en", join_url: str | None = None, players: Sequence[str] = (), parts: Sequence[str] = PARTS,
    cards: tuple[int, int] | None = None, labels: str | None = None,
) -> Printed:  # fmt: skip
    """Write the PDF of a deck into an open binary file.

    `names`: words for faces and zones ("pizza", "zone.middle"); `marker_mm`: side of a card's marker.
    `parts`: what is printed; `cards`: the first and the last card of the deck that get a sticker, from 1;
    `labels`: a format of ready-made labels instead of plain paper.
    Raises BadSheet, which names the limits, for a marker size, paper or language that cannot be printed.
    """
    _check(deck, paper, marker_mm, parts, cards, labels)
    pages = Pages(out, paper, lang, names.get(deck.game, deck.game), deck.made_up, deck.game)
    first, last = cards or (1, len(deck.cards))
    if "stickers" in parts:
        stickers(pages, deck.cards[first - 1 : last], names, marker_mm, LABELS[labels] if labels else None)
    for which in deck.plates if "plates" in parts else ():
        plate(pages, which, names)
    if "players" in parts:
        player_cards(pages, join_url or JOIN, players)
    pages.save()
    return Printed(pages.count, tuple(pages.marks))


def _check(
    deck: Deck, paper: str, marker_mm: float, parts: Sequence[str], cards: tuple[int, int] | None, labels: str | None
) -> None:  # fmt: skip
    """Refuse what cannot be printed, with the limits."""
    if not SMALLEST_MM <= marker_mm <= LARGEST_MM:
        raise BadSheet(f"markers of {marker_mm:g} mm: choose {SMALLEST_MM:g} to {LARGEST_MM:g} mm")
    strange = [part for part in parts if part not in PARTS]
    if strange or not parts:
        raise BadSheet(f"parts {', '.join(strange) or 'none'}: choose from {', '.join(PARTS)}")
    if cards is not None and not 1 <= cards[0] <= cards[1] <= len(deck.cards):
        raise BadSheet(f"cards {cards[0]} to {cards[1]}: this deck has 1 to {len(deck.cards)}")
    if labels is None:
        return
    if labels not in LABELS:
        raise BadSheet(f"labels {labels!r}: known are {', '.join(LABELS)}")
    if LABELS[labels].paper != paper or not fits(LABELS[labels], marker_mm):
        raise BadSheet(
            f"labels {labels} are on {LABELS[labels].paper} paper and take markers up to "
            f"{min(LABELS[labels].size[1] - 2 * WHITE, LARGEST_MM):g} mm"
        )
