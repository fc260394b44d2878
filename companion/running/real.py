"""Real pins and a real camera, as the settings name them."""

from __future__ import annotations

from collections.abc import Callable

from companion import config
from companion.edges.camera import Camera, CameraError, device
from companion.edges.gpio import PinError
from companion.house import House, Trouble
from companion.running.boxes import AllLamps, BoxPlaces
from companion.running.parts import Optional, Places
from companion.shelf import deck


def connect(house: House, parts: Optional, chosen: config.Config) -> tuple[Callable[[], None], ...]:
    """Real pins and a real camera; what is missing is named on the screens and done without."""
    closing: list[Callable[[], None]] = []
    if chosen.camera is not None:
        try:
            grab = device(chosen.camera.source)
            camera = Camera(
                grab, parts.deck() or deck("koala"), house.put, lambda text: house.put(Trouble("camera", text)),
                marker_px=chosen.camera.marker_px,
            )  # fmt: skip
            parts.camera = camera
            camera.watch(parts.zones)
            closing.append(camera.close)
        except CameraError as fault:
            house.put(Trouble("camera", str(fault)))
    lamps = AllLamps()
    parts.lamps = lamps
    if chosen.boxes is not None:
        boxes = BoxPlaces(house, chosen.boxes)
        lamps.kinds.append(boxes)
        closing.append(boxes.close)
    if chosen.seats or chosen.call_button is not None:
        try:
            pins = Places(house, chosen)
            lamps.kinds.append(pins)
            closing.append(pins.close)
        except PinError as fault:
            house.put(Trouble("buttons", str(fault)))
    return tuple(closing)
