"""The readers beside ours, each as good as its own settings make it. `pip install .[peers]` brings them.

ArUco "tuned" knows the marker's size as well as ours does: windows, sizes and accuracy follow from it. An
unsharp mask before detection and a picture twice as large help it much, so it gets both. Error correction
is at most 0.6, OpenCV's own default: higher floods it with false reads. pupil-apriltags crashes when a
second detector is freed, so each is made once and kept.
"""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np

from tests.bench.scenes.codes import APRIL, MATRIX, OURS

FAMILY = {
    "aruco": OURS,
    "aruco tuned": OURS,
    "aruco tuned 2x": OURS,
    "aruco sharp 2x": OURS,
    "apriltag": APRIL,
    "apriltag 2x": APRIL,
    "apriltag /2": APRIL,
    "zxing": MATRIX,
    "zxing 2x": MATRIX,
}
DICTIONARIES = {
    OURS: cv2.aruco.DICT_5X5_1000,
    "aruco-6x6-1000": cv2.aruco.DICT_6X6_1000,
    APRIL: cv2.aruco.DICT_APRILTAG_36h11,
}


def read(peer, grey, side, family=None, border=1):
    """What a peer sees: [(id, corners (4, 2))]. `side`: the marker's side in px, None where it is unknown."""
    scale = 2 if peer.endswith("2x") else 1
    big = cv2.resize(grey, None, fx=2, fy=2, interpolation=cv2.INTER_CUBIC) if scale == 2 else grey
    if "sharp" in peer:
        big = cv2.addWeighted(big, 2.5, cv2.GaussianBlur(big, (0, 0), 1.2 * scale), -1.5, 0)
    if peer.startswith("aruco"):
        seen = _aruco(peer, big, side and side * scale, family or OURS, border)
    elif peer.startswith("apriltag"):
        seen = _april(2.0 if peer.endswith("/2") else 1.0, big)
    else:
        seen = _zxing(big)
    return [(marker, (np.asarray(corners, float) + 0.5) / scale - 0.5) for marker, corners in seen]


def _aruco(peer, grey, side, family, border):
    settings = cv2.aruco.DetectorParameters()
    settings.markerBorderBits = border
    if peer != "aruco":
        _tune(settings, grey.shape, side)
    dictionary = cv2.aruco.getPredefinedDictionary(DICTIONARIES[family])
    corners, ids, _ = cv2.aruco.ArucoDetector(dictionary, settings).detectMarkers(grey)
    return [] if ids is None else [(int(i), q[0]) for i, q in zip(ids.ravel(), corners, strict=True)]


def _tune(settings, shape, side):
    wide = max(shape)
    settings.minDistanceToBorder = 1
    settings.minCornerDistanceRate = 0.03
    settings.perspectiveRemovePixelPerCell = 6
    settings.perspectiveRemoveIgnoredMarginPerCell = 0.2
    settings.minOtsuStdDev = 3
    settings.adaptiveThreshConstant = 5
    settings.polygonalApproxAccuracyRate = 0.06
    if side is None:
        settings.minMarkerPerimeterRate = max(0.003, 4 * 7 / wide)
        settings.adaptiveThreshWinSizeMin, settings.adaptiveThreshWinSizeMax = 5, 45
        settings.adaptiveThreshWinSizeStep = 10
        return
    settings.minMarkerPerimeterRate = max(0.003, 4 * side * 0.5 / wide)
    settings.maxMarkerPerimeterRate = 4 * side * 1.9 / wide
    window = max(3, int(side)) | 1
    settings.adaptiveThreshWinSizeMin = max(3, (window // 2) | 1)
    settings.adaptiveThreshWinSizeMax = (2 * window) | 1
    settings.adaptiveThreshWinSizeStep = max(4, window // 2)
    if side >= 25:
        settings.polygonalApproxAccuracyRate = 0.04


@cache
def _detector(decimate):
    import pupil_apriltags

    return pupil_apriltags.Detector(families="tag36h11", nthreads=1, quad_decimate=decimate)


def _april(decimate, grey):
    return [(int(tag.tag_id), tag.corners[::-1]) for tag in _detector(decimate).detect(grey)]


def _zxing(grey):
    import zxingcpp

    seen = []
    for symbol in zxingcpp.read_barcodes(grey, formats=zxingcpp.BarcodeFormat.DataMatrix):
        spot = symbol.position
        ends = [(p.x, p.y) for p in (spot.top_left, spot.top_right, spot.bottom_right, spot.bottom_left)]
        seen.append((int(symbol.text) - 100 if symbol.text.isdigit() else -1, ends))
    return seen
