"""Tables that run on this device, and what two of them share: port, journal, camera, pins, boxes."""

from __future__ import annotations

import pwd
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path

from companion import config
from companion.config import BadConfig, Config
from companion.doctor.finding import Patient
from companion.table.things import value

SERVICE = "companion.service"
_PI = {
    "pi": "pi:0",
    "picamera2": "pi:0",
    "pi:0": "pi:0",
    "pi:1": "pi:1",
}  # the Pi's own cameras, each by one name
_LOGIN = re.compile(r"(?<=://)[^/@]*@")  # a name and password in an address are nobody else's


@value
class Running:
    """A table that runs: what its command line and its settings say. `config` None: they cannot be read."""

    pid: str
    config: Config | None
    journal: Path | None  # None: one of its own, or it cannot be told
    devices: bool  # a simulated table has none
    service: bool = False  # started by systemd

    @property
    def stops(self) -> str:
        """The command that ends it."""
        return "sudo systemctl stop companion" if self.service else f"kill {self.pid}"


def running(patient: Patient) -> tuple[Running, ...]:
    """Every table that runs, by its process."""
    return tuple(_running(patient, pid) for pid in patient.tables())


def shared(one: Running, other: Running) -> Iterator[str]:
    """What two tables both want, as the settings call it."""
    if one.journal is not None and one.journal == other.journal:
        yield f"journal = {one.journal}"
    if one.config is None or other.config is None:
        if one.devices and other.devices:
            yield "[camera], [seats], [boxes]"  # nobody can tell: better one warning too many
        return
    if one.config.screen.port == other.config.screen.port != 0:
        yield f"[screen] port = {one.config.screen.port}"
    if one.devices and other.devices:
        yield from _devices(one.config, other.config)


def clashes(tables: Sequence[Running]) -> tuple[tuple[Running, ...], tuple[str, ...]]:
    """The tables that stand in each other's way, and what they both want."""
    ill: dict[str, Running] = {}
    what: dict[str, None] = {}
    for one, other in combinations(tables, 2):
        both = tuple(shared(one, other))
        if both:
            ill |= {one.pid: one, other.pid: other}
            what |= dict.fromkeys(both)
    return tuple(ill.values()), tuple(what)


def holds_camera(tables: Sequence[Running], source: str) -> bool:
    """Whether a table that runs may be using this camera."""
    return any(
        each.devices
        and (each.config is None or (each.config.camera and _same(each.config.camera.source, source)))
        for each in tables
    )


def _devices(one: Config, other: Config) -> Iterator[str]:
    if one.camera and other.camera and _same(one.camera.source, other.camera.source):
        yield f"[camera] source = {_LOGIN.sub('', str(one.camera.source))}"
    pins = sorted(_pins(one) & _pins(other))
    if pins:
        yield f"pins {', '.join(map(str, pins))}"
    ports = set(one.boxes.ports if one.boxes else ()) & set(other.boxes.ports if other.boxes else ())
    if ports:
        yield f"[boxes] ports = {', '.join(sorted(ports))}"


def _same(one: int | str, other: int | str) -> bool:
    """Whether two sources are one camera: 0 is /dev/video0. Pictures in a file serve any number of tables."""
    names = {_camera(str(each)) for each in (one, other)}
    name = names.pop()
    return not names and (name.startswith("/dev/") or name in _PI.values() or "://" in name)


def _camera(source: str) -> str:
    """A source by one name: a link in /dev by what it leads to."""
    name = f"/dev/video{source}" if source.isdecimal() else _PI.get(source, source)
    return str(Path(name).resolve()) if name.startswith("/dev/") else name


def _pins(chosen: Config) -> set[int]:
    pins = [pin for seat in chosen.seats.values() for pin in (seat.button, seat.lamp)]
    return {pin for pin in (*pins, chosen.call_button, chosen.camera_lamp) if pin is not None}


def _running(patient: Patient, pid: str) -> Running:
    home = patient.path(f"/proc/{pid}")
    words = patient.words(pid)
    simulated, given = "--sim" in words, _option(words, "--journal")
    chosen: Config | None
    try:
        named = _option(words, "--config")
        path = None if named is None else _there(home, named)
        chosen = Config() if named is None else None if path is None else config.load(path)
    except BadConfig:  # it was another one when that table started, or is not ours to read
        chosen = None
    if chosen is not None:
        chosen = _as_told(config.with_camera(chosen, _option(words, "--camera")), _option(words, "--port"))
    name = given if given is not None else None if simulated or chosen is None else chosen.journal
    journal = None if name is None else _there(home, name)
    service = SERVICE in patient.text(f"/proc/{pid}/cgroup")
    return Running(pid, chosen, journal, not simulated, service)


def _as_told(chosen: Config, port: str | None) -> Config:
    if port is None or not port.isdecimal():
        return chosen
    return replace(chosen, screen=replace(chosen.screen, port=int(port)))


def _option(words: Sequence[str], name: str) -> str | None:
    """What a command line gives an option: --port 8081 or --port=8081."""
    for word, after in zip(words, (*words[1:], None), strict=True):
        if word == name:
            return after
        if word.startswith(f"{name}="):
            return word.partition("=")[2]
    return None


def _there(home: Path, name: str) -> Path | None:
    """A file as a process of `home` in /proc means it; None where nobody can tell."""
    try:
        if name.startswith("~/"):
            return Path(pwd.getpwuid(home.stat().st_uid).pw_dir) / name[2:]
        return Path(name) if name.startswith("/") else (home / "cwd").resolve(strict=True) / name
    except (OSError, KeyError):
        return None
