"""What has the right type and still cannot be: each fault begins with its entry, "[table] entry"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from companion.config.values import Boxes, Camera, Config, Mqtt, Screen, Voice

LANES = ("countdown", "prompt", "chatter", "chime")
_NAME = re.compile(r"[\w-]{1,60}")
_TOPIC = re.compile(r"[\w-]{1,60}(/[\w-]{1,60}){0,5}")


def faults(config: Config) -> Iterator[str]:
    """Every fault of the settings, each with its entry first."""
    found = (
        {f"lang {config.lang!r}: choose en or de": config.lang not in ("en", "de")}, _of_screen(config.screen),
        _of_voice(config.voice), _of_boxes(config.boxes), _of_pins(config), _of_names(config),
        _of_camera(config.camera), _of_broker(config.mqtt),
    )  # fmt: skip
    return (fault for fault, there in chain.from_iterable(map(dict.items, found)) if there)


def _of_screen(screen: Screen) -> dict[str, bool]:
    return {
        f"[screen] port {screen.port}: choose 0 to 65535": not 0 <= screen.port <= 65535,
        f"[screen] diagonal {screen.diagonal}: inches of the table screen, 3 to 150": (
            screen.diagonal is not None and not 3 <= screen.diagonal <= 150
        ),
        f"[screen] host {screen.host[:60]!r}: an address such as 0.0.0.0, or a name": not _is_host(
            screen.host
        ),
    }


def _of_voice(voice: bool | Voice) -> dict[str, bool]:
    if isinstance(voice, bool):
        return {}
    return {
        f"[voice] loud knows {', '.join(LANES)}, each 0 to 1": not all(
            lane in LANES and 0 <= loud <= 1 for lane, loud in voice.loud.items()
        ),
        "[voice] buffer_ms is 5 to 200": not 5 <= voice.buffer_ms <= 200,
        "[voice] delay_ms is -100 to 1000": not -100 <= (voice.delay_ms or 0) <= 1000,
        "[voice] device: there is a NUL in it": "\x00" in voice.device,
    }


def _of_boxes(boxes: Boxes | None) -> dict[str, bool]:
    if boxes is None:
        return {}
    return {
        "[boxes] seats are numbers from 1 to 10, 0 for the call button, -1 for none": any(
            not -1 <= seat <= 10 for seats in boxes.seats.values() for seat in seats
        ),
        "[boxes] ports: there is a NUL in one": any("\x00" in port for port in boxes.ports),
    }


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
    }


def _of_camera(camera: Camera | None) -> dict[str, bool]:
    if camera is None:
        return {}
    source, (width, height), (least, most) = camera.source, camera.size, camera.marker_px
    named = 0 <= source <= 999 if isinstance(source, int) else bool(source.strip()) and source.isprintable()
    given = (camera.exposure, camera.white, camera.focus)
    return {
        f"[camera] marker_px [{least:g}, {most:g}]: the smallest side first": not 0 < least <= most < 100_000,
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
