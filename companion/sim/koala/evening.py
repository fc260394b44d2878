"""Koala on the simulated table: how it is seated, played and, at the end, counted card by card."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.sim.evening import Counted, Evening, Rig
from companion.sim.koala.physical import CAVES, Physical
from companion.sim.koala.players import Persons
from companion.sim.koala.verdict import Agreed, Verdict, points, verdicts
from companion.table.luck import Luck
from companion.table.things import CardId, Deck, Player, Zone

SPOTS: Mapping[Zone, tuple[float, float]] = {
    Zone("cave:a"): (40, 20), Zone("cave:b"): (475, 20), Zone("cave:c"): (910, 20),
    Zone("cave:f"): (40, 480), Zone("cave:e"): (475, 480), Zone("cave:d"): (910, 480),
    Zone("middle"): (445, 235), Zone("action"): (140, 250), Zone("discard"): (910, 250),
}  # fmt: skip


def options(number: int, players: int, given: Mapping[str, object]) -> dict[str, object]:
    """Of sixteen games in a row eight are played in teams, every number of players with and without."""
    turn = number // 8
    teams = players >= 4 and (turn % 2 == 1 or players == 4 + turn // 2 % 7)  # three cannot play in teams
    chosen = {"teams": teams, **given}
    return chosen if chosen["teams"] else {name: of for name, of in chosen.items() if name != "teams"}


def seat(deck: Deck, players: tuple[Player, ...], luck: Luck, options: Mapping[str, object]) -> Physical:
    """A fresh table: cards shuffled, everybody seated."""
    del options  # team cards are dealt by the persons
    return Physical(deck, players, luck)


def persons(table: Physical, rig: Rig, mess: float, options: Mapping[str, object]) -> Persons:
    """Everybody at the table."""
    return Persons(table, rig, mess, options)


def count(table: Physical, people: Persons, view: Any) -> Counted:
    """Every card, seat, pile, hand, point and winner against the companion's books."""
    faults = [*people.notes, *_counts(table, view)]
    score = view["score"]
    if score is not None:
        faults.extend(_points(table, score, people.agreed))
    winners = tuple(score["winners"]) if score else ()
    return Counted(tuple(faults), winners, {str(who): n for who, n in points(table, people.agreed).items()})


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


EVENING = Evening("koala", "koala", 3, 10, SPOTS, options, seat, persons, count)
