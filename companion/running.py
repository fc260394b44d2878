"""`companion run`: put the devices of this table together, resume the game, and work until stopped."""

from __future__ import annotations

import secrets
import signal
import socket
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import click
import msgspec

from companion import config
from companion.edges.archive import Archive, ArchiveError
from companion.edges.camera import Camera, CameraError, device
from companion.edges.clocks import MonotonicClocks
from companion.edges.gpio import Board, ButtonPin, LampPin, PinError, pi_factory
from companion.edges.journal import Journal
from companion.edges.screen import Keep, Screen
from companion.edges.voice import Silence
from companion.house import House, News, Trouble
from companion.reports import printed_for_screen
from companion.shelf import deck, phrases, shelf
from companion.sim.evening import play
from companion.sim.evenings import evening as evening_of
from companion.sim.picture import Picture
from companion.table import crank
from companion.table.crank import Session
from companion.table.effects import Say
from companion.table.events import Chosen, Opened, Setting
from companion.table.game import Seat, Table, View
from companion.table.luck import Luck
from companion.table.photo_finish import MS, Press
from companion.table.record import name_of, record
from companion.table.things import BID, CALL, Button, CardId, Deck, Player, Zone
from companion.vision.settle import Rule, Settle
from companion.voicing import voice_of
from companion.wiring import NAMES, Ears, Fingers

TABLE_KEY = Player("table")
PATIENCE_S = 2.0  # how long simulated persons wait for an answer


class Chronicle:
    """Keeps every game that comes to its end, and drops it again when its end is taken back."""

    def __init__(self, archive: Archive) -> None:
        """Keep them there."""
        self._archive, self._kept = archive, archive.names()
        self._last: object = None

    def show(self, session: Session | None) -> None:
        """See whether a game has ended, or goes on after all. An archive that fails stops no game."""
        if session is None or session.head is self._last:
            return
        self._last = session.head
        if not session.over and not self._kept:
            return
        name = name_of(session)
        with suppress(ArchiveError):
            if session.over:
                self._archive.keep(record(session))
                self._kept |= {name}
            elif name in self._kept:
                self._archive.drop(name)
                self._kept -= {name}


class Both:
    """Screens, history and, at a simulated table, the persons' ears."""

    def __init__(self, screen: Screen, ears: Ears, chronicle: Chronicle) -> None:
        """Show everything to all of them."""
        self._screen, self._ears, self._chronicle = screen, ears, chronicle

    def show(self, session: Session | None, news: News) -> None:
        """Show this."""
        self._screen.show(session, news)
        self._ears.show(session, news)
        self._chronicle.show(session)


class Optional:
    """Lamps and eyes that may come later or never: a table without them plays on."""

    def __init__(self) -> None:
        """Nothing is there yet."""
        self.lamps: Any = None
        self.camera: Camera | None = None
        self.zones: tuple[Zone, ...] = ()
        self.deck: Callable[[], Deck | None] = lambda: None  # of the game under way

    def shine(self, player: Player, look: str) -> None:
        """A lamp's level."""
        if self.lamps is not None:
            self.lamps.shine(player, look)

    def blink(self, player: Player, look: str) -> None:
        """A lamp's answer."""
        if self.lamps is not None:
            self.lamps.blink(player, look)

    def watch(self, zones: tuple[Zone, ...], anew: tuple[Zone, ...]) -> None:
        """Where to look."""
        self.zones = zones
        if self.camera is None:
            return
        playing = self.deck()
        if playing is not None:
            self.camera.play(playing)
        self.camera.watch(zones, anew)


class Places:
    """Buttons and lamps by places at the table: who sits at a place is known when a game is open."""

    def __init__(self, house: House, chosen: config.Config) -> None:
        """Claim the pins of all places; PinError names the one that cannot be had."""
        self._house = house
        keys = [ButtonPin(Player(number), BID, seat.button) for number, seat in chosen.seats.items()]
        if chosen.call_button is not None:
            keys.append(ButtonPin(TABLE_KEY, CALL, chosen.call_button))
        lamps = [LampPin(Player(n), seat.lamp) for n, seat in chosen.seats.items() if seat.lamp is not None]
        self._board = Board(pi_factory(), keys, lamps, self._pressed)
        self._board.start()
        self.close = self._board.close

    def _pressed(self, press: Press) -> None:
        """A place's press is its player's; the table's call button speaks for the starting player."""
        if self._house.session is None:
            return
        if press.player == TABLE_KEY:
            starter = crank.look(self._house.session, Table()).get("starter")
            if starter is not None:
                self._house.put(replace(press, player=Player(str(starter))))
            return
        players = self._house.session.setting.players
        place = int(press.player) - 1
        if place < len(players):
            self._house.put(replace(press, player=players[place]))

    def shine(self, player: Player, look: str) -> None:
        """A player's lamp is that of his place."""
        self._board.shine(self._place(player), look)

    def blink(self, player: Player, look: str) -> None:
        """A lamp's answer."""
        self._board.blink(self._place(player), look)

    def _place(self, player: Player) -> Player:
        players = self._house.session.setting.players if self._house.session is not None else ()
        return Player(str(players.index(player) + 1)) if player in players else player


class LiveRig:
    """The companion in real time, as simulated persons reach it."""

    def __init__(self, house: House, fingers: Fingers, ears: Ears, pace: float) -> None:
        """Persons think `pace` seconds."""
        self._house, self._fingers, self._ears, self._pace = house, fingers, ears, pace

    def session(self) -> Session:
        """The game under way."""
        assert self._house.session is not None, "the game was opened"
        return self._house.session

    def watched(self) -> tuple[Zone, ...]:
        """The camera reports by itself."""
        return ()

    def anew(self) -> tuple[Zone, ...]:
        """The camera knows by itself."""
        return ()

    def heard(self) -> tuple[Say, ...]:
        """What was said since the last time."""
        return self._ears.heard()

    def own(self, player: Player) -> View:
        """What the player's phone shows him."""
        return crank.look(self.session(), Seat(player))

    def press(self, player: Player, button: Button, after_ns: int = 0) -> None:
        """Press now."""
        time.sleep(after_ns / 1e9)
        self._fingers.press(player, button, time.monotonic_ns())

    def choose(self, player: Player, cue: str, option: str) -> None:
        """Answer on a phone."""
        self._house.put(Chosen(player, cue, option))

    def show(self, zone: Zone, cards: tuple[CardId, ...]) -> None:
        """The camera does this at a real table."""

    def settle(self) -> None:
        """Wait until the companion (and its camera) has taken in what happened; people wait so long too."""
        before, patience = self._house.session, time.monotonic() + PATIENCE_S
        while self._house.session is before and time.monotonic() < patience:
            time.sleep(0.05)
        time.sleep(min(self._pace, 0.2))

    def wait(self) -> bool:
        """Wait and see."""
        time.sleep(0.2)
        return True


class Blind:
    """No eyes of their own: the camera reports."""

    misread = 0

    def look(self, body: object, rig: object) -> bool:
        """Nothing to report."""
        del body, rig  # the camera sees for itself
        return False


class Seats(Keep):
    """The phones' seats in a file beside the journal; what cannot be read or written is forgotten, never fatal."""

    def __init__(self, path: Path) -> None:
        """Keep them there."""
        self._path = path

    def load(self) -> Mapping[str, str]:
        """The seats kept last."""
        try:
            kept = msgspec.json.decode(self._path.read_bytes(), type=dict[str, str])
        except (OSError, msgspec.DecodeError):
            return {}
        return kept

    def save(self, seats: Mapping[str, str]) -> None:
        """Written whole beside it, then put in its place: a pulled plug leaves the old file or the new one."""
        fresh = self._path.with_suffix(".new")
        with suppress(OSError):
            fresh.write_bytes(msgspec.json.encode(dict(seats)))
            fresh.replace(self._path)


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
        _simulate(house, parts, ears, game, players, seed, mess, pace, options)
        if simulated
        else _real(house, parts, chosen)
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


def _real(house: House, parts: Optional, chosen: config.Config) -> tuple[Callable[[], None], ...]:
    """Real pins and a real camera; what is missing is named on the screens and done without."""
    closing: list[Callable[[], None]] = []
    if chosen.camera is not None:
        try:
            grab = device(chosen.camera.source)
            camera = Camera(
                grab, parts.deck() or deck("koala"), house.put, lambda text: house.put(Trouble("camera", text)),
                marker_px=chosen.camera.marker_px,
            )  # fmt: skip
            parts.camera = camera
            camera.watch(parts.zones)
            closing.append(camera.close)
        except CameraError as fault:
            house.put(Trouble("camera", str(fault)))
    if chosen.seats or chosen.call_button is not None:
        try:
            pins = Places(house, chosen)
            parts.lamps = pins
            closing.append(pins.close)
        except PinError as fault:
            house.put(Trouble("buttons", str(fault)))
    return tuple(closing)


def _simulate(
    house: House, parts: Optional, ears: Ears, game: str, players: int | None, seed: int | None, mess: float,
    pace: float, options: Mapping[str, object],
) -> tuple[Callable[[], None], ...]:  # fmt: skip
    """Persons with hidden hands, cards drawn into camera pictures, fingers on mock pins."""
    luck = seed if seed is not None else time.time_ns() % 1_000_000
    played = evening_of(game)
    names = tuple(Player(name) for name in NAMES[: players or min(max(4, played.few), played.many)])
    cards = deck(played.folder)
    body = played.seat(cards, names, Luck(luck), options)
    picture = Picture(cards, Luck(luck), played.spots)
    settle = Settle(Rule(frames=3, agree=2, dwell_ns=150 * MS))
    camera = Camera(
        lambda: picture.shot({zone: tuple(held) for zone, held in body.zones.items()}), cards, house.put,
        lambda text: house.put(Trouble("camera", text)), marker_px=(12.0, 34.0), settle=settle, pause_s=0.03,
    )  # fmt: skip
    parts.camera = camera
    fingers = Fingers(names, house)
    fingers.board.start()
    parts.lamps = fingers.board
    house.put(Opened(Setting(game, names, options, luck), int(time.time())))

    def evening() -> None:
        while house.session is None:
            time.sleep(0.05)
        rig = LiveRig(house, fingers, ears, pace)
        result = play(played, rig, body, Blind(), mess=mess, after_act=lambda: time.sleep(pace))
        for line in result.differences:
            click.echo(f"DIFFERENCE (seed {luck}): {line}")
        click.echo(f"The game is over: {', '.join(result.winners)} won. The screen stays.")

    threading.Thread(target=evening, name="persons", daemon=True).start()
    return (camera.close, fingers.board.close)
