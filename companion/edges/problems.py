"""The report of a problem as a file: what happened, what was read, what was said of the device; no name, no secret.

A report is a zip: `report.json` (when, which game, which versions, what was left out), `events.jsonl` (the
journal), `readings.jsonl` (what the camera read in its last seconds, without pictures), `log.txt`, `doctor.json`,
`settings.json`. What goes in was made nameless before.
"""

from __future__ import annotations

import json
import zipfile
import zlib
from collections.abc import Iterable, Mapping
from io import BytesIO
from pathlib import Path
from typing import Any

from companion.table.things import CompanionError, value

VERSION = 1
LONGEST = 64_000_000  # bytes of a report that is read
_DAMAGE = (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError)


class BadReport(CompanionError, ValueError):
    """A file is no report, or not whole; the text says why and what to do."""


@value
class Report:
    """What a report holds. `events`: journal lines, oldest first; `readings`: one row a frame."""

    head: Mapping[str, Any]
    events: tuple[bytes, ...]
    readings: tuple[Mapping[str, Any], ...] = ()
    log: str = ""
    doctor: tuple[Mapping[str, Any], ...] = ()
    settings: Mapping[str, Any] | None = None


def zipped(report: Report) -> bytes:
    """A report as a file."""
    out = BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("report.json", _json({"report": VERSION, **report.head}))
        file.writestr("events.jsonl", b"\n".join(report.events))
        file.writestr("readings.jsonl", "\n".join(json.dumps(row) for row in report.readings))
        file.writestr("log.txt", report.log)
        file.writestr("doctor.json", _json(list(report.doctor)))
        file.writestr("settings.json", _json(report.settings or {}))
    return out.getvalue()


def _json(content: Any) -> str:
    return json.dumps(content, ensure_ascii=False, indent=1)


def is_report(path: Path) -> bool:
    """Whether a file is a report, and no journal and no bundle of pictures."""
    try:
        with zipfile.ZipFile(path) as file:
            return "report.json" in file.namelist()
    except (OSError, *_DAMAGE):
        return False


def read(path: Path) -> Report:
    """A report from its file. BadReport says what is wrong with it."""
    try:
        with zipfile.ZipFile(path) as file:
            if sum(entry.file_size for entry in file.infolist()) > LONGEST:
                raise BadReport(
                    f"{path}: larger than {LONGEST // 1_000_000} MB when unpacked; save a new one"
                )
            head = json.loads(file.read("report.json"))
            if head.get("report") != VERSION:
                raise BadReport(f"{path}: of another version; use the companion that saved it")
            doctor = json.loads(file.read("doctor.json"))
            if not isinstance(head.get("versions", {}), dict) or not _are_objects(doctor):
                raise BadReport(
                    f"{path}: versions or doctor.json are not as they were written. Save it anew on /op"
                )
            return Report(
                head, tuple(_lines(file.read("events.jsonl"))),
                tuple(json.loads(line) for line in _lines(file.read("readings.jsonl"))),
                file.read("log.txt").decode(), tuple(doctor),
                json.loads(file.read("settings.json")),
            )  # fmt: skip
    except (OSError, KeyError, TypeError, AttributeError, ValueError, *_DAMAGE) as fault:
        if isinstance(fault, BadReport):
            raise
        raise BadReport(f"{path}: no report, or not whole ({fault}). Save it anew on /op") from fault


def _are_objects(content: Any) -> bool:
    return isinstance(content, list) and all(isinstance(each, dict) for each in content)


def _lines(content: bytes) -> Iterable[bytes]:
    return (line for line in content.split(b"\n") if line.strip())
