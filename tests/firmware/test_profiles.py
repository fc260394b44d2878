"""Profiles, pictures and firmware say the same: a board's folder cannot drift apart."""

from __future__ import annotations

import re
import sys
from itertools import pairwise

import pytest
from firmwares import NAMES, PROFILES, Firmware, Talk

sys.path.insert(0, str(PROFILES))
import draw


def test_every_folder_has_its_profile_and_its_flashing_steps() -> None:
    assert set(draw.profiles()) == {*NAMES, "pi_gpio"}
    text = (PROFILES / "README.md").read_text("utf-8")
    for name in draw.profiles():
        assert f"## {name}" in text


def test_every_wiring_picture_is_the_one_drawn_from_its_profile_and_shows_every_pin() -> None:
    for path, picture in draw.pictures().items():
        assert path.read_text("utf-8") == picture, f"run python firmware_profiles/draw.py: {path}"
    for name, profile in draw.profiles().items():
        for players, wiring in profile.maps.items():
            picture = (PROFILES / name / f"wiring-{players}.svg").read_text("utf-8")
            for pin in (*wiring.buttons, *wiring.lamps):
                assert f">GPIO{pin} (" in picture if profile.bcm else f">{pin}<" in picture


@pytest.mark.parametrize("name", NAMES)
def test_a_firmwares_hello_is_what_its_profile_says(name: str) -> None:
    profile = draw.profiles()[name]
    (wiring,) = profile.maps.values()
    firmware = Firmware(name)
    talk = Talk(firmware.path)
    hello = talk.fresh()
    talk.close()
    firmware.close()
    assert (hello.version, hello.firmware, hello.hz) == (profile.line, profile.firmware, profile.hz)
    assert hello.buttons == len(wiring.buttons) + (wiring.call is not None)
    assert hello.lamps == len(wiring.lamps)


def test_the_pis_maps_serve_six_and_ten_with_pins_of_the_header() -> None:
    maps = draw.profiles()["pi_gpio"].maps
    assert set(maps) == {"6", "10"}
    for wiring in maps.values():
        pins = [int(pin) for pin in (*wiring.buttons, *wiring.lamps, wiring.call or "")]
        assert all(pin in draw.HEADER for pin in pins)
        assert not {0, 1, 14, 15} & set(pins)  # the HAT's memory and the serial console


LETTER = 7.3  # pixels that a letter of the pictures takes on average, at 13 pixels


def test_no_two_labels_of_a_wiring_picture_touch() -> None:
    for path, picture in draw.pictures().items():
        for y in set(re.findall(r'<text x="\d+" y="(\d+)"', picture)):
            ends = []
            for x, anchor, word in re.findall(
                rf'<text x="(\d+)" y="{y}"(?: text-anchor="(\w+)")?[^>]*>([^<]*)', picture
            ):
                wide = len(word) * LETTER
                left = float(x) - {"end": wide, "middle": wide / 2}.get(anchor, 0.0)
                ends.append((left, left + wide, word))
            for (_, right, one), (left, _, other) in pairwise(sorted(ends)):
                assert right < left, (path.name, one, other)
