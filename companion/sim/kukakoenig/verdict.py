"""The score counted by hand from the cards that lie before each person: the other witness.

Written from the rulebook, apart from the game's own score. `agreed` are the rulings that a table switched.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from companion.sim.kukakoenig.physical import Physical
from companion.table.things import Player

KINGS = [0, 0, 1, 4, 9, 16, 25, 36, 36, 36, 36]
ANIMALS = [0, 1, 3, 6, 10, 15]
Agreed = Mapping[str, object]


def points(table: Physical, agreed: Agreed) -> dict[Player, int]:
    """What everybody's collection is worth now."""
    faces = {p: Counter(table.face(card) for card in cards) for p, cards in table.collections.items()}
    counted = {player: _alone(table, held) for player, held in faces.items()}
    most_churches = max(held["church"] for held in faces.values())
    most_knights = max(held["knight"] for held in faces.values())
    for player, held in faces.items():
        if held["church"] == most_churches and (most_churches or agreed.get("KUKA-AMB-07") == "tie_of_zeros"):
            counted[player] += 10
        counted[player] += held["knight"] * (2 if held["knight"] == most_knights else 1)
    return counted


def _alone(table: Physical, held: Counter[str]) -> int:
    """The types that do not depend on others: kings, point cards, animals, farm."""
    worth = KINGS[held["king"]] + 2 * held["vp2"] + 3 * held["vp3"] + 4 * held["vp4"]
    animals = {card.face for card in table.deck.cards if card.kind == "animal"}
    worth += sum(ANIMALS[held[animal]] for animal in animals)
    farmers, wives, houses = held["farmer"], held["wife"], held["house"]
    while farmers and wives:
        farmers, wives = farmers - 1, wives - 1
        worth += 14 if houses else 7
        houses = max(0, houses - 1)
    return worth


def winners(table: Physical, scored: list[dict[Player, int]], agreed: Agreed) -> tuple[Player, ...]:
    """Most points of all scorings together; equal ones share, or decide as was agreed."""
    rank: dict[Player, tuple[int, int]] = {}
    for player in table.players:
        total = sum(one[player] for one in scored)
        second = {"second_scoring": scored[-1][player], "more_cards": len(table.collections[player])}
        rank[player] = (total, second.get(str(agreed.get("KUKA-AMB-09")), 0))
    best = max(rank.values())
    return tuple(player for player in table.players if rank[player] == best)
