"""`mp_bridge.py MICROPYTHON LINK BOARD STARTS`: the Pico's firmware in MicroPython's unix port, at the far end of a pty.

stdin goes on to it; "x" restarts it, as a reset does: the line stays.
"""

from __future__ import annotations

import os
import pty
import select
import shutil
import subprocess
import sys
import tempfile
import tty
from pathlib import Path

FIRMWARE = Path(__file__).parents[2] / "firmware_profiles" / "pico_micropython"


def started(program: str, folder: Path, name: str, board: str, starts: int) -> subprocess.Popen[bytes]:
    """The firmware, its line on a pty."""
    command = [program, str(folder / "main.py"), name, board, str(starts)]
    return subprocess.Popen(command, stdin=subprocess.PIPE)


def main(program: str, link: str, board: str, starts: int) -> None:
    """Carry bytes between the two lines until stdin ends."""
    (near, near_far), (box, box_far) = pty.openpty(), pty.openpty()
    for end in (near_far, box_far):
        tty.setraw(end)
    folder = Path(tempfile.mkdtemp())
    for source in (
        *FIRMWARE.glob("*.py"),
        Path(__file__).with_name("hal.py"),
    ):  # our hal takes the Pico's place
        shutil.copy(source, folder)
    firmware = started(program, folder, os.ttyname(box_far), board, starts)
    Path(link).symlink_to(os.ttyname(near_far))
    while True:
        ready, _, _ = select.select([0, near, box], [], [])
        for source, target in ((near, box), (box, near)):
            if source in ready:
                os.write(target, os.read(source, 4096))
        if 0 in ready:
            lines = os.read(0, 4096)
            assert firmware.stdin is not None
            if lines == b"x\n":
                firmware.stdin.close()
                firmware.kill()
                firmware.wait()
                starts += 1
                firmware = started(program, folder, os.ttyname(box_far), board, starts)
                continue
            if not lines:
                break
            firmware.stdin.write(lines)
            firmware.stdin.flush()
    firmware.stdin.close()
    firmware.kill()
    firmware.wait()
    shutil.rmtree(folder)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4]))
