"""Finished games are kept, counted, and freed of a name, and outlive a restart."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from any_course import Course

from companion.edges.archive import GONE, Archive, ArchiveError
from companion.table.record import record

# Records of Karnivore and Ku-Ka-König take long, and one is enough for their few tales; in Wine a glass must travel.
COURSES = {"karnivore": (0,), "kukakoenig": (0,), "wine": (0, 1, 2, 12)}


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


def _words(content: object) -> Iterator[str]:
    """Every text of a record, its fields' names too."""
    if isinstance(content, dict):
        yield from (word for key, each in content.items() for part in (key, each) for word in _words(part))
    elif isinstance(content, list):
        yield from (word for each in content for word in _words(each))
    elif isinstance(content, str):
        yield content


@pytest.mark.parametrize("game", ["koala", "kukakoenig", "wine", "karnivore", "rescue"])
def test_nobody_who_was_deleted_stands_anywhere_in_a_game_that_was_played(game: str) -> None:
    """Games of every kind to their end, in scores, rounds and tales, with every player deleted one by one."""
    told: set[str] = set()
    for seed in COURSES.get(game, (0, 1, 2, 3)):
        *_, session = Course(game, seed, strange=0.0, moves=1500).sessions()
        kept, archive = record(session), Archive(None)
        archive.keep(kept, b"events")
        for player in session.setting.players:
            assert archive.forget(player) == 1
            (left,) = archive.games()
            found = [text for text in _words(left) if re.search(rf"\b{player}\b", text)]
            assert not found, (seed, player)
            assert not archive.lines(left["id"])
        told |= {tale["key"] for tale in kept["tales"]}
        archive.close()
    assert told >= ({"tale.traveller"} if game == "wine" else set())
    assert told


@pytest.mark.parametrize("name", ["A", "B", "A + B", "A - B", "Mia.", "(", "\\\\1"])
@pytest.mark.parametrize("between", [", ", " + ", "+", " - "])
def test_a_name_is_found_between_others_whatever_it_looks_like(name: str, between: str) -> None:
    """First, last, in the middle and twice; another one of which it is a part stays."""
    for text in ((name, "Zoe"), ("Zoe", name), ("Zoe", name, "Ida", name), (f"{name}a", name, f"a{name}")):
        archive = Archive(None)
        kept = {
            **game("a", players=(name, "Zoe")),
            "tales": [{"key": "k", "values": {"names": between.join(text)}}],
        }
        archive.keep(kept)
        archive.forget(name)
        wanted = between.join(GONE if each == name else each for each in text)
        assert archive.games()[0]["tales"][0]["values"]["names"] == wanted
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
