"""What `bench_speed` measures, in a process of its own on one core: `python -m tests.bench.speed_once WHAT QUICK`.

Times are processor time of the whole process, which has one thread; ours and the peer take turns.
"""

from __future__ import annotations

import json
import statistics
import sys
import time
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from companion.games import decks
from companion.vision.again import look_again, whole
from companion.vision.gaze import Eyes, Gaze, gazed
from companion.vision.markers import IMITABLE_5X5, modules
from companion.vision.read import Reader
from companion.vision.scene import Rules
from tests.bench.bench_frames import FAMILY
from tests.bench.speed_table import CARDS, Table, rivals

GRID = modules(FAMILY)
KOALA = Path(decks.__file__).parent / "koala" / "deck.toml"
SIZES = {"1920x1080": (1920, 1080, 25.0), "4608x2592": (4608, 2592, 60.0)}


def deck():
    """Koala's cards and all its plates."""
    return decks.parse(KOALA.read_text("utf-8"))


def own(cards):
    return [*cards.by_marker, *(marker for plate in cards.plates for marker in plate.markers)]


def rested(grey, reader):
    """What is kept of a table that was read often enough to be left alone."""
    return replace(whole(grey, reader), again=0)


def took(act):
    start = time.process_time()
    act()
    return 1e3 * (time.process_time() - start)


def turns(acts, times):
    """Processor time, ms, of each of several acts, in turn: the least and the middle one."""
    taken = {name: [] for name in acts}
    for _ in range(times):
        for name, act in acts.items():
            taken[name].append(took(act))
    return {name: (min(each), statistics.median(each)) for name, each in taken.items()}


def times(quick):
    """A whole read at both sizes beside ArUco; a still table; a card that is added."""
    cards, out = deck(), {}
    ids = np.random.default_rng(0).permutation(list(cards.by_marker))[:CARDS].tolist()
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_5X5_1000))
    for name, (width, height, side) in SIZES.items():
        reader = Reader(FAMILY, own(cards), (0.55 * side, 1.3 * side))
        table = Table(width, height, side, 3)
        tiles = [GRID[marker] for marker in ids]
        clean = table.picture(tiles)
        before = table.exchanged(clean, [*tiles[:-1], None], CARDS - 1)
        full, again, fewer = table.shot(clean, 1), table.shot(clean, 2), table.shot(before, 3)
        kept, less = rested(full, reader), rested(fewer, reader)
        eyes = Eyes(reader, Rules(cards, reader.look))
        rest = Gaze()
        for n in range(24):
            rest = gazed(rest, table.shot(clean, n), eyes)
        acts = {
            "read": lambda: reader.look(full),  # noqa: B023  called at once, as all of these
            "aruco": lambda: detector.detectMarkers(full),  # noqa: B023
            "still": lambda: look_again(kept, again, reader),  # noqa: B023
            "still, understood": lambda: gazed(rest, again, eyes),  # noqa: B023
            "added": lambda: look_again(less, full, reader),  # noqa: B023
        }
        for act in acts.values():
            act()
        found = detector.detectMarkers(full)[1]
        more = look_again(less, full, reader)
        out[name] = turns(acts, 5 if quick else 15) | {
            "cards": len(kept.readings), "cards_aruco": 0 if found is None else len(found),
            "kept_still": look_again(kept, again, reader).still,
            "seen_added": sorted(r.id for r in more.readings) == sorted(ids),
        }  # fmt: skip
    return out


def swaps(quick):
    """Markers swapped for their closest rivals under an unchanged place: how many are noticed in one frame."""
    ids = [n for n in range(450) if n not in IMITABLE_5X5]
    many = 20 if quick else 200
    pairs = rivals(ids, many)
    noticed = read = 0
    for side, some in ((25.0, pairs[::2]), (15.0, pairs[1::2])):
        reader, table = Reader(FAMILY, ids, (0.55 * side, 1.3 * side)), Table(1920, 1080, side, 5)
        lie = [GRID[n] for n in ids[-CARDS:]]
        rest = table.picture(lie)
        for nth, (one, other, turn, _) in enumerate(some):
            at = nth * 7 % CARDS
            first, then = (
                table.exchanged(rest, [*lie[:at], tile, *lie[at + 1 :]], at)
                for tile in (GRID[one], np.rot90(GRID[other], turn))
            )
            kept = rested(table.shot(first, 2 * nth), reader)
            after = look_again(kept, table.shot(then, 2 * nth + 1), reader)
            near = [
                r.id for r in after.look.readings if np.hypot(*(r.corners.mean(0) - table.spots[at])) < side
            ]
            noticed += one not in near
            read += near == [other]
    alike = sorted(pair[3] for pair in pairs)
    return {"noticed": noticed, "read": read, "swaps": len(pairs), "alike": [alike[0], alike[-1]]}


def rest(quick):
    """A table at rest under noise, flicker, a lamp that drifts and a camera that trembles: frames read again."""
    cards, side = deck(), 25.0
    ids = np.random.default_rng(0).permutation(list(cards.by_marker))[:CARDS].tolist()
    reader, table = Reader(FAMILY, own(cards), (0.55 * side, 1.3 * side)), Table(1920, 1080, side, 3)
    clean = table.picture([GRID[marker] for marker in ids])
    kept, again, frames = rested(table.shot(clean, 0), reader), 0, 20 if quick else 120
    for n in range(frames):
        rows = np.arange(1080, dtype=np.float32)[:, None] / 1080
        lamp = 1 - 0.1 * np.sin(2 * np.pi * (3 * rows + 0.37 * n)) - 0.2 * n / frames
        by = np.array([[1, 0, 0.4 * np.cos(1.3 * n)], [0, 1, 0.4 * np.sin(2.1 * n)]])
        shaken = cv2.warpAffine(clean * lamp, by, table.size, borderMode=cv2.BORDER_REPLICATE)
        after = look_again(kept, table.shot(shaken, n + 1), reader)
        again += after.readings is not kept.readings
        kept = after
    return {"frames": frames, "again": again, "right": sorted(r.id for r in kept.readings) == sorted(ids)}


def resident():
    """Resident and largest resident memory, MB."""
    told = Path("/proc/self/status").read_text("ascii")
    lines = dict(line.split(":", 1) for line in told.splitlines() if ":" in line)
    return tuple(int(lines[key].split()[0]) / 1024 for key in ("VmRSS", "VmHWM"))


def memory(quick):
    """What the idle eyes weigh, and how much more at most while they read pictures of 12 megapixels."""
    cards, side = deck(), SIZES["4608x2592"][2]
    reader = Reader(FAMILY, own(cards), (0.55 * side, 1.3 * side))
    eyes, gaze = Eyes(reader, Rules(cards, reader.look)), Gaze()
    idle, _ = resident()
    with np.load(sys.argv[3]) as frames:
        for nth in range(4 if quick else 12):
            gaze = gazed(gaze, frames[f"arr_{nth % 3}"], eyes, whole=nth % 4 == 0)
    return {"idle": idle, "growth": resident()[1] - idle, "cards": len(gaze.look.readings)}


def pictures(path):
    """Three frames of 12 megapixels for `memory`, drawn elsewhere since drawing weighs more than reading."""
    width, height, side = SIZES["4608x2592"]
    table = Table(width, height, side, 3)
    tiles = [GRID[marker] for marker in list(deck().by_marker)[:CARDS]]
    clean = table.picture(tiles)
    fewer = table.exchanged(clean, [*tiles[:-1], None], CARDS - 1)
    np.savez(path, *(table.shot(each, n) for n, each in enumerate((clean, fewer, clean))))


if __name__ == "__main__":
    cv2.setNumThreads(1)
    what, few = sys.argv[1], sys.argv[2] == "quick"
    if what == "pictures":
        pictures(sys.argv[3])
    else:
        print(json.dumps({"times": times, "swaps": swaps, "rest": rest, "memory": memory}[what](few)))
