"""What is told of an evening of Koala: the dearest card, the koala that walked most, the feasts."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

from companion.games.koala.rules_seats import seat_of
from companion.games.koala.state import State
from companion.table.effects import Say
from companion.table.foremost import foremost
from companion.table.things import Player


def tales(states: tuple[State, ...]) -> tuple[Say, ...]:
    """Up to three moments, the best first; of equals nothing is told."""
    found = (_dearest(states), _walker(states), _feaster(states))
    return tuple(say for say in found if say is not None)


def _dearest(states: tuple[State, ...]) -> Say | None:
    """The auction in which most cards were paid for one."""
    paid: dict[tuple[str, str, int], int] = {}
    for state in states:
        lead = state.lead
        if lead is None or state.food is None:
            continue
        sale = " + ".join(sorted(lead.bidders)), state.deck.face(state.food), state.round
        paid[sale] = max(paid.get(sale, 0), len(state.pot))
    best = foremost(paid)
    if best is None or best[1] < 2:
        return None
    (name, food, number), count = best
    return Say("tale.dearest", {"name": name, "count": count, "food": f"@{food}", "round": number})


def _walker(states: tuple[State, ...]) -> Say | None:
    """Who came to another seat most often."""
    moves: Counter[Player] = Counter()
    for before, after in pairwise(states):
        for player in after.hands:
            if seat_of(before.seats, player) != seat_of(after.seats, player):
                moves[player] += 1
    most = foremost(moves)
    return Say("tale.walker", {"name": most[0], "count": most[1]}) if most and most[1] > 1 else None


def _feaster(states: tuple[State, ...]) -> Say | None:
    """Who held most feasts, if it was more than one."""
    most = foremost(states[-1].feasts)
    return Say("tale.feaster", {"name": most[0], "count": most[1]}) if most and most[1] > 1 else None
