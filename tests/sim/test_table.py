"""The simulated table: cards are never lost, mistakes are mended, and both witnesses agree at the end."""

from __future__ import annotations

import json

import numpy as np
import pytest

from companion.shelf import deck
from companion.sim.koala.evening import SPOTS, options
from companion.sim.koala.physical import ACTION, MIDDLE, Physical
from companion.sim.picture import Picture
from companion.table.luck import Luck
from companion.table.things import Player, Zone
from companion.tasks.simulating import simulated
from companion.vision.gaze import Eyes, Gaze, gazed
from companion.vision.read import Reader
from companion.vision.scene import Rules
from companion.wiring import FAMILY, deck_ids, simulate

DECK = deck("koala")


@pytest.mark.parametrize("players", range(3, 11))
def test_the_counts_agree_for_every_number_of_players(players: int) -> None:
    result = simulate("koala", players, seed=players)
    assert result.differences == () and result.winners


@pytest.mark.parametrize("players", range(4, 11))
def test_the_counts_agree_in_teams_and_with_mistakes(players: int) -> None:
    result = simulate("koala", players, seed=40 + players, options={"teams": True}, mess=0.15)
    assert result.differences == () and result.winners


def test_a_very_messy_table_still_ends_right() -> None:
    assert simulate("koala", 6, seed=5, mess=0.4).differences == ()


def test_the_same_seed_plays_the_same_game() -> None:
    assert simulate("koala", 5, seed=9, mess=0.1) == simulate("koala", 5, seed=9, mess=0.1)
    assert simulate("koala", 5, seed=9) != simulate("koala", 5, seed=10)


def test_other_rulings_end_right_too() -> None:
    rulings = {
        "KOALA-AMB-02": "time_stamp", "KOALA-AMB-09": "call_only", "KOALA-AMB-07": "white",
        "KOALA-AMB-10": "starter_first", "KOALA-AMB-32": "command_again", "pause_s": 2.5,
    }  # fmt: skip
    assert simulate("koala", 8, seed=3, mess=0.1, options=rulings).differences == ()


def test_people_at_the_table_never_lose_a_card() -> None:
    table = Physical(DECK, tuple(Player(name) for name in "ABCDEFG"), Luck(1))
    everything = sorted(table.everything())
    a = Player("A")
    table.draw(a, 3)
    table.lay(a, table.hands[a][:2], MIDDLE)
    table.move(list(table.zones[MIDDLE]), MIDDLE, table.cave(a))
    table.lay(a, list(table.hands[a]), ACTION)
    table.throw(list(table.zones[ACTION]), ACTION)
    table.draw(a, 500)
    assert sorted(table.everything()) == everything and table.pile == []


def test_what_is_drawn_is_what_the_reader_reads() -> None:
    cards = [card.id for card in DECK.cards if card.kind in ("food", "action")]
    lying = {
        MIDDLE: tuple(cards[:9]), ACTION: tuple(cards[80:82]), Zone("cave:a"): tuple(cards[10:30]),
        Zone("cave:d"): tuple(cards[30:50]), Zone("cave:f"): (),
    }  # fmt: skip
    frame = Picture(DECK, Luck(3), SPOTS).shot(lying)
    assert frame.shape == (1080, 1920) and frame.dtype == np.uint8
    reader = Reader(FAMILY, deck_ids(DECK), (12.0, 34.0))
    scene = gazed(Gaze(), frame, Eyes(reader, Rules(DECK, reader.look))).scene
    assert scene is not None
    seen = scene.sighting
    assert {zone: set(seen.cards[zone]) for zone in lying} == {
        zone: set(held) for zone, held in lying.items()
    }
    assert not seen.doubtful


def test_half_of_many_games_are_played_in_teams_whatever_the_number_of_players() -> None:
    games = [
        (3 + number % 8, options(number, 3 + number % 8, {}).get("teams", False)) for number in range(112)
    ]
    assert sum(teams for _, teams in games) == 56
    for players in range(4, 11):
        assert {teams for n, teams in games if n == players} == {True, False}


def test_each_game_is_summed_up_with_its_seed_and_its_time() -> None:
    told: list[str] = []
    given = {
        "games": 2,
        "seed": 4,
        "players": 3,
        "teams": None,
        "mess": 0.0,
        "eyes": "off",
        "options": (),
        "as_json": True,
    }
    assert simulated("koala", given, told.append)
    games = [json.loads(line) for line in told]
    assert [game["seed"] for game in games] == [4, 5]
    assert all(game["differences"] == [] and game["misread"] == 0 and game["seconds"] >= 0 for game in games)
