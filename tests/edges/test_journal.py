"""The journal keeps what it acknowledged: through kill -9, damage, full disks, and beside other programs."""

from __future__ import annotations

import random
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from companion import house
from companion.edges.journal import Journal, JournalError, chained, export, read, verify
from companion.table.events import Event, Opened, Pressed, Setting, Shown, Undone
from companion.table.things import BID, CardId, Player, Zone
from companion.wire import journal_line
from companion.wire.journal_line import BadLine

MIA = Player("Mia")
EVENTS: tuple[Event, ...] = (
    Opened(Setting("koala", (MIA, Player("Ömer"), Player("Li")), {"teams": False}, 7)),
    *(Pressed(MIA, BID, at * 1_000_000, 50_000) for at in range(20)),
    *(Shown(Zone("middle"), (CardId(f"pizza-{number:02}"),)) for number in range(20)),
    Undone(3),
)


def written(path: Path, events: tuple[Event, ...] = EVENTS) -> Path:
    """A journal on disk with these events, closed."""
    journal = Journal(path)
    for number, event in enumerate(events, 1):
        journal.append(number, event)
    journal.close()
    return path


def change(path: Path, statement: str, *values: object) -> None:
    """Meddle with a journal behind its back."""
    base = sqlite3.connect(path)
    with base:
        base.execute(statement, values)
    base.close()


@pytest.mark.parametrize("name", ["game.journal", None])
def test_a_journal_fits_the_house_and_gives_back_what_was_written(tmp_path: Path, name: str | None) -> None:
    journal: house.Journal = Journal(tmp_path / name if name else None)
    for number, event in enumerate(EVENTS, 1):
        journal.append(number, event)
    assert tuple(journal.events()) == EVENTS
    assert tuple(journal.events()) == EVENTS
    journal.close()


def test_a_journal_opened_again_goes_on_where_it_ended(tmp_path: Path) -> None:
    path = written(tmp_path / "game.journal", EVENTS[:9])
    journal = Journal(path)
    journal.append(10, EVENTS[9])
    assert tuple(journal.events()) == EVENTS[:10]
    assert journal.verdict().hash == chained(EVENTS[:10])
    assert journal.note == ""
    journal.close()


def test_a_closed_journal_is_one_plain_file(tmp_path: Path) -> None:
    path = written(tmp_path / "game.journal")
    assert list(tmp_path.iterdir()) == [path]


def test_a_row_out_of_order_is_refused(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "game.journal")
    journal.append(1, EVENTS[0])
    for number in (1, 3):
        with pytest.raises(JournalError, match=f"next row is 2, not {number}"):
            journal.append(number, EVENTS[1])
    journal.close()


def test_sqlite_and_json_lines_are_told_apart_by_content(tmp_path: Path) -> None:
    path = written(tmp_path / "game.txt")
    lines = tmp_path / "game.sqlite"
    lines.write_bytes(export(path))
    assert read(path) == read(lines) == EVENTS
    assert verify(path) == verify(lines)
    assert verify(path).hash == chained(EVENTS)


def test_a_bad_row_of_json_lines_is_named(tmp_path: Path) -> None:
    lines = tmp_path / "game.jsonl"
    lines.write_bytes(export(written(tmp_path / "game.journal"))[:-5])
    with pytest.raises(BadLine, match=f"game.jsonl: row {len(EVENTS)}.*Name a journal"):
        read(lines)


@pytest.mark.parametrize(
    ("statement", "fault"),
    [
        ("DELETE FROM events WHERE number = 5", "row 5 is missing"),
        ("DELETE FROM events WHERE number = 1", "row 1 is missing"),
        (
            "UPDATE events SET line = (SELECT line FROM events WHERE number = 6) WHERE number = 5",
            "row 5: its",
        ),
        ("UPDATE events SET line = 'text' WHERE number = 5", "row 5: its hash"),
        ("UPDATE events SET hash = x'00' WHERE number = 5", "row 5: its hash"),
    ],
)
def test_a_gap_or_a_changed_row_is_named_and_moved_aside(tmp_path: Path, statement: str, fault: str) -> None:
    path = written(tmp_path / "game.journal")
    change(path, statement)
    before = path.read_bytes()
    good = 0 if "row 1 " in fault else 4
    assert verify(path).fault.startswith(fault)
    assert verify(path).rows == good
    with pytest.raises(JournalError, match=f"good until row {good}"):
        read(path)
    assert path.read_bytes() == before
    journal = Journal(path)
    assert tuple(journal.events()) == EVENTS[:good]
    assert fault in journal.note
    assert journal.moved_aside == tmp_path / "game.journal.damaged-1"
    journal.append(good + 1, Undone(1))
    journal.close()
    assert verify(path).fault == ""
    assert (tmp_path / "game.journal.damaged-1").read_bytes() == before


def test_a_second_damage_does_not_overwrite_the_first(tmp_path: Path) -> None:
    path = written(tmp_path / "game.journal")
    for row in (30, 20):
        change(path, "DELETE FROM events WHERE number = ?", row)
        Journal(path).close()
    assert verify(path).rows == 19
    assert verify(tmp_path / "game.journal.damaged-1").rows == 29
    assert verify(tmp_path / "game.journal.damaged-2").rows == 19


@pytest.mark.parametrize("seed", range(40))
def test_random_damage_leaves_a_gap_free_beginning_and_the_damaged_file(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    path = written(tmp_path / "game.journal")
    content = bytearray(path.read_bytes())
    if seed % 2:
        del content[chance.randrange(1, len(content)) :]
    else:
        for _ in range(chance.randrange(1, 30)):
            content[chance.randrange(len(content))] = chance.randrange(256)
    path.write_bytes(content)
    try:
        journal = Journal(path)
    except JournalError:
        assert path.read_bytes() == content
        return
    kept = tuple(journal.events())
    journal.close()
    assert kept == EVENTS[: len(kept)]
    if journal.note:
        assert (tmp_path / "game.journal.damaged-1").read_bytes() == content
    else:
        assert kept == EVENTS


@pytest.mark.parametrize("moved", ["nothing", "log", "file"])
def test_a_start_that_was_cut_off_while_mending_is_finished_by_the_next(tmp_path: Path, moved: str) -> None:
    path = tmp_path / "game.journal"
    path.write_bytes(b"damaged\x00")
    log = tmp_path / "game.journal-wal"
    log.write_bytes(b"log")
    written(tmp_path / "game.journal.mended", EVENTS[:6])
    if moved != "nothing":
        log.rename(tmp_path / "game.journal.damaged-1-wal")
    if moved == "file":
        path.rename(tmp_path / "game.journal.damaged-1")
    journal = Journal(path)
    assert tuple(journal.events()) == EVENTS[:6]
    assert "cut off" in journal.note
    journal.close()
    assert (tmp_path / "game.journal.damaged-1").read_bytes() == b"damaged\x00"
    assert (tmp_path / "game.journal.damaged-1-wal").read_bytes() == b"log"


def test_another_programs_database_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "recipes.db"
    change(path, "CREATE TABLE recipes (name TEXT)")
    before = path.read_bytes()
    with pytest.raises(JournalError, match=r"another program's file \(with 'recipes'\)"):
        Journal(path)
    assert path.read_bytes() == before


def test_a_text_file_is_no_journal_to_write_in(tmp_path: Path) -> None:
    path = tmp_path / "companion.toml"
    path.write_text("[table]\n")
    with pytest.raises(JournalError, match="this is text"):
        Journal(path)
    assert path.read_text() == "[table]\n"


def test_a_journal_of_a_newer_companion_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = written(tmp_path / "game.journal")
    change(path, "PRAGMA user_version = 9")
    with pytest.raises(JournalError, match=r"newer companion \(version 9\)"):
        Journal(path)
    assert not list(tmp_path.glob("*damaged*"))


def test_a_whole_row_that_is_not_understood_is_no_damage(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "game.journal"
    with monkeypatch.context() as newer:
        newer.setattr(journal_line, "encode", lambda _: b'{"e":"Danced"}')
        written(path, EVENTS[:3])
    with pytest.raises(JournalError, match=r"row 1: 'Danced'.*hash fits"):
        Journal(path)
    assert not list(tmp_path.glob("*damaged*"))


def test_two_companions_cannot_write_one_journal(tmp_path: Path) -> None:
    first = Journal(tmp_path / "game.journal")
    with pytest.raises(JournalError, match="another companion has it open"):
        Journal(tmp_path / "game.journal")
    first.close()


@pytest.mark.parametrize("place", ["nowhere/game.journal", "."])
def test_a_place_that_cannot_hold_a_journal_is_named_with_advice(tmp_path: Path, place: str) -> None:
    with pytest.raises(JournalError, match=r"check|name a journal"):
        Journal(tmp_path / place)


def test_a_missing_journal_is_named_when_it_is_read(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match=r"gone\.journal: No such file"):
        read(tmp_path / "gone.journal")


FULL = """
import resource, sys
from pathlib import Path
from companion.edges.journal import Journal, JournalError
from companion.table.events import Undone
journal = Journal(Path(sys.argv[1]))
journal.append(1, Undone(1))
soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
resource.setrlimit(resource.RLIMIT_FSIZE, (60_000, hard))  # the kernel takes no more, as on a full disk
number = 2
try:
    while True:
        journal.append(number, Undone(number))
        number += 1
except JournalError as fault:
    print(fault)
resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
journal.append(number, Undone(number))
journal.close()
print(number)
"""


def test_a_full_disk_is_said_with_advice_and_the_game_goes_on_once_there_is_space(tmp_path: Path) -> None:
    path = tmp_path / "game.journal"
    done = subprocess.run([sys.executable, "-c", FULL, str(path)], capture_output=True, text=True, check=True)
    said, number = done.stdout.splitlines()
    assert "could not be written" in said
    assert "free space" in said
    assert read(path) == tuple(Undone(to) for to in range(1, int(number) + 1))


APPENDER = """
import sys
from pathlib import Path
from companion.edges.journal import Journal
from companion.table.events import Undone
journal = Journal(Path(sys.argv[1]))
number = len(list(journal.events()))
while True:
    number += 1
    journal.append(number, Undone(number))
    sys.stdout.write(f"{number}\\n")
    sys.stdout.flush()
"""


def test_nothing_acknowledged_is_lost_by_kill_9_at_20_random_moments(tmp_path: Path) -> None:
    path = tmp_path / "game.journal"
    chance = random.Random(20)
    for _ in range(20):
        with subprocess.Popen([sys.executable, "-c", APPENDER, str(path)], stdout=subprocess.PIPE) as child:
            assert child.stdout is not None
            acks = [child.stdout.readline() for _ in range(chance.randrange(1, 120))]
            child.kill()
            acks += child.stdout.readlines()  # what it said until it was dead
        whole = [int(ack) for ack in acks if ack.endswith(b"\n")]
        verdict = verify(path)
        assert verdict.fault == ""
        assert verdict.rows >= whole[-1]
        assert read(path) == tuple(Undone(to) for to in range(1, verdict.rows + 1))


@pytest.mark.parametrize("seed", range(20))
def test_a_torn_log_leaves_a_gap_free_beginning(tmp_path: Path, seed: int) -> None:
    path = tmp_path / "game.journal"
    journal = Journal(path)
    for number, event in enumerate(EVENTS, 1):
        journal.append(number, event)
    log = tmp_path / "game.journal-wal"
    torn = log.read_bytes()[: random.Random(seed).randrange(log.stat().st_size)]
    copy = tmp_path / "copy.journal"
    copy.write_bytes(path.read_bytes())
    (tmp_path / "copy.journal-wal").write_bytes(torn)
    journal.close()
    mended = Journal(copy)
    kept = tuple(mended.events())
    mended.close()
    assert kept == EVENTS[: len(kept)]


def test_a_backup_of_a_damaged_journal_has_its_good_rows_and_says_what_is_lost(tmp_path: Path) -> None:
    from click.testing import CliRunner

    from companion.cli import main

    path = written(tmp_path / "j.db")
    for spoilt, rows in ((False, len(EVENTS)), (True, 9)):
        if spoilt:
            change(path, "UPDATE events SET line = ? WHERE number = 10", b"{}")
        before, target = path.read_bytes(), tmp_path / f"copy-{rows}.jsonl"
        done = CliRunner().invoke(main, ["journal", "backup", str(path), str(target)])
        assert done.exit_code == int(spoilt) and f"{target}: {rows} events" in done.output, done.output
        assert read(target) == EVENTS[:rows] and path.read_bytes() == before
    assert "row 10" in done.output and "ends at row 9" in done.output
    change(path, "DELETE FROM events WHERE number = 1")
    target = tmp_path / "copy-0.jsonl"
    done = CliRunner().invoke(main, ["journal", "backup", str(path), str(target)])
    assert done.exit_code == 1 and f"{target}: 0 events" in done.output and target.read_bytes() == b""
