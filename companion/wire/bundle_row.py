"""What stands in a bundle of frames: its head and each frame's row, strictly read when a file comes back. Pure."""

from __future__ import annotations

import json
from typing import Annotated, Any

import msgspec

from companion.wire.foreign import sendable

Name = Annotated[str, msgspec.Meta(min_length=1, max_length=200)]
Side = Annotated[float, msgspec.Meta(gt=0, lt=100_000)]  # of a marker, pixels
Moment = Annotated[int, msgspec.Meta(ge=0, le=2**62)]  # ns


class BadRow(ValueError):
    """What stands there is not what a camera writes; the text names the field."""


class _Reading(msgspec.Struct):
    id: Annotated[int, msgspec.Meta(ge=0, le=1_000_000)]


class _Zone(msgspec.Struct):
    cards: list[Name]
    held: Annotated[str, msgspec.Meta(max_length=200)]


class _Row(msgspec.Struct):
    file: Name
    at: Moment
    readings: list[_Reading]
    zones: dict[Name, _Zone]
    said: list[tuple[Name, list[Name]]]


class _Head(msgspec.Struct):
    game: Name | None
    marker_px: tuple[Side, Side]
    watched: list[Name] | None = None
    saved: Annotated[str, msgspec.Meta(max_length=60)] = ""


def row(content: Any) -> dict[str, Any]:
    """A frame's row, as it was written; BadRow names the first field that is missing or of another kind."""
    return _of(content, _Row)


def head(content: Any) -> dict[str, Any]:
    """What is told of the whole table, likewise."""
    found = _of(content, _Head)
    low, high = found["marker_px"]
    if low > high:
        raise BadRow("marker_px: the smallest side first")
    return found


def _of(content: Any, kind: type[msgspec.Struct]) -> dict[str, Any]:
    for field in content if isinstance(content, dict) else ():
        if not sendable(json.dumps((field, content[field]), ensure_ascii=False)):
            raise BadRow(f"{field!a}: half of a sign stands in it")
    try:
        msgspec.convert(content, kind)
    except msgspec.ValidationError as fault:
        raise BadRow(_told(str(fault))) from fault
    known: dict[str, Any] = content
    return known


def _told(fault: str) -> str:
    """The field first: "said[0]: Expected `str`, got `int`"."""
    what, _, where = fault.partition(" - at `$")
    place = where.rstrip("`").lstrip(".")
    return f"{place}: {what}" if place else what
