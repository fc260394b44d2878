"""What is written of presses: how close a race was, and who was too eager for what then opened."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from companion.table import crank, photo_finish
from companion.table.cues import Cue, Press
from companion.table.effects import Say
from companion.table.events import Corrected, Event, Opened, Pressed, Undone
from companion.table.photo_finish import Margin
from companion.table.session import Session
from companion.table.things import Player

EAGER = 1_000 * photo_finish.MS  # a refused press longer ago than this was meant for something else


def told(race: Margin) -> Say:
    """How close a race was, and how sure that is."""
    return Say(
        "buttons.tie" if race.tie else "buttons.margin",
        {
            "name": race.first,
            "other": race.second,
            "ms": f"{(race.give if race.tie else race.by) / photo_finish.MS:.1f}",
            "give": f"{race.give / photo_finish.MS:.1f}",
        },
        "chatter",
    )


class Contests:
    """Whose newest press took something from the others: of no other race is anything told."""

    def __init__(self) -> None:
        """Nobody has pressed."""
        self._took: dict[Player, bool] = {}

    def pressed(self, press: Pressed, session: Session | None) -> None:
        """A press is about to be answered."""
        cues = session.cues if session is not None else ()
        self._took[press.player] = any(
            isinstance(cue, Press)
            and (cue.player, cue.button) == (press.player, press.button)
            and not cue.own
            for cue in cues
        )

    def told(self, margins: Iterable[Margin]) -> Iterator[Say]:
        """Captions for the races that somebody has won by being first."""
        return (told(margin) for margin in margins if self._took.get(margin.first))


class FalseStarts:
    """Each player's newest press that was refused."""

    def __init__(self) -> None:
        """Nobody has pressed."""
        self._presses: dict[Player, Pressed] = {}

    def refused(self, press: Pressed) -> None:
        """A press came to nothing: perhaps it was only too early."""
        self._presses[press.player] = press

    def told(self, before: tuple[Cue, ...], now: int, session: Session | None, event: Event) -> Iterator[Say]:
        """Captions for the refused presses that would be right from `now` (ns) on, and were not with the cues `before`.

        `event` is what opened them. After a step back, or in another game, old presses mean nothing.
        """
        if isinstance(event, Opened | Corrected | Undone) or session is None:
            self._presses.clear()
            return
        for player, press in tuple(self._presses.items()):
            if crank.answers(before, press) or not crank.answers(session.cues, press):
                continue
            del self._presses[player]
            margin = photo_finish.early(press, now)
            if margin is not None and margin.by <= EAGER:
                yield Say(
                    "buttons.early", {"name": player, "ms": f"{margin.by / photo_finish.MS:.0f}"}, "chatter"
                )
