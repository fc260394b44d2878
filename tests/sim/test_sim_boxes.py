"""Virtual boxes tell the truth however bad their lines are; the knobs do what they say."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.sim.box_world import BoxWorld
from companion.sim.boxes import MS, BadFault, Faults, VirtualBox, Wire, faults
from companion.wire.box_link import Down, Lost, Met, Shut, Signal, Silent, Up
from companion.wire.frames import framed

SECOND = 1_000 * MS
NONE = Faults()


class Room:
    """A world of boxes, and what was heard of it."""

    def __init__(self, count: int = 1, wrong: Faults = NONE, seed: int = 1, settled: bool = True) -> None:
        self.heard: list[tuple[str, Signal, int]] = []
        self.world = BoxWorld(count, wrong, seed, lambda *each: self.heard.append(each))
        if settled:
            self.world.run(5 * SECOND)

    def of(self, kind: type[Signal]) -> list[Signal]:
        return [signal for _, signal, _ in self.heard if isinstance(signal, kind)]


def test_every_press_arrives_once_and_within_its_uncertainty() -> None:
    room, luck = Room(3, Faults(drop=0.05, jitter=16 * MS, ppm=200, double=0.05)), Random(4)
    truth = []
    for number in range(200):
        at = 6 * SECOND + number * 90 * MS + luck.randrange(30 * MS)
        truth.append((f"box-{number % 3 + 1}", number % 6, at))
        room.world.press(number % 3, number % 6, at, bounces=(MS, 3 * MS))
    room.world.run(30 * SECOND)
    got = [(name, s.button, s.at, s.unc) for name, s, _ in room.heard if isinstance(s, Down)]
    got.sort(key=lambda press: press[2])
    assert [press[:2] for press in got] == [press[:2] for press in truth]
    assert all(abs(press[2] - true[2]) <= press[3] for press, true in zip(got, truth, strict=True))
    assert len(room.of(Up)) == len(truth)


def test_bytes_lost_and_damaged_lose_and_double_no_press() -> None:
    room = Room(1, Faults(flip=0.05, lose=0.01, jitter=2 * MS), settled=False)
    room.world.run(20 * SECOND)
    for number in range(300):
        room.world.press(0, number % 6, 20 * SECOND + number * 40 * MS, held=25 * MS)
    room.world.run(40 * SECOND)
    assert [press.button for press in room.of(Down)] == [number % 6 for number in range(300)]


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10_000), st.integers(0, 16), st.floats(0, 0.2))
def test_nothing_made_before_a_shut_moment_arrives_after_it(seed: int, jitter: int, drop: float) -> None:
    room = Room(1, Faults(drop=drop, jitter=jitter * MS, ppm=200), seed)
    for number in range(30):
        at = 5 * SECOND + number * 70 * MS
        room.world.press(0, number % 6, at, held=30 * MS)
        room.world.run(at + 35 * MS)
        room.world.close_to(at + MS)
    room.world.run(9 * SECOND)
    until = 0
    for _, signal, _ in room.heard:
        if isinstance(signal, Shut):
            until = max(until, signal.until)
        if isinstance(signal, Down):
            assert signal.at > until
    assert len(room.of(Down)) == 30


def test_a_restart_is_noticed_and_presses_after_it_count() -> None:
    room = Room(1, Faults(ppm=100))
    room.world.stations[0].box.reboot(room.world.now)
    room.world.run(8 * SECOND)
    assert len(room.of(Met)) == 2
    room.world.press(0, 2, 8 * SECOND)
    room.world.run(9 * SECOND)
    (down,) = room.of(Down)
    assert isinstance(down, Down) and abs(down.at - 8 * SECOND) <= down.unc


def test_a_pulled_plug_is_silence_and_putting_it_in_again_heals() -> None:
    room = Room(2)
    room.world.cut(1, True)
    room.world.run(8 * SECOND)
    assert [(name, type(s)) for name, s, _ in room.heard if isinstance(s, Silent)] == [("box-2", Silent)]
    room.world.press(1, 0, 8 * SECOND)
    room.world.run(9 * SECOND)
    room.world.cut(1, False)
    room.world.run(10 * SECOND)
    assert room.of(Down) == []  # pressed while nobody listened
    room.world.press(1, 0, 10 * SECOND)
    room.world.run(11 * SECOND)
    assert len(room.of(Down)) == 1


def test_more_presses_than_a_box_has_room_for_are_told_as_lost() -> None:
    room = Room(1, Faults())
    room.world.stations[0]._there.cut = True  # the host's words do not arrive
    for number in range(12):
        room.world.press(0, number % 6, 5 * SECOND + number * 40 * MS, held=20 * MS)
    room.world.run(6 * SECOND)
    room.world.stations[0]._there.cut = False
    room.world.run(8 * SECOND)
    (lost,) = room.of(Lost)
    assert isinstance(lost, Lost)
    assert lost.events + len(room.of(Down)) + len(room.of(Up)) == 24


def test_lamps_show_their_looks_on_the_box() -> None:
    room = Room(1, Faults(drop=0.2))
    box = room.world.stations[0].box
    room.world.shine(0, 3, "ask")
    room.world.run(5 * SECOND + 300 * MS)
    assert box.lit(3, room.world.now) and not box.lit(2, room.world.now)
    levels = {box.lit(3, room.world.now + step * 100 * MS) for step in range(10)}
    assert levels == {True, False}
    room.world.shine(0, 3, "open")
    room.world.run(6 * SECOND)
    room.world.blink(0, 3, "seen")
    room.world.run(6 * SECOND + 60 * MS)
    room.world.run(8 * SECOND)
    assert box.lit(3, room.world.now)


def test_a_lamp_lights_at_its_moment_not_when_the_order_comes() -> None:
    room = Room(1, Faults(jitter=8 * MS))
    station, now = room.world.stations[0], room.world.now
    station.link.light(0, 0, (0,), now + 200 * MS, now)
    room.world.run(now + 190 * MS)
    assert not station.box.lit(0, now + 190 * MS)
    assert station.box.lit(0, now + 205 * MS)


def test_a_world_with_the_same_seed_runs_the_same() -> None:
    def course() -> list[tuple[str, Signal, int]]:
        room = Room(2, Faults(drop=0.1, jitter=5 * MS, ppm=200, reboot=20), 9)
        room.world.press(0, 1, 5 * SECOND + MS)
        room.world.run(7 * SECOND)
        return room.heard

    assert course() == course()


def test_knobs_are_read_as_people_write_them() -> None:
    assert faults("drop=1%,jitter=16ms, ppm=200,flip=0.05") == Faults(
        drop=0.01, jitter=16 * MS, ppm=200, flip=0.05
    )
    assert faults("") == Faults()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("dorp=1%", "knows no 'dorp'; known are drop"),
        ("drop=often", "a number is wanted"),
        ("ppm=9e9", "at most"),
    ],
)
def test_a_wrong_knob_is_named(text: str, words: str) -> None:
    with pytest.raises(BadFault, match=words):
        faults(text)


def test_a_wire_keeps_the_order_whatever_the_jitter() -> None:
    wire = Wire(Faults(jitter=50 * MS), Random(2))
    for number in range(1, 100):
        wire.put(framed(bytes((number,))), number * MS)
    assert wire.due() is not None
    assert wire.out(SECOND) == b"".join(framed(bytes((number,))) for number in range(1, 100))


def test_a_box_that_restarts_is_deaf_meanwhile() -> None:
    box = VirtualBox(b"12345678", 0)
    box.reboot(MS)
    box.level(0, 2 * MS, True)
    assert box.boot == 2
    assert box.ticks(301 * MS) == 0
