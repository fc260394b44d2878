"""A game that goes on lights the lamps of devices that came after it: pins and boxes, by places."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

from companion import config
from companion.edges.camera import Camera
from companion.edges.clocks import StillClocks
from companion.edges.journal import Journal
from companion.edges.mock_pins import MockPins
from companion.edges.voice import Silence
from companion.house import Heard, House, News
from companion.running import boxes, parts, real
from companion.running.places import place_of
from companion.shelf import deck, phrases, shelf
from companion.table.events import Chosen, Opened, Setting, Shown
from companion.table.session import Session
from companion.table.things import Player, Zone

NAMES = tuple(Player(name) for name in ("Mia", "Paul", "Ada"))
SETTINGS = '[seats.1]\nbutton = 2\nlamp = 16\n[seats.2]\nbutton = 3\nlamp = 17\n[boxes]\nports = ["{folder}/box-*"]\n'


class Nobody:
    """No screen."""

    def show(self, session: Session | None, news: News) -> None:
        """Shows nothing."""


def house_with(later: Any, journal: Journal) -> House:
    return House(
        shelf(), phrases(), journal, StillClocks(0), lamps=later, voice=Silence(), eyes=later, screens=Nobody()
    )  # fmt: skip


def test_edges_that_the_kernel_dropped_are_told_for_some_time_and_until_a_press_after_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pins, alarms = MockPins(), list[Any]()

    def one_request(buttons: list[int], lamps: list[int], alarm: Any) -> Any:
        assert (buttons, lamps) == ([2, 3], [16, 17])
        alarms.append(alarm)
        return pins.factory

    monkeypatch.setattr(parts, "one_request", one_request)
    later: Any = parts.Optional()
    house = house_with(later, Journal(None))
    chosen = config.parse('pins = "gpiod"\n' + SETTINGS.partition("[boxes]")[0], "here")
    (close,) = real.hands(house, later, chosen)
    try:
        alarms[0](2)
        house.step()
        assert "2 edges" in house.news.health["pins"]
        pins.press(2, at=time.monotonic_ns())  # the very edge behind the hole may be a press
        house.step()
        assert "2 edges" in house.news.health["pins"]
        pins.press(3, at=time.monotonic_ns() + 2 * parts.LOST_FOR)
        house.step()
        assert "pins" not in house.news.health
        alarms[0](0)
        house.step()
        pins.press(2, at=time.monotonic_ns() + 3 * parts.LOST_FOR)
        house.step()
        assert "silent" in house.news.health["pins"]
    finally:
        close()


def test_after_a_restart_every_lamp_of_pins_and_boxes_is_as_the_game_wants_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pins, made = MockPins(), list[boxes.BoxPlaces]()

    def placed(house: House, chosen: config.Boxes) -> boxes.BoxPlaces:
        made.append(boxes.BoxPlaces(house, chosen))
        return made[-1]

    monkeypatch.setattr(parts, "pi_factory", lambda: pins.factory)
    monkeypatch.setattr(real, "BoxPlaces", placed)
    journal = Journal(None)
    journal.append(1, Opened(Setting("koala", NAMES, {}, 1)))
    later: Any = parts.Optional()
    house = house_with(later, journal)
    house.resume()
    assert set(house.news.lamps.values()) == {"open"}  # who begins is pressed by anybody
    closing = real.hands(house, later, config.parse(SETTINGS.replace("{folder}", str(tmp_path)), "here"))
    try:
        looks = {str(place): look for place, look in made[0].boxes._looks.items()}
        assert looks == {"1": "open", "2": "open", "3": "open"}
        assert pins.lit(16) and pins.lit(17)
    finally:
        for close in closing:
            close()


def test_a_lamp_burns_while_the_camera_looks_and_is_dark_while_somebody_looks_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pins = MockPins()
    monkeypatch.setattr(parts, "pi_factory", lambda: pins.factory)
    later: Any = parts.Optional()
    later.looking(True)  # the camera was there before the pins
    (close,) = real.hands(house_with(later, Journal(None)), later, config.parse("camera_lamp = 20", "here"))
    try:
        assert pins.lit(20)
        later.looking(False)
        assert not pins.lit(20)
    finally:
        close()


def test_the_camera_tells_whenever_it_looks_and_looks_away() -> None:
    told: list[bool] = []
    camera = Camera(
        lambda: None, deck("wine"), lambda _: None, lambda _: None, pause_s=0.001, looks=told.append
    )
    camera.watch((Zone("drawn"),))
    camera.watch((Zone("drawn"), Zone("played")))
    camera.watch(())
    camera.glimpse()  # somebody looks at the live picture
    camera.rest()
    assert told == [True, False, True, False]
    camera.watch((Zone("drawn"),))
    camera.close()
    assert told[4:] == [True, False]


class ByPlace(parts.Optional):
    """The lamps of a table by their places, as pins and boxes show them."""

    def __init__(self) -> None:
        super().__init__()
        self.shown: dict[str, str] = {}
        self.house: House | None = None

    def shine(self, player: Player, look: str) -> None:
        assert self.house is not None
        self.shown[place_of(self.house, player)] = look


def scored(house: House, names: tuple[str, ...], winner: str) -> None:
    """A game is counted at this table, and somebody wins it."""
    players = tuple(map(Player, names))
    house.hear(Heard(Opened(Setting("koala-tally", players, {}))))
    food = next(card.id for card in house.shelf["koala-tally"].deck.cards if card.face == "pizza")
    for player in players:
        if player == winner:
            house.hear(Heard(Shown(Zone("look"), (food,))))
        house.hear(Heard(Chosen(players[0], "tally", "next")))
    while house.session is not None and not house.session.over:
        house.hear(Heard(Chosen(players[0], "tally", "next")))


@pytest.mark.parametrize("game", sorted(shelf()))
@pytest.mark.parametrize(
    ("before", "winner", "after"),
    [
        (("Mia", "Ben", "Paul", "Zoe"), "Zoe", ("Mia", "Ben", "Paul")),  # whoever won has gone
        (("Mia", "Ben", "Paul"), "Mia", ("Ben", "Mia", "Paul")),  # the same people have changed places
        (("Mia", "Ben", "1"), "1", ("Zoe", "Ada", "Eve")),  # somebody who has gone is called like a place
        (("Mia", "Ben", "Paul"), "Ben", ("Mia", "Ben", "Paul")),
    ],
)
def test_when_a_game_opens_every_place_is_lit_as_the_game_wants_it_and_no_other(
    game: str, before: tuple[str, ...], winner: str, after: tuple[str, ...]
) -> None:
    lamps = ByPlace()
    lamps.house = house = house_with(lamps, Journal(None))
    scored(house, before, winner)
    assert lamps.shown[str(before.index(winner) + 1)] == "lead"
    house.hear(Heard(Opened(Setting(game, tuple(map(Player, after)), {}, 1))))
    assert house.session is not None and house.session.setting.game == game
    wanted = {str(after.index(player) + 1): look for player, look in house.news.lamps.items()}
    assert len(wanted) == len(after)
    assert {place: look for place, look in lamps.shown.items() if look != "off"} == {
        place: look for place, look in wanted.items() if look != "off"
    }
