"""Listen to a PulseAudio source: `python ear.py SOURCE FOLDER`. Samples go to `samples`, their arrivals to `stamps`.

A process of its own with nothing else to do, so that the stamps are those of the samples and not of a busy table.
"""

from __future__ import annotations

import os
import struct
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path


def main(source: str, folder: Path) -> None:
    """Record until killed: each read with the number of bytes so far and the moment, monotonic ns."""
    with suppress(OSError):
        os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(4))
    command = [
        "parec",
        f"--device={source}",
        "--rate=48000",
        "--channels=1",
        "--format=s16le",
        "--latency-msec=2",
    ]
    count = 0
    with (
        (folder / "samples").open("wb", buffering=0) as samples,
        (folder / "stamps").open("wb", buffering=0) as stamps,
        subprocess.Popen([*command, "--raw"], stdout=subprocess.PIPE, bufsize=0) as recorder,
    ):
        assert recorder.stdout is not None
        while content := os.read(recorder.stdout.fileno(), 1 << 16):
            count += len(content)
            stamps.write(struct.pack("<qq", count, time.monotonic_ns()))
            samples.write(content)


main(sys.argv[1], Path(sys.argv[2]))
