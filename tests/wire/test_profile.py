"""Every board's profile is checked; what is wrong in one is named with its line and the right word."""

from __future__ import annotations

import pytest

from companion.wire.profile import BadProfile, Wiring, parse

GOOD = """board = "x"
line = 1
firmware = 2
hz = 1000000
[title]
en = "An x"
de = "Ein x"
[usb]
ids = ["1:2"]
[maps.2]
buttons = ["D2", "D3"]
lamps = ["A0"]
"""


def test_a_profile_is_read() -> None:
    profile = parse(GOOD, "x")
    assert profile.maps == {"2": Wiring(("D2", "D3"), ("A0",))}
    assert profile.usb is not None and profile.usb.baud == 115_200


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("firmware = 2", "frimware = 2", "x:3: the file knows no 'frimware'; did you mean 'firmware'"),
        ("lamps =", "lamp =", r"\[maps.2\] knows no 'lamp'; did you mean 'lamps'"),
        ("ids =", "isd =", r"\[usb\] knows no 'isd'; did you mean 'ids'"),
        ("line = 1", "line = 9", "line 9: this companion speaks version 1"),
        ("hz = 1000000", "", "a box names hz"),
        ('"D3"]', '"D2"]', "pin D2 is given twice"),
        ("[maps.2]", "[maps.3]", "3 players need 3 buttons"),
        ("[maps.2]", '[maps."²"]', "² players need ² buttons"),
        ('de = "Ein x"', "", "title is wanted in en and de"),
        ("firmware = 2", "firmware = 2\nbcm = true", "BCM pins are 2 to 27"),
        ("line = 1\nfirmware = 2\nhz = 1000000", "bcm = true", "D2, D3, A0: BCM pins are 2 to 27"),
        ("firmware = 2", "firmware = 2\nlockout_ms = 0.2", "lockout_ms is 1 to 50"),
        ("firmware = 2", 'firmware = "two"', "firmware"),
        ("firmware = 2", "firmware = ", "x: "),
        ("firmware = 2", "firmware = " + "[" * 3000, "x: nested far too deep"),
    ],
)
def test_what_is_wrong_is_named(old: str, new: str, words: str) -> None:
    with pytest.raises(BadProfile, match=words):
        parse(GOOD.replace(old, new), "x")
