"""Journals that earlier companions wrote are read, go on, and come to what they came to then."""

from __future__ import annotations

import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from companion.edges import journal
from companion.edges.journal import Journal
from companion.shelf import folders, shelf
from companion.table import crank
from companion.table.crank import BadJournal, Turn
from companion.table.events import Event, Shown, Undone
from companion.table.game import Refusal, Table
from companion.wire import journal_line

HERE = Path(__file__).parents[1] / "playthroughs"
EXPECTED: dict[str, dict[str, Any]] = json.loads((HERE / "expected.json").read_text("utf-8"))


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_an_old_journal_comes_to_what_it_came_to_then(name: str) -> None:
    expected = EXPECTED[name]
    assert journal.verify(HERE / name).fault == ""
    events = journal.read(HERE / name)
    session = crank.recall(shelf(), events)
    assert session is not None
    score = crank.score(session)
    assert len(events) == expected["events"]
    assert (dict(score.totals), list(score.winners)) == (expected["totals"], expected["winners"])
    assert (session.over, list(session.setting.players)) == (expected["over"], expected["players"])
    assert crank.look(session, Table())["phase"] == expected["phase"]


@pytest.mark.parametrize("name", sorted(name for name in EXPECTED if name.endswith(".db")))
def test_an_old_journal_is_written_on(name: str, tmp_path: Path) -> None:
    shutil.copy(HERE / name, tmp_path / "journal.db")
    kept = Journal(tmp_path / "journal.db")
    count = EXPECTED[name]["events"]
    assert (kept.moved_aside, kept.verdict().rows) == (None, count)
    kept.append(count + 1, Undone(count - 1))
    kept.close()
    assert journal.read(tmp_path / "journal.db")[-1] == Undone(count - 1)
    assert journal.verify(tmp_path / "journal.db").fault == ""


def test_rows_of_every_form_keep_their_bytes() -> None:
    for name in EXPECTED:
        if name.endswith(".jsonl"):
            for number, row in enumerate((HERE / name).read_bytes().splitlines(), 1):
                assert journal_line.encode(journal_line.decode(row, number)) == row, (name, number)


def test_every_game_and_every_version_of_the_form_is_kept() -> None:
    games = {name.partition("-")[2].partition(".")[0] for name in EXPECTED}
    assert games == set(folders())
    written = {path.name for path in HERE.iterdir() if path.suffix in (".db", ".jsonl")}
    assert written == set(EXPECTED)
    versions = {json.loads(_first_row(HERE / name))["v"] for name in EXPECTED}
    assert versions == set(range(1, journal_line.VERSION + 1))


def _first_row(path: Path) -> bytes:
    """An opening as it was written, not as it would be written now."""
    if path.suffix == ".jsonl":
        return path.read_bytes().split(b"\n")[0]
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro&immutable=1", uri=True)) as base:
        return bytes(base.execute("SELECT line FROM events WHERE number = 1").fetchone()[0])


def test_a_row_in_which_nothing_new_happened_is_passed_over_and_keeps_its_number() -> None:
    session, events, passed = None, list[Event](), 0
    for event in journal.read(HERE / "1049-koala.db"):
        turn = crank.advance(shelf(), session, event)
        assert isinstance(turn, Turn)
        session = turn.session
        events.append(event)
        again = crank.advance(shelf(), session, event)
        if isinstance(event, Shown) and isinstance(again, Refusal) and again.rule == crank.SAME:
            folded = crank.recall(shelf(), [*events, event])
            assert folded is not None and folded.state == session.state and folded.last == session.last + 1
            passed += 1
    assert passed > 10


def test_a_row_that_was_a_mistake_is_not_passed_over() -> None:
    opened = journal.read(HERE / "1049-koala.db")[0]
    with pytest.raises(BadJournal, match="event 2"):
        crank.recall(shelf(), [opened, Undone(99)])
