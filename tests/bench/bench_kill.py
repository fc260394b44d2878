"""kill -9 at 50 random moments of one game: what was acknowledged, and how the game ended."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from survivor import played_with_kills

from companion.edges import journal
from companion.shelf import shelf
from companion.table import crank
from tests.bench.bench_crank import game_events

KILLS = 50


def rows() -> list[dict[str, Any]]:
    """Acknowledged events lost, and whether the final score is that of the undisturbed game."""
    events = game_events(players=6, seed=11)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "journal.db"
        lost, starts = played_with_kills(events, path, KILLS, seed=2)
        session = crank.recall(shelf(), journal.read(path))
    undisturbed = crank.recall(shelf(), events)
    assert session is not None and undisturbed is not None
    same = crank.score(session) == crank.score(undisturbed)
    return [
        {"name": "kill -9 of the house in one game", "value": starts - 1, "unit": "kills", "goal": KILLS,
         "met": starts - 1 >= KILLS},
        {"name": "acknowledged events lost", "value": lost, "unit": "events", "goal": 0, "met": lost == 0},
        {"name": "final score as without kills", "value": int(same), "unit": "0/1", "goal": 1, "met": same},
    ]  # fmt: skip
