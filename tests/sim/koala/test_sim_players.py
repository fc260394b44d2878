"""Simulated persons hear the referee, mend what they did wrong, and never err without end."""

from __future__ import annotations

from typing import Any

import pytest

from companion.shelf import deck
from companion.sim.evening import Told, compare, play
from companion.sim.koala.evening import EVENING, seat
from companion.sim.koala.physical import ACTION, MIDDLE, Physical
from companion.sim.koala.players import Persons
from companion.table.effects import Say
from companion.table.events import Setting
from companion.table.luck import Luck
from companion.table.things import Button, CardId, Player, Zone
from companion.wiring import Journal, StillRig, simulate

DECK = deck("koala")
TEAMS = {"teams": True}
A, B, C, D = (Player(name) for name in "ABCD")


class Phone:
    """What was pressed and chosen."""

    def __init__(self) -> None:
        self.pressed: list[Player] = []
        self.chosen: list[tuple[Player, str, str]] = []

    def press(self, player: Player, button: Button, after_ns: int = 0) -> None:
        self.pressed.append(player)

    def choose(self, player: Player, cue: str, option: str) -> None:
        self.chosen.append((player, cue, option))

    def own(self, player: Player) -> dict[str, Any]:
        return {}


def seen(phase: str = "auction", **changed: Any) -> dict[str, Any]:
    """A public view with nothing in it but what is given."""
    zone = {
        "food": None,
        "bonus": [],
        "leader": [],
        "bid": 0,
        "next": 1,
        "claims": [],
        "take_back": [],
        "unclaimed": [],
    }
    view = {"phase": phase, "round": 1, "pile": 80, "discard": 0, "starter": A, "refill": None, "feast": None}
    return {**view, "middle": zone, "action": zone, **changed}


def evening(mess: float = 0.0, agreed: dict[str, object] | None = None) -> tuple[Physical, Phone, Persons]:
    table, phone = Physical(DECK, (A, B, C, D), Luck(2)), Phone()
    persons = Persons(table, phone, mess, agreed or {})
    for player in table.hands:
        table.draw(player, 3)
    return table, phone, persons


def lay(persons: Persons, player: Player, zone: Zone, count: int = 1) -> list[CardId]:
    cards = persons.table.hands[player][:count]
    persons.table.lay(player, cards, zone)
    persons.laid[player], persons.zone_of[player] = list(cards), zone
    return cards


@pytest.mark.parametrize(("zone", "name"), [(MIDDLE, "middle"), (ACTION, "action")])
def test_what_is_refused_goes_back_into_the_hand(zone: Zone, name: str) -> None:
    table, _, persons = evening()
    cards = lay(persons, B, zone, 2)
    refused = {**seen()[name], "take_back": [table.face(card) for card in cards]}
    assert persons.act(seen(**{name: refused}), (), ())
    assert table.zones[zone] == [] and set(cards) <= set(table.hands[B])


def test_accepted_cards_stay_though_another_is_to_take_back_the_same_face() -> None:
    table, _, persons = evening()
    cards = lay(persons, B, MIDDLE)
    middle = {**seen()["middle"], "take_back": [table.face(cards[0])], "claims": [[A]]}
    persons.act(seen(middle=middle), (), (Say("say.leads", {"name": "B", "count": 1, "next": 2}),))
    assert table.zones[MIDDLE] == cards


def test_cards_laid_without_a_press_are_pressed_for_or_taken_back() -> None:
    table, phone, persons = evening()
    cards = lay(persons, B, MIDDLE)
    middle = {**seen()["middle"], "unclaimed": [table.face(cards[0])]}
    persons.act(seen(middle=middle), (), ())
    assert phone.pressed == [B] or table.zones[MIDDLE] == []


def test_bad_cards_that_were_not_accepted_are_taken_up_again() -> None:
    table, _, persons = evening()
    cards = table.hands[A][:2]
    table.lay(A, cards, ACTION)
    persons.bad = (A, list(cards))
    persons.act(seen("refill", refill={"player": B, "draw": 0, "again": False}), (), ())
    assert table.zones[ACTION] == [] and set(cards) <= set(table.hands[A])


def test_whose_button_was_pressed_for_him_draws_late() -> None:
    table, _, persons = evening()
    lay(persons, C, MIDDLE, 2)
    del persons.laid[C]
    persons.act(seen("feast"), (), (Say("say.draw", {"name": "C", "count": 2}),))
    assert len(table.hands[C]) == 3


def test_lost_bids_are_thrown_away_where_the_table_agreed_so() -> None:
    table, _, persons = evening(agreed={"KOALA-AMB-22": "discard"})
    cards = lay(persons, B, MIDDLE, 2)
    persons.act(seen(), (), (Say("say.bid_lost", {"name": "B", "why": "", "cards": ""}),))
    assert table.discard == cards and len(table.hands[B]) == 1


def test_even_the_messiest_table_errs_only_so_often_at_one_point_of_the_game() -> None:
    _, _, persons = evening(mess=1.0)
    persons.act(seen("nothing to do"), (), ())
    assert sum(persons._err() for _ in range(50)) < 10
    persons.act(seen("nothing to do", pile=79), (), ())
    assert persons._err()


@pytest.mark.parametrize("players", [3, 7, 10])
def test_a_table_at_which_everybody_always_errs_still_ends_right(players: int) -> None:
    assert simulate("koala", players, seed=players, mess=1.0).differences == ()


@pytest.mark.parametrize(
    ("number", "ruling"),
    [
        (1, "left_is_anticlockwise"), (3, "last_only"), (11, "after_drawing_only"), (13, "empty_compete_false"),
        (14, "tie_of_zeros"), (17, "shared"), (18, "once"), (27, "all_back"),
    ],
)  # fmt: skip
def test_persons_keep_to_the_rulings_of_their_table(number: int, ruling: str) -> None:
    options = {f"KOALA-AMB-{number:02d}": ruling}
    for seed in (317, 337):
        assert (
            simulate(
                "koala", 6, seed=seed, mess=0.1, options={**options, **TEAMS} if seed == 337 else options
            ).differences
            == ()
        )


def test_the_other_witness_notices_what_happens_behind_the_companions_back() -> None:
    names, sight = (A, B, C, D), Told()
    rig = StillRig(Setting("koala", names, {}, 6), Journal(None))
    try:
        table = seat(DECK, names, Luck(6), {})
        assert play(EVENING, rig, table, sight).differences == ()
        persons = Persons(table, rig, 0.0, {})
        source = next(zone for zone, cards in table.zones.items() if zone.startswith("cave:") and cards)
        table.throw(table.zones[source][:1], source)
        table.hands[A].pop()
        faults = compare(EVENING, rig, table, persons, sight).differences
        assert any(source in f"cave:{fault.removeprefix('cave ')}" for fault in faults)
        assert any("hand of A" in fault for fault in faults)
        assert any("lost or doubled" in fault for fault in faults)
    finally:
        rig.close()


def test_bad_cards_accepted_while_they_are_taken_up_again_are_given_away_all_the_same() -> None:
    table, _, persons = evening()
    shown = list(table.hands[A])
    table.lay(A, shown, ACTION)
    persons.bad = (A, shown)
    persons.act(seen("refill", refill={"player": A, "draw": 0, "again": False}), (), ())
    persons.act(seen("refill", refill={"player": A, "draw": 3, "again": True}), (), ())
    assert set(shown) <= set(table.discard) and len(table.hands[A]) == 3
