"""Photographs beside every peer: what each reads of the listed ids at full, half and a third of the size.

`make bench-photos`. The photographs are not ours to pass on: they lie in COMPANION_PHOTOS, or in shared/photos
beside this repository, with a manifest.json that names each picture's source, family and markers. Nobody is told
how large the markers are. Where a list leaves out markers that a photograph shows, they stand in `UNLISTED` with
what was seen by eye, and are neither hits nor false.
"""

from __future__ import annotations

import json
import os
from functools import cache
from pathlib import Path

import cv2
import numpy as np

from companion.vision.read import Reader
from tests.bench.scenes import peers

FOLDER = Path(os.environ.get("COMPANION_PHOTOS") or Path(__file__).parents[3] / "shared" / "photos")
SIZES = (1, 2, 3)
PEERS = (
    "aruco",
    "aruco tuned",
    "aruco tuned 2x",
    "aruco sharp 2x",
    "apriltag",
    "apriltag 2x",
    "apriltag /2",
    "zxing",
)
FAMILIES = {  # of the manifest: ours, and what peers call it
    ("DICT_5X5_1000", 1): ("aruco-5x5-1000", "aruco-5x5-1000"),
    ("DICT_6X6_250", 1): ("aruco-6x6-1000", "aruco-6x6-1000"),  # the first 250 of the thousand
    ("DICT_APRILTAG_36h11", 1): ("apriltag-36h11", "apriltag-36h11"),
    ("DICT_APRILTAG_36h11", 2): ("aprilgrid-36h11", "apriltag-36h11"),
}
UNLISTED = {  # file: (id, x, y) at full size
    "apriltag__33369213973_9d9bb4cc96_c.jpg": [(0, 370, 356), (0, 389, 346), (0, 688, 442)],
}


def photos():
    """The manifest's photographs of stock families; a family of one tutorial's own is in no reader's dictionary."""
    every = json.loads((FOLDER / "manifest.json").read_text("utf-8"))
    return [photo for photo in every if (photo["family"], photo["border_bits"]) in FAMILIES]


def listed(photo, shrink):
    """(id, middle, side) of each marker that the manifest names, in the smaller picture."""
    out = []
    for tag in photo["expected"]:
        corners = (np.array(tag["corners"], np.float32) + 0.5) / shrink - 0.5
        out.append((tag["id"], corners.mean(0), float(np.sqrt(cv2.contourArea(corners)))))
    return out


@cache
def picture(file, shrink):
    grey = cv2.imread(str(FOLDER / file), cv2.IMREAD_GRAYSCALE)
    size = tuple(round(length / shrink) for length in grey.shape[::-1])
    return grey if shrink == 1 else cv2.resize(grey, size, interpolation=cv2.INTER_AREA)


@cache
def reader(family):
    return Reader(family)


def seen(who, photo, shrink):
    """What a reader sees: [(id, middle)]; None where the family is not its own."""
    ours, theirs = FAMILIES[photo["family"], photo["border_bits"]]
    grey, border = picture(photo["file"], shrink), photo["border_bits"]
    if who == "ours":
        return [(reading.id, reading.corners.mean(0)) for reading in reader(ours).read(grey)]
    if who.startswith("apriltag") and (theirs != "apriltag-36h11" or border != 1):
        return None
    return [(i, np.asarray(q).mean(0)) for i, q in peers.read(who, grey, None, theirs, border)]


def judged(photo, shrink, found):
    """Hits and false reads."""
    truth, hits, false = listed(photo, shrink), set(), []
    known = [(tag, (np.array([x, y]) + 0.5) / shrink - 0.5) for tag, x, y in UNLISTED.get(photo["file"], ())]
    for marker, middle in found:
        near = [n for n, (tag, at, side) in enumerate(truth)
                if tag == marker and np.hypot(*(middle - at)) < max(side / 2, 3)]  # fmt: skip
        hits.update(near)
        if not near and not any(
            tag == marker and np.hypot(*(middle - at)) < 15 / shrink for tag, at in known
        ):
            false.append((photo["file"], shrink, marker, *(round(float(v)) for v in middle)))
    return len(hits), false


def rows():
    """Measure all; a row for each source and size, and one for false ids."""
    if not (FOLDER / "manifest.json").is_file():
        print(f"  no photographs at {FOLDER}: set COMPANION_PHOTOS to a folder with a manifest.json")
        return []
    sources = {}
    for photo in photos():
        sources.setdefault(photo["source"].split()[0], []).append(photo)
    print(f"{'percent read (false ids)':<42}{'ours':>10}", *(f"{peer:>15}" for peer in PEERS))
    out, wrong = [], []
    for source, some in sources.items():
        for shrink in SIZES:
            out.append(_row(source, shrink, some, wrong))
    false = {
        "name": "false ids of ours, all photographs and sizes",
        "value": len(wrong),
        "unit": "ids",
        "goal": 0,
    }
    return [*out, false | {"met": not wrong, "which": wrong}]


def _row(source, shrink, some, wrong):
    total = sum(len(photo["expected"]) for photo in some)
    shares, cells = {}, []
    for who in ("ours", *PEERS):
        looks = [(photo, seen(who, photo, shrink)) for photo in some]
        if any(found is None for _, found in looks):
            cells.append("-")
            continue
        judgements = [judged(photo, shrink, found) for photo, found in looks]
        false = [each for _, many in judgements for each in many]
        shares[who] = round(100 * sum(hits for hits, _ in judgements) / total, 1), len(false)
        cells.append(f"{shares[who][0]:g} ({shares[who][1]})")
        if who == "ours":
            wrong += false
    name = f"{source}, 1/{shrink} ({total})" if shrink > 1 else f"{source} ({total})"
    print(f"{name[-42:]:<42}{cells[0]:>10}", *(f"{cell:>15}" for cell in cells[1:]))
    best = max(share for who, (share, _) in shares.items() if who != "ours")
    ours = shares["ours"][0]
    return {"name": name[-58:], "value": ours, "unit": "%", "goal": best, "peers": shares,
            "met": ours >= best if shrink == 1 else ours > best or ours == 100}  # fmt: skip
