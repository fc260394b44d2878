"""The physical truth of a table of Karnivore Koala: where every card and every die lies.

Nothing here knows what the companion believes. Cards are only ever moved, never made or lost.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from companion.table.luck import Luck
from companion.table.things import CardId, Deck, Player, Zone

TRAY, MENU, DISCARD, PLAY = Zone("tray"), Zone("menu"), Zone("discard"), Zone("hunt")
KOALAS = ("workbear", "huntbear", "villagebear", "backstabbear")
HAND, SEVEN, SEEN = 3, 7, 4  # SEEN: cards of the discard pile that are not covered by others
# How many of each kind lie in the box: the witness's own list.
BOXES = {
    "rulebook": {"workbear": 24, "huntbear": 16, "villagebear": 16, "backstabbear": 24, "animal": 14},
    "beta": {"workbear": 24, "huntbear": 16, "villagebear": 16, "backstabbear": 24, "animal": 18},
    "shop": {"workbear": 32, "huntbear": 22, "villagebear": 20, "backstabbear": 30, "animal": 18},
}


class Physical:
    """Piles, hands, zones, dice and kings."""

    def __init__(self, deck: Deck, players: tuple[Player, ...], luck: Luck, edition: str) -> None:
        """Shuffle the koalas, the animals and the kings of an edition's box."""
        self.deck, self.players, self.luck = deck, players, luck
        box = BOXES[edition]
        kinds = {kind: [c.id for c in deck.cards if c.kind == kind] for kind in (*KOALAS, "animal", "back")}
        koalas = [card for kind in KOALAS for card in kinds[kind][: box[kind]]]
        self.pile = list(self.shuffled(koalas))
        backs = self.shuffled(kinds["back"][: box["animal"]])
        animals = self.shuffled(kinds["animal"][: box["animal"]])
        self.animals = list(
            zip(animals, backs, strict=True)
        )  # each card with its two sides, the top one last
        self.backs = dict(self.animals)
        self.hands: dict[Player, list[CardId]] = {player: [] for player in players}
        self.hunted: dict[Player, list[CardId]] = {player: [] for player in players}
        self.kings: dict[Player, CardId] = {}
        self.crowns = list(self.shuffled([card.id for card in deck.cards if card.kind == "king"]))
        self.order = players
        self.menu: list[CardId | None] = [None, None, None]
        self.under: list[CardId] = []  # discarded, and covered by others
        self.dice: list[CardId] = []  # the faces that lie up, of all five dice
        self.zones: dict[Zone, list[CardId]] = {zone: [] for zone in (TRAY, MENU, DISCARD, PLAY)}
        self.zones.update({Zone(f"tribe:{letter}"): [] for letter in "abcdef"[: len(players)]})
        self._all = sorted([*koalas, *animals])

    def roll(self, n: int) -> int:
        """A number from 0 to n-1."""
        number, self.luck = self.luck.below(n)
        return number

    def chance(self, p: float) -> bool:
        """Whether something with this probability happens."""
        return self.roll(1_000_000) < p * 1_000_000

    def pick(self, items: Iterable[Any]) -> Any:
        """One of them at random."""
        listed = list(items)
        return listed[self.roll(len(listed))]

    def shuffled(self, items: Iterable[CardId]) -> tuple[CardId, ...]:
        """All of them in a random order."""
        mixed, self.luck = self.luck.shuffle(list(items))
        return mixed

    def face(self, card: CardId) -> str:
        """What a card shows."""
        return self.deck.by_id[card].face

    def kind(self, card: CardId) -> str:
        """Workbear, huntbear, ..."""
        return self.deck.by_id[card].kind

    def facts(self, card: CardId) -> Mapping[str, Any]:
        """What is printed on a card."""
        return self.deck.facts.get(self.face(card), {})

    def tribe(self, player: Player) -> Zone:
        """A player's place: a is the starting player's, the others follow clockwise."""
        return Zone(f"tribe:{'abcdef'[self.order.index(player)]}")

    def koalas(self, player: Player) -> list[CardId]:
        """A player's tribe without its king."""
        return [card for card in self.zones[self.tribe(player)] if self.kind(card) != "king"]

    def draw(self, player: Player, count: int) -> int:
        """Take cards one by one; whoever takes the last one shuffles the discard pile at once. How many."""
        for done in range(count):
            if not self.pile:
                self._reshuffle()
            if not self.pile:
                return done
            self.hands[player].append(self.pile.pop())
            if not self.pile:
                self._reshuffle()
        return count

    def _reshuffle(self) -> None:
        self.pile = list(self.shuffled([*self.under, *self.zones[DISCARD]]))
        self.under, self.zones[DISCARD] = [], []

    def place(self, player: Player, card: CardId, side: str | None = None) -> None:
        """A card into a tribe: workbears left of the king, the others right, unless somebody errs."""
        row = self.zones[self.tribe(player)]
        left = (side or ("left" if self.kind(card) == "workbear" else "right")) == "left"
        king = row.index(self.kings[player])
        row.insert(king if left else len(row), card)

    def leave(self, card: CardId) -> None:
        """A card is taken away from wherever it lies open, or from a hand."""
        for held in (*self.zones.values(), *self.hands.values()):
            if card in held:
                held.remove(card)
                return
        raise AssertionError(f"{card} lies nowhere")

    def throw(self, card: CardId) -> None:
        """A card from wherever it is onto the discard pile; older ones are covered."""
        self.leave(card)
        pile = self.zones[DISCARD]
        pile.append(card)
        while len(pile) > SEEN:
            self.under.append(pile.pop(0))

    def throw_dice(self, keep: Iterable[CardId]) -> None:
        """Roll all dice but those that stay; each die has six faces, numbered by the die."""
        kept = list(keep)
        rolled = [die for die in range(1, 6) if not any(self.die(face) == die for face in kept)]
        self.dice = [*kept, *(self._side(die) for die in rolled)]

    def _side(self, die: int) -> CardId:
        sides = (f"crown-{die:02d}", f"spear-{2 * die - 1:02d}", f"spear-{2 * die:02d}",
                 f"koala-{2 * die - 1:02d}", f"koala-{2 * die:02d}", f"skull-{die:02d}")  # fmt: skip
        return CardId(sides[self.roll(6)])

    def die(self, side: CardId) -> int:
        """Which of the five dice bears this side."""
        face, number = side.rsplit("-", 1)
        return (int(number) + 1) // 2 if face in ("spear", "koala") else int(number)

    def turn_dice(self, faces: Iterable[str]) -> None:
        """Turn the dice so that they show these faces: as the companion has rolled."""
        sides = []
        for die, face in enumerate(faces, start=1):
            number = 2 * die if face in ("spear", "koala") else die
            sides.append(CardId(f"{face}-{number:02d}"))
        self.dice = sides

    def turn_up(self, place: int) -> None:
        """The top animal onto the menu; the next back comes to light."""
        self.menu[place] = self.animals.pop()[0] if self.animals else None
        self.show_menu()

    def show_menu(self) -> None:
        """The menu place as it lies: the dishes from left to right, then the pile's back."""
        top = [self.animals[-1][1]] if self.animals else []
        self.zones[MENU] = [*(card for card in self.menu if card is not None), *top]

    def left(self) -> int:
        """How many cards can be drawn at most: pile and discard pile."""
        return len(self.pile) + self.discards()

    def discards(self) -> int:
        """How many cards lie on the discard pile."""
        return len(self.under) + len(self.zones[DISCARD])

    def lost(self) -> bool:
        """Whether a card has got lost or doubled on the table itself."""
        out = [*self.pile, *self.under, *(card for card, _ in self.animals)]
        out += [card for card in self.menu if card is not None]
        for held in (*self.hands.values(), *self.hunted.values()):
            out += held
        for zone, held in self.zones.items():
            if zone not in (MENU, TRAY):
                out += [card for card in held if self.kind(card) in KOALAS]
        return sorted(out) != self._all
