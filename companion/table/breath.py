"""What is to be said next: urgent lanes first, and nothing that newer speech has made stale. Pure.

Sentences that come at once are one breath and keep together; a later breath replaces what is not yet begun.
"""

from __future__ import annotations

from companion.table.things import value

LANES = ("countdown", "prompt", "chatter")  # most urgent first
AT_ONCE = 100_000_000  # ns: sentences closer together than this are one breath


@value
class Sentence:
    """Something to say, in a language, on a lane."""

    text: str
    lang: str
    lane: str

    @property
    def rank(self) -> int:
        """How urgent: 0 is first; a lane nobody knows is last."""
        return LANES.index(self.lane) if self.lane in LANES else len(LANES)


@value
class Breath:
    """What waits to be said, in the order of arrival, and when the newest came (monotonic ns)."""

    waiting: tuple[Sentence, ...] = ()
    newest: int | None = None


def said(breath: Breath, sentence: Sentence, now: int) -> Breath:
    """A sentence came. If it begins a new breath, older ones that are no more urgent are stale."""
    waiting = breath.waiting
    if breath.newest is None or now - breath.newest > AT_ONCE:
        waiting = tuple(old for old in waiting if old.rank < sentence.rank)
    return Breath((*waiting, sentence), now)


def drawn(breath: Breath) -> tuple[Breath, Sentence | None]:
    """Take the next sentence: the most urgent, of these the first that came."""
    if not breath.waiting:
        return breath, None
    sentence = min(breath.waiting, key=lambda each: each.rank)
    place = breath.waiting.index(sentence)
    return Breath(breath.waiting[:place] + breath.waiting[place + 1 :], breath.newest), sentence
