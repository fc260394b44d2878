"""`--camera sim:GAME`: a camera above a table that is only drawn, with some cards of the game in every zone."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from functools import partial

from companion.edges.camera import Frame, Source
from companion.shelf import deck
from companion.sim.evenings import evening, folders
from companion.sim.picture import Picture
from companion.table.luck import Luck
from companion.table.things import CardId, Zone

SIZE, STEP_NS = 3, 66_000_000  # cards in a zone; 15 frames a second


class SimTable:
    """Frames of a drawn table that lies still; the light, the noise and the tremble are the simulated evening's."""

    live = False

    def __init__(self, game: str, seed: int = 1) -> None:
        """Nothing is drawn yet."""
        self.name, self._game, self._seed = f"sim:{game}", game, seed
        self._picture: Picture | None = None
        self._lying: Mapping[Zone, tuple[CardId, ...]] = {}
        self._at = 0

    def open(self) -> tuple[tuple[str, dict[str, str]], ...]:
        """Lay the table."""
        played = evening(self._game)
        cards = deck(played.folder)
        shuffled, luck = Luck(self._seed).shuffle([card.id for card in cards.cards])
        self._picture = Picture(cards, luck, played.spots)
        zones = [plate.zone for plate in cards.plates if plate.zone in played.spots]
        self._lying = {zone: tuple(shuffled[n * SIZE : (n + 1) * SIZE]) for n, zone in enumerate(zones)}
        self._at = time.monotonic_ns()
        return ()

    def read(self, wanted: bool) -> Frame | None:
        """The next frame."""
        del wanted  # each one is
        assert self._picture is not None, "it was opened"
        self._at += STEP_NS
        return Frame(self._picture.shot(self._lying), self._at)

    def close(self) -> None:
        """Nothing is held."""


def sims() -> Mapping[str, Callable[[], Source]]:
    """The simulated tables by their games."""
    return {game: partial(SimTable, game) for game in folders()}
