"""Deck and settings files as editors and mischief leave them: taken, or refused in one sentence with place and remedy."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from companion import config
from companion.cli import main
from companion.config import BadConfig
from companion.games import decks
from companion.games.karnivore import workshop
from companion.games.rescue import map_file
from companion.games.rescue.maps import practice
from companion.games.rescue.rules_map import BadMap
from companion.shelf import deck, phrases
from companion.table.things import BadDeck

MARK = "\ufeff"
FACE = 'game = "karnivore"\n[[faces]]\nface = "a"\nkind = "animal"\nmarkers = '
PLATE = 'game = "karnivore"\nfaces = []\n[[plates]]\n'
SPOILT = [  # none of them a file that can be used
    "x = " + "[" * 5000, "x = " + "9" * 5000, "x = {" * 500, "faces = 5", "faces = ['x']", "faces = [[1]]",
    FACE + "[inf]", FACE + "[nan]", FACE + "5", FACE + "[1]\nids = 3", FACE + "[1]\nids = []\nkind = 5",
    PLATE + "zone = ['x']\nmarkers = [1, 2]\nmarker_mm = inf\napart_mm = 1\narea = [1, 2, 3, 4]", PLATE + "markers = {}",
    PLATE + "zone = 'x'\nmarkers = [1]", "plates = 3\nfaces = []", "\x00",
]  # fmt: skip


@pytest.fixture(autouse=True)
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("COMPANION_DECKS", str(tmp_path / "decks"))
    deck.cache_clear()
    phrases.cache_clear()
    yield
    deck.cache_clear()
    phrases.cache_clear()


def run(*words: object) -> Result:
    return CliRunner().invoke(main, list(map(str, words)))


def named(done: Result, *told: str) -> bool:
    """Whether it ended in one sentence that says this."""
    return (
        done.exit_code == 1 and isinstance(done.exception, SystemExit)
        and all(each in done.output for each in told)
    )  # fmt: skip


@pytest.mark.parametrize("text", SPOILT, ids=range(len(SPOILT)))
def test_a_spoilt_file_is_refused_by_every_reader(text: str, tmp_path: Path) -> None:
    with pytest.raises(BadDeck, match="mine"):
        workshop.read(text, "mine.toml")
    with pytest.raises(BadMap, match="mine"):
        map_file.read(text, "mine.toml")
    with pytest.raises(BadConfig, match="mine"):
        config.parse(text, "mine.toml")
    (tmp_path / "mine.toml").write_text(text, "utf-8")
    assert named(run("deck", "karnivore", "--import", tmp_path / "mine.toml"), "mine.toml")


def test_a_byte_order_mark_changes_nothing(tmp_path: Path) -> None:
    text = workshop.written(deck("karnivore"))
    assert decks.parse(MARK + text) == decks.parse(text)
    assert map_file.read(MARK + map_file.write(practice())) == practice()
    file = tmp_path / "c.toml"
    file.write_text('lang = "de"\n', "utf-8-sig")
    assert config.load(file).lang == "de"
    (tmp_path / "mine.toml").write_text(text, "utf-8-sig")
    assert run("deck", "karnivore", "--import", tmp_path / "mine.toml").exit_code == 0


def test_a_deck_that_is_no_text_or_can_be_kept_nowhere_is_named(tmp_path: Path) -> None:
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00\x01")
    assert named(run("deck", "karnivore", "--import", tmp_path), "--import", "Name a text file")
    assert named(run("deck", "karnivore", "--import", tmp_path / "binary"), "--import", "UTF-8")
    (tmp_path / "decks").touch()
    assert named(run("deck", "karnivore", "--only-own"), "COMPANION_DECKS")
    assert named(run("deck", "kukakoenig", 5, 8, 6, 8, 16, 6, 6, 4), "COMPANION_DECKS")


def test_an_own_deck_that_is_no_text_is_named(tmp_path: Path) -> None:
    (tmp_path / "decks").mkdir()
    (tmp_path / "decks" / "karnivore.toml").write_bytes(b"\xff\xfe\x00\x01")
    assert named(run("deck", "karnivore"), "karnivore.toml", "Move it away")
