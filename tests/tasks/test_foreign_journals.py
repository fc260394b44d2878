"""`companion replay` of somebody else's journal or report: names steer no terminal, odd fields are named."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from companion.cli import main
from companion.table.events import Opened, Setting
from companion.table.things import Player
from companion.wire import journal_line

PEOPLE = tuple(Player(name) for name in ("Mia\x1b[31m", "\u202eluaP", "A\u200bd\na"))
HEAD: dict[str, Any] = {"report": 1, "saved": "2026-11-30", "versions": {"companion": "1"}}


def replayed(file: Path) -> Result:
    done = CliRunner().invoke(main, ["replay", str(file)])
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    assert not set(done.output) & set("\x1b\u202e\u200b"), done.output
    return done


def report(folder: Path, head: Any = HEAD, doctor: Any = (), log: bytes = b"") -> Path:
    file = folder / "r.zip"
    with zipfile.ZipFile(file, "w") as held:
        held.writestr("report.json", json.dumps(head))
        held.writestr("events.jsonl", journal_line.encode(Opened(Setting("koala", PEOPLE, {}, 1))))
        held.writestr("readings.jsonl", "")
        held.writestr("log.txt", log)
        held.writestr("doctor.json", json.dumps(doctor))
        held.writestr("settings.json", "{}")
    return file


def test_names_of_a_journal_are_shown_without_signs_that_steer(tmp_path: Path) -> None:
    (tmp_path / "j.jsonl").write_bytes(journal_line.encode(Opened(Setting("koala", PEOPLE, {}, 1))) + b"\n")
    assert "Mia�[31m, �luaP, A�d�a" in replayed(tmp_path / "j.jsonl").output


def test_texts_of_a_report_are_shown_so_too(tmp_path: Path) -> None:
    head = HEAD | {"saved": "\x1b[2J", "versions": {"a\x1b": "\u202e"}, "damage": "\x1bc"}
    told = replayed(report(tmp_path, head, [{"level": "bad", "text": "\x1b[31mred"}])).output
    assert "a report of �[2J" in told and "�[31mred" in told


@pytest.mark.parametrize(
    "head", [[], 5, None, HEAD | {"versions": [1]}, HEAD | {"versions": "x"}, HEAD | {"report": 2}]
)
def test_a_head_of_another_kind_is_named(head: Any, tmp_path: Path) -> None:
    assert "r.zip" in replayed(report(tmp_path, head)).output


@pytest.mark.parametrize("doctor", [5, "x", [1], {"a": 1}, [[]], None])
def test_findings_of_another_kind_are_named(doctor: Any, tmp_path: Path) -> None:
    done = replayed(report(tmp_path, doctor=doctor))
    assert done.exit_code == 1 and "Save it anew on /op" in done.output
