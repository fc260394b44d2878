"""The physical truth of a table of Koala & Wine: which glass lies where and how, and every card.

Nothing here knows what the companion believes. Cards are only ever moved, never made or lost.
"""

from __future__ import annotations

from collections.abc import Mapping

from companion.table.luck import Luck
from companion.table.things import CardId, Deck, Player, Zone

PLAYED, DRAWN = Zone("played"), Zone("drawn")
MIDDLE = Player("middle")
WINES = ("red", "rose", "white")
EXTENSION = {
    "sneaky_taster": 4, "auditor": 2, "meteorologist": 2, "farandole": 2, "auction": 1,
    "charity": 1, "blind_test": 3, "vintage": 1, "contest": 2, "ageing": 1,
}  # fmt: skip


class Cellar:
    """Deck, hands, rows of glasses, the places for cards, and what is out of the game."""

    def __init__(
        self, deck: Deck, players: tuple[Player, ...], luck: Luck, options: Mapping[str, object]
    ) -> None:
        """Shuffle the cards that are agreed on; glasses are served later."""
        self.deck, self.luck, self.players = deck, luck, players
        self.box: list[CardId] = []
        pile: list[CardId] = []
        for card in deck.cards:
            if card.kind != "glass":
                mixed = pile if self._mixed_in(card.id, options) else self.box
                mixed.append(card.id)
        self.pile: list[CardId] = self._shuffled(pile)  # the top card is the last
        self.glasses = [card.id for card in deck.cards if card.kind == "glass"]
        self.hands: dict[Player, list[CardId]] = {player: [] for player in players}
        self.rows: dict[Player, list[CardId]] = {owner: [] for owner in (*players, MIDDLE)}
        self.up: set[CardId] = set()  # glasses that lie face up
        self.covers: dict[Player, CardId] = {}  # the Ageing card in a row
        self.played: list[CardId] = []
        self.drawn: list[CardId] = []
        self.discard: list[CardId] = []
        self.lost: list[CardId] = []
        self.served: dict[int, CardId] = {}  # glasses by the number of the place they were served to

    def _mixed_in(self, card: CardId, options: Mapping[str, object]) -> bool:
        face = self.deck.face(card)
        if face not in EXTENSION or options.get("extension") == "all":
            return True
        count = options.get(f"extra.{face}", 0)
        return isinstance(count, int) and int(card.rpartition("-")[2]) <= count

    @property
    def zones(self) -> Mapping[Zone, list[CardId]]:
        """What can be seen face up in each place."""
        rows = {
            Zone("middle" if owner == MIDDLE else f"row:{'abcdef'[self.players.index(owner)]}"): [
                *([self.covers[owner]] if owner in self.covers else []),  # it lies there longest
                *(glass for glass in row if glass in self.up),
            ]
            for owner, row in self.rows.items()
        }
        return {PLAYED: self.played, DRAWN: self.drawn, **rows}

    def _shuffled(self, cards: list[CardId]) -> list[CardId]:
        mixed, self.luck = self.luck.shuffle(cards)
        return list(mixed)

    def roll(self, n: int) -> int:
        """A number from 0 to n-1."""
        number, self.luck = self.luck.below(n)
        return number

    def chance(self, p: float) -> bool:
        """Whether something with this probability happens."""
        return self.roll(1_000_000) < p * 1_000_000

    def name(self, card: CardId) -> str:
        """What a card is called, without its wine."""
        stem, _, wine = self.deck.face(card).rpartition("_")
        return stem if wine in WINES else self.deck.face(card)

    def wine(self, card: CardId) -> str:
        """The wine on a card or in a glass; "" for none."""
        wine = self.deck.face(card).rpartition("_")[2]
        return wine if wine in WINES else ""

    def kind(self, card: CardId) -> str:
        """glass, thieves, stop, green, black or blue."""
        return self.deck.by_id[card].kind

    def serve(self, variant: bool) -> None:
        """As many of each wine as there are players, mixed, three each; by the variant two, and three middle."""
        count = 3 if variant else len(self.players)
        mixed = [g for wine in WINES for g in [x for x in self.glasses if self.deck.face(x) == wine][:count]]
        mixed = self._shuffled(mixed)
        for owner, each in (*((p, 2 if variant else 3) for p in self.players), (MIDDLE, 3 if variant else 0)):
            for _ in range(each):
                self.rows[owner].append(mixed.pop())
                self.served[len(self.served) + 1] = self.rows[owner][-1]

    def deal(self) -> None:
        """Three cards each; black ones go back into the middle."""
        for player in self.players:
            while len(self.hands[player]) < 3:
                card = self.pile.pop()
                if self.kind(card) == "black":
                    self.bury(card)
                else:
                    self.hands[player].append(card)

    def bury(self, card: CardId) -> None:
        """Somewhere into the middle of the deck."""
        third = len(self.pile) // 3
        self.pile.insert(third + self.roll(third + 1), card)

    def lay(self, player: Player, card: CardId) -> None:
        """From hand onto the place for played cards."""
        self.hands[player].remove(card)
        self.played.append(card)

    def unlay(self, player: Player, card: CardId) -> None:
        """From the place for played cards into a hand."""
        self.played.remove(card)
        self.hands[player].append(card)

    def turn_up(self) -> CardId:
        """The top card onto the place for drawn cards."""
        card = self.pile.pop()
        self.drawn.append(card)
        return card

    def owner(self, glass: CardId) -> Player | None:
        """In whose row a glass lies."""
        return next((owner for owner, row in self.rows.items() if glass in row), None)

    def give(self, glass: CardId, to: Player, left: bool = False) -> None:
        """A glass to the end of a row, face down."""
        owner = self.owner(glass)
        if owner is None:
            self.lost.remove(glass)
        else:
            self.rows[owner].remove(glass)
        self.up.discard(glass)
        self.rows[to].insert(0 if left else len(self.rows[to]), glass)

    def lose(self, glass: CardId) -> None:
        """A glass out of the game, on top of those lost before."""
        owner = self.owner(glass)
        assert owner is not None, "only a glass on the table can be lost"
        self.rows[owner].remove(glass)
        self.up.discard(glass)
        self.lost.append(glass)

    def swap(self, one: CardId, two: CardId) -> None:
        """Two glasses in each other's place."""
        a, b = self.owner(one), self.owner(two)
        assert a is not None and b is not None, "both lie on the table"
        i, j = self.rows[a].index(one), self.rows[b].index(two)
        self.rows[a][i], self.rows[b][j] = two, one

    def everything(self) -> list[CardId]:
        """Every card and glass, wherever it is: for the conservation check."""
        served = {*self.served.values()}
        out = [*self.box, *self.pile, *self.played, *self.drawn, *self.discard, *self.lost]
        out += [glass for glass in self.glasses if glass not in served]
        out += [*self.covers.values()]
        for held in (*self.hands.values(), *self.rows.values()):
            out.extend(held)
        return out
