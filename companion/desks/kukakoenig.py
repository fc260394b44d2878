"""The owner's Ku-Ka-König: eight numbers off the cards' corners, and which types stay after the first scoring."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from companion.desks.words import Faulty, Words
from companion.games import decks
from companion.games.kukakoenig.numbers import KINDS, NUMBERS, counted, owned, written
from companion.games.kukakoenig.rules_deck import CARDS, FIXED, OPEN
from companion.games.kukakoenig.rules_score import GREEN_TYPES
from companion.table.game import Refusal
from companion.table.things import BadDeck, Deck

if TYPE_CHECKING:  # OpenCV comes up only where somebody shows a card
    from companion.vision.find import Grey

GAME, ENTRY = "kukakoenig", "numbers"
TYPES = tuple("animals" if kind == "animal" else kind for kind in KINDS)
PLURAL = {"animals": "type.animals", "vp": "type.vp"}
SETTLED = ("king", "farmer")  # the rulebook says of these two whether they stay


def told(known: Deck, words: Words) -> dict[str, Any]:
    """Eight numbers with their sum, and the types that stay."""
    fields: list[dict[str, Any]] = [
        {
            "name": name, "form": "number", "least": 1, "most": CARDS, "label": words.face(f"number.{name}"),
            "kinds": None, "hint": words("hint_animal") if name == "animal" else "",
        }
        for name in NUMBERS
    ]  # fmt: skip
    stays = [[each, words.face(PLURAL.get(each, each))] for each in TYPES if each not in SETTLED]
    fields.append({
        "name": "stays", "form": "many", "label": words("field_stays"), "kinds": None, "options": stays,
        "hint": words("hint_stays"),
    })  # fmt: skip
    entry = {
        "id": ENTRY,
        "title": words("eight_numbers"),
        "group": "",
        "count": None,
        "made_up": known.made_up,
    }
    total = {"of": list(OPEN), "plus": sum(FIXED.values()), "wanted": CARDS}
    return {
        "entries": [entry], "fields": fields, "adds": False, "by": None, "hint": words("hint_kukakoenig"), "sum": total
    }  # fmt: skip


def values(known: Deck, entry: str) -> dict[str, Any]:
    """The numbers that were read off the cards; nothing while they are made up, so that nobody takes them for read."""
    del entry  # there is one
    many = Counter(card.face for card in known.cards)
    numbers = {name: many[name] for name in OPEN}
    animal = next((many[card.face] for card in known.cards if card.kind == "animal"), 0)
    stays = [
        each for each in TYPES
        if each not in SETTLED and (each in GREEN_TYPES if known.made_up else _stays(known, each))
    ]  # fmt: skip
    shown = dict.fromkeys(NUMBERS) if known.made_up else {"animal": animal, **numbers}
    return {**shown, "stays": stays}


def _stays(known: Deck, kind: str) -> bool:
    """Whether cards of a type stay after the first scoring."""
    faces = {card.face for card in known.cards if ("animals" if card.kind == "animal" else card.kind) == kind}
    return any(bool(known.facts.get(face, {}).get("stays")) for face in faces)


def entered(known: Deck, entry: str, given: Mapping[str, Any], words: Words) -> Deck:
    """The deck with these numbers; Faulty names the number that cannot be."""
    del entry  # there is one
    numbers = {name: given.get(name) for name in NUMBERS}
    missing = {
        name: words("fault_corner", what=words.face(f"number.{name}"))
        for name, number in numbers.items()
        if not isinstance(number, int) or isinstance(number, bool) or not 1 <= number <= CARDS
    }
    if missing:
        raise Faulty(missing)
    read_off = {name: number for name, number in numbers.items() if isinstance(number, int)}
    told_stay = given.get("stays")
    chosen = told_stay if isinstance(told_stay, list) else []
    made = owned(
        known,
        read_off,
        [each for each in TYPES if each == "king" or (each in chosen and each not in SETTLED)],
    )
    if isinstance(made, Refusal):
        raise Faulty(_why(made, read_off, words))
    return made


def _why(no: Refusal, numbers: Mapping[str, int], words: Words) -> dict[str, str]:
    if no.rule == "KUKA-ANI-01":
        return {"animal": words("fault_each_animal", wanted=no.values["wanted"], count=no.values["count"])}
    total = sum(FIXED.values()) + sum(numbers[name] for name in OPEN)
    key = "fault_sum_more" if total > CARDS else "fault_sum_less"
    return {"": words(key, sum=total, wanted=CARDS, off=abs(total - CARDS))}


def notes(old: Deck, new: Deck, words: Words) -> tuple[str, ...]:
    """Numbers that can be kept add up: nothing to say."""
    del old, new, words
    return ()


def removed(known: Deck, entry: str) -> Deck:
    """The numbers are one entry, and no deck is without them."""
    del known
    raise BadDeck(f"{entry}: take the last change back instead")


def read(text: str, where: str) -> Deck:
    """A deck as it was exported; BadDeck says what cannot be right."""
    deck = decks.parse(text, where)
    if deck.game != GAME:
        raise BadDeck(f"{where}: this is a deck of {deck.game}, not of {GAME}")
    if not deck.made_up:
        many = Counter(card.face for card in deck.cards)
        kinds = Counter(card.kind for card in deck.cards)
        fault = counted({"animal": kinds["animal"] // 8, **{name: many[name] for name in OPEN}})
        total = sum(kinds.values()) - kinds["number"]
        if isinstance(fault, Refusal) or total != CARDS:
            raise BadDeck(f"{where}: {total} cards, {CARDS} are wanted; enter the eight numbers again")
    return deck


def markers(grey: Grey, known: Deck) -> tuple[int, ...]:
    """No card is entered by showing it: the numbers stand in words on the cards."""
    del grey, known
    return ()


__all__ = ["entered", "markers", "read", "removed", "told", "values", "written"]
