"""Advice comes in words while everything is still read, names the zone and the side, and stays away from a good table."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from rendered_table import CAVE, DECK, FAMILY, LIES, MIDDLE, PIZZAS, ROW, Scene, on, shot

from companion.vision.advice import BAD, GOOD, NEED_PX, POOR, examined, missing
from companion.vision.read import Reader
from companion.vision.scene import Memory, Rules, understood

IDS = [card.marker for card in DECK.cards] + [m for plate in DECK.plates for m in plate.markers]
READER = Reader(FAMILY, IDS, (7.0, 42.0))
TABLE = Scene(
    (
        *(on(MIDDLE, PIZZAS[n], 5 + n * 24, 35) for n in range(8)),
        *(on(CAVE, PIZZAS[8 + n], 10 + n * 40, 30) for n in range(5)),
    )
)


def seen(scene: Scene, keep: int = 1):
    """Examine one frame (every `keep`-th pixel of it): health of each zone, advice on plates, cards read."""
    grey = np.ascontiguousarray(shot(scene)[::keep, ::keep])
    _, known = understood(Memory(), grey, READER.look(grey), Rules(DECK, READER.look))
    cards = sum(len(zone.cards) for zone in known.zones.values())
    return examined(grey, known, DECK), missing(known, DECK, LIES), cards


def keys(health) -> set[str]:
    return {advice.key for advice in health.advice}


def test_a_good_table_gets_no_advice() -> None:
    health, plates, cards = seen(TABLE)
    assert cards == 13 and plates == ()
    assert {zone: keys(each) for zone, each in health.items()} == {MIDDLE: set(), CAVE: set(), ROW: set()}
    assert all(each.grade == GOOD and each.marker_px > NEED_PX for each in health.values())


@pytest.mark.parametrize(
    ("spot", "zone", "side"),
    [
        ((60, 140), MIDDLE, "left"),
        ((315, 140), MIDDLE, "right"),
        ((315, 300), CAVE, "left"),
        ((185, 215), MIDDLE, "bottom"),
    ],
)
def test_glare_is_named_with_its_zone_and_side_before_a_card_is_lost(spot, zone, side) -> None:
    for strength in (60, 90, 120, 160, 200, 240):
        health, _, cards = seen(replace(TABLE, glare=((*spot, 14.0, strength),)))
        if f"glare_{side}" in keys(health[zone]):
            assert cards == 13, f"at strength {strength} it is too late"
            worst = np.unravel_index(health[zone].seeing.glare.argmax(), health[zone].seeing.glare.shape)
            assert {"left": worst[1] < 4, "right": worst[1] > 3, "bottom": worst[0] > 2}[side]
            return
    pytest.fail("no word about the glare")


@pytest.mark.parametrize(
    ("key", "worse"),
    [
        ("blurred", lambda n: {"blur": 0.7 + 0.2 * n}),
        ("dim", lambda n: {"light": 0.8**n}),
        ("slant", lambda n: {"tilt": 20.0 + 4 * n, "side": 10.0}),
    ],
)  # fmt: skip
def test_advice_comes_while_every_card_is_still_read(key, worse) -> None:
    for step in range(12):
        health, _, cards = seen(replace(TABLE, **worse(step)))
        if any(key in keys(each) for each in health.values()):
            assert cards == 13 and step > 0
            return
    pytest.fail("no advice")


def test_small_markers_are_told_with_their_size_against_the_need() -> None:
    health, _, cards = seen(TABLE, keep=2)  # half the pixels: 9 px markers
    told = [advice for each in health.values() for advice in each.advice if advice.key == "small"]
    assert told and all(0 < int(advice.values["px"]) < 13 == advice.values["need"] for advice in told)
    assert cards >= 8 and {health[zone].grade for zone in (MIDDLE, CAVE)} <= {POOR, BAD}


def test_blur_is_measured_at_the_markers() -> None:
    for blur in (0.8, 1.2, 1.6):
        health, _, _ = seen(replace(TABLE, blur=blur))
        assert health[MIDDLE].blur_px == pytest.approx(np.hypot(blur, 0.35), rel=0.3)
        assert np.nanmedian(health[MIDDLE].seeing.blur) == pytest.approx(health[MIDDLE].blur_px, rel=0.3)


def test_plates_that_are_hidden_are_named() -> None:
    _, plates, _ = seen(replace(TABLE, hidden=frozenset({901, 905, 906})))
    assert [(advice.key, advice.zone) for advice in plates] == [
        ("plate_half", MIDDLE),
        ("plate_missing", ROW),
    ]
