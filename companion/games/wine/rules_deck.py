"""What is mixed, served and dealt, and how likely the next card is black: the rulebook over plain values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.games.wine.options import EXTENSION, ruled
from companion.table.game import Refusal
from companion.table.things import value

WINES = ("red", "rose", "white")
HAND = 3  # cards dealt, and how far one may draw
BASIC: Mapping[str, int] = {
    "thieves": 6, "stop": 4, "tipsy_taster": 9, "grape_picker": 10, "oenologist": 9,
    "sommelier": 6, "lobbyists": 6, "wine_fair": 2,
}  # fmt: skip
GREEN = ("tipsy_taster", "grape_picker", "oenologist", "sneaky_taster", "auditor", "meteorologist")
BLACK = ("sommelier", "lobbyists", "wine_fair", "farandole", "auction")
BLUE = ("charity", "blind_test", "vintage", "contest", "ageing")
FACES = (*BASIC, *EXTENSION)
GLASSES: Mapping[str, int] = dict.fromkeys(WINES, 6)  # assumed: an even split of the eighteen
MOST, FEWEST = 6, 2  # players


@value
class Pile:
    """The drawing deck as everybody may count it: cards in it, black ones among them.

    `fresh`: the card on top is certainly not the black one just put into the middle.
    """

    cards: int
    black: int
    fresh: bool = False


@value
class Served:
    """A table as it begins: the deck after the deal, glasses in front of each player and in the middle."""

    pile: Pile
    glasses_each: int
    middle: int
    per_type: int  # glasses of each type that are mixed


def class_of(face: str) -> str | None:
    """thieves, stop, green, black or blue; None for a card that this game does not know."""
    if face in ("thieves", "stop"):
        return face
    for name, faces in (("green", GREEN), ("black", BLACK), ("blue", BLUE)):
        if face in faces:
            return name
    return None


def serve(
    players: int, extra: Mapping[str, int], variant: bool = False, glasses: Mapping[str, int] = GLASSES
) -> Served | Refusal:
    """The table after glasses and cards are dealt; `extra`: extension cards mixed in, by face."""
    fault = _serve_fault(players, extra, variant, glasses)
    if fault is not None:
        return fault
    counts = {**BASIC, **extra}
    black = sum(count for face, count in counts.items() if class_of(face) == "black")
    pile = Pile(sum(counts.values()) - HAND * players, black)
    return Served(pile, 2, 3, 3) if variant else Served(pile, 3, 0, players)


def _serve_fault(
    players: object, extra: Mapping[str, int], variant: bool, glasses: Mapping[str, int]
) -> Refusal | None:
    if type(players) is not int or not FEWEST <= players <= MOST:
        return Refusal("WINE-SET-02", "player_count", {"least": FEWEST, "most": MOST})
    if variant and players > 3:
        return Refusal("WINE-VAR-01", "variant_only_2_or_3", {"count": players})
    for face, count in extra.items():
        if face not in EXTENSION:
            return Refusal("WINE-EXT-01", "unknown_card", {"card": face})
        if type(count) is not int or not 0 <= count <= EXTENSION[face]:
            return Refusal("WINE-EXT-01", "extension_count", {"card": f"@{face}", "most": EXTENSION[face]})
    need = 3 if variant else players
    short = [wine for wine in WINES if glasses.get(wine, 0) < need]
    if short:
        have = glasses.get(short[0], 0)
        return Refusal("WINE-SET-02", "counts", {"what": f"@{short[0]}", "have": have, "need": need})
    return None


def counted(cards: int, black: int) -> Pile | Refusal:
    """The deck by its counts; a Refusal where more of it would be black than there are cards."""
    if not 0 <= black <= cards:
        return Refusal("WINE-NB-03", "counts", {"what": "@any_card", "have": cards, "need": black})
    return Pile(cards, black)


def chance(pile: Pile, rulings: Mapping[str, object] | None = None) -> float:
    """How likely the next card is black, in per cent with one digit.

    By the official figure black cards over all cards. Strictly a black card just put into the middle
    cannot be the next one: WINE-AMB-04.
    """
    cards, black = pile.cards, pile.black
    if pile.fresh and rulings is not None and ruled(rulings, 4, "strict") and cards > 1:
        cards, black = cards - 1, black - 1
    return round(100 * black / cards, 1) if cards > 0 else 0.0


def drawn(pile: Pile, face: str, used: bool = False) -> Pile | Refusal:
    """The deck after a card was drawn and done with: a black one is back in it, a used Auction is not.

    A card of a kind that by the counts is not in the deck is refused: they were wrong before.
    """
    kind = class_of(face)
    if kind is None:
        return Refusal("WINE-DRA-02", "unknown_card", {"card": face})
    have = pile.black if kind == "black" else pile.cards - pile.black
    if have < 1:
        what = "@black_card" if kind == "black" else "@hand_card"
        return Refusal("WINE-NB-03", "counts", {"what": what, "have": have, "need": 1})
    if kind != "black":
        return Pile(pile.cards - 1, pile.black)
    if face == "auction" and used:
        return Pile(pile.cards - 1, pile.black - 1)
    return Pile(pile.cards, pile.black, True)


def returned(pile: Pile, cards: int = 1) -> Pile:
    """The deck after hand cards were put into its middle."""
    return Pile(pile.cards + cards, pile.black, pile.fresh)


@value
class Dealing:
    """The deal under way: who got how many cards to keep, how many black ones went back."""

    hands: Mapping[str, int]
    deck: int
    black_returned: int = 0

    @property
    def missing(self) -> dict[str, int]:
        """Cards still to be dealt."""
        return {player: HAND - held for player, held in self.hands.items() if held < HAND}


def begin_deal(players: Sequence[str], deck: int) -> Dealing:
    """Nobody has a card yet."""
    return Dealing(dict.fromkeys(players, 0), deck)


def deal(dealing: Dealing, to: str, kind: str) -> Dealing | Refusal:
    """One card dealt: kept by its player, or black and back in the middle of the deck."""
    if to not in dealing.hands:
        return Refusal("TABLE-PLAYER", "unknown_player", {"name": to})
    if dealing.hands[to] >= HAND:
        return Refusal("WINE-SET-06", "hand_full", {"name": to, "count": HAND})
    if kind == "black":
        return Dealing(dealing.hands, dealing.deck, dealing.black_returned + 1)
    hands = {**dealing.hands, to: dealing.hands[to] + 1}
    return Dealing(hands, dealing.deck - 1, dealing.black_returned)
