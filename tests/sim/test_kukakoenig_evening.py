"""Ku-Ka-König on the simulated table: nothing is lost, mistakes are named, and both witnesses agree at the end."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import Any

import pytest

from companion.edges.journal import Journal
from companion.games.kukakoenig.rules_score import Held, sums
from companion.shelf import deck
from companion.sim.evenings import evening
from companion.sim.kukakoenig.evening import SPOTS, SWITCHED, options
from companion.sim.kukakoenig.physical import BOX, Physical, row_zone
from companion.sim.kukakoenig.players import Persons
from companion.sim.kukakoenig.verdict import points, winners
from companion.sim.picture import Picture
from companion.table.events import Event, Pressed, Setting
from companion.table.luck import Luck
from companion.table.things import BID, Button, Player, Zone
from companion.vision.gaze import Eyes, Gaze, gazed
from companion.vision.read import Reader
from companion.vision.scene import Rules
from companion.wiring import FAMILY, StillRig, deck_ids, simulate

DECK = deck("kukakoenig")
P = tuple(Player(name) for name in ("Mia", "Paul", "Ada"))


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("mess", [0.0, 0.2])
def test_the_counts_of_ku_ka_koenig_agree_for_every_number_of_players(players: int, mess: float) -> None:
    result = simulate("kukakoenig", players, seed=players, mess=mess)
    assert result.differences == () and result.winners


@pytest.mark.parametrize("number", [1, 2, 4, 5, 7, 8, 10])
def test_two_switched_rulings_at_a_time_end_right_too(number: int) -> None:
    chosen = options(number, 4, {})
    assert len(chosen) in (1, 2)
    assert simulate("kukakoenig", 4, seed=number, mess=0.1, options=chosen).differences == ()


def test_numbers_come_from_the_keys_of_a_pad(monkeypatch: pytest.MonkeyPatch) -> None:
    pressed: Counter[str] = Counter()
    press = Persons._press

    def also(self: Persons, player: Player, button: Button = BID) -> bool:
        pressed[button] += 1
        return press(self, player, button)

    monkeypatch.setattr(Persons, "_press", also)
    for seed in (1, 2, 3):
        result = simulate("kukakoenig", 2 + seed % 3, seed=seed, mess=0.1, options={"entry": "keys"})
        assert result.differences == ()
    assert sum(times for button, times in pressed.items() if button.isdecimal()) > 40


def test_a_key_of_a_pad_is_no_press_of_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    """On pins and on boxes: neither the player's button nor the call button moves."""
    put: list[Event] = []
    rig = StillRig(Setting("kukakoenig", P, {"entry": "keys"}, 1), Journal(None))
    try:
        assert rig.fingers is not None
        monkeypatch.setattr(rig.house, "put", put.append)
        rig.press(P[1], Button("3"))
        assert put == [Pressed(P[1], Button("3"), rig.clocks.now())]
    finally:
        rig.close()


def test_every_ruling_is_switched_somewhere_in_a_series() -> None:
    played = {pair for number in range(60) for pair in options(number, 3, {}).items()}
    assert set(SWITCHED) <= played
    assert options(1, 3, {"KUKA-AMB-01": "seen_only"})["KUKA-AMB-01"] == "seen_only"


def test_the_same_seed_plays_the_same_ku_ka_koenig() -> None:
    assert simulate("kukakoenig", 3, seed=9, mess=0.1) == simulate("kukakoenig", 3, seed=9, mess=0.1)
    assert simulate("kukakoenig", 3, seed=9) != simulate("kukakoenig", 3, seed=10)


def test_the_referee_names_wrong_cards_and_wrong_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every kind of mistake comes up in a few messy games, and each is named by voice."""
    heard: Counter[str] = Counter()
    listen = Persons._listen

    def also(self: Persons, say: Any) -> None:
        heard[say.key] += 1
        listen(self, say)

    monkeypatch.setattr(Persons, "_listen", also)
    for seed in range(5):
        assert simulate("kukakoenig", 4, seed=seed, mess=0.35).differences == ()
    for key in (
        "differs.wrong_card",
        "differs.not_theirs",
        "once_more",
        "really",
        "row_first",
        "stays",
        "collide",
    ):
        assert heard[f"say.{key}"] > 0, key


def test_people_at_this_table_never_lose_a_card() -> None:
    table = Physical(DECK, P, Luck(1))
    everything = sorted(table.everything())
    table.count_out()
    for row in table.rows:
        table.deal(row, 3)
    table.deal(1, 1, inside=True)
    table.undeal(1, inside=True)
    table.take(P[0], 2, list(table.row(2)))
    table.throw(3, table.row(3)[-1])
    table.zones[BOX].append(table.collections[P[0]].pop())
    table.pile, rest = [], table.pile
    table.box += rest
    table.shuffle_box(everything=False)
    assert table.counts()["pile"] == 0
    assert len(table.apart) == 10
    assert sorted(table.everything()) == everything


@pytest.mark.parametrize("seed", range(12))
def test_the_other_witness_counts_as_the_rules_do(seed: int) -> None:
    """Two scores, written apart from each other."""
    table = Physical(DECK, P, Luck(seed))
    for player in P:
        for _ in range(20):
            table.collections[player].append(table.pile.pop())
    by_hand = points(table, {})
    held = {}
    for player, cards in table.collections.items():
        faces = Counter(table.face(card) for card in cards)
        values = tuple(value for value in (2, 3, 4) for _ in range(faces[f"vp{value}"]))
        animals = {card.face: faces[card.face] for card in DECK.cards if card.kind == "animal"}
        held[player] = Held(
            faces["king"], faces["church"], faces["knight"], faces["farmer"], faces["wife"], faces["house"], values, animals
        )  # fmt: skip
    assert by_hand == {player: own["total"] for player, own in sums(held).items()}
    assert winners(table, [by_hand], {})[0] == max(P, key=lambda player: by_hand[player])


def test_rows_and_box_are_read_from_a_picture_in_their_order() -> None:
    """All rows with four cards at most, and a box plate with a dozen; no plate lies on another."""
    cards = [card.id for card in DECK.cards if card.kind != "number"]
    zones: dict[Zone, list[Any]] = {row_zone(row): cards[4 * row : 4 * row + 3] for row in range(1, 9)}
    zones[BOX] = cards[60:72]
    picture = Picture(DECK, Luck(3), SPOTS)
    reader = Reader(FAMILY, deck_ids(DECK))
    scene = gazed(Gaze(), picture.shot(zones), Eyes(reader, Rules(DECK, reader.look))).scene
    assert scene is not None
    seen = scene.sighting
    assert {zone: seen.cards[zone] for zone in zones if zone != BOX} == {
        zone: tuple(held) for zone, held in zones.items() if zone != BOX
    }
    assert sorted(seen.cards[BOX]) == sorted(zones[BOX])
    rows = sorted(spot for zone, spot in SPOTS.items() if zone.startswith("row:"))
    assert all(right[0] - left[0] >= 145 for left, right in pairwise(rows))
    assert evening("kukakoenig").spots is SPOTS
