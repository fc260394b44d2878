"""Journal lines: every event survives the round trip; anything else is a BadLine that names the place."""

from __future__ import annotations

import json
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.table.events import (
    Chosen,
    Clock,
    Corrected,
    Event,
    Opened,
    Pressed,
    Rang,
    Rolled,
    Setting,
    Shown,
    Undone,
)
from companion.table.things import BID, CardId, Player, Zone
from companion.wire.journal_line import BadLine, decode, encode

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
TEXTS = st.lists(TEXT, max_size=6).map(tuple)
NUMBER = st.integers()
PLAIN = st.recursive(
    st.none() | st.booleans() | NUMBER | st.floats(allow_nan=False, allow_infinity=False) | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=6,
)
SETTING = st.builds(Setting, TEXT, TEXTS, st.dictionaries(TEXT, PLAIN, max_size=4), NUMBER)
OF_EACH: dict[type[Any], st.SearchStrategy[Any]] = {
    Opened: st.builds(Opened, SETTING),
    Pressed: st.builds(Pressed, TEXT, TEXT, NUMBER, NUMBER, TEXTS),
    Shown: st.builds(Shown, TEXT, TEXTS),
    Rolled: st.builds(Rolled, TEXT, TEXTS),
    Chosen: st.builds(Chosen, TEXT, TEXT, TEXT),
    Rang: st.builds(Rang, st.builds(Clock, TEXT, NUMBER)),
    Corrected: st.builds(Corrected, NUMBER, TEXTS),
    Undone: st.builds(Undone, NUMBER),
}
EVENT: st.SearchStrategy[Event] = st.one_of(list(OF_EACH.values()))
PRESS = Pressed(Player("Mia"), BID, 12, 50_000, (Player("Ömer"),))


def test_every_event_of_the_table_has_a_property_here() -> None:
    assert set(OF_EACH) == set(get_args(Event))


@given(EVENT)
def test_an_event_reads_back_equal_from_one_line(event: Event) -> None:
    line = encode(event)
    assert b"\n" not in line
    assert decode(line) == event
    assert encode(decode(line)) == line


@given(EVENT)
def test_a_line_cut_off_anywhere_is_a_bad_line(event: Event) -> None:
    line = encode(event)
    for cut in range(len(line)):
        with pytest.raises(BadLine):
            decode(line[:cut])


@given(EVENT, st.data())
def test_a_line_with_one_wrong_byte_is_an_event_or_a_bad_line(event: Event, data: st.DataObject) -> None:
    line = bytearray(encode(event))
    line[data.draw(st.integers(0, len(line) - 1))] = data.draw(st.integers(0, 255))
    try:
        decode(bytes(line))
    except BadLine:
        return


@given(st.binary(max_size=60) | PLAIN.map(lambda plain: json.dumps(plain).encode()))
def test_any_other_bytes_are_a_bad_line(noise: bytes) -> None:
    with pytest.raises(BadLine):
        decode(noise)


def test_equal_options_in_another_order_have_equal_bytes() -> None:
    one = Opened(Setting("koala", (), {"a": 1, "b": {"c": 2, "d": 3}}))
    other = Opened(Setting("koala", (), {"b": {"d": 3, "c": 2}, "a": 1}))
    assert encode(one) == encode(other)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (b'{"e":"Jumped"}', ["row 7", "Jumped", "Pressed"]),
        (b'{"zone":"middle"}', ["row 7", "None"]),
        (b'{"e":["Shown"]}', ["row 7", "Shown"]),
        (b"[1]", ["row 7", "list"]),
        (b'{"e":"Pressed","player":"Mia","button":"bid"}', ["row 7", "Pressed", "at"]),
        (b'{"e":"Pressed","player":"Mia","button":"bid","at":1.5}', ["row 7", "int", "$.at"]),
        (b'{"e":"Pressed","player":"Mia","button":"bid","at":true}', ["row 7", "$.at"]),
        (b'{"e":"Undone","to":1,"why":"x"}', ["row 7", "Undone", "'why'"]),
        (b'{"e":"Undone","v":1,"to":1}', ["row 7", "'v'"]),
        (b'{"e":"Rang","clock":{"name":"beat","lap":1,"hour":2}}', ["row 7", "'clock.hour'"]),
        (b'{"e":"Opened","v":2,"setting":{}}', ["row 7", "newer", "2"]),
        (b'{"e":"Opened","v":"1","setting":{}}', ["row 7", "Opened.v"]),
        (b'{"e":"Opened","setting":{"game":"k","players":[],"options":{},"sed":1}}', ["'setting.sed'"]),
        (b"[" * 100_000, ["row 7", "no JSON"]),
        (b'{"e":"Undone","to":1e999}', ["row 7"]),
        (b"\xff", ["row 7", "no JSON"]),
    ],
)  # fmt: skip
def test_a_bad_line_names_row_and_field(line: bytes, words: list[str]) -> None:
    with pytest.raises(BadLine) as caught:
        decode(line, 7)
    for word in words:
        assert word in str(caught.value)


def test_a_field_with_a_default_may_be_missing_so_older_lines_still_read() -> None:
    line = b'{"e":"Pressed","player":"Mia","button":"bid","at":5}'
    assert decode(line) == Pressed(Player("Mia"), BID, 5)


@pytest.mark.parametrize("content", [float("nan"), float("inf"), (1, 2), b"x", {1: 2}, object(), "\ud800"])
def test_an_option_that_is_no_plain_json_is_refused_before_it_is_written(content: object) -> None:
    with pytest.raises(BadLine):
        encode(Opened(Setting("koala", (), {"strange": content})))


def test_a_name_that_is_no_unicode_is_refused_before_it_is_written() -> None:
    with pytest.raises(BadLine, match="Shown"):
        encode(Shown(Zone("middle"), (CardId("\ud800"),)))


def test_the_form_of_a_line_is_what_journals_on_disk_hold() -> None:
    """Other bytes would orphan every journal written so far: then raise VERSION and keep reading the old."""
    assert encode(PRESS) == (
        '{"at":12,"button":"bid","e":"Pressed","player":"Mia","tied":["Ömer"],"unc":50000}'.encode()
    )
    assert encode(Opened(Setting("koala", (Player("Mia"),), {"x": None}, 3))) == (
        b'{"e":"Opened","setting":{"game":"koala","options":{"x":null},"players":["Mia"],"seed":3},"v":1}'
    )
