"""The physical truth of a table of Ku-Ka-König: pile, box, rows and collections. Cards are only ever moved."""

from __future__ import annotations

from collections.abc import Iterable

from companion.table.luck import Luck
from companion.table.things import CardId, Deck, Player, Zone

BOX = Zone("box")
ROWS = {2: 6, 3: 7, 4: 8}
APART = {2: 32, 3: 10, 4: 0}  # cards counted out unseen


def row_zone(row: int) -> Zone:
    """The zone of a row."""
    return Zone(f"row:{row}")


class Physical:
    """Where every card lies. A row lists its cards from inside to outside."""

    def __init__(self, deck: Deck, players: tuple[Player, ...], luck: Luck) -> None:
        """Shuffle the playing cards; nothing is laid yet."""
        self.deck, self.players = deck, players
        shuffled, self.luck = luck.shuffle([card.id for card in deck.cards if card.kind != "number"])
        self.pile: list[CardId] = list(shuffled)
        self.apart: list[CardId] = []  # counted out unseen into the box
        self.box: list[CardId] = []  # thrown into the box during the game
        self.shuffled = False  # the pile is what was the box
        self.collections: dict[Player, list[CardId]] = {player: [] for player in players}
        self.rows = range(1, ROWS[len(players)] + 1)
        self.zones: dict[Zone, list[CardId]] = {row_zone(row): [] for row in self.rows}
        self.zones[BOX] = []

    def row(self, number: int) -> list[CardId]:
        """What lies in a row."""
        return self.zones[row_zone(number)]

    def filled(self) -> list[int]:
        """Rows with cards."""
        return [row for row in self.rows if self.row(row)]

    def face(self, card: CardId) -> str:
        """What a card shows."""
        return self.deck.by_id[card].face

    def crossed(self, card: CardId) -> bool:
        """Whether the card has a red cross in its corner."""
        return self.deck.facts[self.face(card)]["stays"] is not True

    def roll(self, n: int) -> int:
        """A number from 0 to n-1."""
        number, self.luck = self.luck.below(n)
        return number

    def chance(self, p: float) -> bool:
        """Whether something with this probability happens."""
        return self.roll(1_000_000) < p * 1_000_000

    def count_out(self) -> None:
        """Three and two players put cards aside, unseen."""
        for _ in range(APART[len(self.players)]):
            self.apart.append(self.pile.pop())

    def deal(self, number: int, count: int, inside: bool = False) -> int:
        """Lay cards from the pile onto a row; how many there were."""
        row, dealt = self.row(number), 0
        while self.pile and dealt < count:
            row.insert(0 if inside else len(row), self.pile.pop())
            dealt += 1
        return dealt

    def undeal(self, number: int, inside: bool = False) -> None:
        """Take the newest card of a row back onto the pile."""
        row = self.row(number)
        self.pile.append(row.pop(0 if inside else -1))

    def take(self, player: Player, number: int, cards: Iterable[CardId]) -> None:
        """From a row into a collection."""
        for card in list(cards):
            self.row(number).remove(card)
            self.collections[player].append(card)

    def throw(self, number: int, card: CardId) -> None:
        """From a row into the box."""
        self.row(number).remove(card)
        self.box.append(card)

    def shuffle_box(self, everything: bool) -> None:
        """The pile is used up: what lies in the box becomes the pile."""
        loose = [*self.box, *(self.apart if everything else ())]
        mixed, self.luck = self.luck.shuffle(loose)
        self.pile, self.box, self.shuffled = list(mixed), [], True
        if everything:
            self.apart = []

    def counts(self) -> dict[str, int]:
        """Cards in pile and box; what is left of a shuffled box is the box."""
        box = len(self.box) + len(self.apart) + (len(self.pile) if self.shuffled else 0)
        return {"pile": 0 if self.shuffled else len(self.pile), "box": box}

    def everything(self) -> list[CardId]:
        """Every card, wherever it is: for the conservation check."""
        held = (*self.collections.values(), *self.zones.values())
        return [*self.pile, *self.apart, *self.box, *(card for cards in held for card in cards)]
