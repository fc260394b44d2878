"""companion setup: what is found is offered, what is told is written, and what is written reads back."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from companion import config
from companion.cli import main
from companion.setting_up import Rig, asked, found, written


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
