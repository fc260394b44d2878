"""A report of what went wrong, without names and secrets: while the table runs, or of what it left on the disk."""

from __future__ import annotations

import json
import platform
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import msgspec

from companion import config, doctor
from companion.config import Config
from companion.edges import archive, journal, logbook, problems
from companion.edges.journal import JournalError
from companion.edges.problems import Report
from companion.shelf import shelf
from companion.table import crank
from companion.table.events import Event, Opened
from companion.table.secrecy import shut
from companion.wire import journal_line
from companion.wire.nameless import Veil, of_address, veil

PACKAGES = (
    "companion", "opencv-python-headless", "numpy", "gpiozero", "pyserial", "starlette", "uvicorn", "websockets",
    "msgspec", "sounddevice", "aiomqtt", "lgpio", "picamera2",
)  # fmt: skip
SEALED = "the game under way: it has choices or cards that are secret until it is over; save it again then"


def versions() -> dict[str, str]:
    """Of this program, of all that it stands on, and of the machine; what is not there is left out."""
    found = {"python": platform.python_version(), "machine": platform.machine(), "kernel": platform.release()}
    for name in PACKAGES:
        with suppress(PackageNotFoundError):
            found[name] = version(name)
    with suppress(OSError):
        found["system"] = platform.freedesktop_os_release().get("PRETTY_NAME", "")
    with suppress(OSError):
        found["device"] = Path("/proc/device-tree/model").read_text("utf-8").strip("\0\n ")
    return found


def report(
    events: Sequence[Event], *, chosen: Config, log: str, findings: Iterable[Mapping[str, Any]],
    readings: Iterable[Mapping[str, Any]] = (), names: Iterable[str] = (), secrets: Iterable[str] = (),
    sealed: bool = False, damage: str = "",
) -> tuple[str, bytes]:  # fmt: skip
    """The file's name and content. `names`, `secrets`: those not in the events; `sealed`: leave the last game out."""
    # What is left out hides no name: whoever plays there may stand in the log.
    covered = veil(events, names, (*secrets, *_passwords(chosen)))
    kept = _before_last(events) if sealed else tuple(events)
    last = next((event.setting.game for event in reversed(events) if isinstance(event, Opened)), "")
    head: dict[str, Any] = {
        "saved": time.strftime("%Y-%m-%d %H:%M:%S"), "game": last, "events": len(kept), "versions": versions(),
        "left_out": SEALED if sealed else "", "damage": covered.text(damage),
    }  # fmt: skip
    content = problems.zipped(
        Report(
            head, tuple(journal_line.encode(covered.event(event)) for event in kept),
            () if sealed else tuple(covered.plain(row) for row in readings), covered.text(log),
            tuple(covered.plain(finding) for finding in findings), _settings(chosen, covered),
        )
    )  # fmt: skip
    return f"companion-report-{time.strftime('%Y%m%d-%H%M%S')}.zip", content


def _before_last(events: Sequence[Event]) -> tuple[Event, ...]:
    """All games but the last: its events stand at the end."""
    openings = [at for at, event in enumerate(events) if isinstance(event, Opened)]
    return tuple(events[: openings[-1]]) if openings else tuple(events)


def _settings(chosen: Config, covered: Veil) -> dict[str, Any]:
    plain: dict[str, Any] = covered.plain(msgspec.to_builtins(chosen))
    return plain


def _passwords(chosen: Config) -> tuple[str, ...]:
    """What the settings hold that nobody else may know."""
    broker = () if chosen.mqtt is None else (chosen.mqtt.password, chosen.mqtt.user)
    camera = () if chosen.camera is None else of_address(str(chosen.camera.source))
    return tuple(filter(None, (*broker, *camera)))


def _shut(events: Sequence[Event]) -> bool:
    """Whether the last game is under way and has secrets; one that this version cannot play may have some."""
    first = max((at for at, event in enumerate(events) if isinstance(event, Opened)), default=0)
    try:
        session = crank.recall(shelf(), events[first:], first + 1)
    except Exception:  # whatever old events do to this version's games
        return True
    return shut(session)


def left(settings: Path | None, at: Path | None) -> tuple[str, bytes]:
    """A report of a table that does not run now, from what it left: journal, log, seats, history.

    JournalError where the journal cannot be read, as while the table runs.
    """
    chosen = config.load(settings)
    path = at or Path(chosen.journal).expanduser()
    try:
        events, damage = journal.good(path)
    except JournalError as fault:
        raise JournalError(f"{fault.args[0]}. While the table runs: Report a problem, on /op") from fault
    chosen = replace(chosen, journal=str(path))
    findings = [doctor.plain(finding, "en") for finding in doctor.of(chosen, look=False)]
    pin = ""
    with suppress(OSError):
        pin = path.with_suffix(".pin").read_text("ascii").strip()
    return report(
        events, chosen=chosen, log=logbook.told(path.with_suffix(".log")), findings=findings,
        names=(*seated(path), *archive.people(path.with_suffix(".games.db"))), secrets=(pin,),
        sealed=_shut(events), damage=damage,
    )  # fmt: skip


def seated(path: Path) -> tuple[str, ...]:
    """Who has a phone at the table."""
    try:
        seats = json.loads(path.with_suffix(".seats.json").read_bytes())
    except (OSError, ValueError):
        return ()
    return tuple(str(name) for name in seats if str(name).strip("+")) if isinstance(seats, dict) else ()
