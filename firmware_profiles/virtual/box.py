"""A virtual button box on a pty: for trying the companion without a box, and for the conformance tests.

    python firmware_profiles/virtual/box.py ./box-1 [--board 7669727475616c01] [--faults drop=1%,jitter=16ms]

Lines of stdin move its switches: "p 0 BUTTON 1" closes one, "p 0 BUTTON 0" opens it, "x" restarts the box, "l" prints
which lamps are lit (a mask in hex). It ends when stdin ends.
"""

from __future__ import annotations

import argparse
import os
import pty
import select
import time
import tty
from pathlib import Path
from random import Random

from companion.sim.boxes import MS, Faults, VirtualBox, Wire, faults

SECOND = 1_000 * MS


def main() -> None:
    """Serve until stdin ends."""
    options = argparse.ArgumentParser(description="A virtual button box on a pty.")
    options.add_argument("link", type=Path)
    options.add_argument("--board", default="7669727475616c01")
    options.add_argument("--boot", type=int, default=1)
    options.add_argument("--faults", type=faults, default=Faults())
    given = options.parse_args()
    near, far = pty.openpty()
    tty.setraw(far)
    given.link.unlink(missing_ok=True)
    given.link.symlink_to(os.ttyname(far))
    luck, now = Random(given.board), time.monotonic_ns()
    ppm = luck.uniform(-given.faults.ppm, given.faults.ppm)
    box = VirtualBox(bytes.fromhex(given.board), now, ppm=ppm, boot=given.boot)
    serve(box, near, Wire(given.faults, luck, 0), Wire(given.faults, luck, 0))


def serve(box: VirtualBox, line: int, there: Wire, back: Wire) -> None:
    """Let a box live on a line (a file descriptor); whole frames only are held up on the two wires."""
    rest = b""
    while True:
        now = time.monotonic_ns()
        box.received(there.out(now), now)
        box.tick(now)
        if box.outgoing:
            back.put(box.outgoing, now)
            box.outgoing = b""
        os.write(line, back.out(now))
        dues = [box.due(), *(due for due in (there.due(), back.due()) if due is not None)]
        wait = max(0, min(dues) - time.monotonic_ns()) / SECOND
        ready, _, _ = select.select([line, 0], [], [], wait)
        now = time.monotonic_ns()
        if line in ready:
            *frames, rest = (rest + os.read(line, 4096)).split(b"\0")
            rest = _person(box, line, rest)
            there.put(b"".join(frame + b"\0" for frame in frames), now)
        if 0 in ready:
            lines = os.read(0, 65536)  # not sys.stdin: its buffer would hide lines from select
            for said in lines.decode().splitlines():
                _obey(box, said.split(), now)
            if not lines:
                return


def _person(box: VirtualBox, line: int, rest: bytes) -> bytes:
    """Somebody at a terminal typed "?" and Enter: the board's id."""
    if rest[:1] == b"?" and rest[1:2] in (b"\r", b"\n"):
        os.write(line, b"b" + box.board.hex().encode() + b"\n\0")
        return b""
    return rest


def _obey(box: VirtualBox, words: list[str], now: int) -> None:
    """Do what a line of stdin says."""
    if words[:1] == ["p"]:
        box.level(int(words[2]), now, words[3] == "1")
    elif words == ["x"]:
        box.reboot(now, 0)
    elif words == ["l"]:
        print(f"{sum(box.lit(lamp, now) << lamp for lamp in range(box.buttons)):02x}", flush=True)


if __name__ == "__main__":
    main()
