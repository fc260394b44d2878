"""`companion pin` tells the PIN of a table that runs, and of no other."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.cli import main
from companion.edges.pinned import NoPin, Pinned, pin_of

HOLDS = """
import sys
from pathlib import Path
from companion.edges.pinned import Pinned
table = Pinned(Path(sys.argv[1]), "271828")
print("here", flush=True)
sys.stdin.read()
"""


def test_the_pin_is_told_while_its_table_runs_and_not_after(tmp_path: Path) -> None:
    journal = tmp_path / "journal.db"
    table = Pinned(journal, "271828")
    assert pin_of(journal) == "271828" and (tmp_path / "journal.pin").stat().st_mode & 0o777 == 0o600
    table.close()
    with pytest.raises(NoPin, match="companion run"):
        pin_of(journal)


def test_the_pin_of_a_table_that_was_killed_is_not_told(tmp_path: Path) -> None:
    journal = tmp_path / "journal.db"
    with subprocess.Popen(
        [sys.executable, "-c", HOLDS, str(journal)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as table:
        assert table.stdout is not None and table.stdout.readline() == b"here\n"
        assert pin_of(journal) == "271828"
        table.kill()
        table.wait()
    told = CliRunner().invoke(main, ["pin", "--journal", str(journal)])
    assert told.exit_code == 1 and "271828" not in told.output and "has ended" in told.output
    assert "--journal or --config" in told.output
    anew = Pinned(journal, "314159")
    assert pin_of(journal) == "314159"
    anew.close()


def test_where_no_pin_can_be_written_the_table_runs_all_the_same(tmp_path: Path) -> None:
    nowhere = tmp_path / "none" / "journal.db"
    Pinned(nowhere, "271828").close()
    with pytest.raises(NoPin, match="No such file"):
        pin_of(nowhere)


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads every file")
def test_another_users_pin_names_sudo(tmp_path: Path) -> None:
    (tmp_path / "journal.pin").touch(mode=0o000)
    with pytest.raises(NoPin, match="sudo companion pin"):
        pin_of(tmp_path / "journal.db")
