"""What is told of an evening of Ku-Ka-König: who thinks alike, who was stubborn, the best type."""

from __future__ import annotations

from collections import Counter

from companion.games.kukakoenig.rules_score import kind_of
from companion.games.kukakoenig.state import State
from companion.table.effects import Say


def tales(states: tuple[State, ...]) -> tuple[Say, ...]:
    """Up to three moments, the best first; a tie goes to who came first."""
    if not states:
        return ()
    found = (_alike(states[-1]), _best_type(states[-1]), _stubborn(states[-1]))
    return tuple(say for say in found if say is not None)


def _alike(state: State) -> Say | None:
    """The two who chose the same row most often, if more than once."""
    pair = max(state.alike, key=lambda each: state.alike[each], default=None)
    if pair is None or state.alike[pair] < 2:
        return None
    return Say("tale.alike", {"names": " + ".join(pair), "count": state.alike[pair]})


def _stubborn(state: State) -> Say | None:
    """Who took part in most removals."""
    name = max(state.lost, key=lambda each: state.lost[each], default=None)
    if name is None or state.lost[name] < 2:
        return None
    return Say("tale.stubborn", {"name": name, "count": state.lost[name]})


def _best_type(state: State) -> Say | None:
    """The most points anybody made with one kind of cards in one scoring."""
    best: Counter[tuple[int, str, str]] = Counter()
    for number, lines in enumerate(state.points):
        for line in lines:
            best[(number, line.who, kind_of(line))] += line.points
    if not best:
        return None
    (_, who, kind), points = best.most_common(1)[0]
    return Say("tale.best_type", {"name": who, "kind": f"@type.{kind}", "points": points}) if points else None
