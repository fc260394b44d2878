"""Pull the plug: nothing acknowledged is lost, and the game ends as it would have."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from survivor import played_with_kills

from companion.edges import journal
from companion.shelf import shelf
from companion.table import crank
from tests.bench.bench_crank import game_events


def test_a_game_killed_at_random_moments_ends_with_the_same_score(tmp_path: Path) -> None:
    events = game_events(players=4, seed=3)
    lost, starts = played_with_kills(events, tmp_path / "journal.db", kills=6, seed=1)
    assert lost == 0 and starts >= 6
    written = journal.read(tmp_path / "journal.db")
    assert written == events
    session, undisturbed = crank.recall(shelf(), written), crank.recall(shelf(), events)
    assert session is not None and undisturbed is not None and session.over
    assert crank.score(session) == crank.score(undisturbed)
