"""Presses on their way: put into their order, asked of the boxes, released when it is certain, answered."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from companion.house.words import Reply
from companion.table import photo_finish
from companion.table.events import Pressed
from companion.table.game import Refusal
from companion.table.photo_finish import Closed, Gone, PhotoFinish, Press, Verdict
from companion.table.things import Player


class Presses:
    """What has been pressed and has no place yet. All moments are monotonic ns."""

    def __init__(self) -> None:
        """Nobody has pressed."""
        self.ask: Callable[[int], None] = lambda _moment: None  # every box: close up to this moment
        self._finish = PhotoFinish()
        self._asked = 0
        self._replies: dict[tuple[Player, int], Reply] = {}

    @property
    def waiting(self) -> bool:
        """Whether a press waits for its place in the order."""
        return bool(self._finish.waiting)

    def heard(self, what: Press | Closed | Gone, reply: Reply | None) -> None:
        """A press, or a word of a source about its presses, arrived."""
        if isinstance(what, Press):
            if reply is not None:
                self._replies[(what.player, what.at)] = reply
            self._finish = photo_finish.heard(self._finish, what)
        elif isinstance(what, Closed):
            self._finish = photo_finish.closed(self._finish, what)
        else:
            self._finish = photo_finish.gone(self._finish, what.source)

    def ripe(self, now: int) -> Verdict:
        """Release every press whose place is certain."""
        self._finish, verdict = photo_finish.ripe(self._finish, now)
        return verdict

    def reply(self, press: Pressed) -> Reply | None:
        """Who wants to know what became of a press; he is told once."""
        return self._replies.pop((press.player, press.at), None)

    def forget(self, answer: Refusal) -> None:
        """What waits decides nothing any more; who asked for it gets this answer."""
        self._finish = replace(self._finish, waiting=())
        for reply in self._replies.values():
            reply(answer)
        self._replies.clear()

    def next_due(self, clock: int | None) -> int | None:
        """When to look again at the latest, a clock being due then."""
        moments = [photo_finish.settles(self._finish, clock)] if clock is not None else []
        if clock is not None and clock > self._asked and self._finish.until:
            moments.append(clock)  # so that open boxes are asked in time
        ripens = photo_finish.next_ripe(self._finish)
        return min((*moments, *(() if ripens is None else (ripens,))), default=None)

    def settled(self, clock: int, now: int) -> bool:
        """Whether no press made before that clock was due can still be under way."""
        return now >= photo_finish.settles(self._finish, clock) and not any(
            press.at <= clock for press in self._finish.waiting
        )

    def ask_boxes(self, clock: int | None, now: int) -> None:
        """Ask boxes that are still open to close past all presses that wait, and past a clock that is due."""
        moments = (photo_finish.wanted(self._finish), clock if clock is not None and clock <= now else None)
        want = max((moment for moment in moments if moment is not None), default=0)
        if want > self._asked:
            self._asked = want
            self.ask(want)
