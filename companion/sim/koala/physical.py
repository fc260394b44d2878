"""The physical truth of a simulated table: where every card lies and where every person is.

Nothing here knows what the companion believes. Cards are only ever moved, never made or lost.
"""

from __future__ import annotations

from collections.abc import Iterable

from companion.table.luck import Luck
from companion.table.things import CardId, Deck, Player, Zone

MIDDLE, ACTION = Zone("middle"), Zone("action")
HAND = 3
CAVES = "abcdef"
FOODS = ("pizza", "hamburger", "spaghetti")


class Physical:
    """Pile, hands, zones, discard pile, feast and team cards, and persons at seats."""

    def __init__(self, deck: Deck, players: tuple[Player, ...], luck: Luck) -> None:
        """Shuffle the pile; seat the players: six at most, the others behind them, evenly."""
        self.deck = deck
        playing = [card.id for card in deck.cards if card.kind in ("food", "action")]
        shuffled, self.luck = luck.shuffle(playing)
        self.pile: list[CardId] = list(shuffled)
        self.hands: dict[Player, list[CardId]] = {player: [] for player in players}
        self.feasts: dict[Player, list[CardId]] = {player: [] for player in players}
        self.teams: dict[Player, CardId] = {}
        self.stock: list[CardId] = [card.id for card in deck.cards if card.kind == "feast"]
        self.discard: list[CardId] = []
        self.seats: list[list[Player]] = [[player] for player in players[:6]]  # front koala first
        behind = players[6:]
        for i, player in enumerate(behind):
            self.seats[i * 6 // len(behind)].append(player)
        caves = [Zone(f"cave:{letter}") for letter in CAVES[: len(self.seats)]]
        self.zones: dict[Zone, list[CardId]] = {zone: [] for zone in (MIDDLE, ACTION, *caves)}

    def face(self, card: CardId) -> str:
        """What a card shows."""
        return self.deck.by_id[card].face

    def kind(self, card: CardId) -> str:
        """Food, action, feast or team."""
        return self.deck.by_id[card].kind

    def roll(self, n: int) -> int:
        """A number from 0 to n-1."""
        number, self.luck = self.luck.below(n)
        return number

    def chance(self, p: float) -> bool:
        """Whether something with this probability happens."""
        return self.roll(1_000_000) < p * 1_000_000

    def pick(self, items: Iterable[CardId]) -> CardId:
        """One of them at random."""
        listed = list(items)
        return listed[self.roll(len(listed))]

    def draw(self, player: Player, count: int) -> int:
        """Take cards from the pile, as far as it reaches; how many."""
        taken = self.pile[-count:] if count else []
        del self.pile[len(self.pile) - len(taken) :]
        self.hands[player].extend(reversed(taken))
        return len(taken)

    def turn_up(self) -> CardId:
        """Turn the top card of the pile onto the middle."""
        card = self.pile.pop()
        self.zones[MIDDLE].append(card)
        return card

    def lay(self, player: Player, cards: Iterable[CardId], zone: Zone) -> None:
        """From hand onto a zone."""
        for card in list(cards):
            self.hands[player].remove(card)
            self.zones[zone].append(card)

    def take(self, player: Player, cards: Iterable[CardId], zone: Zone) -> None:
        """From a zone back into the hand."""
        for card in list(cards):
            self.zones[zone].remove(card)
            self.hands[player].append(card)

    def move(self, cards: Iterable[CardId], source: Zone, target: Zone) -> None:
        """From one zone to another."""
        for card in list(cards):
            self.zones[source].remove(card)
            self.zones[target].append(card)

    def throw(self, cards: Iterable[CardId], zone: Zone) -> None:
        """From a zone onto the discard pile."""
        for card in list(cards):
            self.zones[zone].remove(card)
            self.discard.append(card)

    def eat(self, player: Player, food: str) -> int:
        """Discard all cards of a food from the own cave and take a feast card; how many were eaten."""
        zone = self.cave(player)
        eaten = [card for card in self.zones[zone] if self.face(card) == food]
        self.throw(eaten, zone)
        self.feasts[player].append(self.stock.pop())
        return len(eaten)

    def seat(self, player: Player) -> int:
        """Where a person is."""
        return next(i for i, seat in enumerate(self.seats) if player in seat)

    def cave(self, player: Player) -> Zone:
        """The cave before which a person is."""
        return Zone(f"cave:{CAVES[self.seat(player)]}")

    def mate(self, player: Player) -> Player | None:
        """The other one at the same seat."""
        return next((other for other in self.seats[self.seat(player)] if other != player), None)

    def bump(self, target: Player, step: int) -> None:
        """A person moves on one seat; whoever stood behind the one he meets is pushed on in turn."""
        place = self.seat(target)
        self.seats[place].remove(target)
        mover: Player | None = target
        while mover is not None:
            place = (place + step) % len(self.seats)
            pushed = self.seats[place][1] if len(self.seats[place]) == 2 else None
            self.seats[place] = [*self.seats[place][:1], mover]
            mover = pushed

    def ring(self, step: int) -> None:
        """All persons at the table slide one seat; those behind stay where they stand."""
        n = len(self.seats)
        fronts = [seat[:1] for seat in self.seats]
        self.seats = [fronts[(i - step) % n] + self.seats[i][1:] for i in range(n)]

    def leap(self, place: int) -> None:
        """The two of a seat swap."""
        self.seats[place].reverse()

    def everything(self) -> list[CardId]:
        """Every card, wherever it is: for the conservation check."""
        out = [*self.pile, *self.discard, *self.stock, *self.teams.values()]
        for held in (*self.hands.values(), *self.feasts.values(), *self.zones.values()):
            out.extend(held)
        return out

    def foods(self, place: int) -> dict[str, int]:
        """What lies in a cave, counted card by card."""
        faces = [self.face(card) for card in self.zones[Zone(f"cave:{CAVES[place]}")]]
        return {food: faces.count(food) for food in FOODS}
