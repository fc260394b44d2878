"""What every firmware must do on its line: the same tests for the virtual box, the AVR image in simavr, and MicroPython."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest
from firmwares import BOARDS, NAMES, Firmware, Talk

from companion.wire.box_words import (
    BASE,
    BLINK,
    VERSION,
    Ack,
    Beat,
    Done,
    Fence,
    Fenced,
    Hello,
    Light,
    Told,
    Who,
    content,
)
from companion.wire.frames import framed, stuffed

ROOM = 16


@pytest.fixture(scope="module", params=NAMES)
def firmware(request: pytest.FixtureRequest) -> Iterator[Firmware]:
    made = Firmware(request.param)
    yield made
    made.close()


@pytest.fixture
def talk(firmware: Firmware) -> Iterator[Talk]:
    made = Talk(firmware.path)
    made.fresh()
    yield made
    made.fresh()
    made.close()


def told(talk: Talk) -> Told:
    each = talk.hear(Told)
    assert isinstance(each, Told)
    return each


def pressed(firmware: Firmware, talk: Talk, button: int) -> Told:
    """Press a button, take the event, acknowledge it."""
    firmware.press(button, 1)
    event = told(talk)
    talk.has(event.boot, event.number + 1)
    return event


def released(firmware: Firmware, talk: Talk, button: int) -> Told:
    """Let it go."""
    firmware.press(button, 0)
    event = told(talk)
    talk.has(event.boot, event.number + 1)
    return event


def test_a_box_says_who_it_is(firmware: Firmware, talk: Talk) -> None:
    hello = talk.fresh()
    assert hello.version == VERSION
    assert hello.name == BOARDS[firmware.name]
    assert hello.buttons >= 6 and hello.lamps >= 6
    assert hello.hz >= 1_000_000
    assert hello.boot >= 1


def test_a_person_at_a_terminal_reads_the_boards_id(firmware: Firmware, talk: Talk) -> None:
    talk.raw = b""
    talk.send(b"?\r")
    end = time.monotonic() + 60
    while f"b{BOARDS[firmware.name]}\n".encode() not in talk.raw:
        assert time.monotonic() < end
        talk.quiet(Hello, 0.01)


def test_a_fence_is_answered_with_the_clock_and_the_next_number(talk: Talk) -> None:
    hello = talk.fresh()
    before = time.monotonic()
    one = talk.fence(1)
    talk.quiet(Fenced, 0.05)
    two = talk.fence(2)
    passed = (two.heard - one.heard) & 0xFFFFFFFF
    assert 0 < passed <= (time.monotonic() - before) * hello.hz * 1.02
    assert (two.said - two.heard) & 0xFFFFFFFF < hello.hz // 10
    assert two.next == hello.next


def test_a_press_is_said_at_once_and_again_until_it_is_acknowledged(firmware: Firmware, talk: Talk) -> None:
    hello = talk.fresh()
    firmware.press(2, 1)
    first, second, third = told(talk), told(talk), told(talk)
    assert first == second == third
    assert (first.button, first.down, first.number) == (2, True, hello.next)
    assert first.levels == 1 << 2
    talk.has(first.boot, first.number + 1)
    talk.fence(3)
    assert talk.quiet(Told, 0.05)
    up = released(firmware, talk, 2)
    assert (up.button, up.down, up.number, up.levels) == (2, False, (first.number + 1) & 0xFF, 0)


def test_a_press_lies_between_the_fences_around_it(firmware: Firmware, talk: Talk) -> None:
    before = talk.fence(1)
    event = pressed(firmware, talk, 1)
    after = talk.fence(2)
    assert 0 <= (event.ticks - before.heard) & 0xFFFFFFFF < 1 << 31
    assert 0 <= (after.heard - event.ticks) & 0xFFFFFFFF < 1 << 31
    assert after.next == (event.number + 1) & 0xFF
    released(firmware, talk, 1)


def test_a_bouncing_switch_is_one_press_and_one_release(firmware: Firmware, talk: Talk) -> None:
    firmware.press(0, 1, 0, 1, 0, 1)
    event = told(talk)
    talk.has(event.boot, event.number + 1)
    assert event.down
    talk.let(talk.fresh().hz // 20)
    firmware.press(0, 0, 1, 0, 1, 0)
    up = told(talk)
    assert not up.down and up.number == (event.number + 1) & 0xFF
    talk.has(up.boot, up.number + 1)
    assert talk.fence(4).next == (up.number + 1) & 0xFF


def test_a_switch_let_go_inside_the_lockout_is_not_stuck(firmware: Firmware, talk: Talk) -> None:
    firmware.press(3, 1, 0)
    events = [told(talk)]
    while events[-1].down:
        events.append(told(talk))
    assert events[-1].levels == 0
    talk.fresh()
    assert pressed(firmware, talk, 3).down
    talk.let(talk.fresh().hz // 20)
    assert not released(firmware, talk, 3).down


def test_one_acknowledgement_covers_all_before_it(firmware: Firmware, talk: Talk) -> None:
    for button in (0, 1, 2):
        firmware.press(button, 1)
    events = {event.number: event for event in (told(talk) for _ in range(12))}
    assert sorted(event.button for event in events.values()) == [0, 1, 2]
    last = max(events.values(), key=lambda event: event.button)
    talk.has(last.boot, last.number + 1)
    talk.fence(5)
    assert talk.quiet(Told, 0.05)
    for button in (0, 1, 2):
        released(firmware, talk, button)


def test_an_acknowledgement_of_another_start_or_of_the_future_is_ignored(
    firmware: Firmware, talk: Talk
) -> None:
    firmware.press(1, 1)
    event = told(talk)
    talk.say(Ack(event.boot ^ 1, (event.number + 1) & 0xFF), Ack(event.boot, (event.number + 40) & 0xFF))
    talk.fence(6)
    assert told(talk) == event
    talk.has(event.boot, event.number + 1)
    released(firmware, talk, 1)


def test_what_is_asked_for_again_comes_again(firmware: Firmware, talk: Talk) -> None:
    firmware.press(1, 1)
    event = told(talk)
    talk.say(Ack(event.boot, event.number, True))
    assert told(talk) == event
    talk.has(event.boot, event.number + 1)
    released(firmware, talk, 1)


def test_garbage_costs_at_most_one_frame_and_is_counted(talk: Talk) -> None:
    before = talk.hear(Beat)
    damaged = bytearray(framed(content(Fence(9))))
    damaged[2] ^= 0x10
    talk.send(b"\x55" * 300 + b"\0" + bytes(damaged) + b"\xff\x01\x02\0" + framed(content(Fence(7))))
    answer = talk.hear(Fenced)
    assert isinstance(answer, Fenced) and answer.token == 7
    talk.hear(Beat)
    after = talk.hear(Beat)
    assert isinstance(before, Beat) and isinstance(after, Beat)
    assert 2 <= (after.bad - before.bad) & 0xFF <= 4


def test_words_not_known_or_of_a_wrong_length_are_ignored(talk: Talk) -> None:
    odd = (
        b"\x7f",
        b"\x12",
        b"\x12\x01\x02",
        b"\x13\x01",
        b"\x14\x01\x02",
        b"\x14" + bytes(30),
        b"\x11",
        b"\x02" * 12,
    )
    talk.send(b"".join(framed(each) for each in odd) + stuffed(b"ab") + b"\0")
    assert talk.fence(8).token == 8


def test_a_host_of_another_version_learns_the_boxs_version(talk: Talk) -> None:
    talk.say(Who(VERSION + 1))
    hello = talk.hear(Hello)
    assert isinstance(hello, Hello) and hello.version == VERSION


def test_a_beat_tells_clock_levels_and_numbers(firmware: Firmware, talk: Talk) -> None:
    event = pressed(firmware, talk, 4)
    talk.fence(9)
    talk.hear(Beat)
    beat = talk.hear(Beat)
    assert isinstance(beat, Beat)
    assert (beat.boot, beat.next, beat.levels) == (event.boot, (event.number + 1) & 0xFF, 1 << 4)
    assert 0 < (beat.ticks - event.ticks) & 0xFFFFFFFF < 1 << 31
    released(firmware, talk, 4)


def test_events_without_room_are_counted_and_the_others_keep_their_order(
    firmware: Firmware, talk: Talk
) -> None:
    hello, before = talk.fresh(), talk.hear(Beat)
    assert isinstance(before, Beat)
    for _ in range(2):
        for level in (1, 0):
            for button in range(6):
                firmware.press(button, level)
            talk.let(hello.hz // 20)
    talk.hear(Beat)
    beat = talk.hear(Beat)
    assert isinstance(beat, Beat)
    assert (beat.next - hello.next) & 0xFF == ROOM
    assert (beat.lost - before.lost) & 0xFF == 24 - ROOM
    for number in ((hello.next + n) & 0xFF for n in range(ROOM)):
        while told(talk).number != number:
            pass
        talk.say(Ack(hello.boot & 0xFF, (number + 1) & 0xFF))


def lit(firmware: Firmware, lamp: int, wanted: bool) -> None:
    """Wait until a lamp is so."""
    end = time.monotonic() + 60
    while bool(firmware.lamps() >> lamp & 1) != wanted:
        assert time.monotonic() < end, f"lamp {lamp} stays {'dark' if wanted else 'lit'}"


def ordered(talk: Talk, *order: Light) -> None:
    for each in order:
        talk.say(each)
        done = talk.hear(Done)
        assert isinstance(done, Done) and done.token == each.token


def test_a_lamp_is_lit_blinks_and_goes_out(firmware: Firmware, talk: Talk) -> None:
    now = talk.fence(1).heard
    ordered(talk, Light(10, 5, BASE, now, (0,)))
    lit(firmware, 5, True)
    assert firmware.lamps() == 1 << 5
    ordered(talk, Light(11, 5, BLINK, now, (255, 1)))
    lit(firmware, 5, False)
    ordered(talk, Light(12, 5, BLINK, now, (1,)))
    lit(firmware, 5, True)
    ordered(talk, Light(13, 5, BASE, now, (5, 5)))
    for level in (False, True, False, True):
        lit(firmware, 5, level)
    ordered(talk, Light(14, 5, BASE, now, ()))
    lit(firmware, 5, False)


def test_a_lamp_lights_at_its_tick(firmware: Firmware, talk: Talk) -> None:
    hz, now = talk.fresh().hz, talk.fence(1).heard
    start = (now + hz // 2) & 0xFFFFFFFF
    ordered(talk, Light(20, 0, BASE, start, (0,)))
    lit(firmware, 0, True)
    assert (talk.fence(2).heard - start) & 0xFFFFFFFF < 1 << 31
    ordered(talk, Light(21, 0, BASE, now, ()))


def test_a_lamp_that_is_not_there_is_confirmed_and_nothing_else(firmware: Firmware, talk: Talk) -> None:
    ordered(talk, Light(30, 200, BASE, 0, (0,)))
    assert firmware.lamps() == 0


def test_a_restart_counts_up_and_numbers_begin_anew(firmware: Firmware, talk: Talk) -> None:
    before = talk.fresh()
    pressed(firmware, talk, 0)
    released(firmware, talk, 0)
    firmware.restart()
    hello = talk.hear(Hello)
    while hello.boot == before.boot:
        hello = talk.hear(Hello)
    assert isinstance(hello, Hello)
    assert (hello.boot, hello.next, hello.board) == (before.boot + 1, 0, before.board)
