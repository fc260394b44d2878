"""What the light does to a picture, and what is left once that is taken out."""

from __future__ import annotations

import math

import cv2
import numpy as np
import pytest
from rendered_markers import Grey, table

from companion.vision.light import unbanded
from companion.vision.markers import IMITABLE_5X5, modules
from companion.vision.read import Reader
from tests.bench.scenes import lens
from tests.bench.scenes.layout import Wish
from tests.bench.scenes.lens import Lens

FAMILY = "aruco-5x5-1000"
PRINTED = [i for i in range(60) if i not in IMITABLE_5X5][:36]


def drawn(seed: int) -> Grey:
    return table([modules(FAMILY)[i] for i in PRINTED], 16, seed)[0]


def flicker(height: int, period: float) -> np.ndarray:
    """How grey each row is under a lamp that dims by 70 %."""
    light = 0.65 + 0.35 * np.cos(np.arange(height) * 2 * math.pi / period)
    return light[:, None] ** (1 / 2.2)


@pytest.fixture(scope="module")
def scattered() -> Grey:
    return lens.picture(Lens(Wish(side=16, many=8, size=(420, 300))), 5)[0]


@pytest.mark.parametrize("period", [16, 30, 60])
def test_bands_of_a_flickering_lamp_are_taken_out(scattered: Grey, period: float) -> None:
    plain = scattered
    banded = (plain * flicker(len(plain), period)).astype(np.uint8)
    left = np.log(unbanded(banded).mean(1) / plain.mean(1))
    assert np.log(banded.mean(1) / plain.mean(1)).std() > 0.15
    assert left.std() < 0.03


def test_markers_are_read_through_bands_narrower_than_they_are() -> None:
    plain = drawn(4)
    banded = (plain * flicker(len(plain), 14)).astype(np.uint8)
    readings = Reader(FAMILY, PRINTED, marker_px=(10, 27)).read(banded)
    assert sorted(reading.id for reading in readings) == PRINTED


def test_a_picture_without_bands_is_left_as_it_is(scattered: Grey) -> None:
    assert unbanded(scattered) is scattered
    for seed in range(4):
        assert unbanded(picture := drawn(seed)) is picture


def test_stripes_of_a_cloth_are_no_bands_where_cards_lie_on_it() -> None:
    picture = np.full((400, 600), 150, np.uint8)
    picture[:, :] = (120 + 60 * np.sin(np.arange(400) * 2 * math.pi / 40))[:, None]
    cv2.rectangle(picture, (40, 0), (260, 399), 230, -1)
    cv2.rectangle(picture, (380, 0), (520, 399), 200, -1)
    assert unbanded(picture) is picture


@pytest.mark.parametrize("shape", [(8, 8), (7, 300), (300, 7), (40, 23)])
def test_pictures_too_small_to_show_bands_are_left_as_they_are(shape: tuple[int, int]) -> None:
    picture = np.random.default_rng(1).integers(0, 255, shape, np.uint8)
    assert unbanded(picture) is picture
