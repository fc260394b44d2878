"""A simulated table whose buttons are on boxes with faults plays its game to the right end."""

from __future__ import annotations

import time
from queue import SimpleQueue
from types import SimpleNamespace
from typing import Any, cast

import pytest
from click.testing import CliRunner

from companion.boxed import BoxFingers, Plan, plan
from companion.cli import main
from companion.edges.clocks import MonotonicClocks
from companion.house import House, Trouble
from companion.house.presses import Presses
from companion.shelf import phrases
from companion.sim.boxes import MS, BadFault, Faults
from companion.table.photo_finish import Closed, Press
from companion.table.things import BID, CALL, Player
from companion.wire.box_link import Lost
from companion.wiring import simulate

MIA, OMER = Player("Mia"), Player("Ömer")


def test_a_game_on_faulty_boxes_ends_right_every_count_agrees() -> None:
    """Not always with the winner it has on pins: presses too close for boxes are ties, and the rule decides."""
    boxes = Plan(3, Faults(drop=0.01, jitter=2 * MS, ppm=200, flip=0.001))
    result = simulate("koala", 3, 1, boxes=boxes)
    assert result.differences == ()
    assert result.winners and result.rounds > 5


def test_in_real_time_a_press_reaches_the_house_and_lamps_the_box() -> None:
    heard: SimpleQueue[Any] = SimpleQueue()
    house = cast(House, SimpleNamespace(clocks=MonotonicClocks(), put=heard.put, presses=Presses()))
    fingers = BoxFingers((MIA, OMER), house, Plan(2, Faults(drop=0.1)), 1)
    fingers.start()
    fingers.shine(OMER, "open")

    def until(*sources: str) -> list[Press]:
        """Listen until each of these boxes has closed once more; the presses meanwhile."""
        missing, presses = set(sources), list[Press]()
        while missing:
            word = heard.get(timeout=60)
            if isinstance(word, Closed):
                missing.discard(word.source)
            if isinstance(word, Press):
                presses.append(word)
        return presses

    until("box-1", "box-2")
    presses = list[Press]()
    for player, button in ((OMER, BID), (MIA, CALL)):
        fingers.press(player, button, time.monotonic_ns())
        while fingers.flying:
            presses += until("box-1", "box-2")
    fingers.close()
    assert [(press.player, press.button) for press in presses] == [(OMER, BID), (MIA, CALL)]
    assert presses[0].source == "box-2"


def test_who_has_no_button_taps_on_the_phone() -> None:
    heard: list[object] = []
    house = cast(House, SimpleNamespace(clocks=MonotonicClocks(), put=heard.append, presses=Presses()))
    many = tuple(Player(f"P{n}") for n in range(11))
    fingers = BoxFingers(many, house, Plan(1, Faults()), 1)
    fingers.press(many[10], BID, 5)
    fingers.shine(many[10], "ask")
    fingers.blink(many[10], "seen")
    fingers.close()
    assert [getattr(each, "player", None) for each in heard] == [many[10]]


@pytest.mark.parametrize(
    ("lang", "silent", "lost"),
    [
        ("en", "no longer answers", "2 presses or releases were lost"),
        ("de", "antwortet nicht mehr", "2 Mal Drücken oder Loslassen ging verloren"),
    ],
)
def test_a_box_that_answers_again_is_well_again_and_lost_presses_are_told_for_a_while(
    lang: str, silent: str, lost: str
) -> None:
    heard: list[object] = []
    clocks = SimpleNamespace(now=lambda: 0)
    house = cast(
        House,
        SimpleNamespace(clocks=clocks, put=heard.append, presses=Presses(), lang=lang, phrases=phrases()),
    )
    fingers = BoxFingers((MIA,), house, Plan(1, Faults()), 1)

    def told() -> str:
        return [each.text for each in heard if isinstance(each, Trouble)][-1]

    def later(seconds: float) -> str:
        fingers.run(fingers.world.now + int(seconds * 1_000 * MS))
        return told()

    assert later(1) == ""
    there, back = fingers.world.stations[0]._there, fingers.world.stations[0]._back
    for _ in range(2):
        there.cut = back.cut = True  # it hangs: nothing is opened anew
        assert silent in later(3)
        there.cut = back.cut = False
        assert later(3) == ""
    fingers._hear("box-1", Lost(2), fingers.world.now)
    assert lost in later(10)
    assert later(30) == ""
    fingers.close()


@pytest.mark.parametrize(
    ("boxes", "knobs", "words"),
    [
        ("usb:3", None, "virtual:1 to virtual:10"),
        ("virtual:0", None, "virtual:1 to virtual:10"),
        ("virtual:2", "luck=1", "knows no 'luck'"),
        (None, "drop=1%", "say --boxes virtual:3"),
    ],
)
def test_a_wrong_plan_is_named_with_the_right_one(boxes: str | None, knobs: str | None, words: str) -> None:
    with pytest.raises(BadFault, match=words):
        plan(boxes, knobs)
    assert plan(None, None) is None


def test_the_command_says_so_in_one_line() -> None:
    done = CliRunner().invoke(main, ["sim", "koala", "--boxes", "virtual:99"])
    assert done.exit_code != 0
    assert "virtual:1 to virtual:10" in done.output and "Traceback" not in done.output
