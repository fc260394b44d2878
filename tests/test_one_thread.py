"""The device's programs leave the other cores to camera, voice and screens."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

LOOK = """
import companion.vision.read, os
print(os.environ.get("OPENBLAS_NUM_THREADS"), len(os.listdir("/proc/self/task")))
"""


def told(**more: str) -> list[str]:
    env = {name: value for name, value in os.environ.items() if not name.endswith("_NUM_THREADS")}
    done = subprocess.run(
        [sys.executable, "-c", LOOK], env=env | more, capture_output=True, text=True, check=True
    )
    return done.stdout.split()


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="threads are counted where Linux shows them")
def test_the_reader_starts_no_thread_beside_its_own_however_many_cores_there_are() -> None:
    assert told() == ["1", "1"]


def test_whoever_sets_the_number_of_threads_keeps_it() -> None:
    assert told(OPENBLAS_NUM_THREADS="2")[0] == "2"
