"""What a command makes never replaces another file: each command, each option that names a file, each odd target."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from companion.cli import main
from companion.edges.archive import Archive
from companion.edges.journal import Journal
from companion.shelf import deck, phrases
from companion.telling import BadOption
from companion.writing import PDF, save, writable

SHEET = str(Path(__file__).parents[1] / "docs" / "sticker-sheet.png")
COMMANDS = {  # each writes one result to TARGET
    "bundle": ["bundle", "--journal", "{tmp}/journal.db", "-o", "TARGET"],
    "club --csv": ["club", "{tmp}/t.games.db", "--csv", "TARGET"],
    "club --html": ["club", "{tmp}/t.games.db", "--html", "TARGET"],
    "deck --export": ["deck", "karnivore", "--export", "TARGET"],
    "journal backup": ["journal", "backup", "{tmp}/journal.db", "TARGET"],
    "print": ["print", "koala", "--part", "players", "-o", "TARGET"],
    "read --draw": ["read", SHEET, "--draw", "TARGET.png"],
    "scan rescue": ["scan", "rescue", "--print", "TARGET", "--sheets", "1"],
    "setup": ["setup", "--yes", "-o", "TARGET"],
    "sim --record": ["sim", "koala", "--record", "TARGET"],
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("COMPANION_DECKS", str(tmp_path / "decks"))
    deck.cache_clear()
    phrases.cache_clear()
    Journal(tmp_path / "journal.db").close()
    Archive(tmp_path / "t.games.db").close()
    yield tmp_path
    deck.cache_clear()
    phrases.cache_clear()


def run(command: str, folder: Path, target: Path) -> Result:
    words = [word.replace("{tmp}", str(folder)).replace("TARGET", str(target)) for word in COMMANDS[command]]
    return CliRunner().invoke(main, words)


def refused(done: Result, target: str) -> bool:
    """Whether a command ended in one sentence that names the target and a remedy."""
    return (
        done.exit_code == 1 and isinstance(done.exception, SystemExit) and target in done.output
        and "Name a" in done.output
    )  # fmt: skip


@pytest.mark.parametrize("command", COMMANDS)
def test_a_file_that_is_there_is_left_as_it_is(command: str, folder: Path) -> None:
    ending = ".png" if "--draw" in COMMANDS[command] else ""
    kept = folder / f"kept.db{ending}"
    kept.write_bytes(b"SQLite format 3\x00 a whole evening")
    done = run(command, folder, folder / "kept.db")
    assert refused(done, "kept.db") and "exists already" in done.output, done.output
    assert kept.read_bytes() == b"SQLite format 3\x00 a whole evening"


@pytest.mark.parametrize("command", COMMANDS)
def test_a_folder_and_a_place_that_is_none_are_named(command: str, folder: Path) -> None:
    (folder / "sub").mkdir()
    (folder / "sub.png").mkdir()
    assert refused(run(command, folder, folder / "sub"), "sub")
    assert refused(run(command, folder, folder / "nope" / "x"), "nope")
    assert refused(run(command, folder, folder / ("x" * 300)), "xxx")


def test_an_older_result_of_the_same_kind_is_replaced_where_that_is_said(tmp_path: Path) -> None:
    sheet = tmp_path / "k.pdf"
    save(sheet, b"%PDF-1 long", over=PDF)
    save(sheet, b"%PDF-2", over=PDF)
    assert sheet.read_bytes() == b"%PDF-2"
    with pytest.raises(BadOption, match="exists already"):
        save(sheet, b"%PDF-3")


def test_a_link_into_nothing_is_not_followed_and_a_pipe_is(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(BadOption, match="exists already"):
        save(tmp_path / "link", "text")
    assert not (tmp_path / "elsewhere").exists()
    save(Path("/dev/null"), "text")
    with pytest.raises(BadOption, match="no file is called so"):
        writable(tmp_path / "a\x00b", "-o")


def test_where_nothing_can_be_written_nothing_half_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target, whole = tmp_path / "new.csv", Path.open

    def full(path: Path, mode: str) -> object:
        whole(path, mode).close()
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "open", full)
    with pytest.raises(BadOption, match=r"new\.csv: No space left"):
        save(target, "text")
    assert not target.exists()
