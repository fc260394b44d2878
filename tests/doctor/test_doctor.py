"""An ill device laid out as files: each illness is named, with its remedy, in both languages."""

from __future__ import annotations

import json
import os
import socket
import string
import subprocess
import sys
import tomllib
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.cli import main
from companion.config import Camera, Config, Screen, Seat
from companion.doctor import devices, examined, lines, of, system, told
from companion.doctor.finding import BAD, GOOD, Finding, Patient
from companion.edges.camera.sources import PI_CAMERA
from companion.edges.journal import Journal
from companion.table.events import Opened, Setting
from companion.table.things import Player

LANGS = ("en", "de")


def put(root: Path, name: str, text: str = "") -> Path:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def pi(root: Path) -> None:
    put(root, "proc/device-tree/model", "Raspberry Pi 5 Model B Rev 1.0\0")


ILLS: list[tuple[str, Callable[[Patient], object], dict[str, str], Config]] = [
    ("power_low", system.power, {"sys/class/hwmon/hwmon1/in0_lcrit_alarm": "1\n"}, Config()),
    ("too_hot", system.power, {"sys/class/thermal/thermal_zone0/temp": "84000"}, Config()),
    ("card_worn", system.wear, {"sys/block/mmcblk0/device/life_time": "0x02 0x0b"}, Config()),
    ("disk_errors", system.wear, {"sys/fs/ext4/mmcblk0p2/errors_count": "7"}, Config()),
    ("clock_adrift", system.clock, {"run/systemd/timesync/clock": ""}, Config()),
    ("old_camera_stack", devices.old_camera, {"boot/firmware/config.txt": "gpu_mem=128\nstart_x=1\n"}, Config()),
    ("camera_gone", devices.camera, {"dev/video2": ""}, Config(camera=Camera(0))),
    *(("no_picamera2", devices.camera, {}, Config(camera=Camera(name))) for name in PI_CAMERA),
    ("no_sound_card", devices.sound, {"proc/asound/cards": "--- no soundcards ---"}, Config()),
    ("no_pi", devices.pins, {}, Config(seats={"1": Seat(2)})),
    ("two_copies", system.copies, {
        "proc/10/cmdline": "/opt/venv/bin/python\0/opt/venv/bin/companion\0run\0",
        "proc/20/cmdline": "python\0/usr/bin/companion\0run\0--sim\0",
        "proc/30/cmdline": "vi\0companion.toml\0",
    }, Config()),
]  # fmt: skip


@pytest.mark.parametrize(
    ("code", "check", "device", "config"), ILLS, ids=[f"{ill[0]}-{number}" for number, ill in enumerate(ILLS)]
)
def test_each_illness_is_named_with_its_remedy(
    tmp_path: Path, code: str, check: Callable[[Patient], list[Finding]], device: dict[str, str], config: Config,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.setattr(devices, "find_library", lambda name: "there")  # PortAudio may be missing here
    for name, text in device.items():
        put(tmp_path, name, text)
    found = {finding.code: finding for finding in check(Patient(tmp_path, config))}
    assert code in found
    assert found[code].level != GOOD
    for lang in LANGS:
        say, remedy = told(found[code], lang)
        assert say and remedy and "{" not in say + remedy


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file to a strange group")
def test_a_device_of_a_strange_group_is_named_with_its_real_group(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    node = put(tmp_path, "dev/ttyACM0")
    os.chown(node, 0, 46)  # plugdev, as on Trixie
    node.chmod(0o660)
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    monkeypatch.setattr(os, "getegid", lambda: 1000)
    monkeypatch.setattr(os, "getgroups", lambda: [1000])
    (found,) = devices.groups(Patient(tmp_path, Config()))
    assert (found.code, found.values["node"], found.level) == ("not_in_group", "/dev/ttyACM0", BAD)
    monkeypatch.setattr(devices, "_is_member", lambda number: True)
    (found,) = devices.groups(Patient(tmp_path, Config()))
    assert found.code == "login_again"


def test_a_pi_without_lgpio_is_told_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pi(tmp_path)
    monkeypatch.setattr(devices, "find_spec", lambda name: None)
    (found,) = devices.pins(Patient(tmp_path, Config()))
    assert found.code == "no_lgpio"


def test_a_clean_environment_on_a_pi_is_told_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pi(tmp_path)
    monkeypatch.setattr(system, "_sees_system", lambda: False)
    monkeypatch.setattr("sys.base_prefix", "/usr")
    (found,) = system.python(Patient(tmp_path, Config()))
    assert found.code == "no_system_packages"


def test_a_port_that_somebody_serves_is_named(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        config = Config(screen=Screen(port=other.getsockname()[1]))
        (found,) = system.port(Patient(tmp_path, config))
        assert found.code == "port_taken"


def test_journals_are_checked_whole_open_and_damaged(tmp_path: Path) -> None:
    path = tmp_path / "j.db"
    patient = Patient(tmp_path, Config(journal=str(path)))
    assert [finding.code for finding in system.journal_file(patient)] == ["journal_none"]
    journal = Journal(path)
    journal.append(1, Opened(Setting("koala", (Player("Mia"),), {})))
    journal.close()
    assert [finding.code for finding in system.journal_file(patient)] == ["journal"]
    content = bytearray(path.read_bytes())
    at = content.index(b'"koala"')
    content[at : at + 7] = b'"walla"'
    path.write_bytes(content)
    assert [finding.code for finding in system.journal_file(patient)] == ["journal_damaged"]


def test_a_running_table_that_examines_itself_keeps_its_journal_to_itself(tmp_path: Path) -> None:
    path = tmp_path / "j.db"
    journal = Journal(path)
    journal.append(1, Opened(Setting("koala", (Player("Mia"),), {})))
    codes = [finding.code for finding in of(Config(journal=str(path)), tmp_path, look=False)]
    assert "journal_in_use" in codes
    second = (
        f"from pathlib import Path; from companion.edges.journal import Journal; Journal(Path({str(path)!r}))"
    )
    done = subprocess.run([sys.executable, "-c", second], capture_output=True, text=True, check=False)
    assert done.returncode != 0 and "another companion has it open" in done.stderr
    journal.close()


def test_the_command_looks_at_the_journal_that_the_table_really_writes(tmp_path: Path) -> None:
    settings, real = put(tmp_path, "c.toml", f'journal = "{tmp_path}/none.db"'), tmp_path / "real.db"
    Journal(real).close()
    ask = ["doctor", "--json", "--config", str(settings)]
    codes = [
        {found["code"] for found in json.loads(CliRunner().invoke(main, [*ask, *more]).output)}
        for more in ([], ["--journal", str(real)])
    ]
    assert [sorted(each & {"journal", "journal_none"}) for each in codes] == [["journal_none"], ["journal"]]


def test_a_button_box_is_found_by_its_vendor(tmp_path: Path) -> None:
    put(tmp_path, "sys/devices/usb1/1-1/idVendor", "2e8a\n")
    put(tmp_path, "sys/devices/usb1/1-1/1-1:1.0/uevent")
    tty = tmp_path / "sys/class/tty/ttyACM0"
    tty.mkdir(parents=True)
    (tty / "device").symlink_to(tmp_path / "sys/devices/usb1/1-1/1-1:1.0")
    (found,) = devices.boxes(Patient(tmp_path, Config()))
    assert found.values == {"names": "ttyACM0"}


def test_a_check_that_fails_is_a_finding_and_stops_no_other(tmp_path: Path) -> None:
    put(tmp_path, "sys/class/thermal/thermal_zone0/temp", "warm")
    codes = [finding.code for finding in examined(None, tmp_path, look=False)]
    assert "check_failed" in codes and "copies" in codes


def test_all_is_well_is_one_line() -> None:
    assert list(lines((Finding("clock", GOOD),), "en", everything=False)) == ["All is well."]


def test_both_languages_have_the_same_phrases_and_every_code_has_one() -> None:
    texts = [
        tomllib.loads((files("companion.doctor") / f"words.{lang}.toml").read_text("utf-8")) for lang in LANGS
    ]
    holes = [
        {key: {part[1] for part in string.Formatter().parse(text) if part[1]} for key, text in each.items()}
        for each in texts
    ]
    assert holes[0] == holes[1]
    sources = "".join(path.read_text("utf-8") for path in Path(str(files("companion.doctor"))).glob("*.py"))
    codes = {part.partition('"')[0] for part in sources.split('Finding("')[1:]}
    assert codes <= set(texts[0])
    assert {"login_again", "not_in_group", "boxes", "boxes_none"} <= set(texts[0])


def test_the_command_answers_in_words_and_as_json() -> None:
    told_json = CliRunner().invoke(main, ["doctor", "--json"])
    assert {"code", "level", "text", "remedy"} == set(json.loads(told_json.output)[0])
    assert told_json.exit_code in (0, 1)


def test_what_only_starts_a_table_is_no_copy_of_it(tmp_path: Path) -> None:
    for pid, words in {
        10: "sudo companion run", 11: "/opt/companion/venv/bin/python3 /opt/companion/venv/bin/companion run --sim",
        12: "timeout 9 python -m companion run", 13: "sh -c companion run", 14: "vi companion run",
        15: "python -m companion.edges.voice.stream", 16: "python -m companion doctor", 17: "python run", 18: "",
    }.items():  # fmt: skip
        put(tmp_path, f"proc/{pid}/cmdline", words.replace(" ", "\0"))
    (one,) = system.copies(Patient(tmp_path, Config()))
    assert (one.code, one.values) == ("copies", {"count": 1})
    put(tmp_path, "proc/20/cmdline", "python3.13\0-m\0companion\0run\0")
    (two,) = system.copies(Patient(tmp_path, Config()))
    assert two.values == {"pids": "11, 20"}


@pytest.mark.parametrize("lang", LANGS)
def test_one_ill_is_one_thing(lang: str) -> None:
    one, two = ([*lines([Finding("power_low", BAD)] * count, lang, False)][-1] for count in (1, 2))
    assert one != two and "1" not in one and "2" in two


@pytest.mark.parametrize("opens", [True, False])
def test_a_camera_that_opens_and_gives_no_picture_is_told(
    monkeypatch: pytest.MonkeyPatch, opens: bool
) -> None:
    from companion.edges import camera as room
    from companion.edges.camera.words import CameraError

    def device(source: str) -> object:
        if not opens:
            raise CameraError("plain", text=f"{source} gives no frame in 2 s")
        return lambda: None

    monkeypatch.setattr(room, "device", device, raising=False)
    monkeypatch.setattr(Path, "exists", lambda self: True)
    monkeypatch.setattr(Patient, "tables", lambda self: ())
    (ill,) = devices.camera(Patient(Path("/"), Config(camera=Camera(7))))
    assert (ill.code, ill.level) == ("camera_ill", BAD) and "7" in str(ill.values["why"])
    monkeypatch.setattr(Patient, "tables", lambda self: ("12",))  # a table uses it: it is not ours to open
    (well,) = devices.camera(Patient(Path("/"), Config(camera=Camera(7))))
    assert well.code == "camera"
