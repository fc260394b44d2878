"""Rescue Club's simulated table: messy games end with every count agreed, and the other witness sees a wrong book."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from companion.shelf import deck, shelf
from companion.sim.evening import Told, compare, play
from companion.sim.rescue.evening import DICE, EVENING, SWITCHED, count, options
from companion.table import crank
from companion.table.crank import Turn
from companion.table.cues import Wait
from companion.table.effects import Say, Watch
from companion.table.events import Chosen, Opened, Pressed, Rang, Setting, Shown
from companion.table.game import Seat, Table
from companion.table.luck import Luck
from companion.table.things import Player
from companion.wiring import NAMES, simulate

SHELF = shelf()


class Direct:
    """The companion without its devices: what is asked is done at once."""

    def __init__(self, players: int, seed: int, given: dict[str, object]) -> None:
        names = tuple(Player(name) for name in NAMES[:players])
        self.said: list[Say] = []
        self._watched: tuple[Any, ...] = ()
        self._anew: tuple[Any, ...] = ()
        self._session: Any = None
        self.refused = 0
        self.hear(Opened(Setting("rescue", names, given, seed)))

    def hear(self, event) -> None:
        turn = crank.advance(SHELF, self._session, event)
        if not isinstance(turn, Turn):
            self.refused += 1
            return
        self._session = turn.session
        for effect in turn.effects:
            if isinstance(effect, Watch):
                self._watched, self._anew = effect.zones, effect.anew
            elif isinstance(effect, Say):
                self.said.append(effect)

    def session(self):
        return self._session

    def own(self, player):
        return crank.look(self._session, Seat(player))

    def press(self, player, button, after_ns=0):
        self.hear(Pressed(player, button, 0))

    def choose(self, player, cue, option):
        self.hear(Chosen(player, cue, option))

    def show(self, zone, cards):
        self.hear(Shown(zone, cards))

    def watched(self):
        return self._watched

    def anew(self):
        anew, self._anew = self._anew, ()
        return anew

    def heard(self):
        said, self.said = tuple(self.said), []
        return said

    def settle(self):
        pass

    def wait(self):
        clock = next((cue.clock for cue in self._session.cues if isinstance(cue, Wait)), None)
        if clock is not None:
            self.hear(Rang(clock))
        return clock is not None


def played(players: int, seed: int, mess: float, given: dict[str, object]):
    rig = Direct(players, seed, given)
    body = EVENING.seat(deck("rescue"), tuple(Player(name) for name in NAMES[:players]), Luck(seed), given)
    return play(EVENING, rig, body, Told(), mess=mess), rig, body


def test_forty_phones_finish_a_class_game_with_every_score_equal_to_the_papers() -> None:
    result, rig, body = played(40, 11, 0.05, {"die": "companion"})
    assert result.differences == ()
    assert len(result.points) == 40
    assert rig.refused > 20  # the mess was real
    assert crank.score(rig.session()).totals == result.points
    assert all(len(bot.paper.trees) > 10 for bot in body.bots.values())


@pytest.mark.parametrize("number", range(24))
def test_messy_games_of_every_kind_end_without_a_difference(number: int) -> None:
    given = options(number, 1 + number % 5, {})
    result, _, _ = played(1 + number % 5, 700 + number, 0.15, given)
    assert result.differences == ()


@pytest.mark.parametrize(("ruling", "setting"), SWITCHED)
def test_the_other_witness_keeps_each_switched_ruling(ruling: str, setting: str) -> None:
    result, _, _ = played(2, 31, 0.1, {ruling: setting, "die": "tray"})
    assert result.differences == ()


def test_both_witnesses_lose_a_bridge_with_a_number_where_all_of_it_must_be_done_and_none_may_be_done_again() -> (
    None
):
    areas = [
        {"id": "A", "rows": ["K", "K"], "row_bonus": ["skybridge B x2"], "col_bonus": ["skybridge B"]},
        {"id": "B", "rows": ["KK"], "row_bonus": ["koala"]},
    ]
    given = {"map": {"areas": areas}, "RESC-AMB-06": "all_or_nothing", "RESC-AMB-15": "not_usable"}
    result, rig, _ = played(2, 5, 0.0, {**given, "die": "companion"})
    assert result.differences == ()
    assert all("A:row0" not in own.sheet.claimed for own in rig.session().state.pupils.values())


def test_a_class_with_absent_pupils_is_counted_right() -> None:
    away = 0
    for seed in range(3):
        result, rig, _ = played(7, seed, 0.1, {"classroom": True, "die": "any"})
        assert result.differences == ()
        away += sum(
            1 for node in rig.session().path() if isinstance(node.event, Chosen) and node.event.cue == "away"
        )
    assert away > 0


def test_the_same_seed_plays_the_same_game_through_all_devices_too() -> None:
    results = [simulate("rescue", 3, 5, mess=0.2, options={"die": "tray"}) for _ in range(2)]
    assert results[0] == results[1]
    assert results[0].differences == ()


def test_a_wrong_book_is_seen() -> None:
    """Sheets, totals and winners changed in the companion's view are all named."""
    _, rig, body = played(3, 8, 0.0, {"die": "companion"})
    persons = EVENING.persons(body, rig, 0.0, {})
    truth: Any = crank.look(rig.session(), Table())
    assert count(body, persons, truth).differences == ()
    for change in (
        lambda view: view["sheets"]["Mia"]["sheet"]["trees"].pop(),
        lambda view: view["sheets"]["Mia"]["sheet"]["beds"].__setitem__(0, 9),
        lambda view: view["sheets"]["Mia"]["numbers"].__setitem__(3, 9),
        lambda view: view["score"]["totals"].__setitem__("Mia", 99),
        lambda view: view["score"]["winners"].append("Nobody"),
    ):
        view = copy.deepcopy(truth)
        change(view)
        assert count(body, persons, view).differences != ()


def test_a_game_that_stops_is_called_stuck() -> None:
    given = {"die": "companion"}
    rig = Direct(2, 3, given)
    body = EVENING.seat(deck("rescue"), tuple(Player(name) for name in NAMES[:2]), Luck(3), given)
    persons = EVENING.persons(body, rig, 0.0, given)
    persons.act(crank.look(rig.session(), Table()), rig.session().cues, ())
    assert any("stuck" in fault for fault in compare(EVENING, rig, body, persons, Told()).differences)


def test_a_series_varies_dice_depth_class_and_rulings() -> None:
    series = [options(number, 4, {}) for number in range(40)]
    assert {each["die"] for each in series} == set(DICE)
    assert {each["depth"] for each in series} == {"full", "light"}
    assert any(each.get("classroom") for each in series)
    assert {ruling for each in series for ruling in each} >= {ruling for ruling, _ in SWITCHED}
    assert options(3, 4, {"die": "any"})["die"] == "any"
