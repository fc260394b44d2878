"""Whatever journal and archive are like, the table opens, keeps them, says so, and closes them again."""

from __future__ import annotations

import sqlite3
import string
import threading
import tomllib
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from companion import running, voicing
from companion.edges.archive import Archive, ArchiveError
from companion.edges.clocks import StillClocks
from companion.edges.journal import Journal, JournalError, verify
from companion.edges.screen import Screen
from companion.edges.voice import Silence
from companion.edges.watchdog import Watchdog
from companion.house import OLD, House, News
from companion.running import records
from companion.running.opening import archive, opened, resumed
from companion.running.records import Chronicle
from companion.shelf import phrases, shelf
from companion.table import crank
from companion.table.events import Chosen, Opened, Pressed, Setting
from companion.table.session import Node, Session
from companion.table.things import BID, Player
from companion.wire.journal_line import BadLine

NAMES = tuple(Player(name) for name in ("Mia", "Paul", "Ada"))
OPENED = Opened(Setting("koala", NAMES, {}, 1))


class Dark:
    """No lamps, eyes or screens; keeps what the screens would show."""

    news = News()

    def shine(self, *_: object) -> None: ...
    def blink(self, *_: object) -> None: ...
    def beat(self, *_: object) -> None: ...
    def watch(self, *_: object) -> None: ...
    def show(self, session: Session | None, news: News) -> None:
        self.news = news


def house(journal: Journal) -> tuple[House, Dark]:
    dark = Dark()
    made = House(
        shelf(), phrases(), journal, StillClocks(0), lamps=dark, voice=Silence(), eyes=dark, screens=dark, lang="de"
    )  # fmt: skip
    return made, dark


FAULTS: list[Exception] = [
    crank.BadJournal("event 2 was refused"), BadLine("row 2: no such event"), KeyError("secret-card"),
    AssertionError(), RecursionError("deep"), OSError("Input/output error"),
]  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: type(fault).__name__)
@pytest.mark.parametrize("safe", [False, True])
def test_a_journal_that_this_version_cannot_play_is_kept_whatever_its_events_do(
    fault: Exception, safe: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    path = tmp_path / "j.db"
    first = Journal(path)
    first.append(1, OPENED)
    first.close()
    recall, tried = crank.recall, list[object]()

    def cracked(shelf: Any, events: Any, number: int) -> Session | None:
        if not tried:
            tried.append(fault)
            raise fault
        return recall(shelf, events, number)

    monkeypatch.setattr(crank, "recall", cracked)
    written, ill = opened(path, safe, "de")
    table, dark = house(written)
    written = resumed(table, written, ill)
    table.step()
    assert table.session is None and "aufgehoben als" in dark.news.health[OLD]
    assert "secret-card" not in dark.news.health[OLD]  # an error's text may name a card
    assert type(fault).__name__ in capsys.readouterr().err
    table.put(OPENED)
    table.step()
    assert table.session is not None and table.journal is written and OLD not in dark.news.health
    written.close()
    assert (verify(path).rows, verify(tmp_path / "j.db.older-1").rows) == (1, 1)


def test_a_journal_that_cannot_be_put_aside_stays_and_the_table_opens_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "j.db"
    first = Journal(path)
    first.append(1, OPENED)
    first.append(2, Chosen(NAMES[0], "a question of another version", "yes"))
    first.close()

    def fixed(self: Path, target: Path) -> None:
        raise PermissionError(f"{self} stays where it is, not at {target}")

    written, ill = opened(path, False, "en")
    table, dark = house(written)
    monkeypatch.setattr(Path, "replace", fixed)
    written = resumed(table, written, ill)
    table.step()
    assert "bleibt als" in dark.news.health["memory"] and written.path is None
    assert verify(path).rows == 2


@pytest.mark.parametrize("fault", [JournalError("j.db: no access"), TypeError("of the library's")])
def test_in_safe_mode_a_journal_that_cannot_be_opened_closes_no_page(
    fault: Exception, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def shut(path: Path | None) -> Journal:
        if path is not None:
            raise fault
        return Journal(None)

    monkeypatch.setattr("companion.running.opening.Journal", shut)
    with pytest.raises(type(fault)):
        opened(tmp_path / "j.db", False, "en")
    written, ill = opened(tmp_path / "j.db", True, "en")
    table, dark = house(written)
    resumed(table, written, ill)
    table.step()
    table.put(OPENED)
    table.step()
    assert dark.news.health["memory"] == ill and "in memory only" in ill  # as long as it is so


def test_that_a_damaged_journal_was_mended_is_told_until_a_new_game_begins_however_much_is_written(
    tmp_path: Path,
) -> None:
    path = tmp_path / "j.db"
    first = Journal(path)
    first.append(1, OPENED)
    first.append(2, Pressed(NAMES[0], BID, 1))
    first.close()
    connection = sqlite3.connect(path)
    names = [row[0] for row in connection.execute("select name from sqlite_master where type = 'table'")]
    assert len(names) == 1
    column = next(row[1] for row in connection.execute(f"pragma table_info({names[0]})") if row[2] == "BLOB")
    connection.execute(f"update {names[0]} set {column} = x'55' where rowid = 2")
    connection.commit()
    connection.close()
    written, ill = opened(path, False, "de")
    assert written.moved_aside is not None
    table, dark = house(written)
    resumed(table, written, ill)
    table.step()
    assert table.session is not None and str(written.moved_aside) in dark.news.health[OLD]
    table.put(Pressed(NAMES[0], BID, 1))  # what goes on is written well
    table.step()
    assert table.session.last == 2 and OLD in dark.news.health
    table.put(Opened(Setting("koala", NAMES, {}, 2), instead=True))
    table.step()
    assert table.session.setting.seed == 2 and OLD not in dark.news.health


def test_a_damaged_archive_is_kept_and_said_in_the_tables_language(tmp_path: Path) -> None:
    (tmp_path / "g.db").write_bytes(b"no database" * 500)
    made, ill = archive(tmp_path / "g.db", "de")
    assert "Aufgehoben als" in ill and len(list(tmp_path.glob("g.db.damaged-*"))) == 1
    assert made.names() == frozenset()
    made.close()


def over() -> Session:
    """A game of which nothing is waited for any more."""
    begun = crank.advance(shelf(), None, OPENED)
    assert isinstance(begun, crank.Turn)
    node = begun.session.head
    return Session(begun.session.box, OPENED.setting, Node(2, node.event, node.state, (), node), 2)


@pytest.mark.parametrize("step", ["names", "keep"])
@pytest.mark.parametrize(
    "fault", [ArchiveError("g.db: the disk is full; free some."), KeyError("secret-card")]
)
def test_an_archive_that_fails_is_said_on_every_screen_until_it_is_well(
    step: str, fault: Exception, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    made, told = Archive(None), list[str]()
    monkeypatch.setattr(records, "record", lambda session: {"id": f"game-{session.head.number}"})
    monkeypatch.setattr(records, "_lines", lambda session: b"")

    def failing(*_: object) -> None:
        raise fault

    kept = Chronicle(made, told.append, "en")
    with monkeypatch.context() as ill:
        ill.setattr(made, step, failing)
        kept.show(over())
    assert len(told) == 1 and ("disk is full" in told[0] or "history" in told[0])
    assert "secret-card" not in told[0]
    assert ("KeyError" in capsys.readouterr().err) == isinstance(fault, KeyError)
    kept.show(over())
    assert told[1:] == [""] and made.names() == {"game-2"}
    made.close()


ILL = {"watchdog": Watchdog, "voice": Silence, "screen": Screen, "archive": Archive}


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, Any]]:
    """An evening that ends as soon as its voice has come, without the signals of the process."""
    spoken = threading.Event()

    def voice_of(*_: object) -> Silence:
        spoken.set()
        return Silence()

    monkeypatch.setattr(running.signal, "signal", lambda *_: None)
    monkeypatch.setattr(House, "run", lambda self: spoken.wait(30))
    monkeypatch.setattr(voicing, "voice_of", voice_of)
    yield {
        "settings": None, "simulated": False, "game": "koala", "players": None, "seed": None, "mess": 0.0,
        "pace": 0.0, "options": {}, "host": "127.0.0.1", "port": 0, "lang": None,
    }  # fmt: skip


@pytest.mark.parametrize("name", ILL)
def test_whatever_fails_to_close_the_journal_is_closed(
    name: str, short: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed: list[str] = []
    for each, kind in ILL.items():
        monkeypatch.setattr(kind, "close", _closing(each, kind.close, closed, each == name))  # type: ignore[attr-defined]  # each has one
    with pytest.raises(RuntimeError, match=name):
        running.run(journal=tmp_path / "j.db", **short)
    assert closed == list(ILL)
    Journal(tmp_path / "j.db").close()  # nobody has it open any more


def test_a_table_that_is_closed_leaves_no_thread(short: dict[str, Any], tmp_path: Path) -> None:
    before = set(threading.enumerate())
    running.run(journal=tmp_path / "j.db", **short)
    left = [thread for thread in threading.enumerate() if thread not in before]
    for thread in left:
        thread.join(timeout=10)
    assert [thread.name for thread in left if thread.is_alive()] == []


def _closing(name: str, close: Any, closed: list[str], ill: bool) -> Any:
    def closing(self: Any) -> None:
        closed.append(name)
        close(self)
        if ill:
            raise RuntimeError(name)

    return closing


def test_a_start_that_fails_half_way_leaves_no_journal_open(
    short: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def taken(self: Screen, host: str, port: int) -> int:
        raise OSError(f"{host}:{port} is taken")

    monkeypatch.setattr(Screen, "serve", taken)
    with pytest.raises(OSError, match="is taken"):
        running.run(journal=tmp_path / "j.db", **short)
    Journal(tmp_path / "j.db").close()


def test_both_languages_have_the_same_sentences() -> None:
    texts = [
        tomllib.loads((files("companion.running") / f"words.{lang}.toml").read_text("utf-8"))
        for lang in ("en", "de")
    ]
    holes = [
        {key: {part[1] for part in string.Formatter().parse(text) if part[1]} for key, text in each.items()}
        for each in texts
    ]
    assert holes[0] == holes[1]
