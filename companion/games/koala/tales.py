"""What is told of an evening of Koala: the dearest card, the koala that walked most, the feasts."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

from companion.games.koala.rules_seats import seat_of
from companion.games.koala.state import State
from companion.table.effects import Say
from companion.table.things import Player


def tales(states: tuple[State, ...]) -> tuple[Say, ...]:
    """Up to three moments, the best first; a tie goes to who came first."""
    found = (_dearest(states), _walker(states), _feaster(states))
    return tuple(say for say in found if say is not None)


def _dearest(states: tuple[State, ...]) -> Say | None:
    """The auction in which most cards were paid for one."""
    best: tuple[int, str, str, int] | None = None
    for state in states:
        lead = state.lead
        if lead is None or state.food is None:
            continue
        if best is None or len(state.pot) > best[0]:
            best = (
                len(state.pot),
                " + ".join(sorted(lead.bidders)),
                state.deck.face(state.food),
                state.round,
            )
    if best is None or best[0] < 2:
        return None
    count, name, food, number = best
    return Say("tale.dearest", {"name": name, "count": count, "food": f"@{food}", "round": number})


def _walker(states: tuple[State, ...]) -> Say | None:
    """Who came to another seat most often."""
    moves: Counter[Player] = Counter()
    for before, after in pairwise(states):
        for player in after.hands:
            if seat_of(before.seats, player) != seat_of(after.seats, player):
                moves[player] += 1
    if not moves:
        return None
    name, count = moves.most_common(1)[0]
    return Say("tale.walker", {"name": name, "count": count})


def _feaster(states: tuple[State, ...]) -> Say | None:
    """Who held most feasts, if it was more than one."""
    feasts = states[-1].feasts
    name = max(feasts, key=lambda player: feasts[player])
    return Say("tale.feaster", {"name": name, "count": feasts[name]}) if feasts[name] > 1 else None
