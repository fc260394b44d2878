"""The owner's decks beside a running table: what is kept is played with from the next game on."""

from __future__ import annotations

from collections.abc import Callable, MutableMapping
from typing import TYPE_CHECKING

from companion.desks import Desks
from companion.running.parts import Optional
from companion.shelf import deck, phrases, shelf
from companion.table.phrases import Phrases
from companion.table.session import Box, Session

if TYPE_CHECKING:  # OpenCV comes up only where there is a camera
    from companion.vision.find import Grey


def desks(
    games: MutableMapping[str, Box], words: MutableMapping[str, Phrases], parts: Optional,
    session: Callable[[], Session | None],
) -> Desks:  # fmt: skip
    """The decks of this table. `games` and `words`: what house and screens look up; they learn of a new deck."""

    def busy(folder: str) -> bool:
        playing = session()
        return playing is not None and not playing.over and playing.box.deck.game == deck(folder).game

    def changed() -> None:
        games.update(shelf())
        words.update(phrases())

    def grey() -> Grey | None:
        return None if parts.sight is None else parts.sight.newest()

    return Desks(busy, changed, grey)
