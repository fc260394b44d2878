"""One text form of raw edges for the three implementations of the debounce: "s 0 1 l 9000 0" in, "D0 U9000" out."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from firmwares import HERE, PROFILES, micropython, missing

from companion.wire.debounce import Contact, looked, seen

US = 1_000


def in_python(sequences: Sequence[str]) -> list[str]:
    """By companion/wire/debounce.py."""
    out = []
    for sequence in sequences:
        contact, told, words = Contact(), list[str](), sequence.split()
        for kind, at, level in zip(words[::3], words[1::3], words[2::3], strict=True):
            step = seen if kind == "s" else looked
            contact, edges = step(contact, int(at) * US, level == "1")
            told += [f"{'D' if edge.down else 'U'}{edge.at // US}" for edge in edges]
        out.append(" ".join(told))
    return out


@cache
def _compiled() -> str:
    if shutil.which("gcc") is None:
        missing("gcc")
    program = str(Path(tempfile.mkdtemp(prefix="debounce-")) / "run")
    source = ["gcc", "-O2", "-Wall", "-Wextra", f"-I{PROFILES / 'uno328p'}", str(HERE / "debounce_run.c")]
    subprocess.run([*source, "-o", program], check=True)
    return program


def in_c(sequences: Sequence[str], moved: int = 0) -> list[str]:
    """By the UNO's debounce.h, with the ticks moved so that they may wrap."""
    return _ran([_compiled(), str(moved)], sequences)


def in_micropython(sequences: Sequence[str]) -> list[str]:
    """By the Pico's debounce.py."""
    return _ran([micropython(), str(HERE / "debounce_run.py"), str(PROFILES / "pico_micropython")], sequences)


def _ran(command: list[str], sequences: Sequence[str]) -> list[str]:
    done = subprocess.run(
        command,
        input="".join(f"{each}\n" for each in sequences),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    lines = [line.strip() for line in done.stdout.splitlines()]
    assert len(lines) == len(sequences), (len(lines), len(sequences), sys.argv)
    return lines
