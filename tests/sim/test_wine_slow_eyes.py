"""A camera that needs several acts to see a drawn card, as on a busy machine: whoever drew waits for it.

And whoever drew again meanwhile, since something else had changed on the screen, takes the second card back.
"""

from __future__ import annotations

import pytest
from seen_late import Late, Patient, played_out

from companion.sim.evening import Body, Rig
from companion.sim.wine import evening as wine

ACTS = 3


class Slow(Late):
    """In the draw phase nothing is reported until somebody has acted some more times, or wanted to."""

    waited = 0

    def look(self, body: Body, rig: Rig) -> bool:
        self.waited = self.waited + 1 if rig.session().state.phase == "draw" else 0
        return super().look(body, rig) if self.waited % (ACTS + 1) == 0 else False


class Hasty(wine.Persons):
    """To them each look at the screen is a new one while they draw."""

    def once(self) -> bool:
        if self.view["phase"] == "draw":
            self._done = None
        return super().once()


@pytest.mark.parametrize("people", [None, Hasty], ids=["usual", "hasty"])
@pytest.mark.parametrize("seed", range(4))
def test_a_drawn_card_is_waited_for_and_never_doubled(seed: int, people: type[wine.Persons] | None) -> None:
    assert not played_out("wine", 2 + seed, seed, Slow(), Patient, people, mess=0.2).differences
