"""Real pins and a real camera, as the settings name them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from companion import config
from companion.edges.camera.words import CameraError
from companion.house import House, Trouble
from companion.running.boxes import AllLamps, BoxPlaces
from companion.running.eyes import Joined, naming, strangers
from companion.running.parts import CAMERA_LAMP, Optional, Places
from companion.running.pins import Pins
from companion.shelf import deck

if TYPE_CHECKING:
    from companion.edges.camera import Camera


def eyes(house: House, parts: Optional, chosen: config.Config) -> tuple[Callable[[], None], ...]:
    """A real camera; what is wrong with it is said on the screens, and it is done without."""
    if chosen.camera is None:
        return ()
    try:
        return (_camera(house, parts, chosen.camera).close,)
    except CameraError as fault:
        house.put(Trouble("camera", fault.told(house.lang)))
        return ()


def hands(house: House, parts: Optional, chosen: config.Config) -> tuple[Callable[[], None], ...]:
    """Real buttons and lamps, on boxes and on pins; those that are missing are named and done without."""
    closing: list[Callable[[], None]] = []
    lamps = AllLamps()
    parts.lamps = lamps
    if chosen.boxes is not None:
        boxes = BoxPlaces(house, chosen.boxes)
        lamps.kinds.append(boxes)
        parts.boxes_seen = boxes.boxes.alive
        boxes.call(parts.roll)
        closing.append(boxes.close)
    if chosen.seats or chosen.call_button is not None or chosen.camera_lamp is not None:

        def have(places: Places) -> None:
            lamps.kinds.append(places)
            for player, look in house.news.lamps.items():  # they may come in the middle of a game
                places.shine(player, look)
            parts.camera_lamp = partial(places.shine, CAMERA_LAMP)
            parts.looking(parts.looks)

        pins = Pins(
            lambda: Places(house, chosen, parts.roll), have, lambda text: house.put(Trouble("buttons", text))
        )
        closing.append(pins.close)
    for player, look in house.news.lamps.items():  # a game that goes on has lit them before they were there
        parts.shine(player, look)
    return tuple(closing)


def _camera(house: House, parts: Optional, chosen: config.Camera) -> Camera:
    """Frames of whatever is named, kept coming; their faults and the table's go to every screen."""
    from companion.edges.camera import Camera, Wishes  # noqa: PLC0415  # OpenCV comes up after the screens
    from companion.edges.camera.sources import feed  # noqa: PLC0415  # as above
    from companion.simcamera import sims  # noqa: PLC0415  # as above

    wishes = Wishes(chosen.size, chosen.exposure, chosen.white, chosen.focus)
    told = Joined(lambda text: house.put(Trouble("camera", text)))
    frames = feed(
        chosen.source,
        told.of("frames"),
        wishes=wishes,
        sims=sims(),
        lang=house.lang,
    )
    camera = Camera(
        frames, parts.deck() or deck("koala"), house.put, lambda _: None, marker_px=chosen.marker_px,
        others=strangers(), table=lambda text: house.put(Trouble("table", text)), witness=parts.sight,
        naming=naming(house.lang), failed=told.of("reading"), looks=parts.looking,
    )  # fmt: skip
    parts.equip(camera, chosen.marker_px)
    return camera
