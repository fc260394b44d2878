"""Koala Rescue Club on the simulated table: how it is seated, played and, at the end, counted from the papers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.sim.evening import Counted, Evening, Rig
from companion.sim.rescue.desk import TRAY, Desk
from companion.sim.rescue.persons import Persons, differing
from companion.table.luck import Luck
from companion.table.things import Deck, Player, Zone

SPOTS: Mapping[Zone, tuple[float, float]] = {TRAY: (500, 250)}
# Rulings that a series switches in turn, one or two in a game.
SWITCHED = (
    ("RESC-AMB-03", "every_tree"), ("RESC-AMB-05", "no_chain"), ("RESC-AMB-06", "all_or_nothing"),
    ("RESC-AMB-09", "after_scoring"), ("RESC-AMB-10", "more_trees"), ("RESC-AMB-13", "must_be_used"),
    ("RESC-AMB-14", "given_at_once"), ("RESC-AMB-15", "not_usable"), ("RESC-AMB-18", "used_number"),
    ("RESC-AMB-19", "must_use_the_shape"), ("RESC-AMB-20", "not_in_the_last_turn"),
)  # fmt: skip
DICE = ("tray", "any", "companion")


def options(number: int, players: int, given: Mapping[str, object]) -> dict[str, object]:
    """Two games in full for each light one, dice in turn, now and then a class, a ruling or two switched."""
    depth = "light" if number % 3 == 2 else "full"
    chosen: dict[str, object] = {"die": DICE[number // 3 % 3], "depth": depth}
    if players > 1 and number % 4 == 3:  # every fourth
        chosen["classroom"] = True
    for turn in range(number % 3):
        ruling, setting = SWITCHED[(number + 5 * turn) % len(SWITCHED)]
        chosen[ruling] = setting
    if number % 12 == 11:  # a light game on a map that nobody has entered
        chosen["RESC-AMB-01"] = "light_only"
    return {**chosen, **given}


def seat(deck: Deck, players: tuple[Player, ...], luck: Luck, options: Mapping[str, object]) -> Desk:
    """A fresh table."""
    return Desk(deck, players, luck, options)


def persons(desk: Desk, rig: Rig, mess: float, options: Mapping[str, object]) -> Persons:
    """Everybody at the table."""
    return Persons(desk, rig, mess, options)


def count(desk: Desk, people: Persons, view: Any) -> Counted:
    """Every paper, round, badge, total and winner against the companion's books."""
    faults = list(people.notes)
    points = {str(player): _points(desk, player, view) for player in desk.bots}
    for player, bot in desk.bots.items():
        told = view["sheets"][player]
        if view["depth"] == "full" and view["score"] is not None:
            faults += [f"{player}: {fault}" for fault in differing(bot.paper, told["sheet"])]
        if told["numbers"] != bot.paper.numbers and not _was_away(bot.paper.numbers, told["numbers"]):
            faults.append(f"{player}: numbers {bot.paper.numbers} on paper, {told['numbers']} booked")
    winners: tuple[str, ...] = ()
    score = view["score"]
    if score is not None:
        winners = _winners(desk, points)
        if score["totals"] != points:
            faults.append(f"points: {points} counted, {score['totals']} booked")
        if sorted(score["winners"]) != sorted(winners):
            faults.append(f"winners: {winners} counted, {score['winners']} booked")
    return Counted(tuple(faults), winners, points)


def _was_away(own: list[int], booked: list[int]) -> bool:
    """Who missed turns copies the numbers from the screen."""
    rest = iter(booked)
    return len(own) < len(booked) and all(number in rest for number in own)


def _points(desk: Desk, player: Player, view: Any) -> int:
    """Round 1 and round 2 as the paper shows them, and each badge by who was first."""
    values = {badge["id"]: badge["points"] for badge in view["badges"]}
    total = desk.round1.get(player, 0) + desk.bots[player].paper.points()
    for badge, turn in desk.badges[player].items():
        first = min(own[badge] for own in desk.badges.values() if badge in own)
        early = turn == first
        if len(desk.bots) == 1:
            early = turn <= (14 if desk.agreed.get("RESC-AMB-09") == "after_scoring" else 15)
        total += values[badge][0 if early else 1]
    return total


def _winners(desk: Desk, points: Mapping[str, int]) -> tuple[str, ...]:
    """Most points, then most koalas; by another ruling then most trees, which only kept sheets can tell."""
    trees = desk.agreed.get("RESC-AMB-10") == "more_trees" and desk.agreed.get("depth", "full") == "full"

    def place(player: Player) -> tuple[int, int, int]:
        paper = desk.bots[player].paper
        return points[player], len(paper.koalas), len(paper.trees) if trees else 0

    best = max(place(player) for player in desk.bots)
    return tuple(player for player in desk.bots if place(player) == best)


EVENING = Evening("rescue", "rescue", 1, 40, SPOTS, options, seat, persons, count)
