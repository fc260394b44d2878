"""One damaged game breaks no league and no export: it is left out and named, wherever it comes from."""

from __future__ import annotations

import csv
import io
import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from companion.cli import main
from companion.edges.archive import Archive, read
from companion.wire import exports, league
from companion.wire.exports import as_csv, as_json, bg_stats
from companion.wire.records import BadRecord, whole

GAME: dict[str, Any] = {
    "id": "a", "game": "koala", "on": 86_400, "players": ["Mia", "Paul"], "totals": {"Mia": 5, "Paul": 3},
    "winners": ["Mia"], "counts": True,
    "lines": [{"who": "Mia", "points": 5, "rule": "R", "why": "score.feasts", "values": {}}],
}  # fmt: skip
IDS: tuple[object, ...] = ("", 5, None, "\ud800", [])
TOTALS: tuple[object, ...] = ([], {"Mia": "5"}, {"Mia": 10**30}, {"Mia": True}, {"\ud800": 1},
                                                {"Mia": float("inf")}, {"Mia": None}, {"Mia": -(10**9)})  # fmt: skip
DAMAGED: tuple[object, ...] = (
    1, None, [], "x", {}, *({k: v for k, v in GAME.items() if k != field} for field in ("id", "game", "players")),
    *({**GAME, "on": on} for on in (10**18, 1e30, -1, float("nan"), float("inf"), "x", True, [1])),
    *({**GAME, "players": names} for names in ("Mia", 5, ["\ud800"], [1], [""], [["Mia"]], None, {"Mia": 1})),
    *({**GAME, "winners": names} for names in ("Mia", ["\udfff"], [None], None)),
    *({**GAME, "totals": totals} for totals in TOTALS),
    *({**GAME, "counts": counts} for counts in (1, 0, "no", None)),
    *({**GAME, "id": name} for name in IDS), {**GAME, "table": {"a": 1}},
)  # fmt: skip
HUGE = json.dumps(GAME).replace('"Mia": 5', f'"Mia": {"9" * 5000}')


def run(*words: object) -> Result:
    done = CliRunner().invoke(main, ["club", *map(str, words)])
    assert done.exception is None or isinstance(done.exception, SystemExit)
    return done


@pytest.mark.parametrize("record", DAMAGED, ids=range(len(DAMAGED)))
def test_a_damaged_game_is_left_out_and_the_others_count(record: Any, tmp_path: Path) -> None:
    with pytest.raises(BadRecord):
        whole(record)
    table = league.league([GAME, record])
    assert (table.games, [row.points for row in table.rows]) == (1, [5, 3])
    told = list(csv.DictReader(io.StringIO(as_csv([GAME, record]))))
    assert (
        [row["total"] for row in told[:2]] == ["5", "3"] and "damaged" in told[-1]["why"] and len(told) == 4
    )
    assert as_json([GAME, record]).encode()
    (tmp_path / "t.json").write_text(json.dumps([GAME, record]))
    done = run(tmp_path / "t.json", "--json")
    assert done.exit_code == 0 and json.loads(done.stdout)["games"] == 1
    assert "t.json: game 2 is not whole" in done.stderr and "Export it anew" in done.stderr


def test_a_number_without_end_spoils_its_own_game_only(tmp_path: Path) -> None:
    (tmp_path / "t.json").write_text(f"[{HUGE}, {json.dumps({**GAME, 'id': 'b'})}]")
    done = run(tmp_path / "t.json", "--json")
    assert json.loads(done.stdout)["games"] == 1 and "game 1 is not whole" in done.stderr


def test_a_damaged_row_of_an_archive_is_named_and_hides_no_other(tmp_path: Path) -> None:
    made = Archive(tmp_path / "t.games.db")
    made.keep(GAME)
    made.close()
    spoilt = (HUGE, "no json", "[" * 100_000, "5", json.dumps({**GAME, "on": 1e999}), b"\xff", None)
    with closing(sqlite3.connect(tmp_path / "t.games.db")) as base:
        base.execute("CREATE TABLE more (id, record, counts, lines)")
        base.execute("INSERT INTO more SELECT * FROM games")
        base.executemany("INSERT INTO more VALUES (?, ?, 1, x'')", enumerate(spoilt))
        base.execute("DROP TABLE games")
        base.execute("ALTER TABLE more RENAME TO games")
        base.commit()
    assert len(read(tmp_path / "t.games.db")) == 1 + len(spoilt)
    opened = Archive(tmp_path / "t.games.db")
    assert [game["id"] for game in opened.games() if game.get("totals") == GAME["totals"]] == ["a"]
    opened.close()
    done = run(tmp_path / "t.games.db", "--json")
    assert json.loads(done.stdout)["games"] == 1 and done.stderr.count("left out") == len(spoilt)


def test_a_damaged_game_of_a_broker_is_named_with_its_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = [{**GAME, "table": "one"}, {**GAME, "table": "t\x1b2", "on": 10**18}]
    monkeypatch.setattr("companion.edges.mqtt.collected", lambda *_: kept)
    (tmp_path / "c.toml").write_text('[mqtt]\nhost = "127.0.0.1"\n')
    done = run("--mqtt", "--config", tmp_path / "c.toml", "--json")
    assert json.loads(done.stdout)["tables"] == ["one"]
    assert "127.0.0.1:1883, table t�2: game 2 is not whole" in done.stderr


@pytest.mark.parametrize("on", [10**18, 1e30, -5, float("inf"), 0, None])
def test_a_link_is_made_of_any_day(on: Any) -> None:
    assert bg_stats({**GAME, "on": on, "players": ["\ud800"]}, "Koala").startswith("https://")
    assert exports.day({**GAME, "on": on}) == ""


def test_a_name_steers_neither_terminal_nor_page_nor_sheet(tmp_path: Path) -> None:
    name = "Mia\x1b[31m\u202e\u200b\nx"
    (tmp_path / "t.json").write_text(json.dumps([{**GAME, "players": [name], "totals": {name: 5}}]))
    done = run(tmp_path / "t.json", "--csv", tmp_path / "l.csv", "--html", tmp_path / "l.html")
    for text in (done.output, (tmp_path / "l.csv").read_text(), (tmp_path / "l.html").read_text()):
        assert "Mia�[31m���x" in text and not set(text) & set("\x1b\u202e\u200b")
    assert run(tmp_path / "t.json", "--json").output.isascii()
