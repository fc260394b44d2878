"""Who has how many glasses, which of them are protected, and what a lost or won one changes. Plain values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace

from companion.games.wine.options import ruled
from companion.table.game import Refusal
from companion.table.things import Player, value

MIDDLE = Player("middle")  # the glasses that belong to nobody, in the variant for 2 or 3


@value
class Table:
    """The public side of a table: counts only. Slots are numbered from 1, from the left of a row."""

    order: tuple[Player, ...]  # in turn order, the eliminated among them
    glasses: Mapping[Player, int]
    hands: Mapping[Player, int] = field(default_factory=dict)
    vintage: frozenset[Player] = frozenset()
    aged: Mapping[Player, int] = field(default_factory=dict)  # the slot under the Ageing card
    middle: int = 0
    lost: int = 0  # eliminated glasses that lie aside
    out: tuple[Player, ...] = ()
    rulings: Mapping[str, object] = field(default_factory=dict)

    def ruled(self, number: int, setting: str) -> bool:
        """Whether a ruling has this value at this table."""
        return ruled(self.rulings, number, setting)


@value
class Done:
    """A table after an event, and the event's note."""

    table: Table
    note: str


def alive(table: Table) -> tuple[Player, ...]:
    """Who has a glass, in turn order."""
    return tuple(player for player in table.order if table.glasses.get(player, 0) > 0)


def winner(table: Table) -> Player | None:
    """The last one with glasses, if only one is left."""
    left = alive(table)
    return left[0] if len(left) == 1 else None


def following(table: Table, player: Player) -> Player:
    """The next one in turn order who still has a glass; the player himself if nobody else has."""
    start = table.order.index(player)
    around = (*table.order[start + 1 :], *table.order[: start + 1])
    return next((other for other in around if table.glasses.get(other, 0) > 0), player)


def guarded(table: Table, player: Player, slot: int | None = None) -> bool:
    """Whether Vintage protects all glasses of a player, or Ageing this one."""
    if player in table.vintage:
        return True
    return slot is not None and table.aged.get(player) == slot and table.glasses[player] > 1


def acting_fault(table: Table, by: Player) -> Refusal | None:
    """Why a player cannot act at all: the game is over, or he is out."""
    if winner(table) is not None:
        return Refusal("WINE-OBJ-03", "game_over", {"name": str(winner(table))})
    if table.glasses.get(by, 0) <= 0:
        return Refusal("WINE-OBJ-02", "eliminated_player", {"name": by})
    return None


def glass_fault(table: Table, by: Player, target: Player, slot: int) -> Refusal | None:
    """Why somebody cannot point at this glass of another player or of the middle, protections apart."""
    if target == MIDDLE:
        if table.middle <= 0:
            return Refusal("WINE-VAR-04", "no_glass_in_the_middle")
        held = table.middle
    elif target == by:
        return Refusal("WINE-THI-01", "own_glass", {"name": by})
    else:
        held = table.glasses.get(target, 0)
    if type(slot) is not int or not 1 <= slot <= held:
        return Refusal("WINE-GLA-02", "no_such_glass", {"name": target, "slot": slot, "count": held})
    return None


def protected(target: Player) -> Refusal:
    """The answer to whoever points at a protected glass."""
    return Refusal("WINE-VIN-01", "protected", {"name": target})


def missing_show(target: Player) -> Refusal:
    """The answer where a glass must be shown and nobody has seen one."""
    return Refusal("WINE-THI-02", f"must_show:{target}", {"name": target})


def without(table: Table, player: Player, slot: int | None = None) -> Table:
    """The table after a player gave a glass away; without any left he is out, and his hand is laid away."""
    if player == MIDDLE:
        return replace(table, middle=table.middle - 1)
    left = table.glasses[player] - 1
    table = replace(table, glasses={**table.glasses, player: left}, aged=_aged_without(table, player, slot))
    if left > 0:
        return table
    hands = {**table.hands, player: 0} if player in table.hands else table.hands
    return replace(table, hands=hands, out=(*table.out, player), vintage=table.vintage - {player})


def _aged_without(table: Table, player: Player, slot: int | None) -> Mapping[Player, int]:
    """Ageing ends with its own glass, and when it covers the last one left."""
    place, left = table.aged.get(player), table.glasses[player] - 1
    if place is None:
        return table.aged
    if slot == place or left <= 1:
        return {other: aged for other, aged in table.aged.items() if other != player}
    moved = place - 1 if slot is not None and slot < place else min(place, left)
    return {**table.aged, player: moved}


def gained(table: Table, player: Player) -> Table:
    """The table after a player got a glass: at the right end of the row, by the ruling at the left."""
    aged = table.aged
    if player in aged and table.ruled(18, "left_end"):
        aged = {**aged, player: aged[player] + 1}
    return replace(table, glasses={**table.glasses, player: table.glasses[player] + 1}, aged=aged)


def eliminated(table: Table, player: Player, slot: int | None = None) -> Table:
    """The table after a glass was lost: it lies aside, on top of those lost before."""
    return replace(without(table, player, slot), lost=table.lost + 1)


def paid(table: Table, player: Player, cards: int = 1) -> Table:
    """The table after hand cards were spent; unknown hands stay unknown."""
    if player not in table.hands:
        return table
    return replace(table, hands={**table.hands, player: max(0, table.hands[player] - cards)})


def takes_card(table: Table, player: Player) -> bool:
    """Whether a player who wins a thief card takes it: by a ruling not beyond five."""
    return not (table.ruled(26, "five_at_most") and table.hands.get(player, 0) >= 5)


def with_card(table: Table, player: Player) -> Table:
    """The table after a player won a thief card."""
    if player not in table.hands or not takes_card(table, player):
        return table
    return replace(table, hands={**table.hands, player: table.hands[player] + 1})
