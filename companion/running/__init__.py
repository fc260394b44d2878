"""`companion run`: put the devices of this table together, resume the game, and work until stopped."""

from __future__ import annotations

import signal
import threading
import time
from contextlib import ExitStack
from importlib.metadata import version
from pathlib import Path
from typing import Any

import click

from companion import config
from companion.edges.clocks import brisk
from companion.edges.journal import JournalError
from companion.edges.logbook import Logbook
from companion.edges.pinned import Pinned
from companion.edges.screen import ScreenError
from companion.edges.starts import STEADY_S, Starts
from companion.edges.watchdog import Notify, Watchdog
from companion.house import House
from companion.running.asked import Asked, Evening
from companion.running.behind import why
from companion.running.built import Table
from companion.running.names import address
from companion.wire.foreign import visible

LONGEST_NAME = 200  # bytes of a journal's name: other files are called after it


def run(
    *, settings: Path | None, journal: Path | None, simulated: bool, camera: str | None = None,
    host: str | None = None, port: int | None = None, lang: str | None = None, **evening: Any,
) -> None:  # fmt: skip
    """Serve until Ctrl-C or SIGTERM; after three starts that came to nothing, the web page only.

    `evening`: what a simulated table plays, as `Evening` has it.
    """
    chosen = config.with_camera(config.load(settings), camera)
    path = _journal(journal, chosen.journal, simulated)
    brisk()
    fresh = [file for file in (path, path.with_suffix(".games.db")) if not file.exists()]
    starts = Starts(path.with_suffix(".starts.json"))
    before = starts.begin()
    book = Logbook(path.with_suffix(".log"))
    book.note(f"start: companion {version('companion')}, {'simulated' if simulated else path.name}")
    if before.ill:
        starts.steady()  # the next start tries again
    asked = Asked(
        Evening(**evening) if simulated else None, settings is not None, host, port, lang,
        before if before.ill else None,
    )  # fmt: skip
    try:
        # Should one fail to close, all others are closed, too; the journal last.
        with book.listening(), ExitStack() as closing:
            _opened(closing, Table(closing, chosen, path, book, asked), path, starts).run()
    except BaseException as fault:
        book.failed(fault)
        starts.failed(why(fault))
        if simulated and journal is None and isinstance(fault, ScreenError):
            _swept(path)
        elif isinstance(fault, ScreenError):  # nothing was played: no empty journal, which looks like a game
            for file in fresh:
                file.unlink(missing_ok=True)
        raise
    starts.steady()


def _opened(closing: ExitStack, table: Table, path: Path, starts: Starts) -> House:
    """The house of a table that serves: what is not needed for that comes up behind it."""
    table.resume()
    host, port = table.serve()
    behind = table.devices()
    closing.callback(Pinned(path, table.pin).close)
    _greet(host, port, table.pin, table.house, path)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: table.house.stop())
    _watched(closing, table, starts)
    behind.begin()
    return table.house


def _watched(closing: ExitStack, table: Table, starts: Starts) -> None:
    """Tell whoever started us that we serve, and go on telling that we live, until `closing` closes."""
    notify = Notify()
    notify.say("READY=1", "STATUS=the table is open")
    starts.serving()
    watchdog = Watchdog(notify, table.alive)
    watchdog.start()
    closing.callback(watchdog.close)
    steady = threading.Timer(STEADY_S, starts.steady)
    steady.daemon = True
    steady.start()
    closing.callback(steady.cancel)


def _journal(given: Path | None, usual: str, simulated: bool) -> Path:
    """Where to write: a simulated evening begins a journal of its own, a real one goes on where it was."""
    path = given or (Path(f"build/sim/{time.time_ns()}.db") if simulated else Path(usual).expanduser())
    if len(path.name.encode(errors="replace")) > LONGEST_NAME or "\x00" in str(path):
        raise JournalError(
            f"--journal {str(path)[:60]!r}: no file can be called so. Choose a name of at most {LONGEST_NAME} bytes"
        )
    try:
        if path.is_dir():
            raise JournalError(
                f"--journal {path}: that is a folder. Name a file in it: {path / 'journal.db'}"
            )
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as fault:
        if isinstance(fault, JournalError):
            raise
        raise JournalError(
            f"{path.parent}: no folder for the journal ({fault.strerror}). "
            "Name a file where you may write: --journal FILE, or journal in the settings"
        ) from fault
    return path


def _swept(path: Path) -> None:
    """Nobody has seen this simulated table, and no other start goes on with it: nothing of it stays."""
    for left in path.parent.glob(f"{path.stem}.*"):
        left.unlink(missing_ok=True)


def _greet(host: str, port: int, pin: str, house: House, path: Path) -> None:
    shown = address("localhost" if host in ("127.0.0.1", "0.0.0.0") else host, port)  # noqa: S104  # a comparison
    click.echo(f"Table screen:  {shown}/table")
    click.echo(f"Operator:      {shown}/op   PIN {pin}")
    if house.session is not None and not house.session.over:
        people = visible(", ".join(house.session.setting.players))  # the journal may be anybody's
        click.echo(f"{house.session.setting.game} goes on with {people}.")
    click.echo(f"Journal:       {path}")
    click.echo("Ctrl-C ends it; nothing is lost.")
