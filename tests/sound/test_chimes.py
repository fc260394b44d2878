"""Each player's chime has a rhythm or a melody of its own, heard at once."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from companion.sound.chimes import _TUNES, SEATS, chime
from companion.sound.clips import RATE
from companion.sound.envelope import onsets


def test_every_chime_is_short_and_heard_from_its_first_two_milliseconds() -> None:
    for seat in range(SEATS):
        sound = chime(seat)
        assert onsets(sound)[0] < RATE // 500 and len(sound) < RATE * 0.45
        assert 0.3 < float(np.abs(sound).max()) <= 0.36


def test_no_two_of_ten_players_share_rhythm_and_melody() -> None:
    shapes = {
        tuple((round(start, 2), np.sign(pitch - tune[0][1])) for start, pitch in tune) for _, tune in _TUNES
    }
    assert len(shapes) == SEATS == 10


def test_no_two_chimes_sound_alike() -> None:
    for one, other in combinations(range(SEATS + 2), 2):
        length = min(len(chime(one)), len(chime(other)))
        a, b = chime(one)[:length], chime(other)[:length]
        assert abs(float(np.dot(a, b)) / float(np.linalg.norm(a) * np.linalg.norm(b))) < 0.8
