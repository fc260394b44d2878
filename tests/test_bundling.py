"""The report of a problem: replay plays it, and no name and no secret is in it, wherever they stood before."""

from __future__ import annotations

import json
import zipfile
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import pytest
from click.testing import CliRunner
from starlette.requests import HTTPConnection

from companion import bundling
from companion.cli import main
from companion.config import Camera, Config, Mqtt
from companion.edges import journal, problems
from companion.edges.archive import Archive
from companion.edges.journal import Journal
from companion.edges.logbook import Logbook
from companion.edges.screen.rights import Rights
from companion.house import News
from companion.running.eyes import Sight
from companion.running.parts import Both
from companion.running.records import Chronicle, Diary, Seats
from companion.shelf import folders, shelf
from companion.table import crank
from companion.table.crank import Turn
from companion.table.events import Chosen, Event, Opened, Setting
from companion.table.game import Refusal
from companion.table.session import Session
from companion.table.things import Player

HERE = Path(__file__).parent / "playthroughs"
NAMES = ("Zoltan", "Quendolin", "Anna Lena", "Xaver")
SECRETS = ("314159", "KFJD", "s3cr3t-broker", "camera-word", "broker-user")
CHOSEN = Config(
    camera=Camera(source="http://me:camera-word@phone:8080/video"),
    mqtt=Mqtt("hub", user="broker-user", password="s3cr3t-broker"),
)


def of(game: str) -> list[Event]:
    """A whole game of people with names that stand nowhere else."""
    events = journal.read(HERE / f"1049-{game}.db")
    opened = events[0]
    assert isinstance(opened, Opened)
    others = dict(zip(opened.setting.players, NAMES, strict=False))
    from companion.wire.nameless import Veil

    return [Veil(others).event(event) for event in events]


def files(content: bytes) -> dict[str, str]:
    with zipfile.ZipFile(BytesIO(content)) as file:
        return {name: file.read(name).decode() for name in file.namelist()}


@pytest.mark.parametrize("game", folders())
def test_no_name_and_no_secret_is_in_a_report_and_replay_comes_to_the_same(game: str, tmp_path: Path) -> None:
    events = of(game)
    log = f"{NAMES[0]}s phone is gone\nPIN {SECRETS[0]}\nTraceback: {NAMES[2].upper()} {SECRETS[1]} Berta"
    name, content = bundling.report(
        events, chosen=CHOSEN, log=log, findings=[{"level": "bad", "text": f"/home/{NAMES[1].lower()} is full"}],
        readings=[{"at": 1, "said": [["middle", ["pizza-01"]]]}], names=("Berta",), secrets=SECRETS[:2],
    )  # fmt: skip
    for file, text in files(content).items():
        for word in (*NAMES, "Berta", *SECRETS):
            assert word.lower() not in text.lower(), (file, word)
    (tmp_path / name).write_bytes(content)
    told = CliRunner().invoke(main, ["replay", str(tmp_path / name)])
    assert told.exit_code == 0 and "Player 1" in told.output and "1 frames were read, 3 lines" in told.output
    plain = json.loads(CliRunner().invoke(main, ["replay", str(tmp_path / name), "--json"]).output)
    session = crank.recall(shelf(), events)
    assert session is not None
    assert sorted(plain["score"]["totals"].values()) == sorted(crank.score(session).totals.values())
    assert plain["events"] == len(events)


def test_a_game_under_way_with_secrets_stays_out_and_those_before_it_stay_in() -> None:
    events = of("wine")
    both = (*of("koala"), *events[:-20])
    _, content = bundling.report(both, chosen=CHOSEN, log="", findings=[], readings=[{"at": 1}], sealed=True)
    inside = files(content)
    assert inside["events.jsonl"].count("\n") + 1 == len(both) - len(events) + 20
    assert inside["readings.jsonl"] == "" and "secret" in json.loads(inside["report.json"])["left_out"]


def test_the_command_reports_what_a_table_left_on_the_disk(tmp_path: Path) -> None:
    path = tmp_path / "j.db"
    kept = Journal(path)
    for number, event in enumerate(of("koala"), 1):
        kept.append(number, event)
    kept.close()
    path.with_suffix(".pin").write_text("314159")
    path.with_suffix(".seats.json").write_text(json.dumps({"Wunibald": "hash"}))
    Logbook(path.with_suffix(".log")).note("Wunibald and Kunigunde saw 314159")
    archive = Archive(path.with_suffix(".games.db"))
    archive.keep({"id": "a", "on": 1, "players": ["Kunigunde"], "totals": {}, "winners": []})
    archive.close()
    out = tmp_path / "r.zip"
    done = CliRunner().invoke(main, ["bundle", "--journal", str(path), "-o", str(out)])
    assert done.exit_code == 0, done.output
    text = "\n".join(files(out.read_bytes()).values())
    for word in (*NAMES, "Wunibald", "Kunigunde", "314159"):
        assert word not in text, word
    assert problems.read(out).log.endswith("Player 5 and Player 6 saw [left out]")


@pytest.mark.parametrize("ill", [False, True])
def test_the_command_leaves_out_a_game_under_way_that_has_secrets_or_cannot_be_played(
    tmp_path: Path, ill: bool
) -> None:
    path, before = tmp_path / "j.db", of("koala")
    last = of("wine")[:-20] if not ill else [before[0], Chosen(Player("Zoltan"), "no_such_choice", "x")]
    kept = Journal(path)
    for number, event in enumerate((*before, *last), 1):
        kept.append(number, event)
    kept.close()
    _, content = bundling.left(None, path)
    inside = files(content)
    head = json.loads(inside["report.json"])
    assert head["events"] == len(before) and "secret" in head["left_out"]
    assert inside["events.jsonl"].count("\n") + 1 == len(before) and "glass" not in inside["events.jsonl"]


def test_the_command_keeps_a_game_with_secrets_once_it_is_over(tmp_path: Path) -> None:
    path, events = tmp_path / "j.db", of("wine")
    kept = Journal(path)
    for number, event in enumerate(events, 1):
        kept.append(number, event)
    kept.close()
    _, content = bundling.left(None, path)
    assert json.loads(files(content)["report.json"])["events"] == len(events)


def test_a_damaged_journal_is_reported_as_far_as_it_is_good(tmp_path: Path) -> None:
    import sqlite3

    path = tmp_path / "j.db"
    kept = Journal(path)
    for number, event in enumerate(of("koala")[:50], 1):
        kept.append(number, event)
    kept.close()
    with sqlite3.connect(path) as base:
        base.execute("UPDATE events SET line = x'7b7d' WHERE number = 30")
    base.close()
    _, content = bundling.left(None, path)
    head = json.loads(files(content)["report.json"])
    assert head["events"] == 29 and "row 30" in head["damage"]


def test_a_report_that_cannot_be_written_or_made_names_the_remedy(tmp_path: Path) -> None:
    path = tmp_path / "j.db"
    kept = Journal(path)
    kept.append(1, Opened(Setting("koala", (Player("Mia"),), {}, 1)))
    busy = CliRunner().invoke(main, ["bundle", "--journal", str(path)])
    kept.close()
    assert busy.exit_code != 0 and "another companion has it open" in busy.output and "on /op" in busy.output
    done = CliRunner().invoke(main, ["bundle", "--journal", str(path), "-o", str(tmp_path / "no" / "r.zip")])
    assert done.exit_code != 0 and "folder that exists" in done.output


def test_the_diary_tells_of_devices_games_and_refusals_once_each() -> None:
    lines: list[str] = []
    diary = Diary(lines.append)
    people = tuple(Player(name) for name in ("Mia", "Paul", "Ada"))
    turn = crank.advance(shelf(), None, Opened(Setting("koala", people, {}, 1)))
    assert isinstance(turn, Turn)
    ill = News(health={"camera": "gone"})
    refused = replace(ill, refusal=Refusal("KOALA-1", "not_now"))
    for news in (News(), ill, ill, refused, refused, News()):
        diary.show(turn.session, news)
    assert lines == [
        "koala is on the table, 3 players", "camera: gone", "refused after event 1: KOALA-1 not_now",
        "camera: well again",
    ]  # fmt: skip


def test_everybody_is_shown_everything() -> None:
    seen: list[str] = []

    class Eye:
        def __init__(self, name: str) -> None:
            self.name = name

        def show(self, session: Session | None, news: News) -> None:
            seen.append(self.name)

    chronicle = Chronicle(Archive(None), seen.append, "en")
    Both(Eye("screen"), Eye("ears"), chronicle, [Eye("diary")]).show(None, News())  # type: ignore[arg-type]  # stand-ins
    assert seen == ["screen", "ears", "diary"]


def test_the_page_saves_a_report_beside_the_bundles_and_keeps_ten(tmp_path: Path) -> None:
    sight = Sight(tmp_path, lambda: None)
    assert sight.report() is None
    for number in range(13):
        sight.reporter = lambda sealed, number=number: (f"companion-report-{number:02d}.zip", b"PK")
        assert sight.report() == (f"companion-report-{number:02d}.zip", b"PK")
    (tmp_path / "companion-20261130-200000.zip").write_bytes(b"PK")
    sight.report()
    assert len(list(tmp_path.glob("companion-report-*.zip"))) == 10
    assert (tmp_path / "companion-20261130-200000.zip").exists()


def test_a_disk_that_takes_nothing_keeps_no_report_from_whoever_asks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(file: Path, content: bytes) -> int:
        file.touch()
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    sight = Sight(tmp_path, lambda: None)
    sight.reporter = lambda sealed: ("companion-report-1.zip", b"PK")
    assert sight.report() == ("companion-report-1.zip", b"PK")
    assert sight.bundle() is not None
    assert list(tmp_path.iterdir()) == []  # half a file is none


def test_code_and_lock_of_the_seats_are_no_names(tmp_path: Path) -> None:
    seats, phone = Seats(tmp_path / "j.seats.json"), HTTPConnection({"type": "http", "headers": []})
    door = Rights("271828", lambda: 0.0, seats)
    assert isinstance(door.claim(door.code, Player("Mia"), phone), str)
    door.lock(True)
    assert len(seats.load()) == 3 and bundling.seated(tmp_path / "j.db") == ("Mia",)
