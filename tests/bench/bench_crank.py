"""How fast the crank turns: a whole simulated game's events folded again and again, in one thread."""

from __future__ import annotations

import json
import time
from typing import Any

from companion.edges.journal import Journal
from companion.shelf import deck, shelf
from companion.sim.evening import Told, play
from companion.sim.koala.evening import EVENING, seat
from companion.table import crank
from companion.table.events import Event, Setting
from companion.table.luck import Luck
from companion.table.things import Player
from companion.wiring import NAMES, StillRig, simulate

GOAL = 20_000  # turns a second on the development machine


def game_events(players: int = 6, seed: int = 7) -> tuple[Event, ...]:
    """The journal of one simulated game."""
    names = tuple(Player(name) for name in NAMES[:players])
    written = Journal(None)
    rig = StillRig(Setting("koala", names, {}, seed), written)
    play(EVENING, rig, seat(deck("koala"), names, Luck(seed), {}), Told())
    events = tuple(written.events())
    rig.close()
    return events


def _best(work: Any, times: int = 5) -> float:
    """Seconds of the fastest of several runs: the one least disturbed."""
    best = float("inf")
    for _ in range(times):
        started = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - started)
    return best


def rows() -> list[dict[str, Any]]:
    """Turns a second, and the same as a ratio to json.dumps of a small object in the same run."""
    games, events = shelf(), game_events()
    fold = _best(lambda: crank.recall(games, events))
    plain = {"player": "Mia", "button": "bid", "at": 123456789, "tied": ["Paul"]}
    dumps = _best(lambda: [json.dumps(plain) for _ in range(10_000)]) / 10_000
    started = time.perf_counter()
    simulate("koala", 6, 7)
    game = time.perf_counter() - started
    turns = len(events) / fold
    return [
        {"name": "crank turns", "value": round(turns), "unit": "1/s", "goal": GOAL, "met": turns >= GOAL},
        {"name": "one turn in json.dumps of a small object", "value": round(fold / len(events) / dumps, 1),
         "unit": "x", "goal": None, "met": None},
        {"name": "a whole simulated game, 6 players", "value": round(game, 3), "unit": "s", "goal": None, "met": None},
    ]  # fmt: skip
