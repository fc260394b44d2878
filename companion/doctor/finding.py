"""A finding of the doctor, and the patient: the device as files, so that an ill one can be laid out in a folder."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from pathlib import Path

from companion.config import Config
from companion.table.things import value

GOOD, WARN, BAD = "good", "warn", "bad"
MARKS = {GOOD: "✓", WARN: "!", BAD: "✗"}


@value
class Finding:
    """What was found: a phrase's code, how bad it is (good, warn, bad), and the phrase's values."""

    code: str
    level: str
    values: Mapping[str, str | int] = field(default_factory=dict)


@value
class Patient:
    """The device: its file system, its settings, and whether devices may be opened to look."""

    root: Path
    config: Config
    look: bool = True

    def path(self, name: str) -> Path:
        """A path on the device: "/proc/asound/cards"."""
        return self.root / name.lstrip("/")

    def text(self, name: str) -> str:
        """A small file of the device; empty where there is none."""
        try:
            return self.path(name).read_text("utf-8", errors="replace").strip("\0\n ")
        except OSError:
            return ""

    @property
    def is_pi(self) -> bool:
        """Whether this is a Raspberry Pi."""
        return "raspberry" in self.text("/proc/device-tree/model").lower()
