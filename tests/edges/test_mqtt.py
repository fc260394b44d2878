"""The club's broker is a real mosquitto: it is told of state, results and availability, and may go and come back."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import aiomqtt
import pytest
from click.testing import CliRunner

from companion.cli import main
from companion.edges import mqtt
from companion.edges.mqtt import MISSING, Address, Club
from companion.house import News
from companion.shelf import shelf
from companion.table import crank
from companion.table.crank import Turn
from companion.table.events import Opened, Setting
from companion.table.session import Session
from companion.table.things import Player
from companion.wire.club_words import Place

PROGRAM = shutil.which("mosquitto", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
pytestmark = pytest.mark.skipif(
    PROGRAM is None and "CI" not in os.environ, reason="apt install mosquitto: the club's broker"
)
PLACE = Place("club", "table-3")
PATIENCE = 20.0
GAME = {
    "id": "abc",
    "game": "koala",
    "on": 5,
    "players": ["Mia"],
    "totals": {"Mia": 3},
    "winners": ["Mia"],
    "lines": [1],
}


class Broker:
    """A mosquitto with a password, on a port of its own; what it was told last by topic."""

    def __init__(self, folder: Path) -> None:
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        (folder / "who").write_text("table:word\nfan:fan\n")
        (folder / "who").chmod(0o700)
        subprocess.run(
            [
                str(shutil.which("mosquitto_passwd", path=f"{os.environ['PATH']}:/usr/bin")),
                "-U",
                str(folder / "who"),
            ],
            check=True,
        )
        (folder / "conf").write_text(
            f"listener {self.port} 127.0.0.1\npassword_file {folder / 'who'}\nuser root\n"
        )
        self._conf = folder / "conf"
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        self.process = subprocess.Popen([str(PROGRAM), "-c", str(self._conf)], stderr=subprocess.DEVNULL)

    def stop(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()

    def heard(self, until: Callable[[dict[str, bytes]], bool], ends: bool = False) -> dict[str, bytes]:
        """All that is kept, as a fan sees it who comes now; waits until it is so."""
        return asyncio.run(asyncio.wait_for(self._hear(until), PATIENCE))

    async def _hear(self, until: Callable[[dict[str, bytes]], bool]) -> dict[str, bytes]:
        told: dict[str, bytes] = {}
        while True:
            try:
                async with aiomqtt.Client("127.0.0.1", self.port, username="fan", password="fan") as client:
                    await client.subscribe("#")
                    async for message in client.messages:
                        told[str(message.topic)] = bytes(message.payload or b"")
                        if until(told):
                            return told
            except aiomqtt.MqttError:
                await asyncio.sleep(0.05)


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Broker]:
    made = Broker(tmp_path)
    yield made
    made.stop()


class Ears:
    """What is said of the broker."""

    def __init__(self) -> None:
        self.said: list[str] = []
        self._more = threading.Condition()

    def __call__(self, text: str) -> None:
        with self._more:
            self.said.append(text)
            self._more.notify_all()

    def until(self, count: int) -> list[str]:
        with self._more:
            assert self._more.wait_for(lambda: len(self.said) >= count, PATIENCE), self.said
        return self.said


def club(broker: Broker, ears: Ears, **given: Any) -> Club:
    address = Address("127.0.0.1", broker.port, "table", given.pop("password", "word"))
    return Club(address, PLACE, version="1", trouble=ears, retry_s=(0.05,), **given)


def session() -> Session:
    people = tuple(Player(name) for name in ("Mia", "Paul", "Ada"))
    turn = crank.advance(shelf(), None, Opened(Setting("koala", people, {}, 1)))
    assert isinstance(turn, Turn)
    return turn.session


def test_state_results_and_discovery_are_there_for_whoever_comes_later(broker: Broker) -> None:
    broker.start()
    told = club(broker, Ears(), known=lambda: [GAME])
    told.start()
    told.show(session(), News(health={"camera": "gone"}))
    told.finished("new", {**GAME, "id": "new"})
    kept = broker.heard(
        lambda all_: b'"koala"' in all_.get("club/table-3/state", b"") and "club/table-3/result/new" in all_
    )
    state = json.loads(kept["club/table-3/state"])
    assert (state["players"], state["ill"]) == (["Mia", "Paul", "Ada"], ["camera"])
    assert json.loads(kept["club/table-3/result/abc"]) == {
        "table": "table-3",
        **{key: value for key, value in GAME.items() if key != "lines"},
    }
    assert kept["club/table-3/availability"] == b"online"
    device = json.loads(kept["homeassistant/device/companion_club_table-3/config"])
    assert {part["state_topic"] for part in device["components"].values()} == {"club/table-3/state"}
    told.finished("new", None)
    told.close()
    left = broker.heard(lambda all_: all_.get("club/table-3/availability") == b"offline")
    assert "club/table-3/result/new" not in left


def test_a_table_that_dies_is_told_by_its_last_will(broker: Broker, tmp_path: Path) -> None:
    broker.start()
    program = f"""
import time
from companion.edges.mqtt import Address, Club
from companion.wire.club_words import Place
Club(Address("127.0.0.1", {broker.port}, "table", "word"), Place("club", "table-3"), version="1", trouble=print).start()
time.sleep(60)
"""
    table = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.DEVNULL)
    broker.heard(lambda all_: all_.get("club/table-3/availability") == b"online")
    table.kill()
    table.wait()
    broker.heard(lambda all_: all_.get("club/table-3/availability") == b"offline")


def test_a_broker_that_goes_is_said_once_and_hears_all_when_it_is_back(broker: Broker) -> None:
    ears = Ears()
    told = club(broker, ears)
    told.start()  # there is none yet
    assert f"127.0.0.1:{broker.port}" in ears.until(1)[0]
    told.show(session(), News())
    told.finished("late", GAME)
    broker.start()
    assert ears.until(2)[1] == ""
    broker.heard(
        lambda all_: "club/table-3/result/late" in all_ and b'"koala"' in all_.get("club/table-3/state", b"")
    )
    broker.stop()
    assert ears.until(3)[2] != ""
    broker.start()
    assert ears.until(4)[3] == ""
    broker.heard(lambda all_: b'"koala"' in all_.get("club/table-3/state", b""))  # it had forgotten
    told.close()
    assert len(ears.said) == 4


def test_a_wrong_password_is_said(broker: Broker) -> None:
    broker.start()
    ears = Ears()
    told = club(broker, ears, password="guess", lang="de")
    told.start()
    assert "kein Broker" in ears.until(1)[0] and "guess" not in ears.said[0]
    told.close()


def test_a_fault_of_ours_is_said_and_tried_again(broker: Broker, capsys: pytest.CaptureFixture[str]) -> None:
    broker.start()
    first = club(broker, Ears())
    first.start()
    broker.heard(lambda all_: all_.get("club/table-3/availability") == b"online")  # it is there by now
    first.close()
    ears, tries = Ears(), iter(range(9))

    def known() -> list[dict[str, Any]]:
        if next(tries) < 2:
            raise KeyError("totals")
        return [{"on": 1}, GAME]

    told = club(broker, ears, known=known, lang="de")
    told.start()
    assert "Fehler von uns (KeyError)" in ears.until(1)[0]
    assert ears.until(2)[1] == ""
    broker.heard(lambda all_: "club/table-3/result/abc" in all_)  # the one without an id hides no other
    told.close()
    assert len(ears.said) == 2 and "KeyError: 'totals'" in capsys.readouterr().err


@pytest.mark.parametrize(("lang", "said"), [("en", MISSING), ("de", "aiomqtt fehlt")])
def test_without_the_package_the_remedy_is_said(
    monkeypatch: pytest.MonkeyPatch, lang: str, said: str
) -> None:
    monkeypatch.setitem(sys.modules, "aiomqtt", None)
    ears = Ears()
    told = Club(Address("localhost"), PLACE, version="1", trouble=ears, lang=lang)
    told.start()
    assert said in ears.until(1)[0]
    told.close()
    assert mqtt.MISSING.startswith("aiomqtt")


def test_a_club_collects_what_its_broker_keeps_of_all_tables(broker: Broker, tmp_path: Path) -> None:
    broker.start()
    for name in ("table-3", "table-4"):
        table = Club(
            Address("127.0.0.1", broker.port, "table", "word"), Place("club", name), version="1", trouble=Ears(),
            known=lambda name=name: [{**GAME, "id": "both"}, {**GAME, "id": name}],
        )  # fmt: skip
        table.start()
        broker.heard(lambda all_, name=name: all_.get(f"club/{name}/availability") == b"online")
        table.close()
    settings = tmp_path / "companion.toml"
    settings.write_text(
        f'[mqtt]\nhost = "127.0.0.1"\nport = {broker.port}\nuser = "fan"\npassword = "fan"\ntopic = "club"\n'
    )
    done = CliRunner().invoke(main, ["club", "--mqtt", "--config", str(settings), "--json"])
    plain = json.loads(done.output)
    assert (plain["games"], plain["tables"]) == (3, ["table-3", "table-4"])
    assert plain["rows"][0]["wins"] == 3


def test_what_somebody_else_keeps_there_hides_no_result(broker: Broker) -> None:
    broker.start()
    table = Club(Address("127.0.0.1", broker.port, "table", "word"), PLACE, version="1", trouble=Ears())
    table.start()
    broker.heard(lambda all_: "club/table-3/availability" in all_)  # it is there

    async def kept() -> None:
        async with aiomqtt.Client("127.0.0.1", broker.port, username="table", password="word") as client:
            for number, payload in enumerate((b"[" * 100_000, b"\xff", b"no", b"[1]", b"", b'{"id": "abc"}')):
                await client.publish(f"club/table-1/result/{number}", payload, qos=1, retain=True)

    asyncio.run(kept())
    table.close()
    fan = Address("127.0.0.1", broker.port, "fan", "fan")
    assert mqtt.collected(fan, "club") == [{"id": "abc"}]
