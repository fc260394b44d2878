"""Settings of the right type that still cannot be are refused with file, entry and remedy, before anything starts."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion import config
from companion.boxed import plan
from companion.config import BadConfig
from companion.edges.screen.german import german
from companion.sim.boxes import BadFault

ODD = (
    ('journal = ""', "journal"), ('journal = "~nobodyx/../j.db"', "journal"), (r'journal = "a\u0000b"', "journal"),
    (f'journal = "{"x" * 300}"', "journal"),
    ("[camera]\nsize = [0, 0]", "size"), ("[camera]\nsize = [-1920, 1080]", "size"),
    ("[camera]\nsize = [1920, 10000000]", "size"), ("[camera]\nexposure = nan", "exposure"),
    ("[camera]\nwhite = inf", "exposure"), ("[camera]\nfocus = -1", "exposure"),
    ('[camera]\nsource = ""', "source"), ('[camera]\nsource = "  "', "source"), ("[camera]\nsource = -1", "source"),
    (r'[camera]\nsource = "a\u0000"'.replace(r"\n", "\n"), "source"), ("[camera]\nsource = 99999999999", "source"),
    ("[camera]\nmarker_px = [3, inf]", "marker_px"), ("[camera]\nmarker_px = [nan, 9]", "marker_px"),
    ('[mqtt]\nhost = ""', "host is empty"), ('[mqtt]\nhost = "a b"', "host"), ('[mqtt]\nhost = " a"', "host"),
    ('[mqtt]\nhost = "a\\u0000"', "host"), (f'[mqtt]\nhost = "{"x" * 254}"', "host"),
    ('[mqtt]\nhost = "a"\nuser = "\\u0000"', "user"), ('[screen]\nhost = "a b"', "host"), ('[screen]\nhost = ""', "host"),
    ('[screen]\nhost = "a\\u0000"', "host"), ('[boxes]\nports = ["\\u0000"]', "ports"),
    ('[voice]\ndevice = "\\u0000"', "device"), ("x = " + "9" * 5000, ""),
)  # fmt: skip


@pytest.mark.parametrize(("text", "entry"), ODD, ids=range(len(ODD)))
def test_what_cannot_be_is_named_by_its_entry(text: str, entry: str) -> None:
    with pytest.raises(BadConfig) as told:
        config.parse(text, "c.toml")
    assert "c.toml" in str(told.value) and entry in str(told.value) and len(str(told.value)) < 300


@given(st.text(st.characters(categories=["L", "N", "P", "S"]), min_size=1, max_size=6) | st.just("9" * 5000))
def test_seats_and_boxes_are_counted_in_plain_figures_only(number: str) -> None:
    good = number in map(str, range(1, 11))
    for ask, fault in (
        (lambda: config.parse(f"[seats.{_quoted(number)}]\nbutton = 2", "c.toml"), BadConfig),
        (lambda: plan(f"virtual:{number}", None), BadFault),
    ):
        if good:
            ask()
        else:
            with pytest.raises(fault):
                ask()


@pytest.mark.parametrize("number", ["²", "01", "٣", "0", "11", "9" * 5000])
def test_figures_of_other_kinds_are_no_number(number: str) -> None:
    with pytest.raises(BadConfig, match="seats are numbered 1 to 10"):
        config.parse(f'[seats."{number}"]\nbutton = 2', "c.toml")
    with pytest.raises(BadFault, match="virtual:1 to virtual:10"):
        plan(f"virtual:{number}", None)


def _quoted(key: str) -> str:
    return '"' + key.replace("\\", "\\\\").replace('"', '\\"') + '"'


def test_what_stands_on_real_tables_is_taken() -> None:
    for host in ("0.0.0.0", "::1", "table.local", "192.168.1.20"):  # a text
        assert (
            config.parse(f'[screen]\nhost = "{host}"\n[mqtt]\nhost = "{host}"', "c.toml").screen.host == host
        )
    for source in ("0", '"/dev/video0"', '"pi"', '"http://phone.local:8080/video"', '"Bilder von Käthe"'):
        assert config.parse(f"[camera]\nsource = {source}\nsize = [4608, 2592]", "c.toml").camera is not None


WRONG_KINDS = (
    (
        "lang = 'de'\n[screen]\nport = '8081'",
        "c.toml:3: [screen] port: a whole number is wanted, there stands a text",
    ),
    ("[voice]\nmode = 'loud'", "c.toml:2: [voice] mode: choose 'normal' or 'quiet' or 'child'"),
    ("[voice]\nmode = 3", "c.toml:2: [voice] mode: choose 'normal' or 'quiet' or 'child'"),
    ("pins = 'wired'", "c.toml:1: pins: choose 'lgpio' or 'gpiod'"),
    ("voice = 3", "c.toml:1: voice: true or false or a table of its own: [voice] is wanted"),
    (
        "[camera]\nmarker_px = [3]",
        "c.toml:2: [camera] marker_px: a list in [ ] with 2 entries is wanted, there are 1",
    ),
    ("[camera]\nmarker_px = ['a', 2]", "c.toml:2: [camera] marker_px: a number is wanted"),
    ("[mqtt]\nport = 1", "[mqtt] host is missing: write it, or leave [mqtt] out"),
    ("[seats.1]\nlamp = 3", "c.toml:1: [seats.1] button is missing"),
    (
        "[seats.1]\nbutton = true",
        "c.toml:2: [seats.1] button: a whole number is wanted, there stands true or false",
    ),
    (
        "[seats.1]\nbutton = 2\n[seats.2]\nbutton = '3'",
        "c.toml:4: [seats.2] button: a whole number is wanted",
    ),
    ("seats = 3", "c.toml:1: seats: a table of its own: [seats] is wanted"),
    ("[voice]\nloud = 1", "[voice] loud: a table of its own: [loud] is wanted"),
    ("[boxes]\nseats = {a = ['b']}", "seats"),
    ("call_button = 'x'", "c.toml:1: call_button: a whole number is wanted"),
)


@pytest.mark.parametrize(("text", "told"), WRONG_KINDS, ids=range(len(WRONG_KINDS)))
def test_an_entry_of_the_wrong_kind_is_told_in_words_with_what_is_allowed(text: str, told: str) -> None:
    with pytest.raises(BadConfig) as fault:
        config.parse(text, "c.toml")
    assert told in str(fault.value) and not {"$", "`", "Expected"} & set(
        str(fault.value).split() + list(str(fault.value))
    )


WRONG = (
    "lang = 'fr'", "[screen]\nport = 70000", "[screen]\ndiagonal = 1", "[camera]\nmarker_px = [9, 3]",
    "[voice]\nloud = {shout = 1}", "[voice]\nbuffer_ms = 1", "[voice]\ndelay_ms = 5000", "[boxes]\nseats = {a = [11]}",
    "call_button = 40", "call_button = 3\ncamera_lamp = 3", "[mqtt]\nhost = 'a'\nport = 0",
    "[mqtt]\nhost = 'a'\ntopic = '#'", "[mqtt]\nhost = 'a'\nname = 'a b'", "[mqtt]\nhost = 'a'\ndiscovery = '+'",
    "[mqtt]\nhost = 'a'\npassword = 'b'", "[seats.11]\nbutton = 1", "x = " + "[" * 5000, "x = ", "lamp = 3", "portt = 3",
    "[screen]\nportt = 3",
)  # fmt: skip
# What may stay as it is in a German sentence: names of entries, and what the file's own reader says of its grammar.
ENGLISH = re.compile(
    r"\b(the|is|are|not|no|and|or|with|wanted|choose|there|at least|see|number|text|list|knows?)\b"
)


@pytest.mark.parametrize("text", [*WRONG, *(each for each, _ in ODD), *(each for each, _ in WRONG_KINDS)])
def test_a_wrong_entry_is_told_in_german_where_german_is_spoken(text: str) -> None:
    with pytest.raises(BadConfig) as fault:
        config.parse(text, "c.toml")
    told = german(str(fault.value))
    assert told.startswith("c.toml") and told != str(fault.value)
    assert "no TOML" not in told and ("kein TOML" in told or ENGLISH.findall(told) == [])
