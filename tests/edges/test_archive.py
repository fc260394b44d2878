"""Finished games are kept, counted, and freed of a name, and outlive a restart."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from companion.edges.archive import GONE, Archive, ArchiveError


def game(name: str, on: int = 1, players: tuple[str, ...] = ("Mia", "Paul")) -> dict[str, Any]:
    return {
        "id": name, "on": on, "players": list(players), "winners": ["Mia+Paul"], "totals": {"Mia+Paul": 3, "Mia": 1},
        "tales": [{"key": "x", "values": {"name": "Paul + Mia", "names": "Mia, Paul", "count": 2}}],
    }  # fmt: skip


def test_games_outlive_a_restart_newest_first(tmp_path: Path) -> None:
    archive = Archive(tmp_path / "games.db")
    archive.keep(game("a", 1))
    archive.keep(game("b", 2))
    archive.count("a", False)
    archive.close()
    again = Archive(tmp_path / "games.db")
    assert [(each["id"], each["counts"]) for each in again.games()] == [("b", True), ("a", False)]
    again.close()


def test_a_new_ending_takes_the_place_of_the_old_one_and_counts_as_before() -> None:
    archive = Archive(None)
    archive.keep(game("a"))
    archive.count("a", False)
    archive.keep({**game("a"), "totals": {"Mia": 9}})
    assert [(each["totals"], each["counts"]) for each in archive.games()] == [({"Mia": 9}, False)]
    archive.drop("a")
    assert archive.games() == []
    archive.close()


def test_a_deleted_name_stands_nowhere_any_more_and_the_points_stay() -> None:
    archive = Archive(None)
    archive.keep(game("a"))
    archive.keep(game("b", players=("Ada", "Mian")))
    assert archive.forget("Mia") == 1
    kept = {each["id"]: each for each in archive.games()}
    assert kept["a"]["totals"] == {f"{GONE}+Paul": 3, GONE: 1}
    assert kept["a"]["tales"][0]["values"] == {"name": f"Paul + {GONE}", "names": f"{GONE}, Paul", "count": 2}
    assert kept["b"]["players"] == ["Ada", "Mian"]
    archive.close()


@pytest.mark.parametrize("name", ["on", "id", "koala", "totals", "players", "counts", "–"])
def test_a_player_may_be_called_like_a_field_or_a_game(name: str) -> None:
    archive = Archive(None)
    archive.keep({**game("a", players=(name, "Mia")), "game": "koala", "totals": {name: 3, "Mia": 1}})
    assert archive.forget(name) == archive.forget("Mia") == 1
    (kept,) = archive.games()
    assert (kept["id"], kept["game"], kept["on"], kept["counts"]) == ("a", "koala", 1, True)
    assert len(kept["totals"]) == 2
    assert sorted(kept["totals"].values()) == [1, 3]
    assert not {name, "Mia"} & ({*kept["players"], *kept["totals"]} - {GONE})
    archive.close()


@pytest.mark.parametrize(
    "row", ["{bad", "[]", "null", '{"id": "b"}', '{"on": "x", "players": []}', '{"on": 1}', ""]
)
def test_a_damaged_row_hides_no_other(tmp_path: Path, row: str) -> None:
    archive = Archive(tmp_path / "games.db")
    archive.keep(game("a"))
    archive.close()
    with closing(sqlite3.connect(tmp_path / "games.db")) as base, base:
        base.execute("INSERT INTO games VALUES ('b', ?, 1, x'')", (row,))
    again = Archive(tmp_path / "games.db")
    assert [each["id"] for each in again.games()] == ["a"]
    assert again.forget("Mia") == 1
    again.close()


def test_a_file_that_is_no_archive_is_named_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    path.write_text("my letters" * 1000)
    with pytest.raises(ArchiveError, match="Move the file away"):
        Archive(path)
    assert path.read_text().startswith("my letters")
