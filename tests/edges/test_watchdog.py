"""systemd hears that we live only while every part does."""

from __future__ import annotations

import socket
from pathlib import Path

from companion.edges.watchdog import Notify, Watchdog


def test_the_dog_is_fed_while_all_live_and_the_one_that_hangs_is_named(tmp_path: Path) -> None:
    path = tmp_path / "notify"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind(str(path))
        seen, now = {"house": 100.0, "camera": 100.0}, [101.0]
        dog = Watchdog(
            Notify(str(path)), {"house": lambda: seen["house"], "camera": lambda: seen["camera"], "boxes": lambda: None},
            lambda: now[0],
        )  # fmt: skip
        assert dog.feed() == ()
        assert listening.recv(100) == b"WATCHDOG=1"
        now[0], seen["house"] = 103.5, 103.4
        assert dog.feed() == ("camera",)
        assert listening.recv(100) == b"STATUS=hangs: camera\nWATCHDOG=trigger"
        dog.close()
        assert listening.recv(100) == b"STOPPING=1"


def test_nobody_listening_is_no_fault(tmp_path: Path) -> None:
    assert not Notify("").say("READY=1")
    assert not Notify(str(tmp_path / "nowhere")).say("READY=1")
