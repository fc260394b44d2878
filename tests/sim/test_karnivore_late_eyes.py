"""A camera that sees the discard pile one act late, as it does while people press at once: no card is lost or doubled."""

from __future__ import annotations

import pytest
from seen_late import Late, played_out

from companion.sim.evening import Body, Rig
from companion.table.things import CardId, Zone

DISCARD = Zone("discard")


class Held(Late):
    """Reports a change of the discard pile only once somebody has done the next thing."""

    def __init__(self) -> None:
        super().__init__()
        self.held = 0
        self._since: tuple[tuple[CardId, ...], int] = ((), -1)

    def look(self, body: Body, rig: Rig) -> bool:
        lying = body.zones[DISCARD]
        known = self._last.get(DISCARD)
        if DISCARD not in rig.watched() or known is None or known == tuple(lying):
            return super().look(body, rig)
        if self._since[0] != tuple(lying):
            self._since, self.held = (tuple(lying), self.people.acts), self.held + 1
        if self._since[1] != self.people.acts:
            return super().look(body, rig)
        true, body.zones[DISCARD][:] = list(lying), list(known)  # as it lay before
        try:
            return super().look(body, rig)
        finally:
            body.zones[DISCARD][:] = true


@pytest.mark.parametrize("seed", [0, 1, 3, 7])
def test_a_game_ends_without_a_difference_though_each_thrown_card_is_seen_late(seed: int) -> None:
    sight = Held()
    result = played_out("karnivore", 2 + seed % 5, seed, sight)
    assert result.differences == ()
    assert sight.held > 2  # it was late often enough to matter
