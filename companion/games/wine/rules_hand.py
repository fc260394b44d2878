"""Thieves, STOP, Vintage, Ageing, Charity, Blind Test, Contest: what hand cards do to glasses. Plain values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from companion.games.wine.rules_glasses import (
    MIDDLE,
    Done,
    Table,
    acting_fault,
    alive,
    gained,
    glass_fault,
    guarded,
    missing_show,
    paid,
    protected,
    with_card,
    without,
)
from companion.table.game import Refusal
from companion.table.things import Player, value


def play_fault(table: Table, by: Player) -> Refusal | None:
    """Why a player can play no card: out, the game is over, or an empty hand."""
    fault = acting_fault(table, by)
    if fault is None and table.hands.get(by, 1) <= 0:
        return Refusal("WINE-TUR-01", "no_hand_card", {"name": by, "card": "@card"})
    return fault


def thief_fault(table: Table, by: Player, target: Player, slot: int) -> Refusal | None:
    """Why this glass cannot be stolen: one's own, not there, the middle comes first, protected."""
    fault = glass_fault(table, by, target, slot)
    if fault is not None:
        return fault
    if table.middle > 0 and target != MIDDLE:
        return Refusal("WINE-VAR-05", "middle_first", {"count": table.middle})
    return protected(target) if target != MIDDLE and guarded(table, target, slot) else None


def stop_fault(table: Table, target: Player, stopper: Player) -> Refusal | None:
    """Why this player's STOP does not count: only the one attacked may, and he needs the card."""
    if stopper != target:
        return Refusal("WINE-STO-01", "stop_only_by_target", {"name": stopper, "target": target})
    if table.ruled(22, "no_stop_for_last_glass") and table.glasses.get(target) == 1:
        return Refusal("WINE-AMB-22", "no_stop_for_last_glass", {"name": stopper})
    if table.hands.get(stopper, 1) <= 0:
        return Refusal("WINE-STO-01", "no_hand_card", {"name": stopper, "card": "@stop"})
    return None


def stopped(table: Table, target: Player) -> Done:
    """The attacked player laid STOP: no glass is shown, the thief card is his."""
    table = paid(table, target)
    return Done(with_card(table, target) if table.ruled(6, "thief_taken") else table, "stopped")


def robbed(table: Table, by: Player, wine: str, target: Player, slot: int, reveal: str) -> Done:
    """The glass was shown: stolen if it is of the thief's wine; else the thief card changes hands."""
    if reveal == wine:
        return Done(gained(without(table, target, slot), by), "stolen")
    if target == MIDDLE:
        return Done(table, "back_to_deck")
    return Done(with_card(table, target), "thief_card_to_target")


def thief(
    table: Table, by: Player, wine: str, target: Player, slot: int, reveal: str | None = None,
    stop_by: Player | None = None,
) -> Done | Refusal:  # fmt: skip
    """A thief played at a glass, from the card to its end."""
    fault = play_fault(table, by) or thief_fault(table, by, target, slot)
    if fault is not None:
        return fault
    table = paid(table, by)
    if stop_by is not None:
        return stop_fault(table, target, stop_by) or stopped(table, target)
    if reveal is None:
        return missing_show(target)
    return robbed(table, by, wine, target, slot, reveal)


def vintage(table: Table, by: Player) -> Done | Refusal:
    """All glasses of a player are protected until his own next turn."""
    fault = play_fault(table, by)
    return fault or Done(vintaged(paid(table, by), by), "protected")


def vintaged(table: Table, by: Player) -> Table:
    """All glasses of a player are under the Vintage card's protection."""
    return replace(table, vintage=table.vintage | {by})


def ageing_fault(table: Table, by: Player, slot: int) -> Refusal | None:
    """Why this glass cannot be aged: it is not there."""
    held = table.glasses.get(by, 0)
    if type(slot) is int and 1 <= slot <= held:
        return None
    return Refusal("WINE-AGE-01", "no_such_glass", {"name": by, "slot": slot, "count": held})


def ageing(table: Table, by: Player, slot: int) -> Done | Refusal:
    """One glass is shown and covered: protected while its owner has another one."""
    fault = play_fault(table, by) or ageing_fault(table, by, slot)
    if fault is not None:
        return fault
    return Done(covered(paid(table, by), by, slot), "protected")


def covered(table: Table, by: Player, slot: int) -> Table:
    """The Ageing card lies on a glass; on the only one it protects nothing."""
    return replace(table, aged={**table.aged, by: slot}) if table.glasses[by] > 1 else table


def ageing_ended(table: Table, by: Player) -> Table:
    """A Sommelier was drawn: the covered glass is one like the others again."""
    return replace(table, aged={other: slot for other, slot in table.aged.items() if other != by})


def vintage_ended(table: Table, by: Player) -> Table:
    """The player's own next turn has come."""
    return replace(table, vintage=table.vintage - {by})


def givers(table: Table) -> tuple[Player, ...]:
    """Who has most glasses, in turn order; by the ruling without those whom Vintage protects."""
    free = [p for p in alive(table) if p not in table.vintage or table.ruled(32, "richest_all_the_same")]
    most = max((table.glasses[player] for player in free), default=0)
    return tuple(player for player in free if table.glasses[player] == most)


def giver_of(
    table: Table, by: Player, named: Player | None = None, named_by: Player | None = None
) -> Player | Refusal | None:
    """Who must give by Charity; None where nobody can; of equals only the card's player may name one."""
    most = givers(table)
    if not most:
        return None
    if len(most) > 1 and table.ruled(9, "next_clockwise"):
        start = table.order.index(by)
        around = (*table.order[start + 1 :], *table.order[: start + 1])
        most = tuple(player for player in around if player in most)[:1]
    if named is not None and named not in most:
        return Refusal("WINE-CHA-01", "giver_must_have_most", {"name": named, "names": ", ".join(most)})
    if len(most) > 1 and (named is None or named_by != by):
        return Refusal("WINE-AMB-09", "tie_card_player_chooses", {"name": by, "names": ", ".join(most)})
    return named or most[0]


def charity_fault(table: Table, giver: Player, to: Player | None) -> Refusal | None:
    """Why the glass cannot go there: not to oneself, not to somebody who is out."""
    if to is None or to == giver or to not in alive(table):
        return Refusal("WINE-CHA-01", "bad_receiver", {"name": giver, "to": str(to)})
    return None


def giving_fault(table: Table, giver: Player, slot: int) -> Refusal | None:
    """Why this glass cannot be given away by Charity: not there, or under the Ageing card."""
    held = table.glasses.get(giver, 0)
    if type(slot) is not int or not 1 <= slot <= held:
        return Refusal("WINE-CHA-01", "no_such_glass", {"name": giver, "slot": slot, "count": held})
    return protected(giver) if guarded(replace(table, vintage=frozenset()), giver, slot) else None


def given(table: Table, giver: Player, to: Player, slot: int | None = None) -> Done | Refusal:
    """A glass changes its owner unseen."""
    fault = None if slot is None else giving_fault(table, giver, slot)
    return fault or Done(gained(without(table, giver, slot), to), "given")


def charity(
    table: Table, by: Player, giver: Player | None = None, to: Player | None = None,
    slot: int | None = None, named_by: Player | None = None,
) -> Done | Refusal:  # fmt: skip
    """Charity from the card to the glass given; `named_by`: who named the giver among equals."""
    fault = play_fault(table, by)
    if fault is not None:
        return fault
    gives = giver_of(table, by, giver, named_by)
    if isinstance(gives, Refusal):
        return gives
    if gives is None:
        return Done(paid(table, by), "protected")
    wrong = charity_fault(table, gives, to)
    if wrong is not None or to is None:
        return wrong or Done(table, "protected")
    return given(paid(table, by), gives, to, slot)


def blind_fault(table: Table, by: Player, target: Player, slot: int) -> Refusal | None:
    """Why this glass cannot be tested: it must be another player's, and unprotected."""
    if target == MIDDLE:
        return Refusal("WINE-BLI-01", "no_such_glass", {"name": target, "slot": slot, "count": 0})
    fault = glass_fault(table, by, target, slot)
    if fault is not None:
        return fault
    stays_out = table.ruled(14, "protected_stay_out")
    return protected(target) if stays_out and guarded(table, target, slot) else None


def tested(table: Table, by: Player, target: Player, slot: int, announced: str, reveal: str) -> Done:
    """The glass was shown: if its owner named another wine it is won."""
    if announced == reveal:
        return Done(table, "kept")
    return Done(gained(without(table, target, slot), by), "won")


def blind_test(
    table: Table, by: Player, target: Player, slot: int, announced: str, reveal: str | None
) -> Done | Refusal:
    """Blind Test from the card to the glass shown."""
    fault = play_fault(table, by) or blind_fault(table, by, target, slot)
    if fault is not None:
        return fault
    if reveal is None:
        return missing_show(target)
    return tested(paid(table, by), by, target, slot, announced, reveal)


@value
class Raised:
    """A glass shown in a contest: when (None: not in time), and its wine (None: none was shown)."""

    t: float | None
    wine: str | None
    slot: int | None = None


def contestants(table: Table, by: Player) -> tuple[Player, ...]:
    """Who takes part in a contest: all others whom no Vintage protects."""
    takes_part = table.ruled(14, "protected_take_part")
    return tuple(p for p in alive(table) if p != by and (takes_part or p not in table.vintage))


def contest_loser(table: Table, by: Player, wine: str, raised: Mapping[Player, Raised]) -> Player:
    """The first who showed a wrong glass; without wrong ones the slowest, of equals the last in turn order."""
    start = table.order.index(by)
    away = {player: (table.order.index(player) - start) % len(table.order) for player in raised}

    def when(player: Player) -> tuple[float, int]:
        moment = raised[player].t
        return (float("inf") if moment is None else moment, away[player])

    wrong = [player for player, shown in raised.items() if shown.wine is not None and shown.wine != wine]
    if wrong and table.ruled(13, "wrong_first"):
        return min(wrong, key=when)
    return max(raised, key=when)


def contest(table: Table, by: Player, wine: str, raised: Mapping[Player, Raised]) -> Done | Refusal:
    """Contest from the card to the one glass won."""
    fault = play_fault(table, by)
    if fault is not None:
        return fault
    part = contestants(table, by)
    missing = [player for player in part if player not in raised]
    if missing:
        return Refusal("WINE-CON-02", "all_others_must_reveal", {"names": ", ".join(missing)})
    table = paid(table, by)
    if not part:
        return Done(table, "protected")
    shown = {player: raised[player] for player in part}
    loser = contest_loser(table, by, wine, shown)
    return contest_won(table, by, loser, shown[loser].slot)


def contest_fault(table: Table, loser: Player, slot: int | None) -> Refusal | None:
    """Why this glass cannot be won in a contest: not there, or under the Ageing card."""
    held = table.glasses.get(loser, 0)
    if slot is not None and (type(slot) is not int or not 1 <= slot <= held):
        return Refusal("WINE-CON-03", "no_such_glass", {"name": loser, "slot": slot, "count": held})
    stays_out = table.ruled(14, "protected_stay_out")
    return protected(loser) if stays_out and guarded(table, loser, slot) else None


def contest_won(table: Table, by: Player, loser: Player, slot: int | None) -> Done | Refusal:
    """The one glass of a contest goes to the card's player."""
    fault = contest_fault(table, loser, slot)
    return fault or Done(gained(without(table, loser, slot), by), f"contest:{loser}")
