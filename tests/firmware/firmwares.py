"""The three firmwares, each alive at the far end of a pty, driven the same way. What is missing is skipped by name."""

from __future__ import annotations

import os
import select
import shutil
import subprocess
import sys
import tempfile
import time
from functools import cache
from pathlib import Path

import pytest

from companion.wire.box_words import Ack, Fence, Fenced, Hello, Who, Word, content, word
from companion.wire.frames import Unframer, framed

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent
PROFILES = ROOT / "firmware_profiles"
PATIENCE = 60.0  # s; a limit for broken firmware, not a goal
NAMES = ("virtual", "uno328p", "pico_micropython")
BOARDS = {
    "virtual": "7669727475616c01",
    "uno328p": "556e6f33323870aa",
    "pico_micropython": "5069636f4d507901",
}


def missing(what: str) -> None:
    """Skip for want of a program; in CI everything must be there."""
    text = f"{what} is missing: sudo apt install gcc-avr avr-libc libsimavr-dev libelf-dev gcc; pip install -e .[dev]"
    if os.environ.get("CI") == "true":
        pytest.fail(text)
    pytest.skip(text)


@cache
def built() -> Path:
    """A folder with box.elf, box.hex and the simulator rig in it."""
    folder = Path(tempfile.mkdtemp(prefix="firmware-"))
    for program in ("avr-gcc", "gcc", "make"):
        if shutil.which(program) is None:
            missing(program)
    if not Path("/usr/include/simavr").is_dir():
        missing("simavr")
    command = ["make", "-s", "-C", str(PROFILES / "uno328p"), f"OUT={folder}"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    rig = ["gcc", "-O2", "-Wall", "-Wextra", "-Wno-missing-field-initializers", "-I/usr/include/simavr"]
    rig += ["-o", str(folder / "rig"), str(HERE / "rig.c"), "-lsimavr", "-lelf", "-lutil"]
    subprocess.run(rig, check=True)
    return folder


@cache
def micropython() -> str:
    """The unix port of MicroPython."""
    beside = Path(sys.executable).with_name("micropython")
    found = str(beside) if beside.exists() else shutil.which("micropython")
    if found is None:
        missing("micropython")
    assert found is not None, "missing() does not return"
    return found


class Firmware:
    """One box: its switches and lamps, and the host's end of its line as a path."""

    def __init__(self, name: str, board: str = "") -> None:
        self.name, self.board, self.boot = name, board or BOARDS[name], 0
        self._folder = tempfile.TemporaryDirectory()
        self.path = str(Path(self._folder.name) / "box")
        self._program: subprocess.Popen[str] | None = None
        self.start()

    def start(self) -> None:
        """Switch it on."""
        Path(self.path).unlink(missing_ok=True)
        command = getattr(self, f"_{self.name}")()
        self._program = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1, cwd=ROOT
        )
        end = time.monotonic() + PATIENCE
        while not Path(self.path).exists():
            assert self._program.poll() is None and time.monotonic() < end, f"{self.name} does not start"
            time.sleep(0.005)

    def _virtual(self) -> list[str]:
        program = str(PROFILES / "virtual" / "box.py")
        return [sys.executable, program, self.path, "--board", self.board, "--boot", str(self.boot + 1)]

    def _uno328p(self) -> list[str]:
        return [str(built() / "rig"), str(built() / "box.elf"), self.board, self.path]

    def _pico_micropython(self) -> list[str]:
        """MicroPython has no openpty: socat's place is taken by a small program of ours that joins two ptys."""
        bridge = str(HERE / "mp_bridge.py")
        return [sys.executable, bridge, micropython(), self.path, self.board, str(self.boot + 1)]

    def press(self, button: int, *levels: int) -> None:
        """Move a switch through levels, 1 closed, at once."""
        self.tell(*(f"p 0 {button} {level}" for level in levels))

    def tell(self, *lines: str) -> None:
        """Say lines to the program."""
        assert self._program is not None and self._program.stdin is not None
        self._program.stdin.write("".join(line + "\n" for line in lines))
        self._program.stdin.flush()

    def lamps(self) -> int:
        """Which lamps are lit, bit 0 the first."""
        self.tell("l")
        assert self._program is not None and self._program.stdout is not None
        line = self._program.stdout.readline()
        while line.startswith("L"):  # simavr tells what it has loaded
            line = self._program.stdout.readline()
        return int(line, 16)

    def restart(self) -> None:
        """Restart the box; its line may vanish meanwhile."""
        self.boot += 1
        self.tell("x")

    def stop(self) -> None:
        """Switch it off: its line is gone."""
        if self._program is not None:
            assert self._program.stdin is not None and self._program.stdout is not None
            self._program.stdin.close()
            self._program.wait()
            self._program.stdout.close()
            self._program = None
        Path(self.path).unlink(missing_ok=True)

    def close(self) -> None:
        """Done."""
        self.stop()
        self._folder.cleanup()


class Talk:
    """The host's end of a line, word by word."""

    def __init__(self, path: str) -> None:
        self.fd = os.open(path, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
        self._unframer, self._words = Unframer(), list[Word]()
        self.raw = b""

    def send(self, chunk: bytes) -> None:
        os.write(self.fd, chunk)

    def say(self, *words: Word) -> None:
        self.send(b"".join(framed(content(each)) for each in words))

    def hear(self, kind: type[Word], patience: float = PATIENCE) -> Word:
        """The next word of a kind; others are dropped."""
        end = time.monotonic() + patience
        while True:
            while self._words:
                each = self._words.pop(0)
                if isinstance(each, kind):
                    return each
            assert time.monotonic() < end, f"no {kind.__name__} in {patience} s"
            self._read(end - time.monotonic())

    def quiet(self, kind: type[Word], seconds: float) -> bool:
        """Whether no word of a kind comes for so long."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self._read(end - time.monotonic())
        seen = any(isinstance(each, kind) for each in self._words)
        self._words.clear()
        return not seen

    def fresh(self) -> Hello:
        """Say hello anew, with nothing waiting on either side."""
        self.send(b"\0")
        self.quiet(Hello, 0.02)
        self.say(Who())
        hello = self.hear(Hello)
        assert isinstance(hello, Hello)
        self.has(hello.boot, hello.next)
        return hello

    def has(self, boot: int, upto: int) -> None:
        """Acknowledge all events before a number; what was on the way again meanwhile is dropped."""
        self.say(Ack(boot & 0xFF, upto & 0xFF))
        self.fence(255)

    def fence(self, token: int) -> Fenced:
        """A fence and its answer; other words are dropped."""
        self.say(Fence(token))
        while True:
            answer = self.hear(Fenced)
            assert isinstance(answer, Fenced)
            if answer.token == token:
                return answer

    def let(self, ticks: int) -> None:
        """Let so many of the box's ticks pass: a simulator may run slower than the world."""
        start = self.fence(254).heard
        while (self.fence(254).heard - start) & 0xFFFFFFFF < ticks:
            pass

    def _read(self, wait: float) -> None:
        ready, _, _ = select.select([self.fd], [], [], max(0.0, wait))
        if ready:
            chunk = os.read(self.fd, 4096)
            self.raw += chunk
            self._words += [each for each in map(word, self._unframer.fed(chunk)) if each is not None]

    def close(self) -> None:
        os.close(self.fd)
