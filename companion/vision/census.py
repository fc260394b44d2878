"""Every printed thing exists once: what is seen twice, or belongs to no card of this game, is named. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np
from numpy.typing import NDArray

from companion.table.things import Card, Deck, Zone, value
from companion.vision.read import Reading

TWICE, STRANGER, EXTRA = "twice", "stranger", "extra"


@value
class Strange:
    """Something that cannot be: named at once and never counted.

    kind: "twice" (one printed card in two places), "stranger" (a card of another game), "extra" (a sticker
    of this game, or of none, that no card has).
    """

    kind: str
    marker: int
    spots: tuple[tuple[float, float], ...]  # middles, px
    card: Card | None = None  # of this game's deck, where there is one
    game: str = ""  # of a stranger
    zones: tuple[Zone, ...] = ()  # where it lies; none: beside all plates
    box: int = 0  # cards with this face that the box holds


def census(
    readings: Iterable[Reading], deck: Deck, others: Mapping[int, str], where: Mapping[int, tuple[Zone, ...]]
) -> tuple[Strange, ...]:
    """Name what cannot be. `others`: the game of each marker outside this deck, "" if of none.

    A plate of another game that lies about is no stranger: leave plates out of `others`.
    """
    seen: dict[int, list[NDArray[np.float64]]] = {}
    for reading in readings:
        seen.setdefault(reading.id, []).append(reading.corners.mean(0))
    out = []
    for marker, spots in sorted(seen.items()):
        middles = tuple((float(x), float(y)) for x, y in spots)
        zones = where.get(marker, ())
        card = deck.by_marker.get(marker)
        if card is not None and len(spots) > 1:
            box = sum(other.face == card.face for other in deck.cards)
            out.append(Strange(TWICE, marker, middles, card, deck.game, zones, box))
        elif card is None and marker in others:
            kind = EXTRA if others[marker] in (deck.game, "") else STRANGER
            out.append(Strange(kind, marker, middles, None, others[marker], zones))
    return tuple(out)
