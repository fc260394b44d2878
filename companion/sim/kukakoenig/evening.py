"""Ku-Ka-König on the simulated table: how it is seated, played and, at the end, counted card by card."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from companion.sim.evening import Counted, Evening, Rig
from companion.sim.kukakoenig.physical import Physical
from companion.sim.kukakoenig.players import Persons
from companion.sim.kukakoenig.verdict import winners
from companion.table.luck import Luck
from companion.table.things import CardId, Deck, Player, Zone

SPOTS: Mapping[Zone, tuple[float, float]] = {
    **{Zone(f"row:{row}"): (14 + 147 * (row - 1), 30) for row in range(1, 9)},
    **{Zone(f"cards:{letter}"): (20 + 295 * place, 210) for place, letter in enumerate("abcd")},
    Zone("box"): (465, 420),
}
# Rulings that are switched in turn, so that a series of games plays every one of them.
SWITCHED: tuple[tuple[str, object], ...] = (
    ("KUKA-AMB-01", "entered_only"), ("KUKA-AMB-01", "seen_only"), ("KUKA-AMB-02", "late_one_repeats"),
    ("KUKA-AMB-03", "row_by_row"), ("KUKA-AMB-04", "gets_nothing"), ("KUKA-AMB-05", "final_when_short"),
    ("KUKA-AMB-07", "tie_of_zeros"), ("KUKA-AMB-08", "check"), ("KUKA-AMB-09", "second_scoring"),
    ("KUKA-AMB-09", "more_cards"), ("KUKA-AMB-10", "after_refill"), ("KUKA-AMB-11", "both"),
    ("KUKA-AMB-12", "one_fewer_than_players"), ("KUKA-AMB-13", "inside"), ("KUKA-AMB-18", "no_talk"),
    ("KUKA-AMB-20", "repeat_at_once"), ("KUKA-AMB-21", "both"), ("KUKA-AMB-22", "seen_only"),
    ("entry", "counted"), ("entry", "keys"), ("row_values", False),
)  # fmt: skip


def options(number: int, players: int, given: Mapping[str, object]) -> dict[str, object]:
    """Every third game by the rulings as they are, the others with two of them switched."""
    del players
    if number % 3 == 0:
        return dict(given)
    switching = number - number // 3 - 1  # counts the games with switched rulings
    first, second = (SWITCHED[(switching + by) % len(SWITCHED)] for by in (0, 10))
    return {**dict((first, second)), **given}


def seat(deck: Deck, players: tuple[Player, ...], luck: Luck, options: Mapping[str, object]) -> Physical:
    """A fresh table: cards shuffled, nothing laid."""
    del options  # the cards are the same
    return Physical(deck, players, luck)


def persons(table: Physical, rig: Rig, mess: float, options: Mapping[str, object]) -> Persons:
    """Everybody at the table."""
    return Persons(table, rig, mess, options)


def count(table: Physical, people: Persons, view: Any) -> Counted:
    """Every row, collection, pile, box, point and winner against the companion's books."""
    faults = [*people.notes, *_cards(table, view)]
    totals = {p: sum(scored[p] for scored in people.scored) for p in table.players}
    best: tuple[str, ...] = ()
    if view["score"] is not None:
        best = winners(table, people.scored, people.agreed)
        faults.extend(
            f"points of {player}: {points} counted, {view['score']['totals'][player]} booked"
            for player, points in totals.items()
            if view["score"]["totals"][player] != points
        )
        if sorted(best) != sorted(view["score"]["winners"]):
            faults.append(f"winners: {best} counted, {view['score']['winners']} booked")
    return Counted(tuple(faults), best, {str(player): points for player, points in totals.items()})


def _cards(table: Physical, view: Any) -> list[str]:
    faults = []
    if sorted(table.everything()) != sorted(card.id for card in table.deck.cards if card.kind != "number"):
        faults.append("cards were lost or doubled on the table itself")
    for row in view["rows"]:
        lying: list[CardId] = table.row(row["row"])
        booked = [card["card"] for card in row["cards"]]
        if lying != booked:
            faults.append(f"row {row['row']}: {lying} lie there, {booked} are booked")
    for player, cards in table.collections.items():
        faces = dict(Counter(table.face(card) for card in cards))
        if faces != view["collections"][player]["faces"]:
            faults.append(f"{player} has {faces}, {view['collections'][player]['faces']} are booked")
    for what, lies in table.counts().items():
        if lies != view[what]:
            faults.append(f"{what}: {lies} cards are there, {view[what]} are booked")
    return faults


EVENING = Evening("kukakoenig", "kukakoenig", 2, 4, SPOTS, options, seat, persons, count)
