"""[mqtt] in the settings: every wrong entry is named; a table without it loads nothing of it."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest

from companion.config import BadConfig, Config, Mqtt, parse
from companion.edges.archive import Archive
from companion.edges.mqtt import Club
from companion.running import club as of_club
from companion.running.club import machine, told_by
from companion.running.records import Chronicle
from companion.shelf import shelf
from companion.table import crank
from companion.table.crank import Turn
from companion.table.events import Opened, Setting
from companion.table.things import Player
from companion.wire import club_words


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ('host = ""', "host is empty"),
        ('hots = "x"', "did you mean 'host'"),
        ("port = 1883", "host"),
        ('host = "x"\nport = 0', "1 to 65535"),
        ('host = "x"\ntopic = "a/#"', "topic 'a/#'"),
        ('host = "x"\ntopic = "/a"', "topic '/a'"),
        ('host = "x"\nname = "a b"', "name 'a b'"),
        ('host = "x"\ndiscovery = "+"', "discovery '+'"),
        ('host = "x"\npassword = "y"', "password without a user"),
    ],
)
def test_a_wrong_entry_is_named(text: str, named: str) -> None:
    with pytest.raises(BadConfig) as told:
        parse(f"[mqtt]\n{text}\n", "companion.toml")
    assert named in str(told.value) and "companion.toml" in str(told.value)


def test_a_whole_entry_is_read_and_off_is_the_rule() -> None:
    assert parse("", "x").mqtt is None and told_by(Config(), Archive(None), print, "en") == ()
    chosen = parse(
        '[mqtt]\nhost = "broker"\nuser = "u"\npassword = "p"\ntopic = "club/hall"\ndiscovery = ""\n', "x"
    )
    assert chosen.mqtt == Mqtt("broker", user="u", password="p", topic="club/hall", discovery="")
    (told,) = told_by(chosen, Archive(None), print, "en")
    assert isinstance(told, Club)


def test_a_machines_name_is_a_part_of_a_topic(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(of_club.socket, "gethostname", lambda: "mia's table+#/1")
    assert machine() == "mia-s-table-1"


def test_a_table_without_a_broker_loads_nothing_of_it() -> None:
    done = subprocess.run(
        [sys.executable, "-c", "import sys, companion.running; print([n for n in sys.modules if 'mqtt' in n or n in ('cv2', 'aiomqtt')])"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout.strip() == "[]"


def test_an_ending_and_one_taken_back_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[tuple[str, Any]] = []
    people = tuple(Player(name) for name in ("Mia", "Paul", "Ada"))
    turn = crank.advance(shelf(), None, Opened(Setting("koala", people, {}, 1)))
    assert isinstance(turn, Turn)
    chronicle = Chronicle(Archive(None), print, "en", [lambda name, kept: told.append((name, kept))])
    from companion.running import records

    class Over:
        over, head, setting = True, object(), turn.session.setting

    monkeypatch.setattr(records, "record", lambda _: {"id": "g", "on": 1, "players": []})
    monkeypatch.setattr(records, "name_of", lambda _: "g")
    monkeypatch.setattr(records, "_lines", lambda _: b"")
    ended: Any = Over()
    chronicle.show(ended)
    chronicle.show(turn.session)
    assert told == [("g", {"id": "g", "on": 1, "players": []}), ("g", None)]


def test_only_what_everybody_sees_is_told() -> None:
    people = tuple(Player(name) for name in ("Mia", "Paul", "Ada", "Ben"))
    for game in ("koala", "wine", "kukakoenig", "karnivore"):
        turn = crank.advance(
            shelf(), None, Opened(Setting(game, people[: 4 if game != "kukakoenig" else 3], {}, 1))
        )
        assert isinstance(turn, Turn), game
        from companion.table.game import Table

        assert club_words.state(turn.session, ())["view"] == crank.look(turn.session, Table())
    assert club_words.state(None, ["camera"])["ill"] == ["camera"]
