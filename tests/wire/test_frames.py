"""Frames survive being cut anywhere; garbage is skipped, counted, and never costs more than one frame."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.wire.frames import LONGEST, Unframer, crc16, framed, stuffed, unstuffed

CONTENT = st.binary(min_size=1, max_size=LONGEST - 3)


def test_the_checks_value_everybody_publishes_for_this_crc() -> None:
    assert crc16(b"123456789") == 0x29B1


@given(st.binary(max_size=200))
def test_stuffed_bytes_hold_no_zero_and_come_back(plain: bytes) -> None:
    assert b"\0" not in stuffed(plain)
    assert unstuffed(stuffed(plain)) == plain


@given(st.binary(max_size=80))
def test_unstuffing_anything_gives_bytes_or_nothing(packed: bytes) -> None:
    plain = unstuffed(packed)
    assert plain is None or stuffed(plain) == packed or b"\0" in packed


@given(st.lists(CONTENT, max_size=5), st.lists(st.integers(1, 7), min_size=1, max_size=9))
def test_frames_come_back_in_order_however_the_bytes_are_cut(contents: list[bytes], cuts: list[int]) -> None:
    line, got, unframer, place = b"".join(map(framed, contents)), list[bytes](), Unframer(), 0
    while line:
        size = cuts[place % len(cuts)]
        got.extend(unframer.fed(line[:size]))
        line, place = line[size:], place + 1
    assert got == contents
    assert unframer.bad == 0


@given(st.binary(max_size=150), CONTENT, CONTENT)
def test_after_garbage_at_most_one_frame_is_lost(garbage: bytes, first: bytes, second: bytes) -> None:
    got = Unframer().fed(garbage + framed(first) + framed(second))
    assert got[-1] == second


@given(CONTENT, st.data())
def test_a_frame_with_a_damaged_byte_is_dropped_and_counted(content: bytes, data: st.DataObject) -> None:
    frame = bytearray(framed(content))
    place = data.draw(st.integers(0, len(frame) - 1))
    frame[place] ^= data.draw(st.integers(1, 255))
    unframer = Unframer()
    assert unframer.fed(bytes(frame) + b"\0" + framed(b"next")) == [b"next"]
    assert unframer.bad >= 1


def test_a_line_that_never_ends_takes_no_room() -> None:
    unframer = Unframer()
    for _ in range(1_000):
        assert unframer.fed(b"\x55" * 1_000) == []
    assert len(unframer._rest) <= LONGEST + 1
    assert unframer.fed(b"\0" + framed(b"well")) == [b"well"]


def test_a_hundred_thousand_random_bytes_raise_nothing_and_say_nothing() -> None:
    luck, unframer = Random(1), Unframer()
    for _ in range(100):
        assert unframer.fed(luck.randbytes(1_000)) == []
    assert unframer.bad > 100


@pytest.mark.parametrize("size", [0, LONGEST - 2])
def test_no_frame_is_made_that_a_box_has_no_room_for(size: int) -> None:
    with pytest.raises(ValueError, match="a frame holds 1 to 45 bytes"):
        framed(b"x" * size)
