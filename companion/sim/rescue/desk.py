"""The physical truth of a Rescue Club table: a die, where it lies, and everybody's sheet of paper."""

from __future__ import annotations

from collections.abc import Mapping

from companion.sim.rescue.bot import Bot
from companion.sim.rescue.paper import Paper, Plan
from companion.table.luck import Luck
from companion.table.things import CardId, Deck, Player, Zone

TRAY = Zone("tray")


class Desk:
    """Papers and a die. Nothing here knows what the companion believes."""

    def __init__(
        self, deck: Deck, players: tuple[Player, ...], luck: Luck, agreed: Mapping[str, object]
    ) -> None:
        """Sit down; the sheets are given out once the map is known."""
        self.players, self.luck, self.agreed = players, luck, agreed
        self.face = {card.id: card.face for card in deck.cards if card.kind == "die"}.__getitem__
        self.faces = [card.id for card in deck.cards if card.kind == "die"]
        self.zones: dict[Zone, list[CardId]] = {TRAY: []}
        self.bots: dict[Player, Bot] = {}
        self.round1: dict[Player, int] = {}
        self.badges: dict[Player, dict[str, int]] = {player: {} for player in players}  # badge: turn

    def give_out(self, plan: Plan, playing: list[str]) -> None:
        """A blank sheet for everybody who draws."""
        for name in playing:
            number, self.luck = self.luck.draw()
            self.bots[Player(name)] = Bot(Paper(plan, self.agreed), self.agreed, Luck(number))

    def roll(self, n: int) -> int:
        """A number from 0 to n-1."""
        number, self.luck = self.luck.below(n)
        return number

    def chance(self, p: float) -> bool:
        """Whether something with this probability happens."""
        return self.roll(1_000_000) < p * 1_000_000

    def throw(self, dice: int = 1) -> None:
        """A die comes to rest in the tray; two if somebody is careless."""
        self.zones[TRAY] = []
        for _ in range(dice):
            left = [face for face in self.faces if face not in self.zones[TRAY]]
            self.zones[TRAY].append(left[self.roll(len(left))])

    def pick_up(self) -> None:
        """The tray is empty."""
        self.zones[TRAY] = []
