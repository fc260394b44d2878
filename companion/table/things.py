"""What lies and sits at a table: players, zones, cards, plates, decks. Values only."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import NewType, TypeVar, dataclass_transform

T = TypeVar("T")


@dataclass_transform(frozen_default=True)
def value(cls: type[T]) -> type[T]:
    """Make a class a value: frozen, slotted, compared by its fields."""
    return dataclass(frozen=True, slots=True)(cls)


Player = NewType("Player", str)  # a person: has a button, a hand, points; the name is the identity
Zone = NewType("Zone", str)  # a place the camera watches: "middle", "action", "cave:a"
Button = NewType("Button", str)  # what was pressed: BID or CALL
CardId = NewType("CardId", str)  # one physical card: "pizza-07"
Words = Mapping[str, str | int]  # values for a phrase's placeholders

BID = Button("bid")  # a player's own button: bid, ready, yes
CALL = Button("call")  # the starting player's command: "action cards!", "KO - A - LA"


class CompanionError(Exception):
    """Root of every fault of ours or of a device; each child also has its standard parent."""

    lang = ""  # the language that what is at fault asks for itself, where it says so


class BadDeck(CompanionError, ValueError):
    """A deck contradicts itself; the text names the card."""


@value
class Card:
    """One physical card: its own id and marker, and the face it shows."""

    id: CardId
    face: str  # "pizza", "bump", "feast": what the rules know
    kind: str  # "food", "action", "feast", "team": what may lie together
    marker: int  # printed code, one for each physical card over all games


Area = tuple[float, float, float, float]  # left, top, width, height, mm


@value
class Sign:
    """A card whose sticker marks a zone where no plate lies: the zone lies about the sticker.

    Lengths in mm; the sticker's top left corner is the origin, x to the right, y down.
    """

    marker: int
    marker_mm: float
    area: Area


@value
class Plate:
    """A printed sheet that marks a zone: two markers in its upper corners, the zone below them.

    Lengths in mm. The left marker's top left corner is the origin, x to the right, y down. The zone is
    the rectangle (left, top, width, height) in these axes.
    """

    zone: Zone
    markers: tuple[int, int]  # upper left, upper right
    marker_mm: float  # side of a plate marker
    apart_mm: float  # from the left marker's left edge to the right marker's left edge
    area: Area
    sign: Sign | None = None  # does for the plate where neither of its markers is seen


@dataclass(frozen=True)
class Deck:
    """All cards of a game and the plates it is played on. Markers and ids are unique, or BadDeck."""

    game: str
    cards: tuple[Card, ...]
    plates: tuple[Plate, ...] = ()
    source: str = "rulebook"  # where the data comes from
    made_up: bool = False  # True: shown on paper and on every screen
    facts: Mapping[str, Mapping[str, object]] = field(
        default_factory=dict
    )  # face: what else its file says of it

    def __post_init__(self) -> None:
        """Refuse two cards with one id, or one marker printed twice."""
        ids = [str(card.id) for card in self.cards]
        markers = [str(card.marker) for card in self.cards] + [str(m) for p in self.plates for m in p.markers]
        for what, seen in (("id", ids), ("marker", markers)):
            twice = [name for name, times in Counter(seen).items() if times > 1]
            if twice:
                raise BadDeck(f"deck {self.game}: the {what} {', '.join(twice)} is given twice")

    @cached_property
    def by_id(self) -> Mapping[CardId, Card]:
        """Each card under its id."""
        return {card.id: card for card in self.cards}

    @cached_property
    def by_marker(self) -> Mapping[int, Card]:
        """Each card under its printed marker."""
        return {card.marker: card for card in self.cards}

    def face(self, card: CardId) -> str:
        """What a card shows; KeyError for a stranger's card."""
        return self.by_id[card].face
