"""A simulated table in real time: persons with hidden hands, drawn camera pictures, fingers on mock pins."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import click

from companion.boxed import BoxFingers
from companion.ears import Ears
from companion.edges.camera import Camera
from companion.house import House, Trouble
from companion.running.asked import Evening
from companion.running.eyes import Joined, naming, strangers
from companion.running.parts import Optional
from companion.shelf import deck
from companion.sim.evening import play
from companion.sim.evenings import evening as evening_of
from companion.sim.picture import Picture
from companion.table import crank
from companion.table.effects import Say
from companion.table.events import Chosen, Opened, Setting
from companion.table.game import Refusal, Seat, View
from companion.table.luck import Luck
from companion.table.photo_finish import MS
from companion.table.session import Session
from companion.table.things import Button, CardId, Player, Zone
from companion.telling import refused
from companion.vision.settle import Rule, Settle
from companion.wiring import NAMES, Fingers

PATIENCE_S = 2.0  # how long simulated persons wait for an answer


class GivenUp(Exception):
    """Another game is on the table: these persons hold none of its cards."""


class LiveRig:
    """The companion in real time, as simulated persons reach it."""

    def __init__(
        self, house: House, fingers: Fingers | BoxFingers, ears: Ears, pace: float, setting: Setting
    ) -> None:
        """Persons think `pace` seconds. `setting`: of their game."""
        self._house, self._fingers, self._ears, self._pace = house, fingers, ears, pace
        self._setting = setting

    def session(self) -> Session:
        """The game under way. GivenUp if it is not theirs any more."""
        session = self._house.session
        assert session is not None, "the game was opened"
        if session.setting is not self._setting:
            raise GivenUp
        return session

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


def simulate(
    house: House, parts: Optional, ears: Ears, wanted: Evening
) -> tuple[Callable[[], None], ...]:  # fmt: skip
    """Persons with hidden hands, cards drawn into camera pictures, fingers on mock pins."""
    luck = wanted.seed if wanted.seed is not None else time.time_ns() % 1_000_000
    game, pace = wanted.game, wanted.pace
    played = evening_of(game)
    names = tuple(Player(name) for name in NAMES[: wanted.players or min(max(4, played.few), played.many)])
    cards = deck(played.folder)
    body = played.seat(cards, names, Luck(luck), wanted.options)
    picture = Picture(cards, Luck(luck), played.spots)
    settle = Settle(Rule(frames=3, agree=2, dwell_ns=150 * MS))
    told = Joined(lambda text: house.put(Trouble("camera", text)))
    camera = Camera(
        lambda: picture.shot({zone: tuple(held) for zone, held in body.zones.items()}), cards, house.put,
        told.of("frames"), marker_px=(12.0, 34.0), settle=settle, pause_s=0.03,
        others=strangers(), table=lambda text: house.put(Trouble("table", text)), witness=parts.sight,
        naming=naming(house.lang), failed=told.of("reading"),
    )  # fmt: skip
    parts.equip(camera, (12.0, 34.0))
    fingers = Fingers(names, house) if wanted.boxes is None else BoxFingers(names, house, wanted.boxes, luck)
    fingers.board.start()
    parts.lamps = fingers.board

    def evening(setting: Setting) -> None:
        rig = LiveRig(house, fingers, ears, pace, setting)
        try:
            result = play(played, rig, body, Blind(), mess=wanted.mess, after_act=lambda: time.sleep(pace))
        except GivenUp:
            click.echo("Their game was given up: the simulated persons get up from the table.")
            return
        for line in result.differences:
            click.echo(f"DIFFERENCE (seed {luck}): {line}")
        click.echo(f"The game is over: {', '.join(result.winners)} won. The screen stays.")

    def opened(answer: crank.Turn | Refusal) -> None:
        """Persons sit down at the game that they opened, at no other one: they hold none of its cards."""
        if isinstance(answer, Refusal):
            lying = house.session  # its words name it, where it is what stands in the way
            busy = lying is not None and not lying.over
            why = refused(answer, lying.setting.game if lying is not None and busy else game, house.lang)
            click.echo(f"No simulated game: {why} Name another --journal or --option, or leave --sim away")
        else:
            threading.Thread(
                target=evening, args=(answer.session.setting,), name="persons", daemon=True
            ).start()

    house.put(Opened(Setting(game, names, wanted.options, luck), int(time.time())), opened)
    return (camera.close, fingers.board.close)
