"""An ill device laid out as files: each illness is named, with its remedy, in both languages."""

from __future__ import annotations

import json
import os
import socket
import string
import subprocess
import sys
import threading
import tomllib
from collections.abc import Callable
from contextlib import suppress
from importlib.resources import files
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from companion.cli import main
from companion.config import Camera, Config, Screen, Seat
from companion.doctor import devices, examined, lines, of, system, told
from companion.doctor.finding import BAD, GOOD, Finding, Patient
from companion.edges.camera import sources
from companion.edges.camera.sources import PI_CAMERA
from companion.edges.camera.words import CameraError
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
    assert two.values["pids"] == "11, 20"


@pytest.mark.parametrize("lang", LANGS)
def test_one_ill_is_one_thing(lang: str) -> None:
    one, two = ([*lines([Finding("power_low", BAD)] * count, lang, False)][-1] for count in (1, 2))
    assert one != two and "1" not in one and "2" in two


class Asleep:
    """A camera that opens, or does not, and gives no picture."""

    name, live = "7", True

    def __init__(self, opens: bool) -> None:
        self._opens = opens

    def open(self) -> tuple[()]:
        if not self._opens:
            raise CameraError("no_device", source="7")
        return ()

    def read(self, wanted: bool) -> None:
        """It is over."""

    def close(self) -> None:
        """Nothing is held."""


@pytest.mark.parametrize("opens", [True, False])
def test_a_camera_that_opens_and_gives_no_picture_is_told(
    monkeypatch: pytest.MonkeyPatch, opens: bool
) -> None:
    monkeypatch.setattr(sources, "source", lambda spec, sims: lambda: Asleep(opens))
    monkeypatch.setattr(devices, "NEAR_S", 0.3)
    monkeypatch.setattr(Path, "exists", lambda self: True)
    monkeypatch.setattr(Patient, "tables", lambda self: ())
    (ill,) = devices.camera(Patient(Path("/"), Config(camera=Camera(7))))
    assert (ill.code, ill.level) == ("camera_ill", BAD) and "7" in str(ill.values["why"])


def test_a_camera_that_a_table_uses_is_not_opened_and_not_called_well(tmp_path: Path) -> None:
    put(tmp_path, "dev/video7")
    settings = put(tmp_path, "c.toml", "[camera]\nsource = '/dev/video7'")
    put(tmp_path, "proc/12/cmdline", f"python\0-m\0companion\0run\0--config\0{settings}")
    for source, code in ((7, "camera_held"), ("http://phone:8080/video", "camera")):
        (found,) = devices.camera(Patient(tmp_path, Config(camera=Camera(source))))
        assert found.code == code
    put(tmp_path, "proc/12/cmdline", f"python\0-m\0companion\0run\0--sim\0--config\0{settings}")
    (found,) = devices.camera(Patient(tmp_path, Config(camera=Camera(7))))
    assert found.code == "camera"


def served(content: bytes) -> socket.socket:
    """An address that answers each who asks with these bytes."""
    server = socket.create_server(("127.0.0.1", 0))

    def answer() -> None:
        with suppress(OSError):  # the test closes it
            while True:
                line, _ = server.accept()
                with line, suppress(OSError):
                    line.recv(9999)
                    line.sendall(content)

    threading.Thread(target=answer, daemon=True).start()
    return server


PAGE = b"HTTP/1.0 200 OK\r\ncontent-type: text/html\r\n\r\n<p>no video</p>"
BROKEN = b"HTTP/1.0 200 OK\r\ncontent-type: image/jpeg\r\n\r\nno jpeg"


@pytest.mark.parametrize("content", [None, PAGE, BROKEN])
def test_an_address_that_gives_no_pictures_is_told_in_both_languages(
    content: bytes | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(devices, "FAR_S", 0.3)
    monkeypatch.setattr(Patient, "tables", lambda self: ())
    with served(content or b"") as server:
        port = server.getsockname()[1]
        if content is None:
            server.close()
        whys = set()
        for lang in LANGS:
            chosen = Config(camera=Camera(f"http://127.0.0.1:{port}/video"))
            (ill,) = devices.camera(Patient(Path("/"), chosen, lang=lang))
            assert (ill.code, ill.level) == ("camera_far", BAD), ill
            assert str(port) in told(ill, lang)[0]
            whys.add(ill.values["why"])
        assert len(whys) == len(LANGS)


def test_an_address_that_gives_a_picture_is_well(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(devices, "FAR_S", 60.0)  # it comes at once, on however busy a machine
    monkeypatch.setattr(Patient, "tables", lambda self: ())
    jpeg = cv2.imencode(".jpg", np.full((480, 640), 128, np.uint8))[1].tobytes()
    with served(b"HTTP/1.0 200 OK\r\ncontent-type: image/jpeg\r\n\r\n" + jpeg) as server:
        source = f"http://127.0.0.1:{server.getsockname()[1]}/photo.jpg"
        (found,) = devices.camera(Patient(Path("/"), Config(camera=Camera(source))))
    assert found.code == "camera"


@pytest.mark.parametrize("name", ["none", "none.mp4", "empty", "text.mp4", "broken.png", "sim:none"])
def test_a_folder_or_file_without_pictures_is_told(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(devices, "NEAR_S", 1.0)
    monkeypatch.setattr(Patient, "tables", lambda self: ())
    (tmp_path / "empty").mkdir()
    for file in ("text.mp4", "broken.png"):
        put(tmp_path, file, "nothing to see")
    source = name if name.startswith("sim:") else str(tmp_path / name)
    (ill,) = devices.camera(Patient(Path("/"), Config(camera=Camera(source))))
    assert ill.level == BAD and name in "".join(told(ill, "en"))
    if "none" in name and not name.startswith(
        "sim"
    ):  # that is seen without opening anything: while a table runs, too
        (same,) = devices.camera(Patient(Path("/"), Config(camera=Camera(source)), look=False))
        assert same.code == ill.code == "camera_no_file"


def test_pictures_of_a_folder_and_a_simulated_table_are_well(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(devices, "NEAR_S", 60.0)  # as above
    monkeypatch.setattr(Patient, "tables", lambda self: ())
    cv2.imwrite(str(tmp_path / "a.png"), np.full((48, 64), 128, np.uint8))
    for source in (str(tmp_path), str(tmp_path / "a.png"), "sim:koala"):
        (found,) = devices.camera(Patient(Path("/"), Config(camera=Camera(source))))
        assert found.code == "camera"


def table(root: Path, pid: int, words: str, *, service: bool = False) -> None:
    """A process that runs a table in the folder `root`."""
    put(root, f"proc/{pid}/cmdline", f"python -m companion run {words}".strip().replace(" ", "\0"))
    put(root, f"proc/{pid}/cgroup", "0::/system.slice/companion.service" if service else "0::/user.slice")
    (root / f"proc/{pid}/cwd").symlink_to(root)


SHARING = (
    ("--sim --port 1", "--sim --port 2", ""),
    ("--sim --port 0", "--sim --port=0", ""),
    ("--port 1 --journal a.db", "--sim --port 2", ""),
    ("--port 1 --journal a.db", "--port 2 --journal b.db", ""),
    ("--sim", "--sim --journal a.db", "[screen] port = 8080"),
    ("--sim --port 1 --journal a.db", "--sim --port 2 --journal ./a.db", "journal = "),
    ("--port 1", "--port 2", "journal = "),
    ("--port 1 --journal a.db --camera 0", "--port 2 --journal b.db --camera /dev/video0", "[camera] source"),
    ("--port 1 --journal a.db --camera 0", "--port 2 --journal b.db --camera 1", ""),
    ("--port 1 --journal a.db --camera pi", "--port 2 --journal b.db --camera pi:0", "[camera] source"),
    ("--port 1 --journal a.db --camera pi", "--port 2 --journal b.db --camera pi:1", ""),
    ("--port 1 --journal a.db --camera pictures", "--port 2 --journal b.db --camera pictures", ""),
    (
        "--port 1 --journal a.db --camera rtsp://me:word@cam/1", "--port 2 --journal b.db --camera rtsp://me:word@cam/1",
        "source = rtsp://cam/1",
    ),
    ("--port 1 --journal a.db --config p.toml", "--port 2 --journal b.db --config p.toml", "pins 2, 16"),
    ("--port 1 --journal a.db --config p.toml", "--sim --port 2 --journal b.db --config p.toml", ""),
    ("--port 1 --journal a.db --config p.toml", "--port 2 --journal b.db --config none.toml", "[camera]"),
    ("--port 1 --journal a.db --config b.toml", "--port 2 --journal b.db --config b.toml", "[boxes] ports"),
)  # fmt: skip


@pytest.mark.parametrize(("one", "other", "both"), SHARING)
def test_two_tables_are_an_illness_only_where_they_want_the_same(
    one: str, other: str, both: str, tmp_path: Path
) -> None:
    put(tmp_path, "p.toml", "[seats.1]\nbutton = 2\nlamp = 16")
    put(tmp_path, "b.toml", "[boxes]")
    table(tmp_path, 10, one)
    table(tmp_path, 20, other, service=True)
    (found,) = system.copies(Patient(tmp_path, Config()))
    if not both:
        assert (found.code, found.values) == ("copies", {"count": 2})
        return
    assert found.code == "two_copies" and both in str(found.values["both"])
    for lang in LANGS:
        assert told(found, lang)[1].endswith("kill 10 | sudo systemctl stop companion")
