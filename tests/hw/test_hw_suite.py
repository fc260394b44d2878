"""The tests for a real rig run here against mock pins, the virtual box and simavr, so that they never rot."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
WANTED = {"loop", "cross", "tie", "unplug", "lamp", "soak", "focus", "sound", "start"}


def suite(results: Path, rig: str | None) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "COMPANION_RESULTS": str(results)}
    env.pop("COMPANION_RIG", None)
    if rig is not None:
        env["COMPANION_RIG"] = rig
    command = [sys.executable, "-m", "pytest", "hw_tests", "-rs", "-p", "no:cacheprovider"]
    return subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("rig", ["mock", "simavr"])
def test_the_suite_passes_on_a_pretended_rig_and_writes_its_figures(tmp_path: Path, rig: str) -> None:
    if rig == "simavr":
        sys.path.insert(0, str(ROOT / "tests" / "firmware"))
        from firmwares import built

        built()  # skips by name where the simulator is missing
    done = suite(tmp_path, rig)
    assert done.returncode == 0, done.stdout[-3_000:]
    (file,) = tmp_path.glob(f"*-{rig}.json")
    told = json.loads(file.read_text("utf-8"))
    assert set(told["tests"]) == WANTED
    assert {"host", "rig", "kernel", "machine", "model"} <= set(told)


def test_without_a_rig_every_test_is_skipped_with_the_reason(tmp_path: Path) -> None:
    done = suite(tmp_path, None)
    assert done.returncode == 0
    assert "COMPANION_RIG names no rig" in done.stdout
    assert "9 skipped" in done.stdout and "passed" not in done.stdout
    assert not list(tmp_path.iterdir())
