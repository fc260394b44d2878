"""A box's buttons belong to places; who sits there is the game's."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from companion import config
from companion.edges.boxes import Key
from companion.house import House
from companion.house.presses import Presses
from companion.running.boxes import TABLE_KEY, AllLamps, BoxPlaces
from companion.table.photo_finish import Closed, Press
from companion.table.things import BID, CALL, Player

SETTINGS = '[boxes]\nports = ["{folder}/box-*"]\n[boxes.seats]\n"0011223344556677" = [3, 4, 0, -1]\n'


def places(folder: Path, players: tuple[str, ...] = ()) -> tuple[BoxPlaces, list[Any]]:
    put: list[Any] = []
    session = (
        SimpleNamespace(setting=SimpleNamespace(players=tuple(map(Player, players)))) if players else None
    )
    house = cast(House, SimpleNamespace(put=put.append, presses=Presses(), session=session))
    chosen = config.parse(SETTINGS.replace("{folder}", str(folder)), "companion.toml").boxes
    assert chosen is not None
    return BoxPlaces(house, chosen), put


def test_a_board_in_the_settings_has_its_seats_and_another_takes_the_free_ones(tmp_path: Path) -> None:
    boxes, _ = places(tmp_path)
    named, other = boxes._keys("0011223344556677", 7), boxes._keys("ffeeddccbbaa9988", 7)
    again = boxes._keys("ffeeddccbbaa9988", 7)
    boxes.close()
    assert named == (Key(Player("3"), BID), Key(Player("4"), BID), Key(TABLE_KEY, CALL), None)
    assert [key.player for key in other if key] == ["1", "2", "5", "6", "7", "8"]
    assert again == other


def test_a_press_is_that_of_who_sits_at_the_place(tmp_path: Path) -> None:
    boxes, put = places(tmp_path, ("Mia", "Ömer", "Li"))
    boxes._heard(Press(Player("3"), BID, 5))
    boxes._heard(Press(Player("4"), BID, 6))  # nobody sits there
    boxes._heard(Closed("box a", 9))
    boxes.close()
    assert put == [Press(Player("Li"), BID, 5), Closed("box a", 9)]


def test_before_a_game_is_open_presses_are_nobodys(tmp_path: Path) -> None:
    boxes, put = places(tmp_path)
    boxes._heard(Press(Player("1"), BID, 5))
    boxes.close()
    assert put == []


def test_a_wrong_seat_or_entry_is_named() -> None:
    with pytest.raises(config.BadConfig, match="seats are numbers from 1 to 10"):
        config.parse('[boxes.seats]\n"00" = [11]\n', "companion.toml")
    with pytest.raises(config.BadConfig, match="did you mean 'ports'"):
        config.parse("[boxes]\nport = []\n", "companion.toml")


def test_lamps_of_every_kind_shine() -> None:
    lamps, did = AllLamps(), list[str]()

    class Kind:
        def shine(self, player: Player, look: str) -> None:
            did.append(f"{player} {look}")

        blink = shine

    lamps.kinds += [Kind(), Kind()]
    lamps.shine(Player("Mia"), "open")
    lamps.blink(Player("Mia"), "seen")
    assert did == ["Mia open", "Mia open", "Mia seen", "Mia seen"]
