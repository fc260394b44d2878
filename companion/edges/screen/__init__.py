"""The screens: one web server, one WebSocket, every viewer its own view."""

from companion.edges.screen.app import Screen, ScreenError

__all__ = ["Screen", "ScreenError"]
