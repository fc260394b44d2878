"""The camera's other side tells no more than the game does: it looks away, and its last seconds stay shut."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from wine_table import DECK, Wine

from companion.edges.camera import Camera
from companion.running.eyes import Sight, naming
from companion.running.parts import Optional
from companion.shelf import LANGS
from companion.table.things import Zone


class Eye:
    """A camera that notes who asked it what."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def glimpse(self) -> None:
        self.asked.append("glimpse")

    def play(self, deck: object) -> None: ...

    def watch(self, zones: tuple[Zone, ...], anew: tuple[Zone, ...] = ()) -> None:
        self.asked.append(f"watch {len(zones)}")

    def rest(self) -> None:
        self.asked.append("rest")


def looking() -> Wine:
    game = Wine().later()
    game.play("oenologist")
    game.choose("Mia", "look", "Paul:1")
    assert game.phase == "looking"
    return game


def parts(game: Wine, folder: Path) -> tuple[Optional, Eye, Any]:
    made, eye, sight = Optional(), Eye(), Sight(folder, lambda: game.session)
    made.sight, made.deck = sight, lambda: DECK
    made.equip(eye, (13.0, 45.0))  # type: ignore[arg-type]  # a camera as far as these ports ask
    eye.asked.clear()
    return made, eye, sight


def test_the_operators_picture_is_gone_while_somebody_looks_alone(tmp_path: Path) -> None:
    """Nobody wakes the camera either: it was told to rest."""
    game = looking()
    made, eye, sight = parts(game, tmp_path)
    made.watch((), ())
    assert eye.asked == ["watch 0", "rest"]
    assert sight.picture() is None and sight.state("de")["none"] is True and eye.asked == ["watch 0", "rest"]
    game.press("Mia")
    made.watch((Zone("played"),), ())
    sight.picture()
    assert eye.asked[2:] == ["watch 1", "glimpse"]


def test_the_last_seconds_of_the_camera_stay_shut_until_the_game_is_over(tmp_path: Path) -> None:
    """They hold frames in which a glass lay open, and the events that name it."""
    game = Wine().later()
    _, _, sight = parts(game, tmp_path)
    assert sight.secret() and sight.bundle() is None and not list(tmp_path.iterdir())
    game.set(phase="over", winner="Mia")
    assert not sight.secret() and sight.bundle() is not None


def test_what_is_said_of_a_badly_read_glass_names_no_wine() -> None:
    for lang in LANGS:
        word = naming(lang).word
        assert {word("wine", wine) for wine in ("red", "rose", "white")} == {word("wine", "glass")}
        assert word("wine", "stop") != word("wine", "glass") and word("koala", "pizza").lower() == "pizza"


def test_a_camera_that_rests_has_forgotten_its_newest_frame() -> None:
    camera = Camera(
        lambda: np.zeros((90, 160), np.uint8), DECK, lambda shown: None, lambda text: None, pause_s=0.001
    )
    try:
        camera.watch((Zone("played"),))
        camera.watch(())
        camera.glimpse()
        camera.rest()
        assert not camera._wanted.is_set() and camera._glimpse is None
    finally:
        camera.close()
