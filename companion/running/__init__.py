"""`companion run`: put the devices of this table together, resume the game, and work until stopped."""

from __future__ import annotations

import secrets
import signal
import socket
import threading
import time
from collections.abc import Mapping
from pathlib import Path

import click

from companion import config
from companion.edges.archive import Archive
from companion.edges.clocks import MonotonicClocks
from companion.edges.journal import Journal
from companion.edges.screen import Screen
from companion.edges.voice import Silence
from companion.house import House, Trouble
from companion.reports import printed_for_screen
from companion.running.parts import Both, Optional
from companion.running.real import connect
from companion.running.records import Chronicle, Seats
from companion.running.simulated import simulate
from companion.shelf import phrases, shelf
from companion.voicing import voice_of
from companion.wiring import Ears


def run(
    *, simulated: bool, game: str, players: int | None, seed: int | None, mess: float, pace: float,
    options: Mapping[str, object], settings: Path | None, journal: Path | None, host: str | None,
    port: int | None, lang: str | None,
) -> None:  # fmt: skip
    """Serve until Ctrl-C or SIGTERM."""
    chosen = config.load(settings)
    path = _journal(journal, chosen.journal, simulated)
    clocks, games, words, parts, ears = MonotonicClocks(), shelf(), phrases(), Optional(), Ears()
    built = threading.Event()

    def hoarse(text: str) -> None:
        built.wait()  # the voice is there before the house
        house.put(Trouble("voice", text))

    speaker = Silence() if simulated and settings is None else voice_of(chosen, lang or chosen.lang, hoarse)
    written = Journal(path)
    if written.moved_aside is not None:
        click.echo(
            f"the journal was damaged; its good part goes on, the file was kept as {written.moved_aside}"
        )
    pin = f"{secrets.randbelow(1_000_000):06d}"
    archive = Archive(path.with_suffix(".games.db"))
    screen = Screen(
        lambda event, reply: house.put(event, reply),  # noqa: PLW0108  # the house is made a moment later
        words, pin, hosts=_hosts(), now=clocks.now, shelf=games, keep=Seats(path.with_suffix(".seats.json")),
        archive=archive, printer=printed_for_screen,
    )  # fmt: skip
    house = House(
        games, words, written, clocks, lamps=parts, voice=speaker, eyes=parts,
        screens=Both(screen, ears, Chronicle(archive)), lang=lang or chosen.lang,
    )  # fmt: skip
    parts.deck = lambda: None if house.session is None else house.session.box.deck
    house.resume()
    built.set()
    where = host or ("127.0.0.1" if simulated else chosen.screen.host)
    served = screen.serve(where, chosen.screen.port if port is None else port)
    screen.at(f"http://{where if where == '127.0.0.1' else _hosts()[-1]}:{served}")
    closing = (
        simulate(house, parts, ears, game, players, seed, mess, pace, options)
        if simulated
        else connect(house, parts, chosen)
    )
    _greet(where, served, pin, house, path)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: house.stop())
    house.run()
    for close in (*closing, screen.close, speaker.close, archive.close, written.close):
        close()


def _journal(given: Path | None, usual: str, simulated: bool) -> Path:
    """Where to write: a simulated evening begins a journal of its own, a real one goes on where it was."""
    path = given or (Path(f"build/sim/{time.time_ns()}.db") if simulated else Path(usual).expanduser())
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


def _hosts() -> list[str]:
    """Names under which this machine may be addressed."""
    name = socket.gethostname()
    hosts = [name, f"{name}.local"]
    try:  # no packet is sent: this only asks which address would be used
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.connect(("192.0.2.1", 9))
            hosts.append(str(probe.getsockname()[0]))
    except OSError:
        pass  # no network: localhost is enough
    return hosts


def _greet(host: str, port: int, pin: str, house: House, path: Path) -> None:
    shown = "localhost" if host in ("127.0.0.1", "0.0.0.0") else host  # noqa: S104  # a comparison
    click.echo(f"Table screen:  http://{shown}:{port}/table")
    click.echo(f"Operator:      http://{shown}:{port}/op   PIN {pin}")
    if house.session is not None and not house.session.over:
        click.echo(f"{house.session.setting.game} goes on with {', '.join(house.session.setting.players)}.")
    click.echo(f"Journal:       {path}")
    click.echo("Ctrl-C ends it; nothing is lost.")
