"""The stickers of Karnivore's cards: which codes may be printed for them, and which a picture shows."""

from __future__ import annotations

import tomllib
from importlib.resources import files

from companion.edges.camera import FAMILY, deck_ids
from companion.table.things import Deck
from companion.vision.find import Grey
from companion.vision.markers import IMITABLE_5X5
from companion.vision.read import Reader

MARKER_PX = (12.0, 120.0)  # sides: a card on the table, a card held to the lens


def printable() -> tuple[int, ...]:
    """The codes that may be printed on this game's cards, then the spare ones of all games."""
    ranges = tomllib.loads((files("companion.games") / "markers.toml").read_text("utf-8"))["ranges"]
    spans = (ranges["karnivore"], ranges["owner_spare"])
    return tuple(c for first, last in spans for c in range(first, last + 1) if c not in IMITABLE_5X5)


def readable(grey: Grey, known: Deck) -> tuple[int, ...]:
    """The markers in a picture, those of the deck and free ones."""
    reader = Reader(FAMILY, tuple(dict.fromkeys((*deck_ids(known), *printable()))), MARKER_PX)
    return tuple(sorted({reading.id for reading in reader.read(grey)}))
