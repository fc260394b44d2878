"""The screens: one web server, one WebSocket, every viewer its own view."""

from companion.edges.screen.app import Screen, ScreenError
from companion.edges.screen.rights import Keep
from companion.edges.screen.speech import Volumes, levels

__all__ = ["Keep", "Screen", "ScreenError", "Volumes", "levels"]
