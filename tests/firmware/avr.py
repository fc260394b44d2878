"""The AVR image in simavr, in virtual time: told what to do, asked what it said, deterministic under any load."""

from __future__ import annotations

import subprocess

from firmwares import built

CYCLE = 62.5  # ns


class Avr:
    """A board whose clock runs wrong by `ppm` against the true time, which is given in ns."""

    def __init__(self, ppm: float = 0.0, board: str = "556e6f33323870aa") -> None:
        folder = built()
        command = [str(folder / "rig"), str(folder / "box.elf"), board]
        self._rig = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self._rate = (1 + ppm * 1e-6) / CYCLE
        self.said: list[tuple[int, int]] = []  # true time at which a byte has left the board, the byte
        self.lamps: list[tuple[int, int]] = []  # true time, mask

    def press(self, at: int, button: int, closed: bool) -> None:
        """A switch moves at a true time, not before what was run."""
        self._tell(f"p {round(at * self._rate)} {button} {int(closed)}")

    def hear(self, at: int, chunk: bytes) -> None:
        """Bytes begin to arrive at a true time."""
        self._tell(f"b {round(at * self._rate)} {chunk.hex()}")

    def run(self, until: int) -> None:
        """Let the board live until a true time."""
        self._tell(f"r {round(until * self._rate)}")
        assert self._rig.stdin is not None and self._rig.stdout is not None
        self._rig.stdin.flush()
        while (line := self._rig.stdout.readline()) != ".\n":
            assert line, "the simulator has ended"
            kind, *rest = line.split()
            if kind == "u":
                self.said.append((round(int(rest[0]) / self._rate), int(rest[1], 16)))
            elif kind == "l":
                self.lamps.append((round(int(rest[0]) / self._rate), int(rest[1], 16)))

    def close(self) -> None:
        """Done."""
        assert self._rig.stdin is not None and self._rig.stdout is not None
        self._rig.stdin.close()
        self._rig.wait()
        self._rig.stdout.close()

    def _tell(self, line: str) -> None:
        assert self._rig.stdin is not None
        self._rig.stdin.write(line + "\n")
