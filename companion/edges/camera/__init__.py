"""The camera: where pictures come from, what is read in them, and what is said of them.

Each name is loaded when it is asked for: a table serves before OpenCV has come up, and often needs none. What
opens a source is `sources.feed`: here that name is the file of `Feed`.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from companion.edges.camera import live
    from companion.edges.camera.eye import FAMILY, Camera, Witness, deck_ids
    from companion.edges.camera.feed import Feed
    from companion.edges.camera.frames import Frame, Grab, Grey, Source, Wishes
    from companion.edges.camera.glimpse import Glimpse
    from companion.edges.camera.once import device
    from companion.edges.camera.pictures import BadPicture, dimensions, picture
    from companion.edges.camera.sources import Sims, source
    from companion.edges.camera.table_words import Naming
    from companion.edges.camera.words import CameraError

_FOUND_IN = {
    "eye": ("FAMILY", "Camera", "Witness", "deck_ids"),
    "feed": ("Feed",),
    "frames": ("Frame", "Grab", "Grey", "Source", "Wishes"),
    "glimpse": ("Glimpse",),
    "once": ("device",),
    "pictures": ("BadPicture", "dimensions", "picture"),
    "sources": ("Sims", "source"),
    "table_words": ("Naming",),
    "words": ("CameraError",),
}
_PART_OF = {name: part for part, names in _FOUND_IN.items() for name in names}


def __getattr__(name: str) -> Any:
    """A name of this room, from the file where it is."""
    if name == "live":
        return import_module("companion.edges.camera.live")
    if name not in _PART_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"companion.edges.camera.{_PART_OF[name]}"), name)


__all__ = [
    "FAMILY", "BadPicture", "Camera", "CameraError", "Feed", "Frame", "Glimpse", "Grab", "Grey", "Naming", "Sims",
    "Source", "Wishes", "Witness", "deck_ids", "device", "dimensions", "live", "picture", "source",
]  # fmt: skip
