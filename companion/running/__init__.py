"""`companion run`: put the devices of this table together, resume the game, and work until stopped."""

from __future__ import annotations

import secrets
import signal
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack, suppress
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from companion import bundling, config, doctor
from companion.ears import Ears
from companion.edges.archive import Archive, people
from companion.edges.clocks import MonotonicClocks
from companion.edges.journal import JournalError
from companion.edges.logbook import Logbook
from companion.edges.screen import Screen
from companion.edges.starts import STEADY_S, Starts, Told
from companion.edges.watchdog import Notify, Watchdog
from companion.house import House, Tempo, Trouble, Wish
from companion.running.behind import failing, persons, voice, why
from companion.running.club import told_by
from companion.running.decks import desks
from companion.running.eyes import Sight
from companion.running.later import Later, Step
from companion.running.mouth import Mouth
from companion.running.names import Names, address
from companion.running.opening import ARCHIVE, opened, resumed
from companion.running.opening import archive as opened_archive
from companion.running.parts import Both, Optional
from companion.running.preflight import Preflight
from companion.running.real import eyes, hands
from companion.running.records import Chronicle, Diary, Seats
from companion.running.words import said
from companion.shelf import phrases, shelf
from companion.table.crank import Box
from companion.table.events import Event
from companion.table.phrases import Phrases
from companion.wire.foreign import visible

if TYPE_CHECKING:  # a table that is not simulated loads nothing of it
    from companion.boxed import Plan

LONGEST_NAME = 200  # bytes of a journal's name: other files are called after it


def run(
    *, settings: Path | None, journal: Path | None, simulated: bool, camera: str | None = None, **given: Any
) -> None:  # fmt: skip
    """Serve until Ctrl-C or SIGTERM; after three starts that came to nothing, the web page only."""
    chosen = config.with_camera(config.load(settings), camera)
    path = _journal(journal, chosen.journal, simulated)
    starts = Starts(path.with_suffix(".starts.json"))
    before = starts.begin()
    book = Logbook(path.with_suffix(".log"))
    book.note(f"start: companion {version('companion')}, {'simulated' if simulated else path.name}")
    safe = before.ill
    if safe:
        starts.steady()  # the next start tries again
    try:
        # Should one fail to close, all others are closed, too; the journal last.
        with book.listening(), ExitStack() as closing:
            house = _built(
                closing, chosen, path, starts, before if safe else None, book, simulated=simulated,
                configured=settings is not None, **given,
            )  # fmt: skip
            house.run()
    except BaseException as fault:
        book.failed(fault)
        starts.failed(why(fault))
        raise
    starts.steady()


def _built(
    closing: ExitStack, chosen: config.Config, path: Path, starts: Starts, safe: Told | None, book: Logbook, *,
    simulated: bool, configured: bool, game: str, players: int | None, seed: int | None, mess: float, pace: float,
    options: Mapping[str, object], host: str | None, port: int | None, lang: str | None, boxes: Plan | None = None,
) -> House:  # fmt: skip
    """A house with everything around it, ready to run; `closing` gets what is to be closed behind it."""
    clocks, parts, ears = MonotonicClocks(), Optional(), Ears()
    games, words = dict(shelf()), dict(phrases())  # looked up anew each time: a deck may be entered
    tongue, names = lang or chosen.lang, Names()
    written, ill = opened(path, safe is not None, tongue)
    closing.callback(lambda: written.close())  # noqa: PLW0108  # another one may come into its place
    parts.sight = sight = Sight(path.parent / "bundles", lambda: house.session)
    pin = f"{secrets.randbelow(1_000_000):06d}"
    archive, damage = opened_archive(path.with_suffix(".games.db"), tongue)
    closing.callback(archive.close)
    quiet = safe is not None or (simulated and not configured)
    mouth = Mouth(not quiet)
    examined = replace(chosen, journal=str(path))
    flight = _preflight(examined, parts, sight, mouth, tongue, simulated, lambda: house.news.health)
    screen = _screen(
        chosen, path, pin, lambda: house, names=names, now=clocks.now, games=games, words=words, archive=archive,
        parts=parts, doctor=flight,
    )  # fmt: skip
    clubs = told_by(chosen, archive, lambda text: house.put(Trouble("mqtt", text)), tongue)
    house = House(
        games, words, written, clocks, lamps=parts, voice=mouth, eyes=parts,
        screens=Both(
            screen, ears,
            Chronicle(archive, lambda text: house.put(Trouble(ARCHIVE, text)), tongue, [c.finished for c in clubs]),
            [Diary(book.note), *clubs],
        ),
        lang=tongue,
    )  # fmt: skip
    sight.reporter = _reporter(
        examined, path, book, sight, lambda: tuple(written.events()), lambda: (pin, screen.code)
    )
    parts.deck = lambda: None if house.session is None else house.session.box.deck
    written = resumed(house, written, ill)
    if damage:
        click.echo(damage)
        house.put(Trouble(ARCHIVE, damage))
    where = host or ("127.0.0.1" if simulated else chosen.screen.host)
    served = screen.serve(where, chosen.screen.port if port is None else port)
    closing.callback(screen.close)
    screen.at(names.join(where, served))
    for club in clubs:  # none is looked for in safe mode
        if safe is None:
            club.start()
            closing.callback(club.close)
    later: dict[str, Step] = {} if quiet else {"voice": lambda: voice(mouth, chosen, house)}
    if safe is not None:
        house.put(Trouble("safe mode", said(tongue, "safe", why=safe.why or said(tongue, "killed"))))
    elif simulated:
        later["persons"] = lambda: persons(
            house, parts, ears, game, players, seed, mess, pace, options, boxes
        )
    else:
        for close in hands(house, parts, chosen):
            closing.callback(close)
        later["camera"] = lambda: eyes(house, parts, chosen)
    behind = Later(later, failing(house, simulated))
    closing.callback(behind.close)
    _greet(where, served, pin, house, path)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: house.stop())
    closing.callback(_watched(house, parts, starts).close)
    behind.begin()
    return house


def _preflight(
    chosen: config.Config, parts: Optional, sight: Sight, mouth: Mouth, lang: str, simulated: bool,
    health: Callable[[], Mapping[str, str]],
) -> Preflight:  # fmt: skip
    """The doctor and the pre-flight of this table."""
    return Preflight(
        parts.roll, findings=lambda lang: _examined(chosen, lang), sight=sight.state,
        camera=chosen.camera is not None or simulated, health=health,
        sounds=lambda: mouth.sounds, chime=mouth.chime,
        say=lambda told: mouth.say(told, lang, "prompt"), words=phrases()[""], lang=lang,
    )  # fmt: skip


def _screen(
    chosen: config.Config, path: Path, pin: str, house: Callable[[], House], *, names: Names,
    now: Callable[[], int], games: dict[str, Box], words: dict[str, Phrases], archive: Archive, parts: Optional,
    doctor: Preflight,
) -> Screen:  # fmt: skip
    """All pages of this table. `house`: it is made a moment later."""
    return Screen(
        lambda event, reply: house().put(event, reply),
        words, pin, hosts=names, now=now, shelf=games, keep=Seats(path.with_suffix(".seats.json")),
        archive=archive, printer=_printed, looking=parts.sight, diagonal=chosen.screen.diagonal,
        ask=lambda again, loud: house().put(Wish(again, loud)),
        tempo=lambda paused, stretch: house().put(Tempo(paused, stretch)),
        doctor=doctor, decks=desks(games, words, parts, lambda: house().session),
    )  # fmt: skip


def _reporter(
    chosen: config.Config, path: Path, book: Logbook, sight: Sight, events: Callable[[], tuple[Event, ...]],
    secret: Callable[[], tuple[str, ...]],
) -> Callable[[bool], tuple[str, bytes]]:  # fmt: skip
    """Who makes the report of a problem while the table runs."""
    return lambda sealed: bundling.report(
        events(), chosen=chosen, log=book.told(), findings=_examined(chosen, "en"), readings=sight.readings(),
        sealed=sealed, names=(*bundling.seated(path), *people(path.with_suffix(".games.db"))), secrets=secret(),
    )  # fmt: skip


def _printed(game: str, wishes: Mapping[str, str]) -> bytes:
    """Sheets for the print page."""
    from companion.printing import printed_for_screen  # noqa: PLC0415  # loads OpenCV: not before somebody prints

    return printed_for_screen(game, wishes)


def _examined(chosen: config.Config, lang: str) -> list[dict[str, str]]:
    """What the doctor finds while the table runs: what it holds itself is not opened a second time."""
    return [doctor.plain(finding, lang) for finding in doctor.of(chosen, look=False)]


def _watched(house: House, parts: Optional, starts: Starts) -> Watchdog:
    """Tell whoever started us that we serve, and go on telling that we live."""
    notify = Notify()
    notify.say("READY=1", "STATUS=the table is open")
    starts.serving()
    watchdog = Watchdog(
        notify,
        {"house": lambda: house.awake / 1e9, "camera": parts.camera_seen, "boxes": parts.boxes_seen},
    )
    watchdog.start()
    steady = threading.Timer(STEADY_S, starts.steady)
    steady.daemon = True
    steady.start()
    return watchdog


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


def _greet(host: str, port: int, pin: str, house: House, path: Path) -> None:
    shown = address("localhost" if host in ("127.0.0.1", "0.0.0.0") else host, port)  # noqa: S104  # a comparison
    click.echo(f"Table screen:  {shown}/table")
    click.echo(f"Operator:      {shown}/op   PIN {pin}")
    if house.session is not None and not house.session.over:
        people = visible(", ".join(house.session.setting.players))  # the journal may be anybody's
        click.echo(f"{house.session.setting.game} goes on with {people}.")
    click.echo(f"Journal:       {path}")
    _write_pin(path, pin)
    click.echo("Ctrl-C ends it; nothing is lost.")


def _write_pin(path: Path, pin: str) -> None:
    """For `companion pin` on the device itself: a file that nobody else may read."""
    with suppress(OSError):
        file = path.with_suffix(".pin")
        file.unlink(missing_ok=True)
        file.touch(mode=0o600)
        file.write_text(pin, "ascii")
