"""The screens: one web server, one WebSocket, every viewer its own view."""

from companion.edges.screen.app import Screen, ScreenError
from companion.edges.screen.rights import Keep

__all__ = ["Keep", "Screen", "ScreenError"]
