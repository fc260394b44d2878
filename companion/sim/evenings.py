"""Every game that can be played on the simulated table, found by its folder."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.resources import files

from companion.sim.evening import Evening


def folders() -> tuple[str, ...]:
    """The games with a simulated table, by name."""
    root = files("companion.sim")
    return tuple(sorted(each.name for each in root.iterdir() if (each / "evening.py").is_file()))


@cache
def evening(game: str) -> Evening:
    """How a game is simulated; KeyError for one that is not."""
    if game not in folders():
        raise KeyError(game)
    found: Evening = import_module(f"companion.sim.{game}.evening").EVENING
    return found
