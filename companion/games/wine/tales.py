"""What is told of a game of Koala & Wine when it is over: the best thief, the best memory, the glass that travelled."""

from __future__ import annotations

from collections import Counter

from companion.games.wine.memory import memory_map
from companion.games.wine.state import State
from companion.table.effects import Say
from companion.table.foremost import foremost
from companion.table.things import Player


def tales(states: tuple[State, ...]) -> tuple[Say, ...]:
    """Up to three moments, the best first; nothing before the end, and nothing of what a glass held."""
    last = states[-1]
    if last.winner is None:
        return ()
    found = (_thief(last), _memory(last), _traveller(last), _stopper(last))
    return tuple(say for say in found if say is not None)[:3]


def _most(state: State, deed: str) -> tuple[Player, int] | None:
    """Who did it more often than anybody else."""
    return foremost(Counter(player for player, what in state.deeds if what == deed))


def _thief(state: State) -> Say | None:
    """Who stole most, of how many tries."""
    best = _most(state, "thief_right")
    if best is None:
        return None
    name, hits = best
    tries = hits + sum(1 for deed in state.deeds if deed == (name, "thief_wrong"))
    return Say("tale.thief", {"name": name, "count": hits, "tries": tries})


def _memory(state: State) -> Say | None:
    """Who pleased the Sommelier most often."""
    best = _most(state, "sommelier_right")
    return None if best is None else Say("tale.memory", {"name": best[0], "count": best[1]})


def _stopper(state: State) -> Say | None:
    best = _most(state, "stopped")
    return None if best is None else Say("tale.stopper", {"name": best[0], "count": best[1]})


def _traveller(state: State) -> Say | None:
    """The glass that stood in most rows, if it were three or more."""
    glasses = memory_map(state)["glasses"]
    assert isinstance(glasses, list), "a map lists glasses"
    ways = [[owner for _, owner in glass["way"] if owner != "lost"] for glass in glasses]
    most = foremost({number: len(way) for number, way in enumerate(ways)})
    if most is None or most[1] < 3:
        return None
    longest = ways[most[0]]
    names = ", ".join(str(owner) for owner in longest if owner != "middle")
    return Say("tale.traveller", {"names": names, "count": len(longest)})
