"""The whole service as a process: it resumes, tells systemd, keeps what it cannot use, and opens all the same."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from websockets.sync.client import connect
from websockets.typing import Origin

from companion.config import Config
from companion.edges import journal, problems
from companion.edges.journal import Journal
from companion.edges.logbook import Logbook
from companion.running import run
from companion.running.built import reporter
from companion.running.eyes import Sight
from companion.table.events import Chosen, Opened, Pressed, Setting
from companion.table.things import BID, Player

NAMES = tuple(Player(name) for name in ("Mia", "Paul", "Ada"))
OPENED = Opened(Setting("koala", NAMES, {}, 1))


@contextmanager
def served(folder: Path, *more: str, **env: str) -> Iterator[tuple[str, list[str]]]:
    """A table without devices; its address, what it said, and at the end a clean stop."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(str(folder / "notify"))
        systemd.settimeout(60)
        command = [sys.executable, "-m", "companion", "run", "--host", "127.0.0.1", "--port", "0",
                   "--journal", str(folder / "j.db"), *more]  # fmt: skip
        table = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            env={**os.environ, "NOTIFY_SOCKET": str(folder / "notify"), **env},
        )  # fmt: skip
        assert table.stdout is not None
        said: list[str] = []
        try:
            for line in table.stdout:
                said.append(line)
                if line.startswith("Ctrl-C"):
                    break
            else:
                pytest.fail("".join(said))
            assert b"READY=1" in systemd.recv(200)
            # a starved machine may say first that something hangs
            assert any(systemd.recv(200) == b"WATCHDOG=1" for _ in range(120))
            address = next(line.split()[-1] for line in said if line.startswith("Table screen"))
            yield address.removesuffix("/table"), said
        finally:
            table.terminate()
            table.communicate(timeout=30)
            (folder / "notify").unlink()
        assert table.returncode == 0


def look(address: str, until: Callable[[Any], bool] = lambda told: True) -> Any:
    """What the table screen shows, as soon as it shows that."""
    with connect(address.replace("http", "ws") + "/ws?page=table", origin=Origin(address)) as line:
        while (told := json.loads(line.recv(timeout=30)))["t"] != "state" or not until(told):
            pass
        return told


def written(path: Path, *events: Any) -> None:
    book = Journal(path)
    for number, event in enumerate(events, 1):
        book.append(number, event)
    book.close()


def test_a_game_goes_on_where_it_was_and_systemd_hears_of_it(tmp_path: Path) -> None:
    written(tmp_path / "j.db", OPENED, Pressed(NAMES[0], BID, 1))
    with served(tmp_path) as (address, said):
        assert "koala goes on with Mia, Paul, Ada" in "".join(said)
        assert look(address)["view"]["phase"] == "deal"


def test_a_journal_that_this_version_cannot_play_is_kept_and_the_table_opens(tmp_path: Path) -> None:
    written(tmp_path / "j.db", OPENED, Chosen(NAMES[0], "a question of another version", "yes"))
    with served(tmp_path) as (address, _):
        told = look(address)
        assert told["view"] is None
        assert "kept as" in told["health"]["old journal"]
    assert len(journal.read(tmp_path / "j.db.older-1")) == 2


def test_after_three_failed_starts_only_the_web_page_opens_and_says_why(tmp_path: Path) -> None:
    (tmp_path / "j.starts.json").write_text('{"failed": 3, "short": 3, "why": "PinError: pin 17 is busy"}')
    written(tmp_path / "j.db", OPENED)
    with served(tmp_path) as (address, _):
        told = look(address)
        assert "pin 17 is busy" in told["health"]["safe mode"]
        assert told["view"]["phase"] == "starter"  # the game goes on by phones and by hand
    with served(tmp_path) as (address, _):  # the next start tries everything again
        assert look(address)["view"]["phase"] == "starter"


def test_a_camera_whose_library_is_broken_is_said_and_the_table_plays_on(tmp_path: Path) -> None:
    (tmp_path / "cv2.py").write_text('raise ImportError("libGL.so.1 is missing")')
    with served(tmp_path, "--camera", "0", PYTHONPATH=str(tmp_path)) as (address, _):
        told = look(address, lambda told: "camera" in told["health"])
        assert "libGL.so.1 is missing" in told["health"]["camera"]
    assert json.loads((tmp_path / "j.starts.json").read_text())["failed"] == 0


def test_a_damaged_archive_is_put_aside(tmp_path: Path) -> None:
    (tmp_path / "j.games.db").write_bytes(b"no database" * 500)
    with served(tmp_path) as (address, said):
        assert "It is kept as" in "".join(said)
        assert look(address)["view"] is None
    assert list(tmp_path.glob("j.games.db.damaged-*"))


@pytest.mark.parametrize(
    ("fault", "why"),
    [(KeyError("glass-07"), "KeyError"), (OSError(98, "in use"), "OSError: [Errno 98] in use")],
)
def test_an_error_that_ends_the_table_is_in_its_log_and_tells_no_card(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: Exception, why: str
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise fault

    monkeypatch.setattr("companion.running.Table", broken)
    with pytest.raises(type(fault)):
        run(settings=None, journal=tmp_path / "j.db", simulated=False)
    log = (tmp_path / "j.log").read_text("utf-8")
    assert "in broken" in log and type(fault).__name__ in log and "glass" not in log
    assert json.loads((tmp_path / "j.starts.json").read_text("utf-8"))["why"] == why


def test_a_report_is_made_though_the_archive_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "j.games.db").write_bytes(b"no database" * 500)
    book, sight = Logbook(tmp_path / "j.log"), Sight(tmp_path, lambda: None)
    book.note("Mia pressed 314159")
    made = reporter(Config(), tmp_path / "j.db", book, sight, lambda: (OPENED,), lambda: ("314159",))
    (tmp_path / "r.zip").write_bytes(made(False)[1])
    assert problems.read(tmp_path / "r.zip").log.endswith("Player 1 pressed [left out]")
