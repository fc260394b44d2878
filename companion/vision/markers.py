"""The printed codes: families as module grids, their drawing, and those a plain tile imitates."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.table.things import CompanionError

Grey = NDArray[np.uint8]

_DICTIONARIES = {
    "aruco-5x5-1000": cv2.aruco.DICT_5X5_1000,
    "aruco-4x4-1000": cv2.aruco.DICT_4X4_1000,
    "aruco-6x6-1000": cv2.aruco.DICT_6X6_1000,
    "apriltag-36h11": cv2.aruco.DICT_APRILTAG_36h11,
    "aprilgrid-36h11": cv2.aruco.DICT_APRILTAG_36h11,  # the same codes as calibration boards print them
}
FAMILIES: tuple[str, ...] = tuple(_DICTIONARIES)
FAMILY = "aruco-5x5-1000"  # of our own cards and plates
_TWO_WIDE = frozenset({"aprilgrid-36h11"})


class UnknownFamily(CompanionError, ValueError):
    """No such marker family; the text names the known ones."""


def border(family: str) -> int:
    """Black modules around the code on each side."""
    return 2 if family in _TWO_WIDE else 1


@cache
def modules(family: str) -> NDArray[np.uint8]:
    """All codes of a family as a (N, k, k) grid, 0 black and 1 white, black border included; read-only.

    Raises UnknownFamily.
    """
    if family not in _DICTIONARIES:
        raise UnknownFamily(f"no marker family {family!r}; known: {', '.join(FAMILIES)}")
    dictionary = cv2.aruco.getPredefinedDictionary(_DICTIONARIES[family])
    rim = border(family)
    side = dictionary.markerSize + 2 * rim
    codes = [
        dictionary.generateImageMarker(i, side, borderBits=rim) for i in range(len(dictionary.bytesList))
    ]
    grid = (np.stack(codes) > 0).astype(np.uint8)
    grid.flags.writeable = False
    return grid


def draw(family: str, marker: int, px_per_module: int, quiet: int = 1) -> Grey:
    """One marker as a grey picture, 0 and 255, with `quiet` white modules around the black border."""
    grid = np.pad(modules(family)[marker], quiet, constant_values=1)
    return np.kron(grid * np.uint8(255), np.ones((px_per_module, px_per_module), np.uint8))


def plain_tiles(cells: int) -> NDArray[np.uint8]:
    """Insides that things at a table have without being markers, as a (N, cells, cells) 0/1 grid.

    Black and white squares, a spot or a ring on either ground, halves, corners, stripes, crosses and checks:
    what a printed icon, a nested square, a tile or a cloth shows inside a dark frame.
    """
    y, x = np.mgrid[0:cells, 0:cells]
    mid = (cells - 1) / 2
    round_off, square_off = np.hypot(x - mid, y - mid), np.maximum(abs(x - mid), abs(y - mid))
    shapes = [x >= 0, x > mid, y > mid, x + y > 2 * mid, x > y, (x > mid) & (y > mid), (x > mid) ^ (y > mid)]
    shapes += [x % 2 == 0, y % 2 == 0, (x + y) % 2 == 0, (x // 2 + y // 2) % 2 == 0]
    shapes += [(abs(x - mid) < 1) | (abs(y - mid) < 1), (x == y) | (x + y == 2 * mid)]
    shapes += [abs(x - mid) < 1, x == y]
    for radius in range(1, cells // 2 + 1):
        shapes += [round_off <= radius, square_off < radius, square_off <= radius - 0.5]
    shapes += [square_off.round() % 2 == rest for rest in (0, 1)]
    turned = [np.rot90(each, turn) for shape in shapes for each in (shape, ~shape) for turn in range(4)]
    return np.unique(np.stack(turned).astype(np.uint8), axis=0)


def _blurred(grids: NDArray[np.uint8], blur: float) -> NDArray[np.float32]:
    """Put grids with their quiet ring out of focus by `blur` modules: (N, M), centred, of unit length."""
    fine = 4
    wide = np.pad(grids, ((0, 0), (2, 2), (2, 2)), constant_values=1).astype(np.float32)
    large = wide.repeat(fine, axis=1).repeat(fine, axis=2)
    shown = np.stack([cv2.GaussianBlur(g, (0, 0), blur * fine) for g in large])
    flat = shown[:, fine:-fine, fine:-fine].reshape(len(grids), -1)
    flat -= flat.mean(1, keepdims=True)
    return np.asarray(flat / np.linalg.norm(flat, axis=1, keepdims=True), np.float32)


def imitable(
    family: str, apart: int = 4, blur: float = 0.8, tile: float = 0.965, black: float = 0.925
) -> frozenset[int]:
    """Ids that a black square or another plain tile could imitate: never print them.

    A code is imitable when it differs from a plain tile (or its inside from a uniform one) in fewer than
    `apart` modules; or when, out of focus by `blur` modules, it correlates by more than `tile` with a
    plain tile in the same border, or by more than `black` with a solid black square.
    """
    grid, rim = modules(family), border(family)
    codes = grid[:, rim:-rim, rim:-rim].reshape(len(grid), -1)
    plain = plain_tiles(grid.shape[1] - 2 * rim)
    differing = (codes[:, None, :] != plain.reshape(1, len(plain), -1)).sum(2).min(1)
    framed = np.pad(plain, ((0, 0), (rim, rim), (rim, rim)))
    alike = _blurred(grid, blur) @ _blurred(framed, blur).T
    solid = alike[:, ~framed.any(axis=(1, 2))].max(1)
    weak = (differing < apart) | (alike.max(1) > tile) | (solid > black)
    return frozenset(int(i) for i in np.flatnonzero(weak))


IMITABLE_5X5: frozenset[int] = imitable(FAMILY)
