"""A camera that needs several acts to see what was laid, as on a busy machine: the persons wait for it."""

from __future__ import annotations

import pytest
from seen_late import Late, Patient, played_out

from companion.sim.evening import Body, Rig
from companion.table.things import CardId, Zone

MIDDLE = Zone("middle")
ACTS = 3


class Slow(Late):
    """Reports what lies in the middle only when it has lain there for some acts."""

    def __init__(self) -> None:
        super().__init__()
        self._since: tuple[tuple[CardId, ...], int] = ((), 0)

    def look(self, body: Body, rig: Rig) -> bool:
        lying = tuple(body.zones[MIDDLE])
        if lying != self._since[0]:
            self._since = lying, self.people.acts
        if rig.session().state.phase != "reveal" or self.people.acts - self._since[1] >= ACTS:
            return super().look(body, rig)
        return False


@pytest.mark.parametrize("seed", range(4, 10))
def test_a_card_turned_stays_until_it_is_seen(seed: int) -> None:
    assert not played_out("koala", 3 + seed % 4, seed, Slow(), Patient).differences
