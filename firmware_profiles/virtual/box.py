"""A virtual button box on a pty: for trying the companion without a box, and for the conformance tests.

    .venv/bin/python firmware_profiles/virtual/box.py ./box-1 [--board 7669727475616c01] [--faults drop=1%,jitter=16ms]

Lines of stdin move its switches: "p 0 BUTTON 1" closes one, "p 0 BUTTON 0" opens it, "x" restarts the box, "l" prints
which lamps are lit (a mask in hex). It ends when stdin ends, and says so.
"""

from __future__ import annotations

import argparse
import os
import pty
import select
import sys
import time
import tty
from pathlib import Path
from random import Random

try:
    from companion.sim.boxes import MS, Faults, VirtualBox, Wire, faults
except ModuleNotFoundError as fault:
    raise SystemExit(
        f"{fault.name} is not installed for this Python. After `make venv`: .venv/bin/python {' '.join(sys.argv)}"
    ) from fault

SECOND = 1_000 * MS
LINES = (
    '"p 0 BUTTON 1" presses, "p 0 BUTTON 0" lets go, "l" tells the lamps, "x" starts it anew, Ctrl-D ends it'
)


def main() -> None:
    """Serve until stdin ends."""
    options = argparse.ArgumentParser(description="A virtual button box on a pty.")
    options.add_argument("link", type=Path)
    options.add_argument("--board", default="7669727475616c01")
    options.add_argument("--boot", type=int, default=1)
    options.add_argument("--faults", type=faults, default=Faults())
    given = options.parse_args()
    if given.link.exists() and not given.link.is_symlink():
        options.error(f"{given.link} is there already and no link: name another one")
    near, far = pty.openpty()
    tty.setraw(far)
    given.link.unlink(missing_ok=True)
    given.link.symlink_to(os.ttyname(far))
    luck, now = Random(given.board), time.monotonic_ns()
    ppm = luck.uniform(-given.faults.ppm, given.faults.ppm)
    box = VirtualBox(bytes.fromhex(given.board), now, ppm=ppm, boot=given.boot)
    _say(f"A box on {given.link}. Lines: {LINES}")
    try:
        serve(box, near, Wire(given.faults, luck, 0), Wire(given.faults, luck, 0))
    finally:
        if given.link.is_symlink() and str(given.link.readlink()) == os.ttyname(
            far
        ):  # not another box's by now
            given.link.unlink()
    _say(
        "The input has ended, and the box with it. Leave stdin open to keep it: a terminal, or tail -f /dev/null |"
    )


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
                try:
                    _obey(box, said.split(), now)
                except (IndexError, ValueError):
                    _say(f"{said!r} was not understood. Lines: {LINES}")
            if not lines:
                return


def _say(text: str) -> None:
    """For whoever sits before it: not on stdout, where the lamps are told."""
    print(text, file=sys.stderr, flush=True)


def _person(box: VirtualBox, line: int, rest: bytes) -> bytes:
    """Somebody at a terminal typed "?" and Enter: the board's id."""
    if rest[:1] == b"?" and rest[1:2] in (b"\r", b"\n"):
        os.write(line, b"b" + box.board.hex().encode() + b"\n\0")
        return b""
    return rest


def _obey(box: VirtualBox, words: list[str], now: int) -> None:
    """Do what a line of stdin says."""
    if words[:1] == ["p"]:
        button = int(words[2])
        if not 0 <= button < box.buttons:
            raise ValueError(button)
        box.level(button, now, words[3] == "1")
    elif words == ["x"]:
        box.reboot(now, 0)
    elif words == ["l"]:
        print(f"{sum(box.lit(lamp, now) << lamp for lamp in range(box.buttons)):02x}", flush=True)
    elif words:
        raise ValueError(words)


if __name__ == "__main__":
    main()
