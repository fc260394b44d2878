"""One file of raw edges means the same to the host, to the C of the UNO and to the MicroPython of the Pico."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from avr import Avr
from debounced import in_c, in_micropython, in_python
from make_vectors import BY_HAND

from companion.wire.box_words import Told, word
from companion.wire.frames import Unframer

CASES = json.loads(Path(__file__).with_name("debounce_vectors.json").read_text("utf-8"))
GIVEN, WANTED = [case["in"] for case in CASES], [case["out"] for case in CASES]
MS = 1_000_000


def test_the_cases_by_hand_stand_in_the_file_as_they_were_thought() -> None:
    for name, (given, out) in BY_HAND.items():
        assert {"name": name, "in": given, "out": out} in CASES
    assert len(CASES) > 200


def test_python_tells_what_the_file_says() -> None:
    assert in_python(GIVEN) == WANTED


@pytest.mark.parametrize("moved", [0, 0xFFFFFFFF - 5_000, 0x7FFFFFFF])
def test_c_tells_what_the_file_says_also_across_the_wrap_of_its_ticks(moved: int) -> None:
    assert in_c(GIVEN, moved) == WANTED


def test_micropython_tells_what_the_file_says() -> None:
    assert in_micropython(GIVEN) == WANTED


def test_the_image_in_simavr_stamps_the_first_edge_of_a_bouncing_switch() -> None:
    avr = Avr()
    avr.run(20 * MS)
    for button, first, bounces in ((0, 30, (1, 2, 3, 5)), (3, 31, ())):
        avr.press(first * MS, button, True)
        for number, after in enumerate(bounces):
            avr.press((first + after) * MS, button, number % 2 == 1)
    avr.run(60 * MS)
    avr.close()
    told = [word(content) for content in Unframer().fed(bytes(byte for _, byte in avr.said))]
    presses = {each.button: each.ticks for each in told if isinstance(each, Told) and each.down}
    assert sorted(presses) == [0, 3]
    assert abs(presses[3] - presses[0] - 2_000) <= 16  # 1 ms, give or take 8 µs of interrupt


def test_the_image_fits_in_four_kilobytes_of_flash() -> None:
    from firmwares import built

    lines = (built() / "box.hex").read_text().splitlines()
    size = sum(int(line[1:3], 16) for line in lines if line[7:9] == "00")
    assert 1_000 < size <= 4_096
