"""Real photographs: never fewer of the listed ids than cv2.aruco reads, and none that is not there."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from companion.vision.read import Reader

FOLDER = Path(os.environ.get("COMPANION_PHOTOS") or Path(__file__).parents[2] / ".." / "shared" / "photos")
FAMILIES = {
    "DICT_5X5_1000": "aruco-5x5-1000",
    "DICT_6X6_250": "aruco-6x6-1000",  # the first 250 of the thousand
    "DICT_APRILTAG_36h11": "apriltag-36h11",
}
# Beside the tags that its list names, this photo shows more cubes with id 0: their side faces, in shadow, at
# (370, 356), (389, 346) and (688, 442), legible in an enlargement; cv2.aruco reads the first of them too.
UNLISTED = {"apriltag__33369213973_9d9bb4cc96_c.jpg": [(0, 370, 356), (0, 389, 346), (0, 688, 442)]}

if not (FOLDER / "manifest.json").is_file():
    pytest.skip(f"no photographs at {FOLDER}: set COMPANION_PHOTOS", allow_module_level=True)

# Left out: "tutorial" is a dictionary of its own that no stock family holds, and a border of two modules is
# another print than ours.
PHOTOS: list[dict[str, Any]] = [
    photo
    for photo in json.loads((FOLDER / "manifest.json").read_text())
    if photo["family"] in FAMILIES and photo["border_bits"] == 1
]


@pytest.fixture(scope="module")
def readers() -> dict[str, Reader]:
    """One reader for each family."""
    return {ours: Reader(ours) for ours in FAMILIES.values()}


def listed(photo: dict[str, Any]) -> list[tuple[int, float, float, float]]:
    """Id, centre and side of each tag that the manifest names."""
    tags = []
    for tag in photo["expected"]:
        corners = np.array(tag["corners"], np.float32)
        tags.append((tag["id"], *corners.mean(0).tolist(), float(np.sqrt(cv2.contourArea(corners)))))
    return tags


def picture_of(photo: dict[str, Any]) -> NDArray[np.uint8]:
    """Give the photograph in grey."""
    picture = cv2.imread(str(FOLDER / photo["file"]), cv2.IMREAD_GRAYSCALE)
    return np.asarray(picture, np.uint8)


def hits(photo: dict[str, Any], seen: list[tuple[int, float, float]]) -> int:
    """How many listed tags are among (id, x, y)."""
    return sum(
        any(one == tag and np.hypot(x - u, y - v) < side / 2 for one, u, v in seen)
        for tag, x, y, side in listed(photo)
    )


def ours(reader: Reader, photo: dict[str, Any]) -> list[tuple[int, float, float]]:
    """Tell what the reader sees."""
    return [(r.id, *r.corners.mean(0).tolist()) for r in reader.read(picture_of(photo))]


def theirs(photo: dict[str, Any]) -> list[tuple[int, float, float]]:
    """Tell what cv2.aruco sees at its defaults."""
    dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, photo["family"]))
    corners, ids, _ = cv2.aruco.ArucoDetector(dictionary).detectMarkers(picture_of(photo))
    if ids is None:
        return []
    return [(int(i), *quad[0].mean(0).tolist()) for i, quad in zip(ids.ravel(), corners, strict=True)]


def test_all_photos_of_stock_families_are_there() -> None:
    assert len(PHOTOS) == 12


@pytest.mark.parametrize("photo", PHOTOS, ids=lambda photo: Path(photo["file"]).stem[-24:])
def test_a_photo_yields_at_least_what_opencv_reads_and_nothing_false(
    readers: dict[str, Reader], photo: dict[str, Any]
) -> None:
    seen = ours(readers[FAMILIES[photo["family"]]], photo)
    assert hits(photo, seen) >= hits(photo, theirs(photo))
    real = [tag[:3] for tag in listed(photo)] + UNLISTED.get(photo["file"], [])
    for marker, x, y in seen:
        assert any(marker == tag and np.hypot(x - u, y - v) < 15 for tag, u, v in real), (marker, x, y)


def test_over_all_photos_more_is_read_than_by_opencv(readers: dict[str, Reader]) -> None:
    total = [hits(photo, ours(readers[FAMILIES[photo["family"]]], photo)) for photo in PHOTOS]
    assert sum(total) >= sum(hits(photo, theirs(photo)) for photo in PHOTOS)
    assert sum(total) >= sum(len(photo["expected"]) for photo in PHOTOS) - 1
