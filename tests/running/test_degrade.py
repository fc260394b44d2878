"""Devices go and come back in any order in the middle of a game: each is said once, and every event is still taken."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from companion.edges.clocks import StillClocks
from companion.edges.journal import Journal, JournalError
from companion.edges.voice import Silence
from companion.house import House, News, Trouble
from companion.shelf import phrases, shelf
from companion.table.crank import Turn
from companion.table.events import Event, Opened, Pressed, Setting, Undone
from companion.table.session import Session
from companion.table.things import BID, Player

DEVICES = ("camera", "table", "voice", "buttons", "box at ttyACM0", "box at ttyACM1", "mqtt", "history")
NAMES = tuple(Player(name) for name in ("Mia", "Paul", "Ada"))


class Nothing:
    """Lamps, eyes and screens; the screens note what is ill whenever that changes."""

    def __init__(self) -> None:
        self.told: list[dict[str, str]] = [{}]

    def shine(self, player: Player, look: str) -> None: ...
    def blink(self, player: Player, look: str) -> None: ...
    def beat(self, player: Player, start: int, phases: tuple[int, ...]) -> None: ...
    def watch(self, zones: Any, anew: Any) -> None: ...

    def show(self, session: Session | None, news: News) -> None:
        if dict(news.health) != self.told[-1]:
            self.told.append(dict(news.health))


class Disk(Journal):
    """A journal on a disk that is full now and then."""

    full = False

    def append(self, number: int, event: Event) -> None:
        if self.full:
            raise JournalError("the disk is full; free some space")
        super().append(number, event)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from((*DEVICES, "disk")), max_size=25))
def test_whatever_goes_and_comes_the_game_goes_on_and_all_of_it_is_written(turns: list[str]) -> None:
    nothing, disk, ill = Nothing(), Disk(None), set[str]()
    house = House(
        shelf(), phrases(), disk, StillClocks(), lamps=nothing, voice=Silence(), eyes=nothing, screens=nothing
    )  # fmt: skip

    def done(event: Event) -> bool:
        answers: list[object] = []
        house.put(event, answers.append)
        house.step()
        return isinstance(answers[0], Turn)

    assert done(Opened(Setting("koala", NAMES, {}, 1))) and done(Pressed(NAMES[0], BID, 1))
    at = 2
    for device in turns:
        changes = len(nothing.told)
        if device == "disk":
            disk.full = not disk.full
        else:
            house.put(Trouble(device, "" if device in ill else f"{device} is gone"))
            house.put(Trouble(device, "" if device in ill else f"{device} is gone"))  # told twice, shown once
            house.step()
            ill ^= {device}
            assert len(nothing.told) == changes + 1
        at = 3 - at
        assert done(Undone(at))
        assert {*house.news.health} - {"journal"} == ill
    disk.full = False
    assert done(Undone(3 - at)) and {*house.news.health} == ill
    assert len(list(disk.events())) == len(turns) + 3
    disk.close()
