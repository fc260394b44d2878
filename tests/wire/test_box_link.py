"""The host's end of a box's line: each press once, in order, on our clock; what is missing is asked for."""

from __future__ import annotations

from companion.wire.box_link import (
    AGAIN,
    KNOCK,
    MS,
    SILENCE,
    BoxLink,
    Down,
    Lost,
    Met,
    Refused,
    Shut,
    Signal,
    Silent,
    Up,
)
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
    Word,
    content,
    word,
)
from companion.wire.frames import Unframer, framed

START = 1_000 * MS
HELLO = Hello(VERSION, 1, 6, 6, 1_000_000, 0, 7, 0, 0, b"board #1")


class Line:
    """A link whose box is this test: it says words, and sees what the host has said since."""

    def __init__(self) -> None:
        self.now, self.link = START, BoxLink(START)
        self._unframer = Unframer()

    def says(self, *words: Word) -> list[Signal]:
        return self.link.received(b"".join(framed(content(each)) for each in words), self.now)

    def later(self, ns: int) -> list[Signal]:
        signals, end = list[Signal](), self.now + ns
        while self.link.due() <= end:
            self.now = max(self.now, self.link.due())
            signals += self.link.tick(self.now)
        self.now = end
        return signals

    def heard(self) -> list[Word]:
        contents = self._unframer.fed(bytes(self.link.outgoing))
        self.link.outgoing.clear()
        return [each for each in map(word, contents) if each is not None]

    def answer(self, following: int = 0) -> list[Signal]:
        """Answer every fence, on a clock that shows µs since START."""
        ticks = (self.now - START) // 1_000
        fences = [each for each in self.heard() if isinstance(each, Fence)]
        return self.says(*(Fenced(each.token, 7, ticks, ticks, following) for each in fences))


def met() -> Line:
    """A line after hello and the first reading of the clock."""
    line = Line()
    line.later(0)
    assert line.heard() == [Who()]
    line.now += 100_000
    assert line.says(HELLO) == [Met(HELLO)]
    line.now += 100_000
    assert [type(each) for each in line.answer()] == [Shut]
    return line


def told(number: int, button: int = 0, down: bool = True, ms: int = 1, boot: int = 7) -> Told:
    return Told(boot, number, button, down, ms * 1_000, 1 << button if down else 0)


def acks(words: list[Word]) -> list[Ack]:
    return [each for each in words if isinstance(each, Ack)]


def test_a_host_knocks_until_the_box_says_hello_and_then_reads_its_clock() -> None:
    line = Line()
    line.later(2 * KNOCK)
    assert line.heard() == [Who()] * 3
    line.says(HELLO)
    assert [type(each) for each in line.heard()] == [Ack, Fence]


def test_a_press_comes_with_its_time_on_our_clock_and_is_acknowledged() -> None:
    line = met()
    line.now += 5 * MS
    (down,) = line.says(told(0, 3, ms=4))
    assert isinstance(down, Down)
    assert down.button == 3
    assert abs(down.at - (START + 4 * MS)) <= down.unc < MS // 4
    assert acks(line.heard()) == [Ack(7, 1)]
    assert line.link.levels == 1 << 3


def test_a_release_is_told_as_such() -> None:
    line = met()
    first, second = line.says(told(0, 2), told(1, 2, down=False, ms=3))
    assert isinstance(first, Down) and isinstance(second, Up)
    assert second.button == 2


def test_an_event_sent_twice_counts_once_and_is_acknowledged_twice() -> None:
    line = met()
    assert len(line.says(told(0), told(0), told(0))) == 1
    assert acks(line.heard()) == [Ack(7, 1)] * 3


def test_a_missing_event_is_asked_for_at_once_and_order_is_kept() -> None:
    line = met()
    assert line.says(told(1, 1)) == []
    assert acks(line.heard()) == [Ack(7, 0, True)]
    signals = line.says(told(0, 0), told(1, 1))
    assert [each.button for each in signals if isinstance(each, Down)] == [0, 1]


def test_event_numbers_wrap() -> None:
    line = met()
    got = [signal for number in range(600) for signal in line.says(told(number & 0xFF, ms=number))]
    assert len(got) == 600


def test_a_press_before_the_first_reading_waits_for_it() -> None:
    line = Line()
    line.says(HELLO)
    assert line.says(told(0)) == []
    line.now += 200_000
    signals = line.answer(1)
    assert [type(each) for each in signals] == [Down, Shut]


def test_what_was_pressed_while_nobody_listened_does_not_count() -> None:
    line = Line()
    line.says(Hello(VERSION, 1, 6, 6, 1_000_000, 0, 7, 5, 0, b"board #1"))
    line.now += MS
    line.answer(5)
    assert line.says(told(3), told(4)) == []
    assert len(line.says(told(5))) == 1


def test_a_fence_closes_the_box_only_once_all_its_events_are_here() -> None:
    line = met()
    line.later(3 * MS)
    line.heard()
    line.link.close_to(line.now - 2 * MS, line.now)
    assert line.answer(following=1) == []
    assert acks(line.heard()) == [Ack(7, 0, True)]
    down, shut = line.says(told(0, ms=2))
    assert isinstance(down, Down) and isinstance(shut, Shut)
    assert line.now - 2 * MS < shut.until < line.now


def test_closing_up_to_a_moment_waits_until_one_fence_is_enough() -> None:
    line = met()
    line.heard()
    line.link.close_to(line.now, line.now)
    assert line.heard() == []
    line.later(MS)
    (shut,) = (each for each in line.answer() if isinstance(each, Shut))
    assert shut.until > line.now - MS


def test_a_lost_fence_is_sent_again() -> None:
    line = met()
    line.heard()
    line.link.close_to(line.now - 2 * MS, line.now)
    first = line.heard()
    line.later(AGAIN)
    again = [each for each in line.heard() if isinstance(each, Fence)]
    assert [type(each) for each in first] == [Fence] and again and again[0] not in first


def test_another_version_is_refused_with_what_to_do() -> None:
    line = Line()
    (refused,) = line.says(Hello(VERSION + 1, 1, 6, 6, 1, 0, 1, 0, 0, b"board #1"))
    assert isinstance(refused, Refused)
    for part in ("626f617264202331", f"version {VERSION + 1}", f"version {VERSION}", "update the companion"):
        assert part in refused.why
    assert line.says(HELLO, told(0)) == []
    assert line.link.due() > line.now  # all boxes share one thread: it must not end here
    assert line.later(SILENCE) in ([Silent()], [])


def test_after_a_restart_the_old_clock_is_thrown_away_and_presses_count_again() -> None:
    line = met()
    assert line.says(told(0)) != []
    line.heard()
    assert line.says(told(0, boot=8)) == []
    assert Who() in line.heard()
    anew = Hello(VERSION, 1, 6, 6, 1_000_000, 0, 8, 1, 0, b"board #1")
    assert line.says(anew) == [Met(anew)]
    assert line.link.clock.readings == 0


def test_a_second_hello_of_the_same_start_changes_nothing() -> None:
    line = met()
    assert line.says(HELLO) == []
    assert line.link.clock.readings == 1


def test_silence_is_told_once_and_healed_by_the_next_word() -> None:
    line = met()
    assert line.later(SILENCE + MS) == [Silent()]
    assert line.later(3 * SILENCE) == []
    line.says(Beat(7, 10, 0, 0, 0, 0))
    assert line.later(SILENCE + MS) == [Silent()]


def test_events_that_did_not_fit_the_box_are_told() -> None:
    line = met()
    assert line.says(Beat(7, 10, 0, 200, 0, 0)) == []  # of before our time
    assert line.says(Beat(7, 20, 0, 203, 0, 0)) == [Lost(3)]


def test_a_beat_that_knows_of_later_events_asks_for_them() -> None:
    line = met()
    line.heard()
    line.says(Beat(7, 10, 2, 0, 0, 3))
    assert acks(line.heard()) == [Ack(7, 0, True)]
    assert line.link.levels == 3


def test_a_lamp_is_ordered_until_it_is_confirmed() -> None:
    line = met()
    line.heard()
    line.link.light(4, BASE, (12, 12), line.now + 50 * MS, line.now)
    (order,) = [each for each in line.heard() if isinstance(each, Light)]
    assert (order.lamp, order.layer, order.phases) == (4, BASE, (12, 12))
    assert abs(order.ticks - (line.now + 50 * MS - START) // 1_000) < 300
    line.later(2 * AGAIN)
    assert order in line.heard()
    line.says(Done(order.token))
    line.later(10 * AGAIN)
    assert [each for each in line.heard() if isinstance(each, Light)] == []


def test_a_lamp_the_box_does_not_have_is_no_fault() -> None:
    line = met()
    line.heard()
    line.link.light(6, BLINK, (9,), line.now, line.now)
    assert line.heard() == []


def test_any_bytes_are_survived() -> None:
    line = met()
    for word_of_a_box in (told(9, boot=7), Fenced(99, 7, 1, 1, 1), Done(3), Beat(7, 0, 200, 0, 0, 0)):
        line.says(word_of_a_box)
    line.says(Who(), Fence(1), Ack(7, 1), Light(1, 1, 1, 1, ()))
    line.link.received(bytes(range(256)) * 10 + b"\0", line.now)
    assert line.link.bad >= 1
    assert len(line.says(told(0))) == 1


def test_a_box_that_answers_again_after_a_silence_is_asked_no_more() -> None:
    line = met()
    for _ in range(3):
        line.heard()
        signals = line.later(2 * SILENCE)
        assert Silent() in signals and Who() in line.heard()
        assert line.says(HELLO) == []
        asked = 0
        for _ in range(30):
            line.later(100 * MS)
            words = line.heard()
            asked += words.count(Who())
            ticks = (line.now - START) // 1_000
            line.says(*(Fenced(each.token, 7, ticks, ticks, 0) for each in words if isinstance(each, Fence)))
        assert asked == 0
