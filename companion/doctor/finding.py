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
    """The device: its file system, its settings, whether devices may be opened to look, and who is told."""

    root: Path
    config: Config
    look: bool = True
    lang: str = "en"

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
    def may_open(self) -> bool:
        """Whether this is the real device, and devices may be opened."""
        return self.look and self.root == Path("/")

    def tables(self) -> tuple[str, ...]:
        """The processes that run a table. What only started one (sudo, a shell) is none."""
        running = []
        for entry in self.root.glob("proc/[0-9]*"):
            if _is_a_table(self.words(entry.name)):
                running.append(entry.name)
        return tuple(sorted(running, key=int))

    def words(self, pid: str) -> list[str]:
        """The command line of a process; one empty word if it ended meanwhile, or is somebody else's."""
        try:
            return self.path(f"/proc/{pid}/cmdline").read_bytes().decode(errors="replace").split("\0")
        except OSError:
            return [""]

    @property
    def is_pi(self) -> bool:
        """Whether this is a Raspberry Pi."""
        return "raspberry" in self.text("/proc/device-tree/model").lower()


def _is_a_table(words: list[str]) -> bool:
    """Whether a process is Python that runs a table."""
    program, *rest = words
    if not Path(program).name.startswith("python") or "run" not in rest:
        return False
    before = rest[: rest.index("run")]
    return before[-2:] == ["-m", "companion"] or Path(before[-1] if before else "").name in (
        "companion",
        "__main__.py",
    )
