"""What each screen is told: the game's view for its role, and beside it captions, clocks, steps. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Protocol, TypeGuard

import msgspec

from companion.edges.screen import german
from companion.edges.screen.rights import OPERATOR, SEAT
from companion.table import crank
from companion.table.cues import Choose, Cue, Press, Show
from companion.table.effects import Say
from companion.table.events import Clock, Event, Opened, Rang, Shown
from companion.table.game import Operator, Refusal, Seat, Table, Viewer
from companion.table.plain import plain_say
from companion.table.record import tales
from companion.table.session import Node, Session
from companion.table.things import Player
from companion.wire.screen_message import plain_cue, plain_refusal

MS = 1_000_000
VOICE = "voice"  # the device by whose name the voice tells its troubles
NEWEST = 30  # steps that go with every state; the others are fetched when they are wanted


class Running(Protocol):
    """A clock that runs."""

    @property
    def clock(self) -> Clock:
        """Its name and lap."""

    @property
    def ends(self) -> int:
        """When it rings, monotonic ns."""

    @property
    def seconds(self) -> float:
        """How long it runs in all."""

    @property
    def beats(self) -> tuple[str, ...]:
        """Phrase keys of what is voiced at even steps until then."""


class News(Protocol):
    """What screens show beside the view."""

    @property
    def captions(self) -> tuple[Say, ...]:
        """The last things said."""

    @property
    def refusal(self) -> Refusal | None:
        """The last mistake, until the next accepted event."""

    @property
    def clocks(self) -> tuple[Running, ...]:
        """The clocks that run."""

    @property
    def lamps(self) -> Mapping[Player, str]:
        """The levels of the lamps."""

    @property
    def health(self) -> Mapping[str, str]:
        """Devices that are not well, and what is wrong."""

    @property
    def paused(self) -> bool:
        """Whether the table rests."""

    @property
    def stretch(self) -> float:
        """How much longer clocks are than the game says."""


class Projection:
    """Makes state messages; remembers the titles of steps, which never change."""

    def __init__(self) -> None:
        """Nothing is remembered yet."""
        self._titles: dict[int, tuple[Node, Any]] = {}
        self._opening: Node | None = None
        self._seen: tuple[Node | None, dict[Viewer, msgspec.Raw]] = (None, {})
        self._tales: tuple[Node, list[dict[str, Any]]] | None = None
        self.panels: frozenset[str] = frozenset()  # files with a game's own picture

    def state(
        self, session: Session | None, news: News | None, role: str, lang: str = "en"
    ) -> dict[str, Any]:
        """Everything one role may see, as plain data."""
        told: dict[str, Any] = {
            "rev": session.last if session is not None else 0, "role": role,
            "game": None, "view": None, "over": False,
        }  # fmt: skip
        if session is not None:
            viewer = _viewer(session, role)
            told.update(
                game=session.setting.game, view=self._view(session, viewer), over=session.over,
                made_up=session.box.deck.made_up, panel=self.panel(session.box.deck.game),
            )  # fmt: skip
            if session.over:
                told["tales"] = self._told(session)
            if role == OPERATOR:
                told.update(self._mending(session))
            elif isinstance(viewer, Seat):
                told.update(cues=_own(session, viewer.player))
        if role.startswith(SEAT):
            told["me"] = role.removeprefix(SEAT)
        if news is not None:
            told.update(_plain_news(news, lang))
            if role != OPERATOR:
                # Why nothing is heard is for whoever leads; the others are told that, and read the captions.
                told["silent"] = told["health"].pop(german.device(VOICE, lang), None) is not None
        return told

    def _view(self, session: Session, viewer: Viewer) -> msgspec.Raw:
        """A viewer's view as JSON, made once for a state: a class of onlookers costs as much as one."""
        if self._seen[0] is not session.head:
            self._seen = (session.head, {})
        views = self._seen[1]
        if viewer not in views:
            views[viewer] = msgspec.Raw(msgspec.json.encode(crank.look(session, viewer)))
        return views[viewer]

    def steps(self, session: Session) -> list[dict[str, Any]]:
        """All steps that led here, newest first: number, title, and the cards where it was a reading."""
        return [self._step(session, node) for node in session.path()]

    def _told(self, session: Session) -> list[dict[str, Any]]:
        """The best moments of a game that is over; looked for once."""
        if self._tales is None or self._tales[0] is not session.head:
            found = [plain_say(say) for say in tales(session)]
            self._tales = (session.head, found)
        return self._tales[1]

    def panel(self, game: str) -> dict[str, Any]:
        """Which of a game's own pictures there are."""
        has = self.panels
        return {
            "game": game,
            "board": f"{game}.js" in has,
            "seat": f"{game}_seat.js" in has,
            "faces": f"{game}_cards.js" in has,
            "css": f"{game}.css" in has,
        }

    def _mending(self, session: Session) -> dict[str, Any]:
        """What the operator needs to answer by hand, to mend a reading and to go back and forth."""
        path = list(session.path())
        if path[-1] is not self._opening:  # another game: the titles of the last one go
            self._opening, self._titles = path[-1], {}
        return {
            "cues": [plain_cue(_veiled(cue, session)) for cue in session.cues],
            "steps": [self._step(session, node) for node in path[:NEWEST]],
            "count": len(path),
            "ahead": [self._step(session, node) for node in _ahead(session)],
            "left": [self._step(session, node) for node in _elsewhere(session, path)],
            "absent": _absent(session),
            "seen": sorted({card for node in path for card in _cards(session, node.event)}),
        }

    def _step(self, session: Session, node: Node) -> dict[str, Any]:
        known = self._titles.get(node.number)
        if known is None or known[0] is not node:
            view = crank.look(replace(session, head=node), Operator())
            opened = isinstance(node.event, Opened)
            title = {"key": "did.opened", "values": {}} if opened else view.get("did")
            self._titles[node.number] = known = (node, title)
        step = {"n": node.number, "did": known[1]}
        if isinstance(node.event, Rang):
            step["clock"] = node.event.clock.name
        if node.mended:
            step["mended"] = True
        if not node.cues:
            step["end"] = list(session.box.game.score(node.state).winners)
        if _public(node.event, session):
            step.update(zone=node.event.zone, cards=list(node.event.cards))
        return step


def _viewer(session: Session, role: str) -> Viewer:
    """Whose eyes a role has; a phone whose player does not play sees what the table sees."""
    if role == OPERATOR:
        return Operator()
    player = Player(role.removeprefix(SEAT))
    return Seat(player) if role.startswith(SEAT) and player in session.setting.players else Table()


def _own(session: Session, player: Player) -> list[dict[str, Any]]:
    """What is waited for from one player."""
    return [
        plain_cue(cue) for cue in session.cues if isinstance(cue, Press | Choose) and cue.player == player
    ]


def _veiled(cue: Cue, session: Session) -> Cue:
    """A cue without what its player, or a private zone, keeps to itself."""
    if isinstance(cue, Choose) and cue.hidden:
        return replace(cue, options=())
    if isinstance(cue, Show) and cue.zone.startswith(session.box.game.private):
        return replace(cue, expect=replace(cue.expect, lying=(), seen=()))
    return cue


def _plain_news(news: News, lang: str) -> dict[str, Any]:
    return {
        "captions": [plain_say(say) for say in news.captions],
        "refusal": None if news.refusal is None else plain_refusal(news.refusal),
        "lamps": dict(news.lamps),
        "health": {german.device(of, lang): german.told(why, lang) for of, why in news.health.items()},
        "paused": news.paused, "stretch": news.stretch,
        "clocks": [
            {
                "name": run.clock.name, "lap": run.clock.lap, "ends": run.ends // MS,
                "total": round(run.seconds * 1000), "beats": list(run.beats),
            }
            for run in news.clocks
        ],
    }  # fmt: skip


def _absent(session: Session) -> list[str]:
    """The cards of the deck that this game is played without."""
    box = session.box.game.box(session.state)
    return [] if box is None else [card.id for card in session.box.deck.cards if card.id not in box]


def _ahead(session: Session) -> list[Node]:
    """The steps that were taken back and can be taken again, the next one first: the longest such course.

    What only clocks did since then is passed over: nobody has taken another course by it.
    """
    for anchor in session.path():
        best: list[Node] = []
        for start in reversed(session.left):
            above: list[Node] = []
            for node in _walk(start):
                if node is anchor:
                    best = max(best, above, key=len)
                    break
                above.append(node)
        if best or not isinstance(anchor.event, Rang):
            return best[::-1]
    return []


def _elsewhere(session: Session, path: list[Node]) -> list[Node]:
    """The ends of other courses that an undo or a correction left behind, newest first.

    A course that ended a game is always among them: it may be the evening's result.
    """
    passed = {id(node) for node in (*path, *_ahead(session))}
    ends: list[Node] = []
    for end in sorted({id(node): node for node in session.left}.values(), key=lambda node: -node.number):
        if id(end) not in passed:
            ends.append(end)
            passed.update(id(node) for node in _walk(end))
    others = [node for node in ends if node.cues][:5]
    kept = {id(node) for node in others}
    return [node for node in ends if not node.cues or id(node) in kept]


def _walk(node: Node | None) -> Iterator[Node]:
    while node is not None:
        yield node
        node = node.before


def _public(event: Event, session: Session) -> TypeGuard[Shown]:
    """Whether an event is a reading that may be told again: not one of a zone that its game keeps private."""
    return isinstance(event, Shown) and not event.zone.startswith(session.box.game.private)


def _cards(session: Session, event: Event) -> tuple[str, ...]:
    return event.cards if _public(event, session) else ()
