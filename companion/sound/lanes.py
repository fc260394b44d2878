"""What is said next: countdown before prompt before chatter, nothing stale, nothing twice. Pure, in virtual time.

Lines that come at once are one breath and keep together; a later breath replaces what has not begun. A line that
could not begin before its deadline is dropped: late news is worse than none, and the captions have it anyway. A breath
once begun is spoken to its end unless a newer one comes: a line's patience begins when the line before it has been
said. While a count runs nothing else is heard, and no words begin over a chime.
"""

from __future__ import annotations

from dataclasses import replace

from companion.sound.clips import RATE
from companion.table.things import value

LANES = ("countdown", "prompt", "chatter")  # most urgent first
AT_ONCE = RATE // 10  # lines closer together than this are one breath
PATIENCE = (RATE // 2, 4 * RATE, 2 * RATE)  # how long a line of each lane may wait for its beginning
TWICE = 5 * RATE // 2  # the same words are not begun again within this time
PAUSE = RATE // 6  # between the lines of one breath


@value
class Line:
    """Something to say: its words, its lane, how many samples it lasts."""

    words: tuple[str, ...]
    lane: str
    length: int

    @property
    def rank(self) -> int:
        """How urgent: 0 is first; a lane nobody knows is like chatter."""
        return LANES.index(self.lane) if self.lane in LANES else len(LANES) - 1


@value
class Due:
    """A line that waits: since when (its coming, or the end of the line before it in its breath), in which breath."""

    line: Line
    came: int
    breath: int


@value
class Lanes:
    """What is said, what waits, and what was said. All times are samples of the stream."""

    waiting: tuple[Due, ...] = ()
    playing: Line | None = None
    free: int = 0  # when what is said, and the pause after it, is over
    chime: int = 0  # when the newest chime has been heard
    breath: int = 0
    newest: int | None = None  # when the newest line came
    begun: tuple[tuple[tuple[str, ...], int], ...] = ()  # words and when they began, the newest ones
    last: tuple[Line, ...] = ()  # the newest breath of which something was heard
    last_breath: int = -1
    count: tuple[int, int] | None = None  # a count that runs: from, to
    mute: frozenset[str] = frozenset()  # lanes that are not heard


@value
class Deed:
    """What is to be done now: a line begins at a sample; whatever is being said before it is cut off."""

    begin: Line | None = None
    at: int = 0
    cut: bool = False


def said(lanes: Lanes, line: Line, now: int) -> Lanes:
    """A line came. If it begins a new breath, older ones that are no more urgent are stale."""
    fresh = lanes.newest is None or now - lanes.newest > AT_ONCE
    waiting, breath = lanes.waiting, lanes.breath
    if fresh:
        waiting, breath = tuple(due for due in waiting if due.line.rank < line.rank), breath + 1
    if line.lane not in lanes.mute and not _told(replace(lanes, waiting=waiting), line, now):
        waiting = (*waiting, Due(line, now, breath))
    return replace(lanes, waiting=waiting, breath=breath, newest=now)


def _told(lanes: Lanes, line: Line, now: int) -> bool:
    """Whether the same words wait, are being said, or were just said."""
    if any(due.line.words == line.words for due in lanes.waiting):
        return True
    return any(words == line.words and now - began < TWICE for words, began in lanes.begun)


def chimed(lanes: Lanes, until: int) -> Lanes:
    """A chime sounds: words that have not begun wait for its end, or the name they begin with is not understood."""
    return replace(lanes, chime=max(lanes.chime, until))


def counted(lanes: Lanes, start: int, end: int) -> Lanes:
    """A count runs from `start` to `end`: what is being said gives way, what waits waits for its end."""
    return replace(lanes, count=(start, end), free=end + PAUSE)


def shifted(lanes: Lanes, by: int) -> Lanes:
    """A count that runs lies so many samples later than was thought; nothing if none runs."""
    if lanes.count is None:
        return lanes
    start, end = lanes.count
    return replace(lanes, count=(start + by, end + by), free=end + by + PAUSE)


def hushed(lanes: Lanes, now: int) -> Lanes:
    """The count is called off."""
    return replace(lanes, count=None, free=now) if lanes.count else lanes


def stopped(lanes: Lanes, now: int) -> Lanes:
    """Something was put right: all that was said or waits is no longer true."""
    return replace(lanes, waiting=(), playing=None, free=now, begun=(), newest=None)


def muted(lanes: Lanes, mute: frozenset[str], now: int) -> Lanes:
    """These lanes are not heard from now on; what is being said or waits in them is dropped."""
    waiting = tuple(due for due in lanes.waiting if due.line.lane not in mute)
    lanes = replace(lanes, mute=mute, waiting=waiting)
    spoken = lanes.playing is not None and lanes.playing.lane in mute
    return replace(lanes, playing=None, free=now) if spoken else lanes


def again(lanes: Lanes, now: int) -> Lanes:
    """The last breath once more, instead of what is being said of it; what waits still comes, after it."""
    repeated = tuple(Due(line, now, lanes.last_breath) for line in lanes.last if line.lane not in lanes.mute)
    rest = tuple(due for due in lanes.waiting if due.breath != lanes.last_breath)
    return replace(lanes, waiting=repeated + rest, playing=None, free=now) if repeated else lanes


def step(lanes: Lanes, now: int, until: int) -> tuple[Lanes, Deed]:
    """What begins between `now` and `until`, if anything; call it again until nothing does."""
    if lanes.count is not None:
        if until <= lanes.count[1]:
            cut = lanes.playing is not None
            return replace(lanes, playing=None), Deed(cut=cut)
        lanes = replace(lanes, count=None)
    alive = tuple(due for due in lanes.waiting if now - due.came <= PATIENCE[due.line.rank])
    lanes = replace(lanes, waiting=alive)
    if not alive:
        ended = lanes.playing is not None and lanes.free <= now
        return (replace(lanes, playing=None) if ended else lanes), Deed()
    due = min(alive, key=lambda each: each.line.rank)
    urgent = lanes.playing is not None and due.line.rank < lanes.playing.rank and lanes.free > now
    at = max(now, lanes.chime, now if urgent else lanes.free)
    if at >= until:
        return lanes, Deed()
    return _begun(lanes, due, at), Deed(due.line, at, cut=urgent)


def _begun(lanes: Lanes, due: Due, at: int) -> Lanes:
    place = lanes.waiting.index(due)
    same = due.breath == lanes.last_breath and due.line not in lanes.last
    last = (*lanes.last, due.line) if same else lanes.last if due.line in lanes.last else (due.line,)
    rest, end = lanes.waiting[:place] + lanes.waiting[place + 1 :], at + due.line.length
    return replace(
        lanes,
        waiting=tuple(replace(each, came=end) if each.breath == due.breath else each for each in rest),
        playing=due.line,
        free=end + PAUSE,
        begun=(*lanes.begun[-7:], (due.line.words, at)),
        last=last,
        last_breath=due.breath,
    )
