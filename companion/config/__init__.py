"""companion.toml: what stands on this table. An unknown or wrong entry is an error with its line."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

import msgspec

from companion.config.faults import faults
from companion.config.values import Boxes, Camera, Config, Mqtt, Screen, Seat, Voice
from companion.table.things import CompanionError
from companion.wire.foreign import whole_number
from companion.wire.settings_fault import place_of, plainly

_ENTRY = re.compile(r"(?:\[([\w.]+)\] )?(\w+)")  # what a fault begins with: [table] entry
_SPOKEN = re.compile(r"""^lang\s*=\s*["'](de|en)["']""", re.MULTILINE)


class BadConfig(CompanionError, ValueError):
    """An entry of the settings is wrong; the text names file, line, entry and remedy."""


def load(path: Path | None) -> Config:
    """The settings of a file; without one, the defaults. BadConfig names what is wrong and where."""
    if path is None:
        return Config()
    try:
        text = path.read_text("utf-8")
    except (OSError, ValueError) as fault:  # ValueError: bytes that are no UTF-8, a NUL in the name
        why = fault.strerror if isinstance(fault, OSError) else "this is no text in UTF-8"
        raise BadConfig(f"{path}: {why}. Name a settings file, or leave --config away") from fault
    return parse(text, str(path))


def with_camera(config: Config, source: str | None) -> Config:
    """These settings with another camera, as --camera names it."""
    if source is None:
        return config
    return replace(config, camera=replace(config.camera or Camera(), source=source))


def parse(text: str, where: str) -> Config:
    """The settings of a text. BadConfig speaks the language that the text asks for."""
    try:
        return _parsed(text, where)
    except BadConfig as fault:
        wanted = _SPOKEN.search(text)
        fault.lang = wanted[1] if wanted is not None else ""
        raise


def _parsed(text: str, where: str) -> Config:
    raw = _read(text, where)
    told = next(_unknown(raw), None)
    if told is not None:
        raise BadConfig(f"{where}{_line(text, told[0], told[1])}: {told[2]}")
    try:
        config = msgspec.convert(raw, Config)
    except msgspec.ValidationError as fault:
        why = str(fault).replace("$.seats[...]", f"$.seats.{_odd_seat(raw.get('seats'))}")
        place, entry = place_of(why)
        raise BadConfig(
            f"{where}{_line(text, entry, place)}: {plainly(why, _choices(place, entry))}"
        ) from fault
    for wrong in faults(config):
        named = _ENTRY.match(wrong)
        line = _line(text, named[2], named[1] or "") if named is not None else ""
        raise BadConfig(f"{where}{line}: {wrong}")
    return config


def _read(text: str, where: str) -> Mapping[str, Any]:
    try:
        return tomllib.loads(text.removeprefix("\ufeff"))  # a byte order mark of an editor
    except RecursionError as fault:
        raise BadConfig(f"{where}: nested far too deep; compare it with the README") from fault
    except ValueError as fault:  # no TOML, or a number of thousands of figures
        raise BadConfig(f"{where}: no TOML: {fault}; compare it with the README") from fault


def _unknown(raw: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    """Entries and seats that there are not: the entry, its table, and what is to be said of it."""
    for place, known, entries in _levels(raw):
        for key in entries:
            if key not in known:
                near = get_close_matches(key, known, 1)
                hint = f"did you mean {near[0]!r}?" if near else f"known are {', '.join(known)}"
                yield key, place.strip("[]"), f"{place} knows no {key!r}; {hint}"
    seats = raw.get("seats")
    for number in seats if isinstance(seats, dict) else ():
        if whole_number(number, 1, 10) is None:
            yield f"seats.{number}", "", f"seats are numbered 1 to 10, not {number[:20]!r}"


def _levels(raw: Mapping[str, Any]) -> list[tuple[str, tuple[str, ...], Mapping[str, Any]]]:
    """Each table of the file with the entries it may have."""
    out: list[tuple[str, tuple[str, ...], Mapping[str, Any]]] = [("the file", _names(Config), raw)]
    for name, cls in (
        ("camera", Camera),
        ("screen", Screen),
        ("voice", Voice),
        ("boxes", Boxes),
        ("mqtt", Mqtt),
    ):
        if isinstance(raw.get(name), dict):
            out.append((f"[{name}]", _names(cls), raw[name]))
    for number, seat in raw.get("seats", {}).items() if isinstance(raw.get("seats"), dict) else ():
        if isinstance(seat, dict):
            out.append((f"[seats.{number}]", _names(Seat), seat))
    return out


def _odd_seat(seats: object) -> str:
    """The first seat that is none: the decoder does not name it."""
    for number, seat in seats.items() if isinstance(seats, dict) else ():
        try:
            msgspec.convert(seat, Seat)
        except msgspec.ValidationError:
            return str(number)
    return ""


def _choices(place: str, entry: str) -> tuple[str, ...]:
    """The words that an entry may be, where it may be only some."""
    cls = {"": Config, "voice": Voice}.get(place)
    kind = get_type_hints(cls).get(entry) if cls is not None else None
    return tuple(map(str, get_args(kind))) if get_origin(kind) is Literal else ()


def _names(cls: Any) -> tuple[str, ...]:
    return tuple(cls.__dataclass_fields__)


def _line(text: str, key: str, place: str = "") -> str:
    """Where a key stands: its line in its table, else the first that begins with it, as ":12"; "" if none does."""
    inside, lines = place in ("", "the file"), tuple(enumerate(text.splitlines(), 1))
    for number, line in lines:
        if line.strip().startswith("["):
            inside = line.partition("[")[2].partition("]")[0].strip() == place
        elif key and inside and line.strip().startswith(key):
            return f":{number}"
    near = (
        number for number, line in lines if key and line.strip().strip("[").startswith((key, place or key))
    )
    return next((f":{number}" for number in near), "")


__all__ = [
    "BadConfig", "Boxes", "Camera", "Config", "Mqtt", "Screen", "Seat", "Voice", "load", "parse", "with_camera",
]  # fmt: skip
