"""The newest frame with all that is known of it: what the live picture shows."""

from __future__ import annotations

from companion.edges.camera.frames import Frame
from companion.table.things import Deck, value
from companion.vision.evidence import Open
from companion.vision.read import Look
from companion.vision.scene import Scene


@value
class Glimpse:
    """One frame, read and understood."""

    frame: Frame
    look: Look
    scene: Scene
    open: tuple[Open, ...]  # doubts, with what several frames say of them
    deck: Deck
