"""`companion club` collects archives, exports, folders and a real broker; whatever is none of them is named."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from companion.cli import main
from companion.edges.archive import Archive
from companion.wire import exports

GAME: dict[str, Any] = {
    "id": "a", "game": "koala", "on": 86_400, "players": ["Mia", "Paul"], "totals": {"Mia": 5, "Paul": 3},
    "winners": ["Mia"], "lines": [], "rounds": [],
}  # fmt: skip


def run(*words: object) -> Result:
    return CliRunner().invoke(main, ["club", *map(str, words)])


def archive(path: Path, *games: dict[str, Any]) -> Path:
    made = Archive(path)
    for game in games:
        made.keep(game)
    made.close()
    return path


def test_archives_and_exports_of_a_folder_come_into_one_table(tmp_path: Path) -> None:
    archive(tmp_path / "t1.games.db", GAME)
    (tmp_path / "t2.json").write_text(exports.as_json([GAME, {**GAME, "id": "b", "winners": ["Paul"]}]))
    (tmp_path / "letter.json").write_text('{"dear": 1}')
    done = run(tmp_path, "--json")
    plain = json.loads(done.output.splitlines()[-1])
    assert done.exit_code == 0 and "letter.json: no export of games" in done.output
    assert (plain["games"], plain["out"]) == (2, 0)
    assert [(row["name"], row["wins"]) for row in plain["rows"]] == [("Mia", 1), ("Paul", 1)]
    shown = run(
        tmp_path / "t1.games.db", "--lang", "de", "--csv", tmp_path / "l.csv", "--html", tmp_path / "l.html"
    )
    assert "Mia" in shown.output and "Siege" in shown.output
    assert (tmp_path / "l.csv").read_text().startswith("place,name") and "Mia" in (
        tmp_path / "l.html"
    ).read_text()


def test_a_tables_archive_is_left_as_it_is_even_while_it_is_open(tmp_path: Path) -> None:
    made = Archive(tmp_path / "t.games.db")
    made.keep(GAME)
    assert "Mia" in run(tmp_path / "t.games.db").output
    made.keep({**GAME, "id": "b"})
    made.close()
    assert '"games": 2' in run(tmp_path / "t.games.db", "--json").output


@pytest.mark.parametrize(
    ("content", "named"),
    [
        ("no json", "Save games.json on /history"), ("{}", "Save games.json on /history"), ("[1]", "not whole"),
        ('[{"id": "a"}]', "not whole"), (json.dumps([{**GAME, "totals": {"Mia": "x"}}]), "not whole"),
        (json.dumps([{**GAME, "totals": []}]), "not whole"), (json.dumps([{**GAME, "players": 5}]), "not whole"),
    ],
)  # fmt: skip
def test_a_file_that_is_named_and_holds_no_results_is_an_error(
    tmp_path: Path, content: str, named: str
) -> None:
    (tmp_path / "x.json").write_text(content)
    done = run(tmp_path / "x.json")
    assert done.exit_code == 1 and named in done.output and "x.json" in done.output


def test_other_mistakes_are_named_with_the_remedy(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "other.games.db")) as base:
        base.execute("CREATE TABLE letters (text TEXT)")
    assert "no archive of games" in run(tmp_path / "other.games.db").output
    assert "no archive of games" in run(tmp_path / "missing.games.db").output
    assert "name archives" in run().output
    assert "no [mqtt]" in run("--mqtt").output
    (tmp_path / "c.toml").write_text('[mqtt]\nhost = "127.0.0.1"\nport = 1\n')
    assert "no broker at 127.0.0.1:1" in run("--mqtt", "--config", tmp_path / "c.toml").output
    done = run(archive(tmp_path / "t.games.db", GAME), "--html", tmp_path / "no" / "l.html")
    assert done.exit_code == 1 and "folder that exists" in done.output


def test_a_tables_own_files_in_its_folder_are_passed_over_in_silence(tmp_path: Path) -> None:
    (tmp_path / "games.json").write_text(exports.as_json([GAME]))
    for own in ("seats", "starts", "tempo"):
        (tmp_path / f"journal.{own}.json").write_text('{"Mia": 1}')
    told = run(tmp_path)
    assert told.exit_code == 0 and told.stderr == "" and "Mia" in told.output
    (tmp_path / "letter.json").write_text('{"dear": 1}')
    assert "letter.json" in run(tmp_path).stderr
