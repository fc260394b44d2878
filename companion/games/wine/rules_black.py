"""Sommelier, Lobbyists, Wine Fair, Farandole, Auction: what the black cards do to glasses. Plain values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from companion.games.wine.rules_glasses import (
    MIDDLE,
    Done,
    Table,
    acting_fault,
    alive,
    eliminated,
    following,
    gained,
    glass_fault,
    guarded,
    missing_show,
    paid,
    protected,
)
from companion.games.wine.rules_hand import ageing_ended
from companion.table.game import Refusal
from companion.table.things import Player


def exempt(table: Table, player: Player) -> bool:
    """Whether Vintage keeps a player's glasses down at a Sommelier or a Wine Fair."""
    return player in table.vintage and table.ruled(31, "vintage_stays_down")


def sommelier(
    table: Table, by: Player, wine: str, show: str | None, slot: int | None = None
) -> Done | Refusal:
    """The drawer shows one glass: of the wine served it stays, any other is lost. Ageing ends first."""
    fault = acting_fault(table, by)
    if fault is not None:
        return fault
    table = ageing_ended(table, by)
    if exempt(table, by):
        return Done(table, "protected")
    if show is None:
        return missing_show(by)
    return Done(table, "ok") if show == wine else Done(eliminated(table, by, slot), "lost")


def lobby_targets(table: Table, by: Player) -> tuple[tuple[Player, int], ...]:
    """Every glass that the drawer of Lobbyists may point at; none: the card has no effect."""
    others = [(p, slot) for p in alive(table) if p != by for slot in range(1, table.glasses[p] + 1)]
    free = [(player, slot) for player, slot in others if not guarded(table, player, slot)]
    middle = [(MIDDLE, slot) for slot in range(1, table.middle + 1)]
    if not free and not middle and table.ruled(11, "protection_yields"):
        free = others
    return (*middle, *free)


def lobby_fault(table: Table, by: Player, target: Player, slot: int) -> Refusal | None:
    """Why this glass cannot be the one that the lobbyists attack."""
    fault = glass_fault(table, by, target, slot)
    if fault is None and (target, slot) not in lobby_targets(table, by):
        return protected(target)
    return fault


def chooser_of(table: Table, by: Player, target: Player) -> Player:
    """Who chooses the glass that a wrong drawer loses."""
    if target != MIDDLE:
        return target
    return by if table.ruled(12, "drawer") else following(table, by)


def hit(table: Table, target: Player, slot: int) -> Done:
    """The lobbyists were right: the target's glass is lost."""
    return Done(eliminated(table, target, slot), "target_lost")


def spared(table: Table, by: Player) -> bool:
    """Whether the drawer's own Vintage keeps him from losing a glass after a wrong guess."""
    return by in table.vintage and table.ruled(30, "nothing_lost")


def fine_fault(table: Table, by: Player, slot: int) -> Refusal | None:
    """Why this glass cannot be the one that a wrong drawer loses."""
    if not 1 <= slot <= table.glasses[by]:
        return Refusal("WINE-LOB-04", "no_such_glass", {"name": by, "slot": slot, "count": table.glasses[by]})
    aged = table.aged.get(by) == slot and table.glasses[by] > 1
    return protected(by) if aged else None


def fined(table: Table, by: Player, chooser: Player, slot: int | None = None) -> Done | Refusal:
    """The lobbyists were wrong: the drawer loses the glass that was chosen, never an aged one."""
    fault = None if slot is None else fine_fault(table, by, slot)
    return fault or Done(eliminated(table, by, slot), f"drawer_lost:chosen_by_{chooser}")


def lobbyists(
    table: Table, by: Player, wine: str, target: Player | None, slot: int = 1, reveal: str | None = None,
    chosen_by: Player | None = None, chosen: int | None = None,
) -> Done | Refusal:  # fmt: skip
    """Lobbyists from the card to the glass that is lost."""
    fault = acting_fault(table, by)
    if fault is not None:
        return fault
    if not lobby_targets(table, by):
        return Done(table, "protected")
    if target is None:
        return Refusal("WINE-LOB-01", "no_such_glass", {"name": "-", "slot": slot, "count": 0})
    fault = lobby_fault(table, by, target, slot)
    if fault is not None:
        return fault
    if reveal is None:
        return missing_show(target)
    if reveal == wine:
        return hit(table, target, slot)
    if spared(table, by):
        return Done(table, "protected")
    chooser = chooser_of(table, by, target)
    if chosen_by is not None and chosen_by != chooser:
        return Refusal("WINE-LOB-04", f"chooser_is_{chooser}", {"name": chosen_by, "chooser": chooser})
    return fined(table, by, chooser, chosen)


def showing(table: Table) -> tuple[Player, ...]:
    """Who turns a glass over at a Wine Fair."""
    return tuple(player for player in alive(table) if not exempt(table, player))


def wine_fair(table: Table, by: Player, shown: Mapping[Player, str | None]) -> Done | Refusal:
    """Everybody shows one glass; nobody loses one."""
    fault = acting_fault(table, by)
    if fault is not None:
        return fault
    missing = [player for player in showing(table) if shown.get(player) is None]
    return missing_show(missing[0]) if missing else Done(table, "fair_ok")


def dancers(table: Table) -> tuple[Player, ...]:
    """Who gives and gets a glass in a Farandole, in turn order."""
    dance = table.ruled(15, "takes_part")
    return tuple(player for player in alive(table) if dance or player not in table.vintage)


def farandole(table: Table, by: Player) -> Done | Refusal:
    """Everybody passes one glass on; the counts stay."""
    fault = acting_fault(table, by)
    if fault is not None:
        return fault
    return Done(table, "passed_on" if len(dancers(table)) > 1 else "protected")


def offer_fault(table: Table, player: Player, offer: int) -> Refusal | None:
    """Why somebody cannot offer so many cards."""
    if player not in alive(table):
        return Refusal("WINE-OBJ-02", "eliminated_player", {"name": player})
    if type(offer) is not int or not 0 <= offer <= table.hands.get(player, 99):
        # Said aloud, the press that is one too many would tell a sealed offer.
        return Refusal("WINE-AUC-01", "offer_exceeds_hand", {"name": player}, aloud=False)
    return None


def leading(table: Table, offers: Mapping[Player, int]) -> tuple[Player, ...]:
    """Who offers most, in turn order; by the ruling of equals those with the larger hand."""
    everybody = alive(table)
    most = max(offers.get(player, 0) for player in everybody)
    tied = [player for player in everybody if offers.get(player, 0) == most]
    if table.ruled(10, "larger_hand_wins"):
        largest = max(table.hands.get(player, 0) for player in tied)
        tied = [player for player in tied if table.hands.get(player, 0) == largest]
    return tuple(tied)


def auction(
    table: Table, by: Player, offers: Mapping[Player, int], decides: Player | None = None
) -> Done | Refusal:
    """The highest offer wins the eliminated glass; without one the card goes back unused."""
    fault = acting_fault(table, by)
    if fault is not None:
        return fault
    if table.lost <= 0:
        return Done(table, "back_to_deck")
    faults = (offer_fault(table, player, offer) for player, offer in offers.items())
    fault = next((each for each in faults if each is not None), None)
    if fault is not None:
        return fault
    tied = leading(table, offers)
    if len(tied) > 1 and decides not in tied:
        code = f"drawer_decides:{','.join(tied)}"
        return Refusal("WINE-AUC-04", code, {"name": by, "names": ", ".join(tied)})
    won = decides if decides in tied else tied[0]
    assert won is not None, "the decision is one of the tied"
    for player in offers if table.ruled(28, "all_pay") else [won]:
        table = paid(table, player, offers.get(player, 0))
    return Done(gained(replace(table, lost=table.lost - 1), won), f"auction:{won}")
