"""One simulated evening: persons act, the companion referees, and at the end the cards are counted by hand."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from companion.sim.people import Hands
from companion.sim.physical import CAVES, Physical
from companion.sim.players import Persons
from companion.sim.verdict import Agreed, Verdict, points, verdicts
from companion.table.crank import Session, look
from companion.table.effects import Say
from companion.table.game import Table
from companion.table.luck import Luck
from companion.table.things import CardId, Deck, Player, Zone, value

PATIENCE = 20_000  # acts after which a game is given up as stuck


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

    def look(self, table: Physical, rig: Rig) -> bool:
        """Report every watched zone that has changed; whether there was one."""

    @property
    def misread(self) -> int:
        """Cards reported that did not lie there."""


@value
class Result:
    """How a simulated game ended, and every difference between the table and the companion's books."""

    seed: int
    players: int
    teams: bool
    acts: int
    rounds: int
    events: int
    winners: tuple[str, ...]
    points: Mapping[Player, int]
    differences: tuple[str, ...]
    misread: int = 0


class Told:
    """Eyes off: a zone is reported as it lies, once for each change."""

    def __init__(self) -> None:
        """Nothing was reported yet."""
        self._last: dict[Zone, tuple[CardId, ...]] = {}
        self.misread = 0

    def look(self, table: Physical, rig: Rig) -> bool:
        """Report a watched zone that has changed, or that is to be said again."""
        watched, anew = rig.watched(), rig.anew()
        self._last = {z: self._last[z] for z in watched if z in self._last and z not in anew}
        for zone in watched:
            content = tuple(table.zones.get(zone, ()))
            if self._last.get(zone) != content:
                self._last[zone] = content
                rig.show(zone, content)
                return True
        return False


def seat(deck: Deck, players: tuple[Player, ...], seed: int) -> Physical:
    """A fresh table: cards shuffled by the seed, everybody seated."""
    return Physical(deck, players, Luck(seed))


def play(
    rig: Rig, table: Physical, sight: Sight, *, seed: int, mess: float = 0.0, teams: bool = False,
    after_act: Callable[[], None] = lambda: None,
) -> Result:  # fmt: skip
    """Play one game to its end. `after_act` is called after each act: a pause for spectators."""
    persons = Persons(table, rig, mess, rig.session().setting.options)
    while not rig.session().over and persons.acts < PATIENCE:
        session = rig.session()
        acted = persons.act(look(session, Table()), session.cues, rig.heard())
        rig.settle()
        while sight.look(table, rig):
            rig.settle()
        if acted:
            after_act()
        elif rig.session() is session and not rig.wait():
            break
    persons.finish(look(rig.session(), Table()), rig.heard())
    return compare(rig, table, persons, sight, seed, teams)


def compare(rig: Rig, table: Physical, persons: Persons, sight: Sight, seed: int, teams: bool) -> Result:
    """Count the physical cards and hold them against the companion's final view."""
    session = rig.session()
    view: Any = look(session, Table())
    faults = list(persons.notes)
    if not session.over:
        faults.append(
            f"stuck in {view['phase']} after {persons.acts} acts; waiting for {view['waiting_for']}"
        )
    faults.extend(_counts(table, view))
    score = view["score"]
    if score is not None:
        faults.extend(_points(table, score, persons.agreed))
    return Result(
        seed, len(table.hands), teams, persons.acts, view["round"], session.last,
        tuple(score["winners"]) if score else (), points(table, persons.agreed), tuple(faults), sight.misread,
    )  # fmt: skip


def _counts(table: Physical, view: Any) -> list[str]:
    faults = []
    if sorted(table.everything()) != sorted(card.id for card in table.deck.cards if _in_play(table, card.id)):
        faults.append("cards were lost or doubled on the table itself")
    for place, seat_view in enumerate(view["seats"]):
        if table.foods(place) != seat_view["food"]:
            faults.append(
                f"cave {CAVES[place]}: {table.foods(place)} lie there, {seat_view['food']} are booked"
            )
        sitting = (table.seats[place] + [None, None])[:2]
        if [seat_view["white"], seat_view["black"]] != sitting:
            faults.append(f"seat {CAVES[place]}: {sitting} are there, {seat_view} is booked")
    if len(table.pile) != view["pile"]:
        faults.append(f"pile: {len(table.pile)} cards lie there, {view['pile']} are booked")
    for player, cards in table.feasts.items():
        if len(cards) != view["feasts"][player]:
            faults.append(f"feasts of {player}: {len(cards)} cards, {view['feasts'][player]} are booked")
    for player, hand in table.hands.items():
        if len(hand) != view["hands"][player]:
            faults.append(f"hand of {player}: {len(hand)} cards, {view['hands'][player]} are booked")
    return faults


def _in_play(table: Physical, card: CardId) -> bool:
    return table.kind(card) != "team" or card in table.teams.values()


def _points(table: Physical, score: Any, agreed: Agreed) -> list[str]:
    """Points, totals and winners counted by hand against the score."""
    booked: dict[str, int] = dict.fromkeys(table.hands, 0)
    for line in score["lines"]:
        booked[line["who"]] += line["points"]
    counted = points(table, agreed)
    faults = [
        f"points of {p}: {counted[p]} counted, {booked[p]} booked" for p in counted if counted[p] != booked[p]
    ]
    judged = verdicts(table, agreed)
    booking = Verdict(score["totals"], tuple(score["winners"]))
    if not any(_same(verdict, booking) for verdict in judged):
        faults.append(f"counted: {judged}, booked: {booking}")
    return faults


def _same(one: Verdict, other: Verdict) -> bool:
    return one.totals == other.totals and sorted(one.winners) == sorted(other.winners)
