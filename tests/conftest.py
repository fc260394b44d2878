"""What all tests share: the decks are those of the package, whatever cards the owner of this machine has."""

from __future__ import annotations

import companion  # noqa: F401  # before numpy: here, too, its BLAS takes one thread

# isort: split
import os
from collections.abc import Iterator
from typing import Any

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


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Debian's Chromium, in the module that asks for it."""
    from browsers import chromium  # on the path of those who ask, and of nobody else

    with chromium() as made:
        yield made


@pytest.fixture
def stage() -> Iterator[Any]:
    """A screen on which any scene of any game is shown."""
    from staged import Stage  # as above

    made = Stage()
    yield made
    made.screen.close()
