"""The tribe phase as plain functions: placing, dice on koalas, two crowns, and what leaves (KARN-PLA, ASS, USE)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import field, replace

from companion.games.karnivore.options import ruled
from companion.games.karnivore.rules_dice import symbols
from companion.games.karnivore.rules_setup import TRIBE
from companion.table.game import Refusal
from companion.table.things import CardId, value

SIDES = ("left", "right")  # of the king


@value
class Bear:
    """What the rules know of a card: its kind, the dice it takes, how many of them, the animals it gives."""

    kind: str
    symbols: tuple[str, ...] = ()
    most: int | None = None  # the number printed beside the symbols
    animals: tuple[str, ...] = ()
    spears: int = 0  # that its effect gives at once


Bears = Mapping[CardId, Bear]


@value
class Turn:
    """A tribe in its owner's turn. Dice are counted by face, cards known by name; the king is one of them."""

    koalas: tuple[CardId, ...]
    king: CardId
    pool: Mapping[str, int] = field(default_factory=dict)  # dice not yet used
    dice: Mapping[CardId, tuple[str, ...]] = field(default_factory=dict)  # activated cards, their dice
    skulled: tuple[CardId, ...] = ()  # blocked until the end of the turn
    spears: int = 0
    skulls_over: bool = False  # something else was done: the skull step does not come again

    @property
    def cards(self) -> tuple[CardId, ...]:
        """All cards of the tribe, the king last."""
        return (*self.koalas, self.king)


def room(bears: Bears, turn: Turn, card: CardId, rulings: Mapping[str, object]) -> int:
    """How many more dice a card may take this turn."""
    bear, used = bears[card], len(turn.dice.get(card, ()))
    if bear.kind == "workbear" or card in turn.skulled:
        return 0
    if bear.kind == "king" and ruled(rulings, 9, "any_crowns"):
        return TRIBE
    if bear.most is not None:
        return bear.most - used
    if ruled(rulings, 18, "one_each_symbol"):
        return len(bear.symbols) - used
    return 1 - used


def _skull_room(bears: Bears, turn: Turn, card: CardId, rulings: Mapping[str, object]) -> int:
    """How many more skulls activate a card; by other rulings never a second one."""
    bear = bears[card]
    if bear.kind == "king" or "skull" not in bear.symbols:
        return 0
    again = "skull" in turn.dice.get(card, ())
    if again and (ruled(rulings, 26, "one_skull_only") or _symbol_taken(bear, turn, card, "skull", rulings)):
        return 0
    return max(0, room(bears, turn, card, rulings))


def skull_places(bears: Bears, turn: Turn, rulings: Mapping[str, object]) -> tuple[CardId, ...]:
    """Where the next skull may go: koalas that show a skull, else any card neither activated nor skulled."""
    if not turn.pool.get("skull") or (turn.skulls_over and ruled(rulings, 23, "one_skull_step")):
        return ()
    matching = tuple(card for card in turn.koalas if _skull_room(bears, turn, card, rulings) > 0)
    others = tuple(
        c for c in turn.cards if c not in turn.skulled and c not in turn.dice and c not in matching
    )
    if not matching:
        return others
    return (*matching, *others) if ruled(rulings, 22, "may_spare") else matching


def skull(bears: Bears, turn: Turn, on: CardId, rulings: Mapping[str, object]) -> Turn | Refusal:
    """A skull die: it activates a koala that shows a skull, else it blocks a card till the end of the turn."""
    if on not in turn.cards:
        return Refusal("KARN-SKU-03", "not_in_tribe", {"card": _named(on)})
    if not turn.pool.get("skull"):
        return Refusal("KARN-SKU-01", "no_such_die", {"die": "@skull"})
    if on not in skull_places(bears, turn, rulings):
        return _no_place(turn, on, rulings)
    pool = _without(turn.pool, "skull")
    if _skull_room(bears, turn, on, rulings) > 0:
        return _activated(replace(turn, pool=pool), bears, on, "skull")
    return replace(turn, pool=pool, skulled=(*turn.skulled, on))


def _no_place(turn: Turn, on: CardId, rulings: Mapping[str, object]) -> Refusal:
    """Why a card does not take a skull."""
    if on in turn.skulled:
        return Refusal("KARN-SKU-05", "one_skull_max", {"card": _named(on)})
    if on in turn.dice:
        return Refusal("KARN-AMB-26", "already_activated", {"card": _named(on)})
    if turn.skulls_over and ruled(rulings, 23, "one_skull_step"):
        return Refusal("KARN-AMB-23", "skulls_first")
    return Refusal("KARN-SKU-03", "matching_koala_first", {"card": _named(on)})


def skulls_wait(bears: Bears, turn: Turn, rulings: Mapping[str, object]) -> Refusal | None:
    """Nothing else may be done while a skull can be assigned."""
    places = skull_places(bears, turn, rulings)
    return Refusal("KARN-SKU-02", "skulls_first", {"count": turn.pool["skull"]}) if places else None


def assign(
    bears: Bears, turn: Turn, die: str, on: CardId, rulings: Mapping[str, object], source: str = "die"
) -> Turn | Refusal:
    """A die on a village- or huntbear, or a crown on the king: the card is activated."""
    if source != "die":
        return Refusal("KARN-ASS-04", "effect_symbols_cannot_activate", {"card": _named(on)})
    if die == "skull":
        return skull(bears, turn, on, rulings)
    fault = skulls_wait(bears, turn, rulings) or cannot_take(bears, turn, die, on, rulings)
    if fault is not None:
        return fault
    after = _activated(replace(turn, pool=_without(turn.pool, die), skulls_over=True), bears, on, die)
    hunts_too = "spear" in symbols(die) and ruled(rulings, 19, "hunts_too")
    return replace(after, spears=after.spears + 1) if hunts_too else after


def cannot_take(
    bears: Bears, turn: Turn, die: str, on: CardId, rulings: Mapping[str, object]
) -> Refusal | None:
    """Why a card does not take this die; None if it does."""
    if on not in turn.cards:
        return Refusal("KARN-ASS-01", "not_in_tribe", {"card": _named(on)})
    bear = bears[on]
    if bear.kind == "workbear":
        return Refusal("KARN-ASS-01", "workbears_take_no_dice", {"card": _named(on)})
    if on in turn.skulled:
        return Refusal("KARN-SKU-04", "blocked_by_skull", {"card": _named(on)})
    if not turn.pool.get(die):
        return Refusal("KARN-ASS-01", "no_such_die", {"die": f"@{die}"})
    shown = set(symbols(die)) & set(bear.symbols)
    if not shown:
        return Refusal("KARN-ASS-01", "no_matching_symbol", {"card": _named(on), "die": f"@{die}"})
    if room(bears, turn, on, rulings) <= 0:
        rule = "KARN-AMB-09" if bear.kind == "king" else "KARN-ASS-08" if bear.most else "KARN-ASS-05"
        return Refusal(rule, "die_limit", {"card": _named(on)})
    if _symbol_taken(bear, turn, on, die, rulings):
        return Refusal("KARN-AMB-18", "die_limit", {"card": _named(on)})
    return None


def _symbol_taken(bear: Bear, turn: Turn, on: CardId, die: str, rulings: Mapping[str, object]) -> bool:
    """Whether each symbol that a die matches has had one, where the table rules one die for each symbol."""
    if bear.kind == "king" or bear.most is not None or not ruled(rulings, 18, "one_each_symbol"):
        return False
    taken = Counter(symbol for other in turn.dice.get(on, ()) for symbol in symbols(other))
    return all(taken[symbol] > 0 for symbol in symbols(die) if symbol in bear.symbols)


def set_aside(bears: Bears, turn: Turn, count: int, rulings: Mapping[str, object]) -> Turn | Refusal:
    """Spear dice put aside for the hunt, one spear each."""
    fault = skulls_wait(bears, turn, rulings)
    if fault is not None:
        return fault
    if count < 1:
        return Refusal("KARN-USE-02", "no_such_die", {"die": "@spear"})
    pool = dict(turn.pool)
    for _ in range(count):
        die = next((die for die in ("spear", "koala_spear") if pool.get(die)), None)
        if die is None:
            return Refusal("KARN-USE-02", "no_such_die", {"die": "@spear"})
        pool = _without(pool, die)
    return replace(turn, pool=pool, spears=turn.spears + count, skulls_over=True)


def place(
    bears: Bears, turn: Turn, card: CardId, rulings: Mapping[str, object], *,
    side: str | None = None, remove: CardId | None = None,
) -> Turn | Refusal:  # fmt: skip
    """A hand card into the tribe; the eighth koala takes the place of one that its owner chooses."""
    fault = skulls_wait(bears, turn, rulings) or not_placed(bears[card], card, side)
    if fault is not None:
        return fault
    added = added_to(turn.koalas, card, turn.skulled, rulings, remove)
    return added if isinstance(added, Refusal) else _joined(turn, added, remove)


def not_placed(bear: Bear, card: CardId, side: str | None = None) -> Refusal | None:
    """Why a card does not stand in a tribe, or not on that side of the king."""
    if bear.kind == "backstabbear":
        return Refusal("KARN-BAC-03", "backstabbear_not_placed", {"card": _named(card)})
    if bear.kind not in ("workbear", "huntbear", "villagebear"):
        return Refusal("KARN-PLA-04", "not_a_koala", {"card": _named(card)})
    right_side = "left" if bear.kind == "workbear" else "right"
    if side is not None and side != right_side:
        return Refusal("KARN-PLA-02", "wrong_side", {"card": _named(card), "side": f"@{right_side}"})
    return None


def added_to(
    koalas: Sequence[CardId], card: CardId, blocked: Sequence[CardId], rulings: Mapping[str, object],
    remove: CardId | None,
) -> tuple[CardId, ...] | Refusal:  # fmt: skip
    """A tribe with one koala more; of eight one that is not blocked by a skull goes."""
    if len(koalas) < TRIBE:
        if remove is not None:
            return Refusal("KARN-PLA-08", "no_removal_needed", {"cards": _named(remove)})
        return (*koalas, card)
    if remove is None:
        return Refusal("KARN-PLA-08", "eighth_needs_removal", {"count": TRIBE})
    new_may_go = ruled(rulings, 24, "the_new_one_too")
    if remove not in koalas and not (remove == card and new_may_go):
        return Refusal("KARN-PLA-08", "not_in_tribe", {"card": _named(remove)})
    if remove in blocked:
        return Refusal("KARN-SKU-04", "skulled_cannot_be_removed", {"card": _named(remove)})
    return tuple(koala for koala in (*koalas, card) if koala != remove)


def two_crowns(
    bears: Bears, turn: Turn, others: Mapping[str, Sequence[CardId]], player: str, card: CardId,
    rulings: Mapping[str, object], *, remove: CardId | None = None, kings: Sequence[CardId] = (),
) -> Turn | Refusal:  # fmt: skip
    """Any one koala of another tribe, for two crown dice."""
    fault = skulls_wait(bears, turn, rulings)
    if fault is not None:
        return fault
    if turn.pool.get("crown", 0) < 2:
        return Refusal("KARN-USE-03", "need_two_crowns", {"count": turn.pool.get("crown", 0)})
    if card in kings or (card in bears and bears[card].kind == "king"):
        return Refusal("KARN-PLA-04", "king_cannot_move", {"card": _named(card)})
    if card not in others.get(player, ()):
        return Refusal("KARN-USE-03", "not_in_that_tribe", {"card": _named(card), "name": player})
    if len(turn.koalas) >= TRIBE and ruled(rulings, 15, "not_into_a_full_tribe"):
        return Refusal("KARN-AMB-15", "eighth_needs_removal", {"count": TRIBE})
    added = added_to(turn.koalas, card, turn.skulled, rulings, remove)
    if isinstance(added, Refusal):
        return added
    pool = _without(_without(turn.pool, "crown"), "crown")
    return _joined(replace(turn, pool=pool), added, remove)


def leaving(
    bears: Bears, turn: Turn, rulings: Mapping[str, object], *, hunted: bool = False
) -> tuple[CardId, ...]:
    """Who leaves: activated huntbears; at the end of the turn also koalas a skull lies on (never the king)."""

    def goes(card: CardId) -> bool:
        if bears[card].kind == "huntbear" and card in turn.dice:
            by_skull = all(die == "skull" for die in turn.dice[card])
            return not (by_skull and not hunted and ruled(rulings, 4, "stays_after_skull"))
        return not hunted and card in turn.skulled

    return tuple(card for card in turn.koalas if goes(card))


def without(turn: Turn, cards: Sequence[CardId]) -> Turn:
    """The tribe after cards have left it."""
    return replace(turn, koalas=tuple(koala for koala in turn.koalas if koala not in cards))


def _joined(turn: Turn, koalas: tuple[CardId, ...], removed: CardId | None) -> Turn:
    dice = {card: taken for card, taken in turn.dice.items() if card != removed}
    return replace(turn, koalas=koalas, dice=dice, skulls_over=True)


def _activated(turn: Turn, bears: Bears, card: CardId, die: str) -> Turn:
    dice = {**turn.dice, card: (*turn.dice.get(card, ()), die)}
    return replace(turn, dice=dice, spears=turn.spears + bears[card].spears)


def _without(pool: Mapping[str, int], die: str) -> dict[str, int]:
    return {face: left for face, count in pool.items() if (left := count - (face == die)) > 0}


def _named(card: CardId) -> str:
    """A card for a sentence: its face, as a word of the game."""
    return f"@{card.rpartition('-')[0] or card}"
