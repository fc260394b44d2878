"""What is typed wrongly, or where nobody can answer, ends in one sentence with place and remedy."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion import running
from companion.cli import main


@pytest.mark.parametrize("journal", ["", "."])
def test_a_journal_that_is_a_folder_is_named(
    journal: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(main, ["run", "--journal", journal, "--port", "0"])
    assert done.exit_code == 1 and "that is a folder" in done.output and "journal.db" in done.output
    assert "Traceback" not in done.output and list(tmp_path.iterdir()) == []


def test_a_journal_that_can_be_nowhere_is_named_with_the_remedy(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    done = CliRunner().invoke(main, ["run", "--journal", str(tmp_path / "file" / "j.db"), "--port", "0"])
    assert done.exit_code == 1 and str(tmp_path / "file") in done.output and "--journal FILE" in done.output


@pytest.mark.parametrize("name", ["x" * 201, "ä" * 101, "x" * 5000], ids=range(3))
def test_a_journal_that_no_file_can_be_called_like_is_named_itself(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(main, ["run", "--sim", "--journal", name, "--port", "0"])
    assert done.exit_code == 1 and f"--journal '{name[:1]}" in done.output and "Choose a name" in done.output
    assert list(tmp_path.iterdir()) == []


def test_a_table_that_serves_on_an_address_with_colons_says_where(capsys: pytest.CaptureFixture[str]) -> None:
    class Empty:
        session = None

    running._greet("::1", 8080, "123456", Empty(), Path("/nope/j.db"))  # type: ignore[arg-type]  # no house is needed
    told = capsys.readouterr().out
    assert "http://[::1]:8080/table" in told and "http://[::1]:8080/op" in told


def test_the_pin_of_no_table_names_the_journal_that_was_meant(tmp_path: Path) -> None:
    done = CliRunner().invoke(main, ["pin", "--journal", str(tmp_path / "evening.db")])
    assert done.exit_code == 1
    assert f"the journal {tmp_path / 'evening.db'}" in done.output and "--config" in done.output


def test_setup_without_anybody_to_answer_names_the_way(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "companion", "setup", "-o", str(tmp_path / "c.toml")], stdin=subprocess.DEVNULL,
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 1 and "--yes" in done.stderr and "Aborted" not in done.stderr
    assert not (tmp_path / "c.toml").exists()
