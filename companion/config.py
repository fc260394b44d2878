"""companion.toml: what stands on this table. An unknown or wrong entry is an error with its line."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import field, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

import msgspec

from companion.table.things import CompanionError, value
from companion.wire.foreign import whole_number
from companion.wire.settings_fault import place_of, plainly

_NAME = re.compile(r"[\w-]{1,60}")
_ENTRY = re.compile(r"(?:\[([\w.]+)\] )?(\w+)")  # what a fault begins with: [table] entry
_SPOKEN = re.compile(r"""^lang\s*=\s*["'](de|en)["']""", re.MULTILINE)
_TOPIC = re.compile(r"[\w-]{1,60}(/[\w-]{1,60}){0,5}")


class BadConfig(CompanionError, ValueError):
    """An entry of the settings is wrong; the text names file, line, entry and remedy."""


@value
class Seat:
    """The pins of one place at the table (BCM numbers)."""

    button: int
    lamp: int | None = None


@value
class Camera:
    """Which camera, and how large a card's marker is in its picture (pixels)."""

    source: int | str = 0  # a number, /dev/video0, pi, a folder, a video, http://, rtsp://, sim:koala
    marker_px: tuple[float, float] = (13.0, 45.0)
    size: tuple[int, int] = (1920, 1080)
    exposure: float | None = None  # the camera's own unit; left out: locked where the automatic found it
    white: float | None = None
    focus: float | None = None


@value
class Screen:
    """Where the screens are served."""

    host: str = "0.0.0.0"  # noqa: S104  # phones in the room must reach it; roles are decided by the server
    port: int = 8080
    diagonal: float | None = None  # of the table screen, inches: letters are sized for two metres


@value
class Voice:
    """How the table speaks. Clips are made by `companion voice`; here is how they are played."""

    mode: Literal["normal", "quiet", "child"] = "normal"
    device: str = ""  # a name or part of it; empty: the usual one
    delay_ms: float | None = (
        None  # from the device to the ear; left out: as `companion voice --calibrate` found
    )
    buffer_ms: float = (
        10.0  # a machine that stutters under load needs more; presses are answered so much later
    )
    loud: Mapping[str, float] = field(
        default_factory=dict
    )  # countdown, prompt, chatter, chime: 0 (mute) to 1


@value
class Boxes:
    """USB button boxes: where they appear, and the seats of each board's buttons (0: the call button)."""

    ports: tuple[str, ...] = ("/dev/companion/box-*",)
    seats: Mapping[str, tuple[int, ...]] = field(
        default_factory=dict
    )  # by the board's id: `companion buttons` tells


@value
class Mqtt:
    """A club's own broker, which is told of state and results; nothing is taken from it."""

    host: str
    port: int = 1883
    user: str = ""
    password: str = ""
    tls: bool = False
    topic: str = "companion"  # all tables of a club speak below it
    name: str = ""  # this table's; empty: the name of the machine
    discovery: str = "homeassistant"  # where Home Assistant looks for devices; empty: nowhere


@value
class Config:
    """A whole table. Devices that are left out are not used."""

    lang: str = "en"
    voice: bool | Voice = True
    journal: str = "~/.local/state/companion/journal.db"
    camera: Camera | None = None
    screen: Screen = Screen()
    call_button: int | None = None  # pin of the table's KO - A - LA button
    camera_lamp: int | None = None  # pin of a lamp that burns while the camera looks
    boxes: Boxes | None = None
    mqtt: Mqtt | None = None
    pins: Literal["lgpio", "gpiod"] = (
        "lgpio"  # who reads them; gpiod numbers all edges, so that a lost one is told
    )
    seats: Mapping[str, Seat] = field(default_factory=dict)  # "1", "2" ...: in the order players sit down


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
    text = text.removeprefix("\ufeff")  # a byte order mark of an editor
    try:
        raw = tomllib.loads(text)
    except RecursionError as fault:
        raise BadConfig(f"{where}: nested far too deep; compare it with the README") from fault
    except ValueError as fault:  # no TOML, or a number of thousands of figures
        raise BadConfig(f"{where}: no TOML: {fault}; compare it with the README") from fault
    for place, known, entries in _levels(raw):
        for key in entries:
            if key not in known:
                near = get_close_matches(key, known, 1)
                hint = f"did you mean {near[0]!r}?" if near else f"known are {', '.join(known)}"
                raise BadConfig(
                    f"{where}{_line(text, key, place.strip('[]'))}: {place} knows no {key!r}; {hint}"
                )
    given = raw.get("seats")
    seats = given if isinstance(given, dict) else {}
    odd = [number for number in seats if whole_number(number, 1, 10) is None]
    if odd:
        raise BadConfig(
            f"{where}{_line(text, f'seats.{odd[0]}')}: seats are numbered 1 to 10, not {odd[0][:20]!r}"
        )
    try:
        config = msgspec.convert(raw, Config)
        return _checked(config, where, text)
    except msgspec.ValidationError as fault:
        why = str(fault).replace("$.seats[...]", f"$.seats.{_odd_seat(seats)}")
        place, entry = place_of(why)
        told = plainly(why, _choices(place, entry))
        raise BadConfig(f"{where}{_line(text, entry, place)}: {told}") from fault


def _checked(config: Config, where: str, text: str) -> Config:
    """Refuse what has the right type and still cannot be. Each fault begins with its entry: that gives its line."""
    lo, hi = config.camera.marker_px if config.camera is not None else (1.0, 1.0)
    voice = config.voice if isinstance(config.voice, Voice) else Voice()
    boxes = config.boxes or Boxes()
    lanes = ("countdown", "prompt", "chatter", "chime")
    faults = {
        f"lang {config.lang!r}: choose en or de": config.lang not in ("en", "de"),
        f"[screen] port {config.screen.port}: choose 0 to 65535": not 0 <= config.screen.port <= 65535,
        f"[screen] diagonal {config.screen.diagonal}: inches of the table screen, 3 to 150": (
            config.screen.diagonal is not None and not 3 <= config.screen.diagonal <= 150
        ),
        f"[camera] marker_px [{lo:g}, {hi:g}]: the smallest side first": not 0 < lo <= hi < 100_000,
        f"[voice] loud knows {', '.join(lanes)}, each 0 to 1": not all(
            lane in lanes and 0 <= loud <= 1 for lane, loud in voice.loud.items()
        ),
        "[voice] buffer_ms is 5 to 200": not 5 <= voice.buffer_ms <= 200,
        "[voice] delay_ms is -100 to 1000": not -100 <= (voice.delay_ms or 0) <= 1000,
        "[boxes] seats are numbers from 1 to 10, 0 for the call button, -1 for none": any(
            not -1 <= seat <= 10 for seats in boxes.seats.values() for seat in seats
        ),
        "[boxes] ports: there is a NUL in one": any("\x00" in port for port in boxes.ports),
        "[voice] device: there is a NUL in it": "\x00" in voice.device,
    }
    faults.update(_of_pins(config))
    faults.update(_of_names(config))
    faults.update(_of_camera(config.camera))
    faults.update(_of_broker(config.mqtt))
    for fault, there in faults.items():
        if there:
            named = _ENTRY.match(fault)
            line = _line(text, named[2], named[1] or "") if named is not None else ""
            raise BadConfig(f"{where}{line}: {fault}")
    return config


def _of_pins(config: Config) -> dict[str, bool]:
    pins = {
        f"[seats.{number}] {word}": pin
        for number, seat in config.seats.items()
        for word, pin in (("button", seat.button), ("lamp", seat.lamp))
    }
    pins |= {"call_button": config.call_button, "camera_lamp": config.camera_lamp}
    taken: dict[int, str] = {}
    faults: dict[str, bool] = {}
    for entry, pin in pins.items():
        if pin is None:
            continue
        faults[f"{entry} = {pin}: pins are BCM numbers from 0 to 27"] = not 0 <= pin <= 27
        faults[f"{entry} = {pin}: this pin is given twice, see {taken.get(pin)}"] = pin in taken
        taken.setdefault(pin, entry)
    return faults


def _of_names(config: Config) -> dict[str, bool]:
    try:
        home = Path(config.journal).expanduser()
        fits = bool(config.journal.strip()) and all(len(part.encode()) <= 255 for part in home.parts)
    except (RuntimeError, ValueError):  # "~nobody", half of a pair of surrogates
        fits = False
    return {
        f"journal {config.journal[:60]!r}: no file can be called so; name one, in a home that exists": (
            not fits or "\x00" in config.journal
        ),
        f"[screen] host {config.screen.host[:60]!r}: an address such as 0.0.0.0, or a name": not _is_host(
            config.screen.host
        ),
    }


def _of_camera(camera: Camera | None) -> dict[str, bool]:
    if camera is None:
        return {}
    source, (width, height) = camera.source, camera.size
    named = 0 <= source <= 999 if isinstance(source, int) else bool(source.strip()) and source.isprintable()
    given = (camera.exposure, camera.white, camera.focus)
    return {
        f"[camera] source {str(source)[:60]!r}: a number from 0, a device, a folder, an address; see the README": (
            not named or (isinstance(source, str) and len(source) > 1000)
        ),
        f"[camera] size [{width}, {height}]: width and height in pixels, at least 160 x 120, at most 8000 x 8000": not (
            160 <= width <= 8000 and 120 <= height <= 8000
        ),
        "[camera] exposure, white and focus are numbers from 0 to 10000000": any(
            each is not None and not 0 <= each <= 10_000_000 for each in given
        ),
    }


def _is_host(name: str) -> bool:
    """Whether a name or an address can be meant: no blanks, no signs that nobody sees, not too long."""
    return bool(name) and len(name) <= 253 and name.isprintable() and not any(map(str.isspace, name))


def _of_broker(mqtt: Mqtt | None) -> dict[str, bool]:
    if mqtt is None:
        return {}
    return {
        f"[mqtt] host {mqtt.host[:60]!r}: name the club's broker, or leave [mqtt] out": bool(
            mqtt.host.strip()
        )
        and not _is_host(mqtt.host),
        "[mqtt] host is empty: name the club's broker, or leave [mqtt] out": not mqtt.host.strip(),
        "[mqtt] user or password: there is a NUL in it": "\x00" in mqtt.user + mqtt.password,
        f"[mqtt] port {mqtt.port}: choose 1 to 65535": not 1 <= mqtt.port <= 65535,
        f"[mqtt] topic {mqtt.topic!r}: letters, figures, - _ and / between them": not _TOPIC.fullmatch(
            mqtt.topic
        ),
        f"[mqtt] name {mqtt.name!r}: letters, figures, - and _": bool(mqtt.name)
        and not _NAME.fullmatch(mqtt.name),
        f"[mqtt] discovery {mqtt.discovery!r}: homeassistant, or empty": bool(mqtt.discovery)
        and not _TOPIC.fullmatch(mqtt.discovery),
        "[mqtt] password without a user": bool(mqtt.password) and not mqtt.user,
    }


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


def _odd_seat(seats: Mapping[str, Any]) -> str:
    """The first seat that is none: the decoder does not name it."""
    for number, seat in seats.items():
        try:
            msgspec.convert(seat, Seat)
        except msgspec.ValidationError:
            return number
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
