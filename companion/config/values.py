"""What may stand in companion.toml, with what holds where an entry is left out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Literal

from companion.table.things import value


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
