"""What is plugged in: pins, groups of this login, camera, sound, speech, button boxes."""

from __future__ import annotations

import grp
import os
import shutil
from collections.abc import Iterator
from ctypes.util import find_library
from importlib.util import find_spec
from pathlib import Path

from companion.doctor import others
from companion.doctor.finding import BAD, GOOD, WARN, Finding, Patient
from companion.edges.gpio import PinError, pi_factory

FAR_S, NEAR_S = (
    2.5,
    6.0,
)  # for a first picture: an address has 2 s to answer, a device its automatic to settle
NODES = ("gpiochip*", "gpiomem*", "video*", "snd/pcm*", "ttyACM*", "ttyUSB*")
BOXES = ("2341", "2e8a", "1a86", "0403")  # Arduino, Raspberry Pi, CH340, FTDI


def pins(patient: Patient) -> Iterator[Finding]:
    """The pin factory that gpiozero would take, and lgpio's folder for its pipes."""
    wanted = bool(patient.config.seats) or patient.config.call_button is not None
    if not patient.is_pi:
        yield Finding("no_pi", WARN if wanted else GOOD)
        return
    if find_spec("lgpio") is None:
        yield Finding("no_lgpio", BAD)
        return
    folder = Path(os.environ.get("LG_WD") or Path.cwd())
    if not os.access(folder, os.W_OK):
        yield Finding("lgpio_folder", BAD, {"folder": str(folder)})
    if not patient.look:
        return
    try:
        factory = pi_factory()
    except PinError as fault:
        yield Finding("pins_ill", BAD, {"why": str(fault.args[0])})
    else:
        yield Finding("pins", GOOD, {"factory": type(factory).__name__})


def groups(patient: Patient) -> Iterator[Finding]:
    """Devices that this login may not open: not in the group, or in it only after the next login."""
    mine, ill = set(os.getgroups()) | {os.getegid()}, False
    for node in sorted(path for name in NODES for path in patient.root.glob(f"dev/{name}")):
        state = node.stat()
        allowed = os.geteuid() in (0, state.st_uid) or state.st_gid in mine or bool(state.st_mode & 0o002)
        if allowed:
            continue
        ill = True
        values = {"node": f"/{node.relative_to(patient.root)}", "group": _group(state.st_gid)}
        yield Finding("login_again" if _is_member(state.st_gid) else "not_in_group", BAD, values)
    if not ill:
        yield Finding("groups", GOOD)


def _group(number: int) -> str:
    try:
        return grp.getgrgid(number).gr_name
    except KeyError:
        return str(number)


def _is_member(number: int) -> bool:
    """Whether the group's entry names this user, whatever this login has."""
    try:
        entry = grp.getgrgid(number)
    except KeyError:
        return False
    return os.environ.get("USER", "") in entry.gr_mem


def camera(patient: Patient) -> Iterator[Finding]:
    """A camera is there where one is wanted, and gives a picture. One that a table uses now is not tried."""
    from companion.edges.camera.sources import PI_CAMERA  # noqa: PLC0415  # OpenCV comes up only where it is used

    nodes = sorted(patient.root.glob("dev/video*"))
    if patient.config.camera is None:
        yield Finding("camera_off", GOOD, {"count": len(nodes)})
        return
    source = str(patient.config.camera.source)
    ill = "camera_far" if "://" in source else "camera_ill"
    if _is_node(source):
        wanted = patient.path(f"/dev/video{source}" if source.isdecimal() else source)
        if not wanted.exists():
            there = ", ".join(node.name for node in nodes) or "-"
            yield Finding("camera_gone", BAD, {"source": source, "there": there})
            return
    elif source in PI_CAMERA:
        if find_spec("picamera2") is None:
            yield Finding("no_picamera2", BAD)
            return
    elif ill != "camera_far" and not source.startswith("sim:"):
        ill = "camera_file"
        if not Path(source).expanduser().exists():
            yield Finding("camera_no_file", BAD, {"source": source})
            return
    yield from _tried(patient, source, ill)


def _is_node(source: str) -> bool:
    return source.isdecimal() or source.startswith("/dev/")


def _tried(patient: Patient, source: str, ill: str) -> Iterator[Finding]:
    """Whether pictures come; `ill`: how it is told if none do. One that a table uses now is left to it."""
    if not patient.look or others.holds_camera(others.running(patient), source):
        yield Finding("camera_held", GOOD, {"source": source})
        return
    why = _no_picture(source, patient.lang) if patient.may_open else ""
    yield Finding(ill, BAD, {"why": why}) if why else Finding("camera", GOOD, {"source": source})


def _no_picture(source: str, lang: str) -> str:
    """Why a source gives no picture within its patience; "" if it does."""
    from companion.edges.camera import CameraError  # noqa: PLC0415  # OpenCV comes up only where it is used
    from companion.edges.camera.feed import Feed  # noqa: PLC0415  # as above
    from companion.edges.camera.sources import source as opening  # noqa: PLC0415  # as above
    from companion.simcamera import sims  # noqa: PLC0415  # as above

    told: list[str] = []
    patience = FAR_S if "://" in source else NEAR_S
    try:
        frames = Feed(opening(source, sims=sims()), told.append, lang=lang, patience_s=patience)
    except CameraError as fault:
        return fault.told(lang)
    try:
        if frames() is not None:
            return ""
    finally:
        frames.close()
    key = "no_stream" if "://" in source else "no_frame"
    silent = CameraError(key, source=source, why=f"{patience:g} s", seconds=f"{patience:g}")
    return next(filter(None, reversed(told)), "") or silent.told(lang)


def old_camera(patient: Patient) -> Iterator[Finding]:
    """The camera stack of old systems hides the camera from everything new."""
    for name in ("/boot/firmware/config.txt", "/boot/config.txt"):
        lines = [line.strip() for line in patient.text(name).splitlines()]
        if "start_x=1" in lines:
            yield Finding("old_camera_stack", BAD, {"file": name})


def sound(patient: Patient) -> Iterator[Finding]:
    """A sound card, and the library that plays on it."""
    cards = patient.text("/proc/asound/cards")
    if not patient.config.voice:
        yield Finding("voice_off", GOOD)
    elif find_library("portaudio") is None:
        yield Finding("no_portaudio", WARN)
    elif not cards or "no soundcards" in cards:
        yield Finding("no_sound_card", WARN)
    else:
        yield Finding("sound", GOOD, {"card": cards.splitlines()[0].split("]: ")[-1]})


def speech(patient: Patient) -> Iterator[Finding]:
    """The program that renders the voice ahead."""
    if patient.config.voice and shutil.which("espeak-ng") is None:
        yield Finding("no_espeak", WARN)


def boxes(patient: Patient) -> Iterator[Finding]:
    """Serial devices that may be button boxes."""
    found = []
    for node in sorted(patient.root.glob("sys/class/tty/tty[AU][CS][MB]*")):
        device = (node / "device").resolve()
        vendors = [above / "idVendor" for above in (device, *device.parents[:4])]
        vendor = next((path.read_text().strip() for path in vendors if path.exists()), "")
        if vendor in BOXES:
            found.append(node.name)
    yield Finding("boxes" if found else "boxes_none", GOOD, {"names": ", ".join(found)})
