"""What reading costs: whole pictures beside ArUco, tables at rest, one card more, swapped cards, memory.

`make bench-speed`, or `python -m tests.bench speed --quick`. Each part runs in a process of its own with one
thread; times are that process's processor time, so that other programs disturb them little.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ONE = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")
SMALL, LARGE = "1920x1080", "4608x2592"


def once(what, quick, *more):
    """Measure one part elsewhere."""
    called = [sys.executable, "-m", "tests.bench.speed_once", what, "quick" if quick else "full", *more]
    done = subprocess.run(called, env={**os.environ, **ONE}, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{' '.join(called[1:])} ended with {done.returncode}: {done.stderr[-2000:]}")
    return json.loads(done.stdout) if done.stdout.strip() else {}


def rows(quick=False):
    """Measure all; a row for each figure."""
    times, swaps, rest = (once(what, quick) for what in ("times", "swaps", "rest"))
    with tempfile.TemporaryDirectory() as folder:
        frames = str(Path(folder) / "frames.npz")
        once("pictures", quick, frames)
        memory = once("memory", quick, frames)
    small, large = times[SMALL], times[LARGE]
    return [
        _row("1080p, 40 cards: whole read, least", small["read"][0], "ms", 20),
        _row("1080p, 40 cards: whole read, median", small["read"][1], "ms", None),
        _row("1080p: cv2.aruco default, least", small["aruco"][0], "ms", None),
        _row("1080p: cv2.aruco default, median", small["aruco"][1], "ms", None),
        _row("1080p: ours over aruco, least", small["read"][0] / small["aruco"][0], "ratio", 1),
        _row("1080p: ours over aruco, median", small["read"][1] / small["aruco"][1], "ratio", 1),
        _count("1080p: cards read of 40", small["cards"], "cards", 39),
        _row("1080p: cards aruco reads of 40", small["cards_aruco"], "cards", None),
        _row("12 MP, 40 cards: whole read, least", large["read"][0], "ms", None),
        _row("12 MP over 1080p, least", large["read"][0] / small["read"][0], "ratio", 1.5),
        _row("12 MP: cv2.aruco default, least", large["aruco"][0], "ms", None),
        _count("12 MP: cards read of 40", large["cards"], "cards", 39),
        _row("1080p at rest, least", small["still"][0], "ms", 2),
        _row("1080p at rest, median", small["still"][1], "ms", 2),
        _row("1080p at rest, with zones, median", small["still, understood"][1], "ms", 2),
        _row("12 MP at rest, median", large["still"][1], "ms", None),
        _row("1080p, one card added: read again, least", small["added"][0], "ms", 5),
        _row("1080p, one card added: read again, median", small["added"][1], "ms", 5),
        _row("12 MP, one card added: read again, median", large["added"][1], "ms", None),
        _count("a frame at rest is known as such, the added card is seen", sum(
            times[size][key] for size in (SMALL, LARGE) for key in ("kept_still", "seen_added")), "of 4", 4),
        _count(f"swaps noticed in one frame (alike {swaps['alike'][0]:.3f} to {swaps['alike'][1]:.3f})",
               swaps["noticed"], f"of {swaps['swaps']}", swaps["swaps"]),
        _row("and read as what they are in that frame", swaps["read"], f"of {swaps['swaps']}", None),
        _row(f"frames at rest read again: noise, flicker, drift, tremble, of {rest['frames']}", rest["again"],
             "frames", None),
        _count("and all 40 ids right at the end", int(rest["right"]), "0/1", 1),
        _row("memory of the idle reader", memory["idle"], "MB", None),
        _row("memory above that while reading 12 MP", memory["growth"], "MB", 150),
    ]  # fmt: skip


def _row(name, value, unit, goal):
    return {
        "name": name,
        "value": round(value, 2),
        "unit": unit,
        "goal": goal,
        "met": None if goal is None else value <= goal,
    }


def _count(name, value, unit, goal):
    return {"name": name, "value": value, "unit": unit, "goal": goal, "met": value >= goal}
