"""What is told of an evening of Ku-Ka-König: who thinks alike, who was stubborn, the best type."""

from __future__ import annotations

from collections import Counter

from companion.games.kukakoenig.rules_score import kind_of
from companion.games.kukakoenig.state import State
from companion.table.effects import Say
from companion.table.foremost import foremost


def tales(states: tuple[State, ...]) -> tuple[Say, ...]:
    """Up to three moments, the best first; of equals nothing is told."""
    if not states:
        return ()
    found = (_alike(states[-1]), _best_type(states[-1]), _stubborn(states[-1]))
    return tuple(say for say in found if say is not None)


def _alike(state: State) -> Say | None:
    """The two who chose the same row most often, if more than once."""
    most = foremost(state.alike)
    return (
        Say("tale.alike", {"names": " + ".join(most[0]), "count": most[1]}) if most and most[1] > 1 else None
    )


def _stubborn(state: State) -> Say | None:
    """Who took part in most removals."""
    most = foremost(state.lost)
    return Say("tale.stubborn", {"name": most[0], "count": most[1]}) if most and most[1] > 1 else None


def _best_type(state: State) -> Say | None:
    """The most points anybody made with one kind of cards in one scoring."""
    best: Counter[tuple[int, str, str]] = Counter()
    for number, lines in enumerate(state.points):
        for line in lines:
            best[(number, line.who, kind_of(line))] += line.points
    most = foremost(best)
    if most is None:
        return None
    (_, who, kind), points = most
    return Say("tale.best_type", {"name": who, "kind": f"@type.{kind}", "points": points})
