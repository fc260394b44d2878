"""A board's profile: what it is, how it is found, which pin is which. Text in, a checked value out. Pure."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any

import msgspec

from companion.table.things import CompanionError, value
from companion.wire.box_words import VERSION
from companion.wire.foreign import whole_number


class BadProfile(CompanionError, ValueError):
    """A profile is wrong; the text names file, line, entry and remedy."""


@value
class Wiring:
    """Pins by the names printed on the board, in the order of buttons and lamps; each switches to ground."""

    buttons: tuple[str, ...]
    lamps: tuple[str, ...] = ()
    call: str | None = None  # the table's own button


@value
class Usb:
    """How a box is found and opened."""

    ids: tuple[str, ...]  # vendor:product in hex
    baud: int = 115_200
    hello_s: float = 1.5  # from opening the line to the hello, at most: boot loaders take their time


@value
class Profile:
    """One board. `maps`: its wiring, by the number of players."""

    board: str
    title: Mapping[str, str]  # in each language
    maps: Mapping[str, Wiring]
    line: int | None = None  # version of the line it speaks; None: no box, pins of the Pi itself
    firmware: int | None = None
    hz: int | None = None  # ticks a second
    lockout_ms: float = 8.0
    usb: Usb | None = None
    bcm: bool = False  # pins are BCM numbers of a Raspberry Pi


def parse(text: str, where: str) -> Profile:
    """The profile of a text; BadProfile names what is wrong."""
    try:
        raw = tomllib.loads(text)
    except tomllib.TOMLDecodeError as fault:
        raise BadProfile(f"{where}: no TOML: {fault}; compare it with another profile") from fault
    except RecursionError as fault:
        raise BadProfile(f"{where}: nested far too deep; compare it with another profile") from fault
    maps = raw.get("maps")
    levels: list[tuple[str, Any, Any]] = [("the file", Profile, raw), ("[usb]", Usb, raw.get("usb"))]
    levels += [(f"[maps.{n}]", Wiring, each) for n, each in (maps if isinstance(maps, dict) else {}).items()]
    for place, cls, entries in levels:
        _known(text, where, place, tuple(cls.__dataclass_fields__), entries)
    try:
        return _checked(msgspec.convert(raw, Profile), where)
    except msgspec.ValidationError as fault:
        raise BadProfile(f"{where}: {fault}") from fault


def _known(text: str, where: str, place: str, known: tuple[str, ...], entries: Any) -> None:
    for key in entries if isinstance(entries, dict) else ():
        if key not in known:
            near = get_close_matches(key, known, 1)
            hint = f"did you mean {near[0]!r}?" if near else f"known are {', '.join(known)}"
            line = next((n for n, each in enumerate(text.splitlines(), 1) if each.strip().startswith(key)), 0)
            raise BadProfile(f"{where}:{line}: {place} knows no {key!r}; {hint}")


def _checked(profile: Profile, where: str) -> Profile:
    """Refuse what has the right type and still cannot be."""
    box = profile.line is not None
    faults = {
        f"line {profile.line}: this companion speaks version {VERSION}": box and profile.line != VERSION,
        "title is wanted in en and de": set(profile.title) != {"en", "de"},
        "maps names at least one wiring": not profile.maps,
        "a box names hz, firmware and [usb]": box and None in (profile.hz, profile.firmware, profile.usb),
        "lockout_ms is 1 to 50": not 1 <= profile.lockout_ms <= 50,
    }
    for players, wiring in profile.maps.items():
        pins = [*wiring.buttons, *wiring.lamps, *([wiring.call] if wiring.call is not None else [])]
        twice = sorted({pin for pin in pins if pins.count(pin) > 1})
        faults[f"[maps.{players}]: pin {', '.join(twice)} is given twice"] = bool(twice)
        count = whole_number(players, 1, len(wiring.buttons))
        faults[f"[maps.{players}]: {players} players need {players} buttons"] = count is None
        if profile.bcm:
            odd = [pin for pin in pins if whole_number(pin, 2, 27) is None]
            faults[f"[maps.{players}]: {', '.join(odd)}: BCM pins are 2 to 27"] = bool(odd)
    for fault, there in faults.items():
        if there:
            raise BadProfile(f"{where}: {fault}")
    return profile
