"""Exposure, white balance and focus: set, read back, locked; what the camera ignores is said."""

from __future__ import annotations

from typing import Protocol

import cv2

from companion.edges.camera.frames import Wishes
from companion.table.things import value

Ignored = tuple[str, dict[str, str]]
_NEAR = 0.06  # part by which a camera may round a value


class Knobs(Protocol):
    """What can be turned on a camera; cv2.VideoCapture is one."""

    def get(self, what: int, /) -> float:
        """How it stands; 0 or -1 for what there is not."""

    def set(self, what: int, to: float, /) -> bool:
        """Turn it; whether the driver took it."""


@value
class Knob:
    """One thing to lock: its automatic, what that is when it is off, and its value."""

    name: str
    auto: int
    off: float
    level: int


KNOBS = (
    Knob("exposure", cv2.CAP_PROP_AUTO_EXPOSURE, 1.0, cv2.CAP_PROP_EXPOSURE),  # V4L2: 1 manual, 3 automatic
    Knob("white", cv2.CAP_PROP_AUTO_WB, 0.0, cv2.CAP_PROP_WB_TEMPERATURE),
    Knob("focus", cv2.CAP_PROP_AUTOFOCUS, 0.0, cv2.CAP_PROP_FOCUS),
)


def locked(camera: Knobs, wishes: Wishes) -> tuple[Ignored, ...]:
    """Lock everything where the automatic found it, or where it is wished; name what does not obey.

    Call it after the automatic has had some frames. What a camera does not have (a fixed lens) is not named.
    """
    out: list[Ignored] = []
    for knob in KNOBS:
        wish: float | None = getattr(wishes, knob.name)
        found = camera.get(knob.level)
        if found in (0.0, -1.0) and camera.get(knob.auto) in (0.0, -1.0) and wish is None:
            continue
        took = camera.set(knob.auto, knob.off) and camera.get(knob.auto) == knob.off
        want = found if wish is None else wish
        took = camera.set(knob.level, want) and took
        got = camera.get(knob.level)
        if not took or abs(got - want) > max(1.0, _NEAR * abs(want)):
            out.append((knob.name, {"want": f"{want:g}", "got": f"{got:g}"}))
    return tuple(out)
