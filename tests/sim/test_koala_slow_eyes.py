"""A camera that needs several acts to see what was laid, as on a busy machine: the persons wait for it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from companion.edges.journal import Journal
from companion.shelf import deck
from companion.sim.evening import Body, Evening, Rig, Told, play
from companion.sim.evenings import evening
from companion.table.events import Setting
from companion.table.luck import Luck
from companion.table.things import CardId, Player, Zone
from companion.wiring import NAMES, StillRig

MIDDLE = Zone("middle")
LATE = 3  # acts


class Slow(Told):
    """Reports what lies in the middle only when it has lain there for some acts."""

    def __init__(self) -> None:
        super().__init__()
        self.people: Any = None
        self._since: tuple[tuple[CardId, ...], int] = ((), 0)

    def look(self, body: Body, rig: Rig) -> bool:
        lying = tuple(body.zones[MIDDLE])
        if lying != self._since[0]:
            self._since = lying, self.people.acts
        if rig.session().state.phase != "reveal" or self.people.acts - self._since[1] >= LATE:
            return super().look(body, rig)
        return False


class Patient(StillRig):
    """People wait on though no clock runs."""

    def wait(self) -> bool:
        super().wait()
        return True


@pytest.mark.parametrize("seed", range(4, 10))
def test_a_card_turned_stays_until_it_is_seen(seed: int) -> None:
    names = tuple(Player(name) for name in NAMES[: 3 + seed % 4])
    rig = Patient(Setting("koala", names, {}, seed), Journal(None))
    sight, played = Slow(), evening("koala")

    def persons(*given: Any) -> Any:
        sight.people = played.persons(*given)
        return sight.people

    slow: Evening = replace(played, persons=persons)
    try:
        result = play(slow, rig, played.seat(deck("koala"), names, Luck(seed), {}), sight)
    finally:
        rig.close()
    assert not result.differences
