"""Bundles: what a camera saw in the last seconds is saved, read again, and comes out as it did; damage is named."""

from __future__ import annotations

import io
import json
import threading
import zipfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.cli import main
from companion.edges import bundles
from companion.edges.bundles import BadBundle, Ring
from companion.edges.camera import Camera, Frame
from companion.running.eyes import Sight, naming, strangers
from companion.shelf import deck, shelf
from companion.sim.evenings import evening
from companion.sim.picture import Picture
from companion.table.crank import Turn, advance
from companion.table.events import Opened, Setting, Shown
from companion.table.luck import Luck
from companion.table.session import Session
from companion.table.things import CardId, Player, Zone
from companion.tasks.replaying import again
from companion.vision.read import Bar, Reader

DECK, MIDDLE = deck("koala"), Zone("middle")
FOUR = tuple(CardId(f"pizza-{n:02d}") for n in range(1, 5))
PATIENCE = 30.0  # s until a test gives up on a machine that does nothing


class Reel:
    """Frames for a camera, one after the other, 50 ms apart; then the last one again and again."""

    def __init__(self, scenes: list[tuple[CardId, ...]], blur: float = 0.0) -> None:
        picture = Picture(DECK, Luck(3), evening("koala").spots)
        self.blur = blur
        self.frames = [picture.shot({MIDDLE: cards}) for cards in scenes]
        self.at, self.end = 0, threading.Event()

    def __call__(self) -> Frame:
        grey = self.frames[min(self.at, len(self.frames) - 1)]
        self.at += 1
        if self.at > len(self.frames):
            self.end.set()
        blurred = cv2.GaussianBlur(grey, (0, 0), self.blur) if self.blur else grey
        return Frame(np.asarray(blurred, np.uint8), self.at * 50_000_000)


def session() -> Session:
    people = tuple(Player(name) for name in ("Mia", "Paul", "Ada"))
    turn = advance(shelf(), None, Opened(Setting("koala", people, {}, 1)))
    assert isinstance(turn, Turn)
    return turn.session


def film(reel: Reel, sight: Sight, until: Callable[[], bool] | None = None) -> list[Shown]:
    """Let a whole camera watch the reel to its end."""
    said: list[Shown] = []
    sight.zones = lambda: (MIDDLE,)
    sight.marker_px = (12.0, 34.0)
    camera = Camera(
        reel, DECK, said.append, lambda _: None, marker_px=sight.marker_px, others=strangers(), witness=sight,
        naming=naming("en"), pause_s=0.001,
    )  # fmt: skip
    sight.camera = camera
    camera.watch((MIDDLE,))
    assert reel.end.wait(PATIENCE)
    waiting = threading.Event()
    for _ in range(int(PATIENCE * 100)):
        if until is None or until():
            break
        waiting.wait(0.01)
    camera.close()
    return said


def test_the_last_seconds_are_saved_with_one_key_and_come_out_the_same(tmp_path: Path) -> None:
    sight = Sight(tmp_path / "bundles", session)
    said = film(Reel([FOUR[:2]] * 8 + [FOUR] * 8), sight)
    saved = sight.bundle()
    assert saved is not None and [each.cards for each in said] == [FOUR[:2], FOUR]
    file = tmp_path / "bundles" / saved[0]
    assert file.read_bytes() == saved[1]
    bundle = bundles.read(file)
    assert bundle.table["game"] == "koala" and len(bundle.events) == 1
    found = again(bundle, DECK)
    assert found.said_then == tuple(said) and found.frames == len(bundle.frames) >= 4
    assert found.alike == found.zones > 0 and found.missed == ()
    told = CliRunner().invoke(main, ["replay", str(file)])
    assert told.exit_code == 0 and "then: middle: pizza-01, pizza-02, pizza-03, pizza-04" in told.output
    plain = json.loads(CliRunner().invoke(main, ["replay", str(file), "--json"]).output)
    assert plain["alike"] == plain["zones"] and plain["events"] == 1


def test_only_the_last_ten_seconds_and_so_many_bytes_are_kept() -> None:
    ring, grey = Ring(), np.random.default_rng(1).integers(0, 255, (300, 400), np.uint8)
    for n in range(400):
        ring.add(grey, n * 100_000_000, {"readings": [], "zones": {}, "said": []}, lively=True)
    with zipfile.ZipFile(io.BytesIO(ring.zipped({}, ()))) as file:
        rows = [json.loads(line) for line in file.read("frames.jsonl").splitlines()]
    assert rows[0]["at"] == 29_900_000_000 and len(rows) == 101
    assert ring.add(grey, 39_950_000_000, {"said": []}, lively=True) is False, "too soon after the last one"
    assert ring.add(grey, 39_950_000_000, {"said": [["middle", []]]}, lively=True), (
        "what was said is kept always"
    )


def test_a_doubt_is_shown_with_three_cards_and_a_person_decides_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A reader that asks far more of a marker than ours: what it will not read for sure stays a doubt.
    shy = partial(Reader, bar=Bar(margins=(3.0,) * 33))
    monkeypatch.setattr("companion.edges.camera.eye.Reader", shy)
    sight = Sight(tmp_path, session)
    chosen: list[int] = []

    def decided() -> bool:
        state = sight.state("de")
        assert state is not None
        for doubt in state.get("doubts", []):
            if doubt["asked"]:
                assert len(doubt["likely"]) == 3 and all(each["name"] for each in doubt["likely"])
                chosen.append(int(doubt["likely"][0]["marker"]))
                sight.rule(int(doubt["number"]), chosen[-1])
        read = {marker["id"] for marker in state.get("markers", [])}
        return bool(chosen) and set(chosen) <= read

    laid = (FOUR[0], FOUR[1])
    film(Reel([laid] * 12, blur=2.35), sight, decided)
    assert chosen and set(chosen) <= {DECK.by_id[card].marker for card in laid}


def test_the_live_page_has_pictures_zones_maps_and_words_in_both_languages(tmp_path: Path) -> None:
    sight = Sight(tmp_path, session)
    assert (
        sight.state("en") == {"none": True, "words": (sight.state("en") or {})["words"]}
        and sight.picture() is None
    )
    film(Reel([FOUR] * 8), sight)
    english, german = sight.state("en"), sight.state("de")
    assert english is not None and german is not None
    middle = next(zone for zone in german["zones"] if zone["zone"] == "middle")
    assert middle["name"] == "Mitte" and middle["cards"] == list(FOUR) and middle["grade"] == "good"
    assert len(middle["glare"]) == len(middle["blur"]) == 5 and middle["px"] > english["need_px"]
    assert english["words"].keys() == german["words"].keys() and english["words"] != german["words"]
    jpeg = sight.picture()
    assert jpeg is not None and jpeg.startswith(b"\xff\xd8")


@pytest.fixture(scope="module")
def whole() -> bytes:
    ring = Ring()
    ring.add(np.full((30, 40), 90, np.uint8), 5, {"readings": [], "zones": {}, "said": []}, lively=True)
    return ring.zipped({"game": "koala", "marker_px": [12, 34]}, (b"{}",))


@settings(max_examples=60, deadline=None)
@given(cut=st.integers(0, 2000), flip=st.integers(0, 2000), by=st.integers(1, 255))
def test_a_damaged_bundle_is_named_never_a_crash(
    whole: bytes, cut: int, flip: int, by: int, tmp_path_factory
) -> None:
    broken = bytearray(whole[: max(4, len(whole) - cut)])
    broken[flip % len(broken)] ^= by
    file = tmp_path_factory.mktemp("broken") / "b.zip"
    file.write_bytes(bytes(broken))
    try:
        bundles.read(file)
    except BadBundle as fault:
        assert str(file) in str(fault)


def test_a_bundle_nested_without_end_is_named(tmp_path: Path) -> None:
    file = tmp_path / "deep.zip"
    with zipfile.ZipFile(file, "w") as held:
        held.writestr("bundle.json", "[" * 100_000)
    with pytest.raises(BadBundle, match=r"deep\.zip"):
        bundles.read(file)


def test_a_bundle_saved_without_a_game_says_what_to_do(tmp_path: Path) -> None:
    file = tmp_path / "none.zip"
    file.write_bytes(Ring().zipped({"game": None, "marker_px": [12, 34]}, ()))
    told = CliRunner().invoke(main, ["replay", str(file)])
    assert told.exit_code == 1 and "Open a game" in told.output
