"""Fetch the wheels of everything the companion needs, for a Python and a machine: wheels.py 3.13-aarch64 FOLDER.

Only wheels: a table has no compiler. A requirement without one for that machine is named, and the exit status 1.
"""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
# Wheels for these C libraries run on Debian 12 and 13 and on the Raspberry Pi OS made of them.
GLIBC = ("2_34", "2_31", "2_28", "2_27", "2_17")


def command(target: str, folder: Path) -> list[str]:
    """The pip command that fetches all wheels for a target such as "3.13-aarch64"."""
    version, _, machine = target.partition("-")
    needs = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["dependencies"]
    platforms = [f"manylinux_{glibc}_{machine}" for glibc in GLIBC] + [f"manylinux2014_{machine}"]
    return [
        sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--only-binary=:all:",
        "--python-version", version, "--implementation", "cp", "--dest", str(folder),
        *(word for each in platforms for word in ("--platform", each)), *needs,
    ]  # fmt: skip


if __name__ == "__main__":
    if len(sys.argv) != 3 or "-" not in sys.argv[1]:
        sys.exit("usage: wheels.py 3.13-aarch64 FOLDER")
    sys.exit(subprocess.run(command(sys.argv[1], Path(sys.argv[2])), check=False).returncode)
