"""One event, one line of JSON: strict both ways, so that a journal means the same on every device."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, get_args

import msgspec

from companion.table.events import Event
from companion.table.things import CompanionError

VERSION = 1
_EVENTS: dict[str, type[Any]] = {cls.__name__: cls for cls in get_args(Event)}
_TAG = "e"


class BadLine(CompanionError, ValueError):
    """A journal line that is no event; the text names the row and what is wrong in it."""


def encode(event: Event) -> bytes:
    """The line of an event, without its line feed; keys in a fixed order, so equal events have equal bytes."""
    plain: dict[str, Any] = {_TAG: type(event).__name__}
    plain.update(msgspec.to_builtins({f.name: getattr(event, f.name) for f in fields(event)}))
    return msgspec.json.encode(plain, order="deterministic")


def decode(line: bytes, row: int = 0) -> Event:
    """The event of a line. BadLine for anything else: cut off, unknown word, missing or extra field."""
    try:
        plain = msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError) as fault:
        raise BadLine(f"row {row}: no JSON ({fault})") from fault
    if not isinstance(plain, dict):
        raise BadLine(f"row {row}: an event is an object, not {type(plain).__name__}")
    name = plain.pop(_TAG, None)
    cls = _EVENTS.get(name) if isinstance(name, str) else None
    if cls is None:
        raise BadLine(f"row {row}: {name!r} is no event; known are {', '.join(_EVENTS)}")
    extra = set(plain) - {f.name for f in fields(cls)}
    if extra:
        raise BadLine(f"row {row}: {name} has no field {min(extra)!r}")
    try:
        event: Event = msgspec.convert(plain, cls)
    except (msgspec.ValidationError, OverflowError) as fault:
        raise BadLine(f"row {row}: {name}: {fault}") from fault
    return event
