"""The machine itself: Python, clock, disk, power, network port, copies, journal."""

from __future__ import annotations

import os
import shutil
import socket
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from companion.doctor import others
from companion.doctor.finding import BAD, GOOD, WARN, Finding, Patient
from companion.edges import journal

ROOM_MB, LITTLE_MB = 200, 1000
BUILT = 1_764_000_000  # November 2025: a clock before this has not been set
WORN = 0x0A  # life_time counts tenths used; 0x0B: past its promised life


def python(patient: Patient) -> Iterator[Finding]:
    """Python 3.11 or newer, and on a Pi with the system's packages in sight."""
    version = ".".join(map(str, sys.version_info[:3]))
    if patient.is_pi and sys.prefix != sys.base_prefix and not _sees_system():
        yield Finding("no_system_packages", BAD, {"version": version})
    else:
        yield Finding("python", GOOD, {"version": version})


def _sees_system() -> bool:
    settings = Path(sys.prefix) / "pyvenv.cfg"
    return "include-system-site-packages = true" in settings.read_text("utf-8") if settings.exists() else True


def clock(patient: Patient) -> Iterator[Finding]:
    """A clock that was never set puts wrong dates into the history; games do not mind."""
    if time.time() < BUILT:
        yield Finding("clock_unset", WARN)
    elif (
        patient.path("/run/systemd/timesync").is_dir()
        and not patient.path("/run/systemd/timesync/synchronized").exists()
    ):
        yield Finding("clock_adrift", WARN)
    else:
        yield Finding("clock", GOOD)


def disk(patient: Patient) -> Iterator[Finding]:
    """Room for the journal, on a disk that can be written."""
    folder = Path(patient.config.journal).expanduser().parent
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    free = shutil.disk_usage(folder).free // 1_000_000
    if not os.access(folder, os.W_OK):
        yield Finding("disk_read_only", BAD, {"folder": str(folder)})
    elif free < ROOM_MB:
        yield Finding("disk_full", BAD, {"free": free, "folder": str(folder)})
    else:
        yield Finding("disk", WARN if free < LITTLE_MB else GOOD, {"free": free})


def wear(patient: Patient) -> Iterator[Finding]:
    """What the card says of its own age; most SD cards say nothing."""
    for card in sorted(patient.root.glob("sys/block/mmcblk*/device/life_time")):
        used = max(int(part, 16) for part in card.read_text().split())
        if used >= WORN:
            yield Finding("card_worn", WARN, {"card": card.parts[-3], "percent": min(100, used * 10)})
    errors = sum(int(path.read_text()) for path in patient.root.glob("sys/fs/ext4/*/errors_count"))
    if errors:
        yield Finding("disk_errors", BAD, {"count": errors})


def power(patient: Patient) -> Iterator[Finding]:
    """A Pi says when its voltage was too low, and when it was too hot."""
    for alarm in patient.root.glob("sys/class/hwmon/hwmon*/in0_lcrit_alarm"):
        if alarm.read_text().strip() == "1":
            yield Finding("power_low", BAD)
        else:
            yield Finding("power", GOOD)
    for zone in sorted(patient.root.glob("sys/class/thermal/thermal_zone0/temp")):
        degrees = int(zone.read_text()) // 1000
        if degrees >= 80:
            yield Finding("too_hot", WARN, {"degrees": degrees})


def port(patient: Patient) -> Iterator[Finding]:
    """The screens' port: free, or served by the companion itself."""
    number = patient.config.screen.port
    if patient.look and socket_taken(number):
        yield Finding("port_taken", WARN, {"port": number})
    else:
        yield Finding("port", GOOD, {"port": number})


def socket_taken(number: int) -> bool:
    """Whether somebody serves on a port of this machine."""
    with socket.socket() as probe:
        probe.settimeout(0.5)
        return probe.connect_ex(("127.0.0.1", number)) == 0


def copies(patient: Patient) -> Iterator[Finding]:
    """Two tables that want the same port, journal or device; others may stand beside each other."""
    running = others.running(patient)
    ill, both = others.clashes(running)
    if ill:
        pids, ends = ", ".join(each.pid for each in ill), " | ".join(each.stops for each in ill)
        yield Finding("two_copies", BAD, {"pids": pids, "both": "; ".join(both), "ends": ends})
    else:
        yield Finding("copies", GOOD, {"count": len(running)})


def journal_file(patient: Patient) -> Iterator[Finding]:
    """The journal's chain. Never while this process writes it: closing a second handle would give its lock away."""
    path = Path(patient.config.journal).expanduser()
    if not patient.look:
        yield Finding("journal_in_use", GOOD, {"path": str(path)})
        return
    if not path.exists():
        yield Finding("journal_none", GOOD)
        return
    try:
        found = journal.verify(path)
    except journal.JournalError as fault:
        yield Finding("journal_busy", WARN, {"why": str(fault.args[0])})
        return
    if found.fault:
        yield Finding("journal_damaged", BAD, {"path": str(path), "fault": found.fault, "rows": found.rows})
    else:
        yield Finding("journal", GOOD, {"rows": found.rows})
