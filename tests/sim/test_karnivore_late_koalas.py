"""A camera that sees the tribe late, and persons who lay a koala and end their turn at once: it counts as placed."""

from __future__ import annotations

import pytest
from seen_late import Late, played_out

from companion.sim.evening import Body, Rig
from companion.sim.karnivore.players import Persons
from companion.table.things import CardId, Zone


class Hasty(Persons):
    """They press on before anybody has seen what they have laid."""

    hasty = 0

    def _mend(self) -> bool:
        card, phase = self.pending, self.view["phase"]
        lies = (
            card is not None and card in self.table.koalas(self.player) and card not in self.seen(self.player)
        )
        if lies and phase in ("keep", "draw"):
            return False
        if lies and phase == "tribe" and self.may_press("cue.end_turn") and self.table.chance(0.5):
            self.hasty += 1
            return self._press(self.player)
        return super()._mend()


class Slow(Late):
    """Reports what comes into a tribe only so many acts later."""

    def __init__(self, acts: int) -> None:
        super().__init__()
        self._acts, self._since = acts, dict[CardId, int]()

    def look(self, body: Body, rig: Rig) -> bool:
        tribes = [held for zone, held in body.zones.items() if zone.startswith("tribe:")]
        for card in (card for held in tribes for card in held):
            self._since.setdefault(card, self.people.acts)
        true = {zone: list(body.zones[zone]) for zone in body.zones if zone.startswith("tribe:")}
        known = {card for zone in true for card in self._last.get(Zone(zone), ())}
        for zone, held in true.items():
            body.zones[zone][:] = [
                c for c in held if c in known or self.people.acts - self._since[c] >= self._acts
            ]
        try:
            return super().look(body, rig)
        finally:
            for zone, held in true.items():
                body.zones[zone][:] = held


@pytest.mark.parametrize(("seed", "acts"), [(0, 1), (3, 1), (5, 2), (8, 2)])
def test_a_game_ends_without_a_difference_though_koalas_are_laid_while_the_turn_is_ended(
    seed: int, acts: int
) -> None:
    sight = Slow(acts)
    result = played_out("karnivore", 2 + seed % 5, seed, sight, people=Hasty)
    assert result.differences == ()
    assert sight.people.hasty > 2  # often enough to matter
