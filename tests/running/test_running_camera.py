"""The camera of a running table: what --camera names is watched, and what is wrong is told in the table's language."""

from __future__ import annotations

import threading
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from companion import config
from companion.house import News, Trouble
from companion.running.eyes import Joined, Sight
from companion.running.parts import Optional
from companion.running.real import eyes
from companion.table.events import Shown
from companion.table.things import Zone

MIDDLE = Zone("middle")
PATIENCE = 30.0  # s until a test gives up on a machine that does nothing


class House:
    """Takes in whatever it is told; no game is open."""

    def __init__(self, lang: str) -> None:
        self.lang, self.session, self.news = lang, None, News()
        self.clocks = SimpleNamespace(now=lambda: 0)
        self.heard: list[Any] = []
        self._news = threading.Condition()

    def put(self, what: Any, reply: Any = None) -> None:
        with self._news:
            self.heard.append(what)
            self._news.notify_all()

    def wait(self, kind: type) -> Any:
        with self._news:
            assert self._news.wait_for(
                lambda: any(isinstance(each, kind) for each in self.heard), PATIENCE
            ), self.heard
            return next(each for each in self.heard if isinstance(each, kind))


def running(source: str, folder: Path, lang: str = "en") -> tuple[House, Optional, Any]:
    house, parts = House(lang), Optional()
    parts.sight = Sight(folder, lambda: None)
    parts.zones = (MIDDLE,)
    closing = eyes(house, parts, config.with_camera(config.Config(), source))  # type: ignore[arg-type]  # a house of few words
    return house, parts, closing


def test_a_named_camera_is_watched_and_shown_to_the_operator(tmp_path: Path) -> None:
    house, parts, closing = running("sim:koala", tmp_path)
    shown = house.wait(Shown)
    assert shown.zone == MIDDLE and len(shown.cards) == 3
    assert parts.sight is not None
    state = parts.sight.state("de")
    assert state is not None and any(zone["name"] == "Mitte" for zone in state["zones"])
    saved = parts.sight.bundle()
    assert saved is not None and (tmp_path / saved[0]).exists()
    for close in closing:
        close()


def test_what_is_no_camera_is_told_in_the_tables_language_and_the_table_plays_on(tmp_path: Path) -> None:
    house, parts, _ = running(str(tmp_path / "none"), tmp_path, "de")
    trouble = house.wait(Trouble)
    assert trouble.device == "camera" and "Schreibe 0, /dev/video0, pi" in trouble.text
    assert parts.camera is None


def test_a_camera_that_does_not_open_is_told_and_tried_again(tmp_path: Path) -> None:
    house, parts, closing = running("98", tmp_path, "de")
    assert "Gruppe video" in house.wait(Trouble).text and parts.camera is not None
    for close in closing:
        close()


def test_of_two_who_tell_of_one_camera_the_well_one_silences_not_the_other() -> None:
    told: list[str] = []
    joined = Joined(told.append)
    frames, reading = joined.of("frames"), joined.of("reading")
    frames("ignores focus")
    reading("cannot be read")
    reading("")
    frames("")
    assert told == ["ignores focus", "ignores focus; cannot be read", "ignores focus", ""]
