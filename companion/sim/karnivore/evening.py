"""Karnivore Koala on the simulated table: how it is seated, played and, at the end, counted card by card."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.sim.evening import Counted, Evening, Rig
from companion.sim.karnivore.physical import Physical
from companion.sim.karnivore.players import Persons
from companion.table.luck import Luck
from companion.table.things import CardId, Deck, Player, Zone

SPOTS: Mapping[Zone, tuple[float, float]] = {
    Zone("menu"): (25, 20), Zone("hunt"): (320, 20), Zone("tray"): (615, 20), Zone("discard"): (910, 20),
    Zone("tribe:a"): (25, 245), Zone("tribe:b"): (320, 245), Zone("tribe:c"): (615, 245),
    Zone("tribe:d"): (910, 245), Zone("tribe:e"): (320, 470), Zone("tribe:f"): (615, 470),
}  # fmt: skip
MODES, EDITIONS = ("normal", "advanced", "expert"), ("rulebook", "beta", "shop")
# Rulings that tables switch in turn; each game of a series plays with another one.
SWITCHED: tuple[Mapping[str, object], ...] = (
    {}, {"KARN-AMB-07": "lost"}, {"KARN-AMB-04": "stays_after_skull"}, {"KARN-AMB-19": "hunts_too"},
    {"KARN-AMB-09": "any_crowns"}, {"KARN-AMB-02": "retail_2nd"}, {"KARN-AMB-05": "skulled_workbear_rests"},
    {"KARN-AMB-16": "face_down"}, {"KARN-AMB-17": "cleaned_up"}, {"KARN-AMB-13": "discard_to_three"},
    {"KARN-AMB-18": "one_each_symbol"}, {"KARN-AMB-03": "rerolls_any_time"}, {"KARN-AMB-10": "cost_a_card"},
)  # fmt: skip


def options(number: int, players: int, given: Mapping[str, object]) -> dict[str, object]:
    """The modes in turn, now and then another edition or another ruling."""
    del players  # two to six play by the same rules
    chosen: dict[str, object] = {"mode": MODES[number % 3], "edition": EDITIONS[number // 3 % 3]}
    return {**chosen, **SWITCHED[number // 2 % len(SWITCHED)], **given}


def seat(deck: Deck, players: tuple[Player, ...], luck: Luck, options: Mapping[str, object]) -> Physical:
    """A fresh table: koalas, animals and kings shuffled."""
    return Physical(deck, players, luck, str(options.get("edition", "rulebook")))


def persons(table: Physical, rig: Rig, mess: float, options: Mapping[str, object]) -> Persons:
    """Everybody at the table."""
    return Persons(table, rig, mess, options)


def count(table: Physical, people: Persons, view: Any) -> Counted:
    """Every card, hand, pile, dish and the winner against the companion's books."""
    faults = [*people.notes, *_piles(table, view), *_tribes(table, view)]
    points = {str(player): len(animals) for player, animals in table.hunted.items()}
    winners = tuple(name for name, dishes in points.items() if dishes == 3)
    score = view["score"]
    if score is not None:
        if tuple(score["winners"]) != winners:
            faults.append(f"{winners} has eaten a dessert, {score['winners']} is booked")
        if score["totals"] != points:
            faults.append(f"dishes {points} were eaten, {score['totals']} are booked")
    return Counted(tuple(faults), winners, points)


def _piles(table: Physical, view: Any) -> list[str]:
    faults = ["cards were lost or doubled on the table itself"] if table.lost() else []
    for name, lying, booked in (
        ("pile", len(table.pile), view["pile"]),
        ("discard pile", table.discards(), view["discard"]),
        ("animal pile", len(table.animals), view["animals"]),
    ):
        if lying != booked:
            faults.append(f"{name}: {lying} cards lie there, {booked} are booked")
    menu = [None if card is None else table.face(card) for card in table.menu]
    if menu != [dish["animal"] for dish in view["menu"]]:
        faults.append(f"menu: {menu} lies there, {view['menu']} is booked")
    back = table.deck.facts[table.face(table.animals[-1][1])]["of"] if table.animals else None
    if back != view["back"]:
        faults.append(f"the pile shows {back}, {view['back']} is booked")
    return faults


def _tribes(table: Physical, view: Any) -> list[str]:
    faults = []
    for tribe in view["tribes"]:
        player = Player(tribe["player"])
        booked = sorted(_id(card) for card in (*tribe["left"], *tribe["right"]))
        lying = sorted(table.koalas(player))
        if booked != lying:
            faults.append(f"tribe of {player}: {lying} lie there, {booked} are booked")
        king = None if tribe["king"] is None else _id(tribe["king"])
        if king != table.kings.get(player):
            faults.append(f"king of {player}: {table.kings.get(player)} lies there, {king} is booked")
        if len(table.hands[player]) != view["hands"][player]:
            faults.append(
                f"hand of {player}: {len(table.hands[player])} cards, {view['hands'][player]} are booked"
            )
        if [table.face(animal) for animal in table.hunted[player]] != tribe["hunted"]:
            faults.append(f"{player} has {table.hunted[player]}, {tribe['hunted']} are booked")
    return faults


def _id(card: Any) -> CardId:
    face, number = card["id"].split(":")
    return CardId(f"{face}-{number}")


EVENING = Evening("karnivore", "karnivore", 2, 6, SPOTS, options, seat, persons, count)
