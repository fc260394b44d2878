"""What all tests share: the decks are those of the package, whatever cards the owner of this machine has."""

from __future__ import annotations

import os

import numpy as np
import pytest

from companion.sound.clips import RATE, wav

os.environ["COMPANION_DECKS"] = os.devnull


@pytest.fixture
def spoken_wav() -> bytes:
    """A WAV file as a speech program makes it: 50 ms of silence, a hum, silence."""
    hum = 0.2 * np.cos(2 * np.pi * 150 * np.arange(RATE // 4) / RATE)
    quiet = np.zeros(RATE // 20)
    return wav(np.concatenate([quiet, hum, quiet, quiet]).astype(np.float32))
