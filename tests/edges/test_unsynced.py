"""After a cut of the power a journal is a clean prefix, and what was acknowledged is in it."""

from __future__ import annotations

import os
import shutil
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest

from companion.edges import journal
from companion.edges.journal import Journal

sys.path.insert(0, str(Path(__file__).parents[1]))

from unsynced import events_of, recorded, survived

COUNT = 40
compiled = pytest.mark.skipif(
    shutil.which("gcc") is None and "CI" not in os.environ,
    reason="apt install gcc: it builds what notes the writes",
)


@compiled
def test_no_cut_of_the_power_loses_what_was_acknowledged(tmp_path: Path) -> None:
    acts = recorded(tmp_path / "acts", COUNT, 2)
    found = survived(acts, events_of(COUNT), 200, 5)
    assert (found.images, found.unclean, found.lost) == (200, 0, 0)
    assert found.most == COUNT


@compiled
def test_a_journal_that_syncs_nothing_would_be_found_out(tmp_path: Path) -> None:
    acts = recorded(tmp_path / "acts", COUNT, 2, careless=True)
    assert survived(acts, events_of(COUNT), 60, 5).lost > 0


def test_a_cut_in_the_middle_of_an_opening_is_undone_and_the_game_goes_on(tmp_path: Path) -> None:
    whole, events = tmp_path / "whole.db", events_of(5)
    kept = Journal(whole)
    for number, event in enumerate(events, 1):
        kept.append(number, event)
    kept.close()
    cut = tmp_path / "cut" / "j.db"
    cut.parent.mkdir()
    with closing(
        sqlite3.connect(whole, isolation_level=None)
    ) as begun:  # SQLite's own way of writing, not ours
        begun.execute("PRAGMA cache_size=1")
        begun.execute("BEGIN")
        for number in range(6, 60):
            begun.execute("INSERT INTO events VALUES (?, ?, ?)", (number, b"x" * 4096, b"y"))
        shutil.copyfile(whole, cut)
        shutil.copyfile(f"{whole}-journal", f"{cut}-journal")
    before = cut.read_bytes()
    assert journal.read(cut) == tuple(events)
    assert (journal.verify(cut).rows, journal.verify(cut).fault) == (5, "")
    assert cut.read_bytes() == before and Path(f"{cut}-journal").exists()  # looking changes nothing
    again = Journal(cut)
    assert (list(again.events()), again.moved_aside) == (events, None)
    again.close()


def test_what_belongs_to_a_damaged_journal_goes_aside_with_it(tmp_path: Path) -> None:
    path, events = tmp_path / "j.db", events_of(30)
    kept = Journal(path)
    for number, event in enumerate(events, 1):
        kept.append(number, event)
    kept.close()
    with closing(sqlite3.connect(path, isolation_level=None)) as base:
        base.execute("UPDATE events SET hash = x'00' WHERE number = 20")
    Path(f"{path}-journal").write_bytes(b"\x00" * 512)
    mended = Journal(path)
    assert list(mended.events()) == events[:19] and mended.moved_aside is not None
    assert Path(f"{mended.moved_aside}-journal").exists()
    mended.close()
    assert journal.read(path) == tuple(events[:19])
