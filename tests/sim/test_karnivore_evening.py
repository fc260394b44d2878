"""Karnivore on the simulated table: mistakes are named and mended, and every count agrees."""

from __future__ import annotations

import pytest

from companion.shelf import deck
from companion.sim.evenings import evening
from companion.sim.karnivore.evening import EVENING, SWITCHED, options
from companion.sim.karnivore.physical import BOXES, DISCARD, PLAY, Physical
from companion.table.luck import Luck
from companion.table.things import CardId, Player, Zone
from companion.wiring import simulate

NAMES = (Player("Mia"), Player("Ben"), Player("Ada"))


def table(edition: str = "rulebook") -> Physical:
    seated = Physical(deck("karnivore"), NAMES, Luck(3), edition)
    for player in NAMES:
        king = seated.crowns.pop()
        seated.kings[player] = king
        seated.zones[seated.tribe(player)] = [king]
    return seated


@pytest.mark.parametrize("number", [0, 4, 11])
def test_a_messy_game_ends_without_a_difference(number: int) -> None:
    """Another mode, edition and ruling each; two to four players."""
    result = simulate("karnivore", 2 + number % 3, 40 + number, mess=0.1, options=options(number, 3, {}))
    assert result.differences == ()
    assert list(result.points.values()).count(3) == 1
    assert result.winners == tuple(name for name, dishes in result.points.items() if dishes == 3)


def test_the_series_plays_every_mode_every_edition_and_many_rulings() -> None:
    played = [options(number, 4, {}) for number in range(40)]
    assert {each["mode"] for each in played} == {"normal", "advanced", "expert"}
    assert {each["edition"] for each in played} == set(BOXES)
    for switched in SWITCHED:
        assert any(set(switched.items()) <= set(each.items()) for each in played)
    assert options(0, 4, {"mode": "expert"})["mode"] == "expert"
    assert evening("karnivore") is EVENING


@pytest.mark.parametrize("edition", sorted(BOXES))
def test_no_card_is_lost_whatever_is_moved(edition: str) -> None:
    there = table(edition)
    assert not there.lost()
    for player in NAMES:
        assert there.draw(player, 3) == 3
    card = there.hands[NAMES[0]][0]
    there.leave(card)
    there.place(NAMES[0], card, "left")
    assert there.zones[there.tribe(NAMES[0])] == [card, there.kings[NAMES[0]]]
    there.throw(card)
    for place in range(3):
        there.turn_up(place)
    assert not there.lost()
    there.zones[DISCARD].remove(card)
    assert there.lost()


def test_the_last_card_of_the_pile_brings_the_discard_pile_back_at_once() -> None:
    there = table()
    for _ in range(20):
        there.hands[NAMES[0]].append(there.pile.pop())
        there.throw(there.hands[NAMES[0]][-1])
    assert (len(there.zones[DISCARD]), there.discards()) == (4, 20)
    there.draw(NAMES[1], len(there.pile))
    assert (there.discards(), len(there.pile)) == (0, 20)
    assert there.draw(NAMES[2], 30) == 20  # hands hold the rest: there is nothing more to draw


def test_dice_that_stay_keep_their_side_and_each_die_lies_once() -> None:
    there = table()
    there.throw_dice([])
    kept = there.dice[:2]
    there.throw_dice(kept)
    assert there.dice[:2] == kept
    assert sorted(there.die(side) for side in there.dice) == [1, 2, 3, 4, 5]
    there.turn_dice(["skull", "spear", "koala", "crown", "spear"])
    assert [side.rsplit("-", 1)[0] for side in there.dice] == ["skull", "spear", "koala", "crown", "spear"]
    assert sorted(there.die(side) for side in there.dice) == [1, 2, 3, 4, 5]


def test_a_card_that_lies_nowhere_cannot_be_taken_away() -> None:
    there = table()
    with pytest.raises(AssertionError, match="lies nowhere"):
        there.leave(CardId("fishbear-99"))
    assert there.zones[PLAY] == []
    assert Zone("tribe:a") in there.zones
