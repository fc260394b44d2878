"""The owner's own cards: one face entered, changed or taken away, the whole deck written as one TOML file. Pure."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from companion.games import decks
from companion.games.karnivore import cards
from companion.games.karnivore.cards import OWN
from companion.table.things import BadDeck, Card, CardId, Deck, Plate

HEAD = "# The owner's deck of Karnivore Koala, written by: companion deck karnivore"


def entered(deck: Deck, face: str, kind: str, facts: Mapping[str, Any], markers: Iterable[int]) -> Deck:
    """The deck with a face as the owner tells it; BadDeck names every entry that is wrong.

    A face that is there already is replaced where it stands; a marker that another face had is taken from it.
    """
    mine = list(markers)
    if not face.replace("_", "").isalnum() or not face.islower():
        raise BadDeck(f"{face!r} is no name for a face: small letters, digits and _ only, e.g. barbearian")
    if not mine:
        raise BadDeck(f"{face}: no marker is given. Show a card, or name its count")
    told = {**facts, "source": facts.get("source", OWN)}
    rows: list[tuple[str, str, list[int]]] = []
    for name, of, codes in _rows(deck):
        left = [code for code in codes if code not in mine]
        if name == face:
            rows.append((face, kind, mine))
        elif left:
            rows.append((name, of, left))
    if face not in [name for name, _, _ in rows]:
        rows.append((face, kind, mine))
    made = _deck(deck, rows, {**deck.facts, face: told})
    faults = [fault for fault in cards.faults(made) if fault.startswith(f"{face}:")]
    if faults:
        raise BadDeck("\n".join(faults))
    return made


def removed(deck: Deck, face: str) -> Deck:
    """The deck without a face; BadDeck if there is none."""
    if face not in {card.face for card in deck.cards}:
        raise BadDeck(
            f"there is no face {face!r}. Known: {', '.join(dict.fromkeys(c.face for c in deck.cards))}"
        )
    return _deck(deck, [row for row in _rows(deck) if row[0] != face], deck.facts)


def only_own(deck: Deck) -> Deck:
    """The deck without what is made up: what the owner has entered, and dice, whose faces the rulebook gives."""
    rows = [row for row in _rows(deck) if row[1] == "die" or deck.facts.get(row[0], {}).get("source") == OWN]
    return _deck(deck, rows, deck.facts)


def free(deck: Deck, printable: Iterable[int], count: int) -> tuple[int, ...]:
    """So many codes that no card or plate of the deck has; BadDeck if there are not enough."""
    taken = {card.marker for card in deck.cards} | {marker for p in deck.plates for marker in p.markers}
    codes = [code for code in printable if code not in taken]
    if len(codes) < count:
        raise BadDeck(
            f"{count} stickers are wanted, {len(codes)} codes are free. Take away faces that you do not own"
        )
    return tuple(codes[:count])


def counts(deck: Deck) -> dict[str, int]:
    """How many cards of each kind."""
    kinds = [card.kind for card in deck.cards]
    return {kind: kinds.count(kind) for kind in cards.ALL_KINDS if kind in kinds}


def read(text: str, where: str) -> Deck:
    """A deck file as it was exported; BadDeck names everything that is wrong with it."""
    deck = decks.parse(text, where)
    if deck.game != "karnivore":
        raise BadDeck(f"{where}: this is a deck of {deck.game}, not of karnivore")
    faults = cards.faults(deck)
    if faults:
        raise BadDeck("\n".join(f"{where}: {fault}" for fault in faults))
    return deck


def written(deck: Deck) -> str:
    """The deck as one TOML file: what `read` reads gives the same deck."""
    parts = [
        HEAD,
        f"game = {_toml(deck.game)}",
        f"source = {_toml(deck.source)}",
        f"made_up = {_toml(deck.made_up)}",
    ]
    for face, kind, markers in _rows(deck):
        parts += [
            "",
            "[[faces]]",
            f"face = {_toml(face)}",
            f"kind = {_toml(kind)}",
            f"markers = {_toml(markers)}",
        ]
        parts += [f"{word} = {_toml(given)}" for word, given in deck.facts.get(face, {}).items()]
    for plate in deck.plates:
        parts += ["", *_plate(plate)]
    return "\n".join(parts) + "\n"


def _rows(deck: Deck) -> list[tuple[str, str, list[int]]]:
    """Each face in the deck's order: name, kind, markers."""
    rows: dict[str, tuple[str, str, list[int]]] = {}
    for card in deck.cards:
        rows.setdefault(card.face, (card.face, card.kind, []))[2].append(card.marker)
    return list(rows.values())


def _deck(
    deck: Deck, rows: Iterable[tuple[str, str, list[int]]], facts: Mapping[str, Mapping[str, object]]
) -> Deck:
    listed = list(rows)
    made = tuple(
        Card(CardId(f"{face}-{n:02d}"), face, kind, marker)
        for face, kind, markers in listed
        for n, marker in enumerate(markers, start=1)
    )
    kept = {face: facts.get(face, {}) for face, _, _ in listed}
    invented = any(of != "die" and kept[face].get("source") != OWN for face, of, _ in listed)
    source = "the owner's own cards; some are made up" if invented else "the owner's own cards"
    return replace(deck, cards=made, facts=kept, source=source, made_up=invented)


def _plate(plate: Plate) -> list[str]:
    return [
        "[[plates]]", f"zone = {_toml(plate.zone)}", f"markers = {_toml(list(plate.markers))}",
        f"marker_mm = {plate.marker_mm}", f"apart_mm = {plate.apart_mm}", f"area = {_toml(list(plate.area))}",
    ]  # fmt: skip


def _toml(given: object) -> str:
    """A value in one line of TOML: JSON but for tables."""
    if isinstance(given, Mapping):
        return "{ " + ", ".join(f"{key} = {_toml(of)}" for key, of in given.items()) + " }"
    if isinstance(given, list | tuple):
        return "[" + ", ".join(_toml(each) for each in given) + "]"
    # JSON escapes are TOML's, but for DEL, which JSON leaves as it is
    return json.dumps(given, ensure_ascii=False).replace("\x7f", "\\u007f")
