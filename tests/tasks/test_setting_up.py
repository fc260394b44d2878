"""companion setup: what is found is offered, what is told is written, and what is written reads back."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from companion import config, wiring
from companion.cli import main
from companion.tasks.setting_up import BUTTON_PINS, CALL_PIN, LAMP_PINS, Rig, asked, found, silent, written

ROOT = Path(__file__).parents[2]


def put(root: Path, name: str, text: str = "") -> None:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def test_a_usb_camera_a_box_and_a_sound_card_are_found(tmp_path: Path) -> None:
    put(tmp_path, "dev/video10")
    put(tmp_path, "dev/video2")
    put(tmp_path, "proc/asound/cards", " 0 [Headphones]: bcm2835_headpho - bcm2835 Headphones")
    put(tmp_path, "sys/devices/usb1/idVendor", "2e8a")
    (tmp_path / "sys/class/tty/ttyACM0").mkdir(parents=True)
    (tmp_path / "sys/class/tty/ttyACM0/device").symlink_to(tmp_path / "sys/devices/usb1")
    assert found(tmp_path) == Rig(camera="/dev/video2", boxes=True, voice=True)


def test_the_pis_own_camera_goes_before_others_and_nothing_is_no_fault(tmp_path: Path) -> None:
    assert found(tmp_path) == Rig(voice=False)
    put(tmp_path, "dev/video0")
    put(tmp_path, "sys/class/video4linux/video0/name", "unicam-image\n")
    assert found(tmp_path).camera == "pi"


def test_a_wrong_answer_is_asked_again_with_the_known_ones() -> None:
    answers: Iterator[str] = iter(["fr", "de", "none", "vielleicht", "no", "11", "2", "no", "yes", "no"])
    said: list[str] = []
    rig = asked(Rig(), lambda question, usual: next(answers), said.append)
    assert rig == Rig("de", None, False, 2, False, True, False)
    assert [line.partition(" ")[0] for line in said] == ["'fr'", "'vielleicht'", "'11'"]
    assert "ist keines von: yes, no" in said[1]


@given(
    st.builds(
        Rig,
        st.sampled_from(["en", "de"]),
        st.sampled_from([None, "0", "/dev/video2", "pi", "http://phone:8080/video"]),
        st.booleans(),
        st.integers(0, 10),
        st.booleans(),
        st.booleans(),
        st.booleans(),
    )
)
def test_what_is_written_reads_back(rig: Rig) -> None:
    read = config.parse(written(rig), "here")
    assert (read.lang, bool(read.voice), len(read.seats), read.boxes is not None) == (
        rig.lang, rig.voice, rig.pins, rig.boxes,
    )  # fmt: skip
    assert (read.camera is None) == (rig.camera is None)
    pins = [pin for seat in read.seats.values() for pin in (seat.button, seat.lamp) if pin is not None]
    pins += [] if read.call_button is None else [read.call_button]
    assert len(pins) == len(set(pins))


def pins(text: str) -> tuple[list[int], list[int | None], int | None]:
    """The buttons, lamps and call button of settings, seat by seat."""
    read = config.parse(text, "here")
    seats = [read.seats[number] for number in sorted(read.seats, key=int)]
    return [seat.button for seat in seats], [seat.lamp for seat in seats], read.call_button


@pytest.mark.parametrize("most", [6, 10])
def test_the_pins_that_are_written_are_those_of_the_pictures_of_the_wiring(most: int) -> None:
    profile = tomllib.loads((ROOT / "firmware_profiles" / "pi_gpio" / "profile.toml").read_text("utf-8"))
    drawn = profile["maps"][str(most)]
    buttons, lamps, call = pins(written(Rig(pins=most, call=True)))
    assert list(map(str, buttons)) == drawn["buttons"]
    assert list(map(str, lamps)) == drawn["lamps"]
    assert str(call) == drawn["call"]


@pytest.mark.parametrize("where", ["deploy/companion.toml", "README.md"])
def test_every_example_names_the_pins_that_setup_writes(where: str) -> None:
    text = (ROOT / where).read_text("utf-8")
    first = text[text.index("[seats.1]") :]
    wanted = {"button": BUTTON_PINS[0], "lamp": LAMP_PINS[0]}
    for entry, pin in wanted.items():
        assert re.findall(rf"^[# ]*{entry} = (\d+)", first, re.MULTILINE) == [str(pin)]
    assert re.findall(r"call_button = (\d+)", text) in ([], [str(CALL_PIN)])


def test_no_setting_of_the_readme_takes_a_pin_that_setup_gives_a_seat() -> None:
    text = (ROOT / "README.md").read_text("utf-8")
    taken = {*BUTTON_PINS, *LAMP_PINS, CALL_PIN}
    lamps = [int(pin) for pin in re.findall(r"camera_lamp = (\d+)", text)]
    assert lamps and not taken & set(lamps)
    config.parse(f"camera_lamp = {lamps[0]}\n" + written(Rig(pins=10, call=True)), "here")


@pytest.mark.parametrize(("lang", "word"), [("en", "write"), ("de", "schreiben")])
def test_a_table_without_a_speaker_says_what_to_change_when_one_comes(lang: str, word: str) -> None:
    mute = Rig(lang, voice=False)
    assert "voice = true" in silent(mute, Path("c.toml")) and word in silent(mute, Path("c.toml"))
    assert re.search(r"^voice = false .*write true$", written(mute), re.MULTILINE)
    assert silent(Rig(lang), Path("c.toml")) == ""


def test_the_simulated_header_is_wired_like_a_real_one() -> None:
    assert tuple(range(wiring.FIRST_PIN, wiring.FIRST_PIN + wiring.WIRED)) == BUTTON_PINS
    assert tuple(range(wiring.FIRST_LAMP, wiring.FIRST_LAMP + wiring.WIRED)) == LAMP_PINS
    assert wiring.CALL_PIN == CALL_PIN


def test_a_file_that_is_there_is_not_overwritten_unasked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    run = CliRunner().invoke
    assert run(main, ["setup", "--yes"]).exit_code == 0
    assert "exists already" in run(main, ["setup", "--yes"]).output
    Path("companion.toml").write_text("lang = 'de'")
    assert run(main, ["setup", "--yes", "--force"]).exit_code == 0
    assert Path("companion.toml.old").read_text() == "lang = 'de'"
