"""Every word of the line comes back as it was said; what is no word is none."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from companion.wire.box_words import (
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

BYTE, SHORT, LONG = st.integers(0, 255), st.integers(0, 0xFFFF), st.integers(0, 0xFFFFFFFF)
WORDS = st.one_of(
    st.builds(
        Hello, st.just(VERSION), SHORT, BYTE, BYTE, st.integers(1, 0xFFFFFFFF), BYTE, SHORT, BYTE, BYTE,
        st.binary(min_size=8, max_size=8),
    ),
    st.builds(Told, BYTE, BYTE, st.integers(0, 127), st.booleans(), LONG, SHORT),
    st.builds(Fenced, BYTE, BYTE, LONG, LONG, BYTE),
    st.builds(Beat, BYTE, LONG, BYTE, BYTE, BYTE, SHORT),
    st.builds(Done, BYTE),
    st.builds(Who, BYTE),
    st.builds(Fence, BYTE),
    st.builds(Ack, BYTE, BYTE, st.booleans()),
    st.builds(
        Light, BYTE, BYTE, st.integers(0, 1), LONG, st.lists(BYTE, max_size=8).map(tuple)
    ),
)  # fmt: skip


@given(WORDS)
def test_a_word_comes_back_as_it_was_said(said: Word) -> None:
    assert word(content(said)) == said


@given(st.binary(max_size=45))
def test_any_bytes_are_a_word_or_none(given_bytes: bytes) -> None:
    read = word(given_bytes)
    assert read is None or content(read)[0] == given_bytes[0]


@given(WORDS, st.binary(min_size=1, max_size=3))
def test_a_word_with_bytes_too_many_is_none(said: Word, more: bytes) -> None:
    if not isinstance(said, Light):
        assert word(content(said) + more) is None
        assert word(content(said)[:-1]) is None


def test_a_hello_of_another_version_is_read_so_that_it_can_be_refused() -> None:
    read = word(bytes((1, VERSION + 1)) + b"whatever comes then" + b"board id")
    assert isinstance(read, Hello)
    assert (read.version, read.board) == (VERSION + 1, b"board id")


def test_a_clock_that_stands_still_is_no_hello() -> None:
    assert word(content(Hello(VERSION, 1, 6, 6, 0, 0, 1, 0, 0, b"12345678"))) is None


def test_a_box_is_named_by_its_board() -> None:
    assert Hello(VERSION, 1, 6, 6, 1, 0, 1, 0, 0, b"\0\1\2\3\4\5\6\xff").name == "00010203040506ff"
