"""The other witness counts points, sides and winners from the cards on the table, as a person would."""

from __future__ import annotations

import pytest

from companion.shelf import deck
from companion.sim.koala.physical import CAVES, Physical
from companion.sim.koala.verdict import Verdict, points, verdicts
from companion.table.luck import Luck
from companion.table.things import Player, Zone

DECK = deck("koala")
A, B, C, D, E = (Player(name) for name in "ABCDE")


def table(seats: list[list[Player]], caves: list[str], feasts: str = "", teams: str = "") -> Physical:
    """Caves as words of p, h and s; feasts as the names who hold one; teams as a digit or ? for each player."""
    people = tuple(sorted(player for seat in seats for player in seat))
    made = Physical(DECK, people, Luck(1))
    made.seats = seats
    foods = {
        face[0]: [c.id for c in DECK.cards if c.face == face] for face in ("pizza", "hamburger", "spaghetti")
    }
    for letter, cave in zip(CAVES, caves, strict=False):
        made.zones[Zone(f"cave:{letter}")] = [foods[food].pop() for food in cave]
    for name in feasts:
        made.feasts[Player(name)].append(made.stock.pop())
    held = [card for card in DECK.cards if card.kind == "team"]
    for player, sign in zip(people, teams, strict=False):
        face = "question" if sign == "?" else f"team_{sign}"
        card = next(card for card in held if card.face == face)
        held.remove(card)
        made.teams[player] = card.id
    return made


def test_most_of_a_food_is_two_points_and_a_tie_is_one() -> None:
    assert points(table([[A], [B], [C]], ["pph", "ph", "sh"]), {}) == {A: 3, B: 1, C: 3}


def test_both_of_a_koalation_score_and_win_together() -> None:
    made = table([[A, B], [C], [D]], ["pp", "ss", ""], feasts="D")
    assert verdicts(made, {}) == (Verdict({"A+B": 4, "C": 2, "D": 1}, ("A+B",)),)


def test_a_deserted_cave_keeps_its_majority() -> None:
    made = table([[A], [], [B, C]], ["p", "ppp", "h"])
    assert points(made, {}) == {A: 0, B: 2, C: 2}
    assert points(made, {"KOALA-AMB-13": "empty_compete_false"}) == {A: 2, B: 2, C: 2}


def test_nobody_scores_a_food_that_nobody_has() -> None:
    made = table([[A], [B], [C]], ["", "", ""])
    assert points(made, {}) == {A: 0, B: 0, C: 0}
    assert points(made, {"KOALA-AMB-14": "tie_of_zeros"}) == {A: 3, B: 3, C: 3}


def test_equal_points_are_decided_by_food_and_then_shared() -> None:
    assert verdicts(table([[A], [B], [C]], ["pp", "hhh", ""]), {})[0].winners == ("B",)
    assert verdicts(table([[A], [B], [C]], ["pp", "hh", ""]), {})[0].winners == ("A", "B")


def test_teammates_add_their_points() -> None:
    made = table([[A], [B], [C], [D]], ["pp", "h", "s", ""], feasts="D", teams="1221")
    assert verdicts(made, {}) == (Verdict({"team_1": 3, "team_2": 4}, ("team_2",)),)


@pytest.mark.parametrize(("feasts", "sides"), [("A", ["team_2"]), ("", ["team_1", "team_2"])])
def test_a_lone_question_mark_joins_a_weakest_team(feasts: str, sides: list[str]) -> None:
    made = table([[A], [B], [C], [D], [E]], ["p", "h", "", "", "sss"], feasts=feasts, teams="1212?")
    found = verdicts(made, {})
    joined = [side for verdict in found for side, total in verdict.totals.items() if total == 4]
    assert joined == sides


def test_teammates_in_one_koalation_score_twice_unless_the_table_agreed_otherwise() -> None:
    made = table([[A, B], [C], [D]], ["pp", "", ""], teams="1122")
    assert verdicts(made, {})[0].totals == {"team_1": 4, "team_2": 0}
    assert verdicts(made, {"KOALA-AMB-18": "once"})[0].totals == {"team_1": 2, "team_2": 0}
