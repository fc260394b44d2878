"""Every state that a screen can be in: games played on the simulated table, the fullest moment of each phase."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import msgspec

from companion.edges.journal import Journal
from companion.house import News
from companion.shelf import deck, shelf
from companion.sim.evening import Told, play
from companion.sim.evenings import evening
from companion.table import crank
from companion.table.crank import Turn
from companion.table.events import Chosen, Event, Opened, Setting
from companion.table.game import Table
from companion.table.luck import Luck
from companion.table.session import Session
from companion.table.things import Player, value
from companion.wiring import StillRig

# As people are called, one of them as long as a name may be.
NAMES = (
    "Mia", "Alexandra-Charlotte Beck", "Johannes", "Ben", "Friederike", "Emil", "Konstantin", "Greta", "Hugo",
    "Maximiliane", *(f"Kind Nummer {number}" for number in range(11, 41)),
)  # fmt: skip
OPTIONS: Mapping[str, Mapping[str, object]] = {
    "koala": {}, "karnivore": {}, "kukakoenig": {}, "wine": {}, "rescue": {"depth": "light"},
}  # fmt: skip
MOST = {"rescue": 12}  # players of a whole played game; a class of forty is laid by itself


@value
class Scene:
    """A moment of a game: what is on the table, what is told beside it, and the time it is."""

    game: str
    phase: str
    session: Session
    news: News
    now: int


def people(count: int) -> tuple[Player, ...]:
    """So many names."""
    return tuple(Player(name[:24]) for name in NAMES[:count])


@cache
def scenes(game: str, players: int = 0, seed: int = 5) -> tuple[Scene, ...]:
    """The fullest moment of each phase of one whole game; the end is the last."""
    played = evening(game)
    count = players or min(MOST.get(game, played.many), played.many)
    chosen = played.options(0, count, OPTIONS[game])
    rig = StillRig(Setting(game, people(count), chosen, seed), Journal(None))
    found: dict[str, tuple[int, Scene]] = {}
    plain = rig.ears.show

    def keep(session: Session | None, news: News) -> None:
        plain(session, news)
        if session is None:
            return
        view: Any = crank.look(session, Table())
        phase = "over" if session.over else str(view["phase"])
        weight = len(msgspec.json.encode(view)) + 40 * len(news.clocks) + 40 * len(news.captions)
        if phase not in found or found[phase][0] < weight:
            found[phase] = weight, Scene(game, phase, session, news, rig.clocks.now())

    rig.ears.show = keep  # type: ignore[method-assign]  # an ear more
    try:
        body = played.seat(deck(played.folder), people(count), Luck(seed), chosen)
        play(played, rig, body, Told(), mess=0.2)
    finally:
        rig.close()
    return tuple(scene for _, scene in found.values())


@cache
def classroom(pupils: int = 40) -> Scene:
    """A class that draws, half of it ready."""
    names = (Player("Lehrerin"), *people(pupils))
    session: Session | None = None
    drawn: list[Event] = [
        Chosen(name, "draw", option) for name in names[1 : pupils // 2] for option in ("plant:A-a1", "ready")
    ]
    opened = Opened(Setting("rescue", names, {"classroom": True}, 3))
    for event in (opened, Chosen(names[0], "die", "5"), *drawn):
        turn = crank.advance(shelf(), session, event)
        assert isinstance(turn, Turn), turn
        session = turn.session
    assert session is not None
    return Scene("rescue", "class", session, News(), 0)
