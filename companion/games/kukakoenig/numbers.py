"""The owner's deck: eight numbers read off the cards' own corners replace the made-up split. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from companion.games.kukakoenig.rules_deck import ANIMAL_KINDS, EACH_ANIMAL, FARMERS, KINGS, OPEN, checked
from companion.games.kukakoenig.rules_score import GREEN_TYPES
from companion.table.game import Refusal
from companion.table.things import Card, CardId, Deck, Plate

NUMBERS = ("animal", *OPEN)  # what the owner reads: one animal's corner, then the seven open types
KINDS = ("king", "farmer", "animal", "wife", "house", "church", "knight", "vp")
SOURCE = (
    "kings, farmers, animals: rulebook; the other 54 cards: eight numbers read off the cards by their owner"
)


def counted(numbers: Mapping[str, int]) -> Refusal | None:
    """Why eight numbers cannot be right; None if they can. "animal" is the number in one animal's corner."""
    wrong = [name for name in NUMBERS if type(numbers.get(name)) is not int or numbers[name] < 1]
    if wrong:
        return Refusal("KUKA-CMP-02", "number_missing", {"kind": f"@number.{wrong[0]}"})
    if numbers["animal"] != EACH_ANIMAL:
        values = {"count": numbers["animal"], "wanted": EACH_ANIMAL}
        return Refusal("KUKA-ANI-01", "animal_must_be_5", values)
    counts = {"king": KINGS, "farmer": FARMERS, **{name: numbers[name] for name in OPEN}}
    found = checked({**counts, "animal": ANIMAL_KINDS * EACH_ANIMAL})
    return found if isinstance(found, Refusal) else None


def owned(deck: Deck, numbers: Mapping[str, int], green: Iterable[str] = GREEN_TYPES) -> Deck | Refusal:
    """The deck with the owner's numbers; the markers of kings, farmers, animals and number cards stay.

    `green`: the types that stay after the first scoring, "animals" for animals.
    """
    fault = counted(numbers)
    if fault is not None:
        return fault
    fixed = [card for card in deck.cards if card.face not in OPEN and card.kind != "number"]
    free = iter(sorted(card.marker for card in deck.cards if card.face in OPEN))
    fresh = [
        Card(CardId(f"{face}-{n:02d}"), face, "vp" if face.startswith("vp") else face, next(free))
        for face in OPEN
        for n in range(1, numbers[face] + 1)
    ]
    signs = [card for card in deck.cards if card.kind == "number"]
    stays = set(green)
    cards = (*fixed, *fresh, *signs)
    facts: dict[str, dict[str, object]] = {
        card.face: {"stays": ("animals" if card.kind == "animal" else card.kind) in stays}
        for card in cards
        if card.kind != "number"
    }
    return Deck(deck.game, cards, deck.plates, SOURCE, False, facts)


def written(deck: Deck) -> str:
    """A deck as the text of a deck file."""
    many = Counter(card.face for card in deck.cards)
    told = ", ".join(f"{face} {many[face]}" for face in OPEN)
    lines = [
        "# The owner's Ku-Ka-König. Read off the cards' corners: " + told + ".",
        f'game = "{deck.game}"', f'source = "{deck.source}"', f"made_up = {str(deck.made_up).lower()}", "",
    ]  # fmt: skip
    for face in dict.fromkeys(card.face for card in deck.cards):
        cards = [card for card in deck.cards if card.face == face]
        lines += ["[[faces]]", f'face = "{face}"', f'kind = "{cards[0].kind}"']
        stays = deck.facts.get(face, {}).get("stays")
        lines += [] if stays is None else [f"stays = {str(stays).lower()}"]
        lines += [f"markers = {[card.marker for card in cards]}", ""]
    return "\n".join([*lines, *(line for plate in deck.plates for line in _plate(plate))])


def _plate(plate: Plate) -> list[str]:
    sign = plate.sign
    return [
        "[[plates]]", f'zone = "{plate.zone}"', f"markers = {list(plate.markers)}",
        f"marker_mm = {plate.marker_mm}", f"apart_mm = {plate.apart_mm}", f"area = {list(plate.area)}",
        *(
            ()
            if sign is None
            else (f"sign = {{ marker = {sign.marker}, marker_mm = {sign.marker_mm}, area = {list(sign.area)} }}",)
        ),
        "",
    ]  # fmt: skip
