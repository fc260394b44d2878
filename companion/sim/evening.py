"""One simulated evening: persons act, the companion referees, and at the end everything is counted by hand."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from companion.table.crank import look
from companion.table.cues import Cue
from companion.table.effects import Say
from companion.table.game import Table, View
from companion.table.luck import Luck
from companion.table.session import Session
from companion.table.things import Button, CardId, Deck, Player, Zone, value

PATIENCE = 20_000  # acts after which a game is given up as stuck


class Body(Protocol):
    """The physical truth of a table: what lies where. Nothing here knows what the companion believes."""

    @property
    def zones(self) -> Mapping[Zone, list[CardId]]:
        """What lies in each zone, in the order it was laid; dice in a tray are cards of kind "die"."""


class Persons(Protocol):
    """Everybody at the table: they look at the public screen and their phones, press, lay, choose, and err."""

    acts: int

    def act(self, view: View, cues: tuple[Cue, ...], heard: tuple[Say, ...]) -> bool:
        """Let one person do one thing; `heard` is what the voice said meanwhile. False: everybody waits."""

    def finish(self, view: View, heard: tuple[Say, ...]) -> None:
        """The game is over: what is still owed is done."""


class Hands(Protocol):
    """What persons can do to the companion: press a button, answer on a phone, look at it."""

    def press(self, player: Player, button: Button, after_ns: int = 0) -> None:
        """Press, so many ns from now."""

    def choose(self, player: Player, cue: str, option: str) -> None:
        """Answer a question."""

    def own(self, player: Player) -> View:
        """What the player's phone shows him."""


class Rig(Hands, Protocol):
    """The companion as persons and cameras reach it."""

    def session(self) -> Session:
        """The game under way."""

    def watched(self) -> tuple[Zone, ...]:
        """The zones that the camera looks at now."""

    def anew(self) -> tuple[Zone, ...]:
        """Zones to be said again though nothing may have changed in them; asked once."""

    def show(self, zone: Zone, cards: tuple[CardId, ...]) -> None:
        """A zone has come to rest with these cards."""

    def heard(self) -> tuple[Say, ...]:
        """What the voice has said since the last time."""

    def settle(self) -> None:
        """Let the companion take in what has happened."""

    def wait(self) -> bool:
        """Let time pass to the next thing that is due; False: nothing is."""


class Sight(Protocol):
    """How zones are seen: told as they are, or through pictures and the reader."""

    def look(self, body: Body, rig: Rig) -> bool:
        """Report every watched zone that has changed; whether there was one."""

    @property
    def misread(self) -> int:
        """Cards reported that did not lie there."""


@value
class Counted:
    """What the other witness finds at the end: winners, points, and where the companion's books differ."""

    differences: tuple[str, ...]
    winners: tuple[str, ...]
    points: Mapping[str, int]


@value
class Evening:
    """How a game is played on the simulated table. `number` counts the games of a series from 0."""

    game: str
    folder: str  # whose deck it is played with
    few: int  # players at least and at most
    many: int
    spots: Mapping[Zone, tuple[float, float]]  # where each plate's left marker lies, mm on the table
    options: Callable[[int, int, Mapping[str, object]], Mapping[str, object]]  # number, players, given
    seat: Callable[[Deck, tuple[Player, ...], Luck, Mapping[str, object]], Body]
    persons: Callable[[Any, Rig, float, Mapping[str, object]], Persons]  # its own body, rig, mess, options
    count: Callable[[Any, Any, View], Counted]  # its own body and persons, the companion's final view


@value
class Result:
    """How a simulated game ended, and every difference between the table and the companion's books."""

    game: str
    seed: int
    players: int
    options: Mapping[str, object]
    acts: int
    rounds: int
    events: int
    winners: tuple[str, ...]
    points: Mapping[str, int]
    differences: tuple[str, ...]
    misread: int = 0


class Told:
    """Eyes off: a zone is reported as it lies, once for each change."""

    def __init__(self) -> None:
        """Nothing was reported yet."""
        self._last: dict[Zone, tuple[CardId, ...]] = {}
        self.misread = 0

    def look(self, body: Body, rig: Rig) -> bool:
        """Report a watched zone that has changed, or that is to be said again."""
        watched, anew = rig.watched(), rig.anew()
        self._last = {z: self._last[z] for z in watched if z in self._last and z not in anew}
        for zone in watched:
            content = tuple(body.zones.get(zone, ()))
            if self._last.get(zone) != content:
                self._last[zone] = content
                rig.show(zone, content)
                return True
        return False


def play(
    evening: Evening, rig: Rig, body: Body, sight: Sight, *, mess: float = 0.0,
    after_act: Callable[[], None] = lambda: None,
) -> Result:  # fmt: skip
    """Play one game to its end. `after_act` is called after each act: a pause for spectators."""
    persons = evening.persons(body, rig, mess, rig.session().setting.options)
    while not rig.session().over and persons.acts < PATIENCE:
        session = rig.session()
        acted = persons.act(look(session, Table()), session.cues, rig.heard())
        rig.settle()
        while sight.look(body, rig):
            rig.settle()
        if acted:
            after_act()
        elif rig.session() is session and not rig.wait():
            break
    persons.finish(look(rig.session(), Table()), rig.heard())
    return compare(evening, rig, body, persons, sight)


def compare(evening: Evening, rig: Rig, body: Body, persons: Persons, sight: Sight) -> Result:
    """Count what lies on the table and hold it against the companion's final view."""
    session = rig.session()
    view: Any = look(session, Table())
    counted = evening.count(body, persons, view)
    stuck = [] if session.over else [_stuck(session, view, persons.acts)]
    setting = session.setting
    return Result(
        setting.game, setting.seed, len(setting.players), dict(setting.options), persons.acts,
        int(view.get("round") or 0), session.last, counted.winners, counted.points,
        (*stuck, *counted.differences), sight.misread,
    )  # fmt: skip


def _stuck(session: Session, view: Any, acts: int) -> str:
    waiting = view.get("waiting_for", [])
    return f"stuck in {view.get('phase')} after {acts} acts; waiting for {waiting}; cues {session.cues}"
