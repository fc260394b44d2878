"""A whole game at full speed with eyes that see late: they count by what the persons have done."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from companion.edges.journal import Journal
from companion.shelf import deck
from companion.sim.evening import Result, Told, play
from companion.sim.evenings import evening
from companion.table.events import Setting
from companion.table.luck import Luck
from companion.table.things import Player
from companion.wiring import NAMES, StillRig


class Late(Told):
    """Eyes that know how many acts the persons have done."""

    people: Any = None


class Patient(StillRig):
    """People wait on though no clock runs."""

    def wait(self) -> bool:
        super().wait()
        return True


def played_out(
    game: str,
    players: int,
    seed: int,
    sight: Late,
    rig: type[StillRig] = StillRig,
    people: Any = None,
    mess: float = 0.0,
) -> Result:
    """Play one game to its end through such eyes; `people`: other persons than the game's own."""
    names, played = tuple(Player(name) for name in NAMES[:players]), evening(game)
    table = rig(Setting(game, names, {}, seed), Journal(None))

    def persons(*given: Any) -> Any:
        sight.people = (people or played.persons)(*given)
        return sight.people

    try:
        body = played.seat(deck(game), names, Luck(seed), {})
        return play(replace(played, persons=persons), table, body, sight, mess=mess)
    finally:
        table.close()
