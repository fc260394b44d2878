"""What every source of pictures gives, and how one is described."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from companion.table.things import value

Grey = NDArray[np.uint8]
MS = 1_000_000


@value
class Frame:
    """One picture, grey, and when it was taken: monotonic ns."""

    grey: Grey
    at: int


Grab = Callable[[], Grey | None]  # None: none came
Frames = Callable[[], Frame | Grey | None]  # a bare picture is stamped when it comes


@value
class Wishes:
    """How the camera is to be set; what is None stays as the camera's automatic found it, and is locked there."""

    size: tuple[int, int] = (1920, 1080)
    exposure: float | None = None  # in the camera's own unit: 100 us for most webcams, us for the Pi's
    white: float | None = None  # kelvin (webcam), or red gain (Pi)
    focus: float | None = None  # the camera's own scale; dioptres for the Pi's


class Source(Protocol):
    """Where pictures come from. All calls come from one thread."""

    name: str
    live: bool  # pictures pass whether they are wanted or not; False: each one waits to be taken

    def open(self) -> tuple[tuple[str, dict[str, str]], ...]:
        """Open it; what the camera ignores, as keys and values of words. CameraError says why it cannot."""

    def read(self, wanted: bool) -> Frame | None:
        """The next picture, None if there is no more; unless it is wanted, it may be passed over undecoded."""

    def close(self) -> None:
        """Give the device back."""
