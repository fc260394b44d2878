"""One event, one line of JSON: strict both ways, so that a journal means the same on every machine.

A line is an object with the event's name under "e" and its fields. A game's opening also carries "v", the
version of this form. A field that a later version adds gets a default, so that older lines still read; a line
of a newer version is refused by name.
"""

from __future__ import annotations

from dataclasses import fields
from typing import Any, get_args

import msgspec

from companion.table.events import Event, Opened
from companion.table.things import CompanionError

VERSION = 1
_EVENTS: dict[str, type[Any]] = {cls.__name__: cls for cls in get_args(Event)}
_FIELDS = {cls: tuple(f.name for f in fields(cls)) for cls in _EVENTS.values()}
_TAG, _VERSION = "e", "v"
_ALWAYS = object()
# Fields younger than the form: left out at their default, so that old rows keep their bytes.
_LATER: dict[tuple[type[Any], str], object] = {(Opened, "on"): 0, (Opened, "instead"): False}


class BadLine(CompanionError, ValueError):
    """A journal line that is no event, or an event that fits no line; the text names row and field."""


def encode(event: Event) -> bytes:
    """The line of an event, without line feed; equal events have equal bytes.

    BadLine if it would not read back equal: options that are no plain JSON, text that is no Unicode.
    """
    plain: dict[str, Any] = {_TAG: type(event).__name__}
    if isinstance(event, Opened):
        plain[_VERSION] = VERSION
    for name in _FIELDS[type(event)]:
        if getattr(event, name) != _LATER.get((type(event), name), _ALWAYS):
            plain[name] = getattr(event, name)
    try:
        line = msgspec.json.encode(plain, order="sorted")
        if isinstance(event, Opened) and decode(line) != event:  # only options hold data of any shape
            raise BadLine("Opened.setting.options: only plain JSON values can be written down")
    except (TypeError, UnicodeEncodeError, RecursionError) as fault:
        raise BadLine(f"{type(event).__name__} cannot be written down: {fault}") from fault
    return line


def decode(line: bytes, row: int = 0) -> Event:
    """The event of a line. BadLine for anything else: cut off, unknown word, wrong type, missing field."""
    try:
        plain = msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as fault:
        raise BadLine(f"row {row}: no JSON ({fault})") from fault
    if not isinstance(plain, dict):
        raise BadLine(f"row {row}: an event is an object, not {type(plain).__name__}")
    name = plain.pop(_TAG, None)
    cls = _EVENTS.get(name) if isinstance(name, str) else None
    if cls is None:
        raise BadLine(f"row {row}: {name!r} is no event; known are {', '.join(_EVENTS)}")
    if cls is Opened:
        _check_version(plain.pop(_VERSION, VERSION), row)
    try:
        event: Event = msgspec.convert(plain, cls)
    except msgspec.ValidationError as fault:
        raise BadLine(f"row {row}: {name}: {fault}") from fault
    extra = _strange(plain, msgspec.to_builtins(event))
    if extra:
        raise BadLine(f"row {row}: {name} knows no field {extra!r}")
    return event


def _check_version(version: object, row: int) -> None:
    if type(version) is not int or version < 1:
        raise BadLine(f"row {row}: Opened.v: {version!r} is no version")
    if version > VERSION:
        raise BadLine(f"row {row}: written by a newer companion (version {version}, known is {VERSION})")


def _strange(given: dict[str, Any], known: dict[str, Any]) -> str:
    """The dotted name of the first given field that the event has not taken up; "" if there is none."""
    for name, content in given.items():
        if name not in known:
            return name
        if isinstance(content, dict):
            inner = _strange(content, known[name])
            if inner:
                return f"{name}.{inner}"
    return ""
