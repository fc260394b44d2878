"""What a deck's file says of each card, checked and made into what the rules know: bears, animals, effects."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from companion.games.karnivore.options import edition
from companion.games.karnivore.rules_setup import COUNTS, KINDS
from companion.games.karnivore.rules_tribe import Bear
from companion.table.things import CardId, Deck, value

OPS = ("spears", "draw", "discard", "steal_card", "move_koala", "protect", "reroll", "other")
COUNTED = ("spears", "draw", "discard", "reroll")  # these say how many
SYMBOLS = ("crown", "spear", "koala", "skull")
ALL_KINDS = (*KINDS, "king", "animal", "back", "die")
WORDS = {
    "name": dict, "symbols": list, "most": int, "animals": list, "window": str, "effect": dict, "ops": list,
    "of": str, "source": str,
}  # fmt: skip
OWN = "owner"  # the source of what the owner has entered
MOST_CARDS = 9  # a number larger than that is a slip of the finger


@value
class Op:
    """One thing an effect does; `who` does or suffers it: self, or each of the others."""

    kind: str
    n: int = 1
    who: str = "self"


@value
class Told:
    """A card as people read it: when it may be played, what it does, and whether it is known at all."""

    ops: tuple[Op, ...] = ()
    window: str = "own"  # whose turn a backstabbear may be played in: own or any


def bears(deck: Deck) -> dict[CardId, Bear]:
    """Each koala and king of a deck as the rules see it."""
    out: dict[CardId, Bear] = {}
    for card in deck.cards:
        if card.kind in (*KINDS, "king"):
            facts: Mapping[str, Any] = deck.facts.get(card.face, {})
            symbols = tuple(facts.get("symbols", ("crown",) if card.kind == "king" else ()))
            gives = sum(op.n for op in told(deck, card.face).ops if op.kind == "spears")
            at_once = gives if card.kind != "backstabbear" else 0
            out[card.id] = Bear(
                card.kind, symbols, facts.get("most"), tuple(facts.get("animals", ())), at_once
            )
    return out


def told(deck: Deck, face: str) -> Told:
    """What a card does when it is activated or played."""
    facts: Mapping[str, Any] = deck.facts.get(face, {})
    ops = tuple(Op(op["op"], op.get("n", 1), op.get("who", "self")) for op in facts.get("ops", ()))
    return Told(ops, facts.get("window", "own"))


def front(deck: Deck, card: CardId) -> tuple[str, ...]:
    """The two symbols of an animal card."""
    return tuple(str(symbol) for symbol in _list(deck, card, "symbols"))


def back_symbol(deck: Deck, card: CardId) -> str:
    """The symbol on an animal card's back."""
    return str(deck.facts[deck.face(card)]["of"])


def _list(deck: Deck, card: CardId, word: str) -> list[object]:
    found = deck.facts.get(deck.face(card), {}).get(word, [])
    return list(found) if isinstance(found, list) else []


def in_play(deck: Deck, rulings: Mapping[str, object]) -> frozenset[CardId]:
    """The cards that lie in the box of this edition: of a made-up deck as many of each kind, else all.

    The owner's cards are played with first, made-up ones only fill the box up.
    """
    left = dict(COUNTS[edition(rulings)])
    left["back"] = left["animal"]
    out = []
    for card in sorted(deck.cards, key=lambda card: deck.facts.get(card.face, {}).get("source") != OWN):
        if deck.made_up and card.kind in left:
            if left[card.kind] == 0:
                continue
            left[card.kind] -= 1
        out.append(card.id)
    return frozenset(out)


def faults(deck: Deck) -> tuple[str, ...]:
    """Everything in a deck's faces that the game cannot play with, each named by face and entry."""
    kinds = {card.face: card.kind for card in deck.cards}
    return tuple(
        f"{face}: {fault}" for face, kind in kinds.items() for fault in _face(kind, deck.facts.get(face, {}))
    )


def _face(kind: str, facts: Mapping[str, Any]) -> Iterator[str]:
    if kind not in ALL_KINDS:
        yield f"kind {kind!r} is none of {', '.join(ALL_KINDS)}"
        return
    for word, given in facts.items():
        if word not in WORDS:
            yield f"knows no {word!r}; known: {', '.join(WORDS)}"
        elif not isinstance(given, WORDS[word]) or isinstance(given, bool):
            yield f"{word} must be a {WORDS[word].__name__}"
    yield from _kind(kind, {w: g for w, g in facts.items() if isinstance(g, WORDS.get(w, object))})


def _kind(kind: str, facts: Mapping[str, Any]) -> Iterator[str]:
    symbols, animals = facts.get("symbols", []), facts.get("animals", [])
    if kind in ("huntbear", "villagebear") and not symbols:
        yield "symbols are missing: which dice activate it?"
    if kind in ("huntbear", "villagebear", "king"):
        for strange in [each for each in symbols if each not in SYMBOLS]:
            yield f"symbol {strange!r} is none of {', '.join(SYMBOLS)}"
    if kind == "workbear" and not animals:
        yield "animals are missing: which animal symbols does it give?"
    if kind == "animal" and (len(symbols) != 2 or not all(isinstance(each, str) for each in symbols)):
        yield "an animal has two symbols"
    if kind == "back" and not facts.get("of"):
        yield "of is missing: which symbol is on this back?"
    if not all(isinstance(each, str) and each for each in animals):
        yield "animals are names"
    if not 1 <= facts.get("most", 1) <= MOST_CARDS:
        yield f"most is a number from 1 to {MOST_CARDS}"
    if facts.get("window", "own") not in ("own", "any"):
        yield "window is own or any"
    for op in facts.get("ops", []):
        yield from _op(op)


def _op(op: object) -> Iterator[str]:
    if not isinstance(op, dict) or op.get("op") not in OPS:
        yield f"op {op!r} is none of {', '.join(OPS)}"
        return
    n = op.get("n", 1)
    if op["op"] in COUNTED and (not isinstance(n, int) or isinstance(n, bool) or not 1 <= n <= MOST_CARDS):
        yield f"op {op['op']}: n is a number from 1 to {MOST_CARDS}"
    if op.get("who", "self") not in ("self", "others"):
        yield f"op {op['op']}: who is self or others"
