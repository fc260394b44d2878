"""A room with real sound and nobody in it: PulseAudio with a null sink, and an ear at its monitor.

Everything of the way is real but the loudspeaker. Needs pulseaudio, pulseaudio-utils, libasound2-plugins,
libportaudio2 and espeak-ng; `lacking` names what is not there.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from ctypes.util import find_library
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from companion.sound.clips import RATE, Samples

SECOND = 1_000_000_000
PATIENCE_S = 20.0
SETTLING_S = 0.5  # an ear that begins to listen makes a null sink skip some ms: it is no part of a table
_PROGRAMS = {"pulseaudio": "pulseaudio", "parec": "pulseaudio-utils", "espeak-ng": "espeak-ng"}
_PLUGIN = "alsa-lib/libasound_module_pcm_pulse.so"


def lacking() -> str:
    """The Debian packages that are missing for it, as a reason to skip; "" if all are there."""
    missing = [package for program, package in _PROGRAMS.items() if shutil.which(program) is None]
    if find_library("portaudio") is None:
        missing.append("libportaudio2")
    if not any(Path("/usr/lib").glob(f"*/{_PLUGIN}")):
        missing.append("libasound2-plugins")
    return f"needs sound: apt install {' '.join(missing)}" if missing else ""


_STALLS = """
import os, sys, time
os.sched_setaffinity(0, {int(sys.argv[1])})
try: os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(20))
except OSError: pass
while True:
    before = time.monotonic_ns(); time.sleep(0.002); after = time.monotonic_ns()
    if after - before > 7_000_000: sys.stdout.write(f"{before} {after}\\n"); sys.stdout.flush()
"""


class Stalls:
    """The control: how long this machine stands still by itself.

    On each processor a thread that comes before all others sleeps for 2 ms again and again.
    """

    def __init__(self, folder: Path) -> None:
        """Begin to watch."""
        self._files = {cpu: folder / f"stalls{cpu}" for cpu in sorted(os.sched_getaffinity(0))}
        self._processes = [self._watch(cpu, path) for cpu, path in self._files.items()]

    @staticmethod
    def _watch(cpu: int, path: Path) -> subprocess.Popen[bytes]:
        with path.open("wb") as out:
            return subprocess.Popen([sys.executable, "-c", _STALLS, str(cpu)], stdout=out)

    def all(self) -> list[tuple[int, int]]:
        """All longer than 5 ms so far: from when to when, monotonic ns."""
        lines = [line for path in self._files.values() for line in path.read_text().split("\n")[:-1]]
        return sorted((int(before), int(after)) for before, after in map(str.split, lines))

    def between(self, first: int, last: int) -> bool:
        """Whether a processor stood still between two moments."""
        return any(before <= last and after >= first for before, after in self.all())

    def close(self) -> list[float]:
        """All that were longer than 5 ms, in ms."""
        for process in self._processes:
            process.kill()
            process.wait()
        return [(after - before) / 1e6 - 2 for before, after in self.all()]


def until(true: Callable[[], object], what: str, patience_s: float = PATIENCE_S) -> float:
    """Wait for something; after how many seconds it came. AssertionError names what did not."""
    started = time.monotonic()
    while not true():
        assert time.monotonic() - started < patience_s, f"{what} did not happen in {patience_s:.0f} s"
        time.sleep(0.01)
    return time.monotonic() - started


class Moments:
    """When a sample was, by the promptest arrivals: the null sink's second is some 0.2 ms off the clock's."""

    def __init__(self, stamps: NDArray[np.int64]) -> None:
        """`stamps`: bytes so far, and the moment of that in monotonic ns, for each read."""
        counts = (stamps[:, 0] // 2).astype(float)
        self._base = int(stamps[0, 1])
        late = stamps[:, 1] - self._base - counts * SECOND / RATE
        windows = np.unique(counts // (2 * RATE), return_inverse=True)[1]
        best = np.array(
            [np.flatnonzero(windows == each)[late[windows == each].argmin()] for each in set(windows)]
        )
        x, y = counts[best], late[best]
        self._slope, self._late = 0.0, float(y.min())
        for _ in range(4):  # a window without one prompt arrival lies above the line of the others
            if len(x) < 3:
                break
            self._slope, self._late = (float(each) for each in np.polyfit(x, y, 1))
            below = y - self._slope * x - self._late <= 200_000
            if below.all() or below.sum() < 3:
                break
            x, y = x[below], y[below]

    def at(self, sample: int) -> int:
        """The moment of a sample, ns."""
        return self._base + round(sample * (SECOND / RATE + self._slope) + self._late)

    def sample(self, moment: int) -> int:
        """The sample of a moment."""
        return round((moment - self._base - self._late) / (SECOND / RATE + self._slope))


class Ear:
    """What is heard from now on."""

    def __init__(self, folder: Path, environment: dict[str, str]) -> None:
        """Begin to listen; returns when samples come and the sink, which skips some ms for a new listener, is even."""
        self.folder = folder
        command = [sys.executable, str(Path(__file__).with_name("ear.py")), "table.monitor", str(folder)]
        self._process = subprocess.Popen(command, env=environment)
        until(lambda: self._size() > 0, "a recording")
        time.sleep(SETTLING_S)

    def _size(self) -> int:
        path = self.folder / "samples"
        return path.stat().st_size if path.exists() else 0

    def close(self) -> None:
        """Listen no more."""
        self._process.kill()
        self._process.wait()

    def heard(self) -> tuple[Moments, Samples]:
        """All samples, and when each of them was."""
        stamps = np.fromfile(self.folder / "stamps", "<q")
        raw = np.fromfile(self.folder / "samples", "<i2")
        return Moments(stamps[: len(stamps) // 2 * 2].reshape(-1, 2)), (raw / 32768).astype(np.float32)


class Room:
    """A sound server of its own, to be started, killed and started again."""

    def __init__(self) -> None:
        """Prepare a folder; nothing runs yet."""
        self.folder = Path(tempfile.mkdtemp(prefix="companion-sound-"))
        self.folder.chmod(0o700)
        self.environment = {
            **os.environ, "XDG_RUNTIME_DIR": str(self.folder), "HOME": str(self.folder),
            "PULSE_SERVER": f"unix:{self.folder}/pulse/native", "PULSE_COOKIE": str(self.folder / "cookie"),
        }  # fmt: skip
        self._server: subprocess.Popen[bytes] | None = None
        self._ears = 0

    def open(self) -> None:
        """Start the sound server with its null sink."""
        command = [
            "pulseaudio", "-n", "--exit-idle-time=-1", "--disallow-exit", "--daemonize=no", "--use-pid-file=no",
            "-L", "module-null-sink sink_name=table rate=48000 channels=1", "-L", "module-native-protocol-unix",
        ]  # fmt: skip
        with (self.folder / "server.log").open("ab") as log:
            self._server = subprocess.Popen(command, env=self.environment, stdout=log, stderr=log)
        until((self.folder / "pulse" / "native").exists, "a sound server")
        with suppress(OSError):  # its own thread for the device has that right anyway
            os.sched_setscheduler(self._server.pid, os.SCHED_RR, os.sched_param(6))

    def shut(self) -> None:
        """The device is pulled out: the server dies at once."""
        if self._server is not None:
            self._server.send_signal(signal.SIGKILL)
            self._server.wait()
            self._server = None
        (self.folder / "pulse" / "native").unlink(missing_ok=True)

    def ear(self) -> Ear:
        """Somebody who listens from now on."""
        self._ears += 1
        folder = self.folder / f"ear{self._ears}"
        folder.mkdir()
        return Ear(folder, self.environment)

    def close(self) -> None:
        """Leave nothing behind."""
        self.shut()
        shutil.rmtree(self.folder, ignore_errors=True)


def first_heard(samples: Samples, start: int, end: int, part: float = 0.05) -> int | None:
    """The first sample between two that reaches a part of the loudest there; None in silence."""
    piece: NDArray[np.float32] = np.abs(samples[max(0, start) : end])
    top = float(piece.max(initial=0.0))
    return max(0, start) + int(np.argmax(piece > part * top)) if top > 0.01 else None
