"""What is wrong with a device, and what to do: each thing that goes wrong on such devices is looked at once."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from importlib.resources import files
from pathlib import Path

from companion import config
from companion.config import Config
from companion.doctor import devices, system
from companion.doctor.finding import BAD, GOOD, MARKS, Finding, Patient

Check = Callable[[Patient], Iterable[Finding]]
CHECKS: tuple[Check, ...] = (
    system.python, system.clock, system.disk, system.wear, system.power, system.port, system.copies,
    system.journal_file, devices.pins, devices.groups, devices.camera, devices.old_camera, devices.sound,
    devices.speech, devices.boxes,
)  # fmt: skip


def examined(
    settings: Path | None, root: Path = Path("/"), *, journal: Path | None = None, look: bool = True,
    lang: str = "en",
) -> Iterator[Finding]:  # fmt: skip
    """Every finding about the table of a settings file; `journal`: another one than it names; `look`: open devices."""
    chosen = config.load(settings)
    return of(
        chosen if journal is None else replace(chosen, journal=str(journal)), root, look=look, lang=lang
    )


def of(
    chosen: Config, root: Path = Path("/"), *, look: bool = True, lang: str = "en"
) -> Iterator[Finding]:  # fmt: skip
    """Every finding, check by check; a check that itself fails is a finding, too. `lang`: of what devices say."""
    patient = Patient(root, chosen, look, lang)
    for check in CHECKS:
        try:
            yield from check(patient)
        except (OSError, ValueError) as fault:
            yield Finding("check_failed", "warn", {"check": check.__name__, "why": str(fault)})


def told(finding: Finding, lang: str) -> tuple[str, str]:
    """A finding as a sentence, and what to do about it ("" where nothing is to be done)."""
    texts = _texts(lang)
    say = texts[finding.code].format_map(finding.values)
    remedy = texts.get(f"{finding.code}.do", "").format_map(finding.values)
    return say, "" if finding.level == GOOD else remedy


def plain(finding: Finding, lang: str) -> dict[str, str]:
    """A finding as plain data."""
    say, remedy = told(finding, lang)
    return {"code": finding.code, "level": finding.level, "text": say, "remedy": remedy}


def lines(found: Iterable[Finding], lang: str, everything: bool) -> Iterator[str]:
    """What a person reads: ills with their remedies, and at the end whether all is well."""
    ills = 0
    for finding in found:
        say, remedy = told(finding, lang)
        if finding.level != GOOD or everything:
            yield f"{MARKS[finding.level]} {say}"
        if remedy:
            ills += 1
            yield f"    → {remedy}"
    yield _texts(lang)[{0: "well", 1: "ill"}.get(ills, "ills")].format(count=ills)


def _texts(lang: str) -> dict[str, str]:
    path = files("companion.doctor") / f"words.{lang}.toml"
    return {str(key): str(text) for key, text in tomllib.loads(path.read_text("utf-8")).items()}


__all__ = ["BAD", "GOOD", "Finding", "Patient", "examined", "lines", "of", "plain", "told"]
