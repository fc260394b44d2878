"""The camera: where pictures come from, what is read in them, and what is said of them."""

from companion.edges.camera import live
from companion.edges.camera.eye import FAMILY, Camera, Witness, deck_ids
from companion.edges.camera.feed import Feed
from companion.edges.camera.frames import Frame, Grab, Grey, Source, Wishes
from companion.edges.camera.glimpse import Glimpse
from companion.edges.camera.once import device
from companion.edges.camera.pictures import BadPicture, dimensions, picture
from companion.edges.camera.sources import Sims, feed, source
from companion.edges.camera.table_words import Naming
from companion.edges.camera.words import CameraError

__all__ = [
    "FAMILY", "BadPicture", "Camera", "CameraError", "Feed", "Frame", "Glimpse", "Grab", "Grey", "Naming", "Sims",
    "Source", "Wishes", "Witness", "deck_ids", "device", "dimensions", "feed", "live", "picture", "source",
]  # fmt: skip
