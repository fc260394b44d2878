"""A camera that sees the discard pile one act late, as it does while people press at once: no card is lost or doubled."""

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

DISCARD = Zone("discard")


class Late(Told):
    """Reports a change of the discard pile only once somebody has done the next thing."""

    def __init__(self) -> None:
        super().__init__()
        self.people: Any = None
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
    names = tuple(Player(name) for name in NAMES[: 2 + seed % 5])
    rig = StillRig(Setting("karnivore", names, {}, seed), Journal(None))
    sight, played = Late(), evening("karnivore")

    def persons(*given: Any) -> Any:
        sight.people = played.persons(*given)
        return sight.people

    late: Evening = replace(played, persons=persons)
    try:
        body = played.seat(deck("karnivore"), names, Luck(seed), {})
        result = play(late, rig, body, sight)
    finally:
        rig.close()
    assert result.differences == ()
    assert sight.held > 2  # it was late often enough to matter
