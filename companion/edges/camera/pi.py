"""The Raspberry Pi's own camera through picamera2, which is imported only here and only when it is chosen."""

from __future__ import annotations

import time
from importlib import import_module
from typing import Any

import numpy as np

from companion.edges.camera.controls import Ignored
from companion.edges.camera.frames import Frame, Wishes
from companion.edges.camera.words import CameraError

WARM_S = 1.0  # for the automatic, before it is locked
_NEAR = 0.06


class PiCamera:
    """A camera on the Pi's flat cable, number 0 or 1: luminance only, no colour is ever converted."""

    live = True

    def __init__(self, number: int, wishes: Wishes, warm_s: float = WARM_S) -> None:
        """Nothing is opened yet."""
        self.name, self._number, self._wishes, self._warm = f"pi:{number}", number, wishes, warm_s
        self._camera: Any = None

    def open(self) -> tuple[Ignored, ...]:
        """Start, let the automatic find its values, lock them, and read them back."""
        try:
            picamera2 = import_module("picamera2")
        except ImportError as fault:
            raise CameraError("no_pi") from fault
        try:
            self._camera = camera = picamera2.Picamera2(self._number)
            camera.configure(
                camera.create_video_configuration({"size": self._wishes.size, "format": "YUV420"})
            )
            camera.start()
        except (RuntimeError, IndexError) as fault:
            raise CameraError("no_pi_camera", why=str(fault)) from fault
        time.sleep(self._warm)
        return self._lock(camera)

    def _lock(self, camera: Any) -> tuple[Ignored, ...]:
        """What is set is read back from the metadata of the frames: an update may ignore it in silence."""
        found = camera.capture_metadata()
        wish = self._wishes
        want: dict[str, Any] = {
            "AeEnable": False, "AwbEnable": False,
            "ExposureTime": int(wish.exposure or found["ExposureTime"]),
            "AnalogueGain": found["AnalogueGain"], "ColourGains": found["ColourGains"],
        }  # fmt: skip
        if wish.white is not None:
            want["ColourGains"] = (wish.white, found["ColourGains"][1])
        if "LensPosition" in found or wish.focus is not None:
            want |= {
                "AfMode": 0,
                "LensPosition": found.get("LensPosition", 0.0) if wish.focus is None else wish.focus,
            }
        camera.set_controls(want)
        for _ in range(4):  # settings take effect some frames later
            got = camera.capture_metadata()
        out: list[Ignored] = []
        for name, key in (("exposure", "ExposureTime"), ("white", "ColourGains"), ("focus", "LensPosition")):
            if key in want and not _alike(want[key], got.get(key)):
                out.append((name, {"want": f"{want[key]}", "got": f"{got.get(key)}"}))
        return tuple(out)

    def read(self, wanted: bool) -> Frame | None:
        """The next frame with the sensor's own stamp, which is on this clock."""
        request = self._camera.capture_request()
        try:
            at = int(request.get_metadata().get("SensorTimestamp", time.monotonic_ns()))
            if not wanted:
                return Frame(np.zeros((0, 0), np.uint8), at)
            width, height = self._wishes.size
            return Frame(np.array(request.make_array("main")[:height, :width], np.uint8), at)
        finally:
            request.release()

    def close(self) -> None:
        """Give the camera back."""
        if self._camera is not None:
            self._camera.close()


def _alike(want: Any, got: Any) -> bool:
    if got is None:
        return False
    if isinstance(want, tuple):
        return all(_alike(a, b) for a, b in zip(want, got, strict=True))
    return bool(abs(float(got) - float(want)) <= max(_NEAR * abs(float(want)), 0.02))
