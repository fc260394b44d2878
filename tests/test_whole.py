"""Files written whole or not at all: on disk before they are in their place, and no other way of writing them."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from companion import shelf, whole
from companion.house import Tempo
from companion.running.records import Loudness, Seats, Tempi

ROOT = Path(__file__).parents[1] / "companion"
# These replace files of their own: what they lose is made anew, or counted anew.
OTHERS = {"edges/starts.py", "edges/logbook.py", "edges/voice/store.py", "edges/journal/mending.py"}


def entered(folder: Path) -> Path:
    """A deck of the owner's, in place of an older one."""
    shelf.keep_deck("koala", (ROOT / "games" / "koala" / "deck.toml").read_text("utf-8"))
    return folder / "koala.toml"


def seated(folder: Path) -> Path:
    Seats(folder / "j.seats.json").save({"Mia": "hash"})
    return folder / "j.seats.json"


def rested(folder: Path) -> Path:
    Tempi(folder / "j.tempo.json").save(Tempo(True, 2.0))
    return folder / "j.tempo.json"


def turned_down(folder: Path) -> Path:
    Loudness(folder / "j.loud.json").save({"chatter": "0.3"})
    return folder / "j.loud.json"


@pytest.mark.parametrize("write", [entered, seated, rested, turned_down])
def test_what_is_kept_is_on_disk_before_it_takes_its_place_and_its_name_behind(
    write: Callable[[Path], Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMPANION_DECKS", str(tmp_path))
    acts: list[tuple[str, str]] = []
    sync, replace = os.fsync, Path.replace

    def synced(number: int) -> None:
        named = str(Path(f"/proc/self/fd/{number}").readlink())
        acts.append(("sync", named))
        assert Path(named).is_dir() or Path(named).stat().st_size  # what is synced has been written
        sync(number)

    def replaced(path: Path, target: Path) -> Path:
        acts.append(("replace", str(path)))
        return replace(path, target)

    monkeypatch.setattr(os, "fsync", synced)
    monkeypatch.setattr(Path, "replace", replaced)
    for _ in range(2):  # into an empty place, and over an older one
        acts.clear()
        path = write(tmp_path)
        fresh = acts[0][1]
        assert acts == [("sync", fresh), ("replace", fresh), ("sync", str(path.parent))]
        assert not Path(fresh).exists() and path.stat().st_size
    shelf.deck.cache_clear()
    shelf.phrases.cache_clear()


@pytest.mark.parametrize("step", ["fsync", "replace", "block"])
def test_whatever_fails_leaves_the_old_file_and_no_piece_of_a_new_one(
    step: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "kept"
    whole.write(path, b"old")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    if step != "block":
        monkeypatch.setattr(os if step == "fsync" else Path, step, full)
    with pytest.raises(OSError, match="No space"), whole.staged(path, b"new"):
        assert path.read_bytes() == b"old"
        if step == "block":
            full()
    assert path.read_bytes() == b"old" and [each.name for each in tmp_path.iterdir()] == ["kept"]


def test_nothing_else_puts_a_file_in_anothers_place() -> None:
    found = {
        str(path.relative_to(ROOT))
        for path in ROOT.rglob("*.py")
        if re.search(r"\.replace\((self\.)?_?(path|old|target|whole|aside)\w*\)", path.read_text("utf-8"))
    }
    assert found - OTHERS == {
        "whole.py",
        "edges/journal/__init__.py",
        "running/opening.py",
    }  # two move files aside


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\x00" * 40,
        b"[]",
        b'{"paused": 3}',
        b'{"stretch": 1e999}',
        b'{"stretch": 0.0}',
        b'{"stretch": -2}',
    ],
)
def test_a_tempo_that_makes_no_sense_is_none(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "t").write_bytes(content)
    assert Tempi(tmp_path / "t").load() == Tempo()
    assert Tempi(tmp_path / "nowhere" / "t").load() == Tempo()
    Tempi(tmp_path / "nowhere" / "t").save(Tempo(True))  # stops nothing
