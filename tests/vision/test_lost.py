"""Whether a card that is not read any more was taken, hides, or lies there still; by its face and by pictures."""

from __future__ import annotations

import numpy as np
import pytest
from rendered_table import DECK, FAMILY, MIDDLE, PIZZAS, Grey, Scene, on, shot

from companion.table.things import CardId
from companion.vision.change import coarse
from companion.vision.lost import Lain, Still, face, lost
from companion.vision.motion import Shift, shifted, spots
from companion.vision.read import Reader, Reading

READER = Reader(FAMILY, [*PIZZAS, 901, 902], (10.0, 42.0))
ROW = tuple(on(MIDDLE, PIZZAS[n], 5 + n * 24, 35) for n in range(3))
LAST = CardId("pizza-03")


def kept(grey: Grey) -> tuple[Still, dict[CardId, Lain]]:
    """What is remembered of a picture."""
    seen = [r for r in READER.look(grey).readings if r.id in DECK.by_marker]
    lain = {DECK.by_marker[r.id].id: Lain(MIDDLE, r.corners, face(grey, r.corners)) for r in seen}
    return Still(coarse(grey), spots(READER.look(grey).readings)), lain


def seen(grey: Grey, without: int = -1) -> tuple[Still, Grey, tuple[Reading, ...]]:
    """A picture as it is read, a marker left out."""
    readings = tuple(r for r in READER.look(grey).readings if r.id != without)
    return Still(coarse(grey), spots(readings)), grey, readings


def test_a_card_that_lies_there_unread_is_brought_back_and_one_that_was_taken_is_not() -> None:
    rest, known = kept(shot(Scene(ROW), 0))
    hidden, back = lost(rest, known, *seen(shot(Scene(ROW), 1), PIZZAS[2]), DECK)
    assert not hidden and [reading.id for reading in back] == [PIZZAS[2]]
    assert lost(rest, known, *seen(shot(Scene(ROW[:2]), 1)), DECK) == ({}, [])


@pytest.mark.parametrize("blur", [0.5, 0.8])
def test_where_a_card_was_taken_a_picture_kept_softer_than_the_new_one_is_no_arm(blur: float) -> None:
    rest, known = kept(shot(Scene(ROW, blur=blur), 0))
    there_and_back = shifted(shifted(rest.picture, Shift(2, 2, True)), Shift(-2, -2, True))
    now = seen(shot(Scene(ROW[:2], blur=blur), 1))
    assert lost(Still(there_and_back, rest.spots), known, *now, DECK) == ({}, [])


def test_no_card_comes_back_whose_place_merely_looks_alike_from_afar() -> None:
    grey = shot(Scene(ROW), 0)
    rest, known = kept(grey)
    now, _, readings = seen(grey, PIZZAS[2])
    for other in (n for n in PIZZAS[3:]):  # its code lay there: the coarse picture is the same
        lain = Lain(
            MIDDLE, known[LAST].corners, face(shot(Scene((on(MIDDLE, other, 53, 35),))), known[LAST].corners)
        )
        assert lost(rest, {**known, LAST: lain}, now, grey, readings, DECK)[1] == []


def test_a_picture_too_blurred_to_tell_takes_nothing_away() -> None:
    rest, known = kept(shot(Scene(ROW), 0))
    now = Still(rest.picture, {901: rest.spots[901], 902: rest.spots[902]})
    plates = tuple(r for r in READER.look(shot(Scene(ROW), 0)).readings if r.id > 900)
    hidden, back = lost(rest, known, now, np.full((720, 1280), 128, np.uint8), plates, DECK)
    assert set(hidden[MIDDLE]) == set(known) and back == []


def test_a_face_is_the_same_in_any_light_and_unlike_every_other() -> None:
    corners = kept(shot(Scene(ROW)))[1][LAST].corners
    looks = [face(shot(Scene((on(MIDDLE, n, 53, 35),))), corners) for n in PIZZAS]
    dusk = face(shot(Scene((on(MIDDLE, PIZZAS[2], 53, 35),), light=0.4), 1), corners)
    alike = [float(np.vdot(dusk, look)) for look in looks]
    assert alike[2] > 0.85 and max(a for n, a in enumerate(alike) if n != 2) < 0.7


def test_a_face_beyond_the_picture_shows_nothing() -> None:
    away = np.array([[0, 0], [19, 0], [19, 19], [0, 19.0]]) - 200
    assert not face(shot(Scene()), away).any()
