"""Order presses of all sources by the time at the source, and say when the order is too close to call.

A press is released once every healthy source is closed past it: closed means that nothing made before that
moment can still arrive. A source that stays open for longer than the ceiling is named as degraded and no
longer waited for. Presses whose margin lies inside their summed uncertainty name each other as tied.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field, replace
from itertools import pairwise

from companion.table.effects import Say
from companion.table.events import Pressed
from companion.table.things import Button, Player, value

MS = 1_000_000
_REMEMBERED = 16  # released presses that a late one is compared with
RACE = 250 * MS  # presses of two players further apart are no race: nobody asks for the margin


@value
class Press:
    """A raw press: `at` at its source in monotonic ns, give or take `unc`; `heard` when it arrived here.

    `grain`: give or take that, against presses of the same source: they share its clock.
    """

    player: Player
    button: Button
    at: int
    unc: int = 0
    source: str = "gpio"
    heard: int = 0  # for people who look for a slow line; the order never asks it
    grain: int | None = None  # None: as unc


@value
class Closed:
    """A source says: everything made before `until` (monotonic ns) has arrived; its times are right to `unc`."""

    source: str
    until: int
    unc: int = 0


@value
class Gone:
    """A source was unplugged, or fell silent."""

    source: str


@value
class Margin:
    """How close a race was: `first` before `second` by `by` ns, give or take `give`; inside it, a tie."""

    first: Player
    second: Player
    by: int
    give: int

    @property
    def tie(self) -> bool:
        """Whether nobody can say who was first."""
        return self.by <= self.give


@value
class Verdict:
    """Presses in their order, and what people should hear about sources, races and late presses.

    `overruled` counts presses that would have changed an order that was already told.
    """

    presses: tuple[Pressed, ...] = ()
    notes: tuple[Say, ...] = ()
    margins: tuple[Margin, ...] = ()
    overruled: int = 0


@value
class PhotoFinish:
    """Presses not yet released, and how far each source is closed.

    `lags`: sources that close by themselves so many ns after any moment (GPIO: the kernel's stamp arrives
    within a few ms). Others take part once they have said `Closed`; until then they are not waited for.
    """

    lags: Mapping[str, int] = field(default_factory=lambda: {"gpio": 3 * MS})
    ceiling: int = 60 * MS
    waiting: tuple[Press, ...] = ()
    until: Mapping[str, int] = field(default_factory=dict)  # how far the others are closed
    degraded: frozenset[str] = frozenset()
    uncs: Mapping[str, int] = field(default_factory=dict)  # each source's newest uncertainty
    released: tuple[Press, ...] = ()  # the newest ones, in their order of release
    late: tuple[Say, ...] = ()  # presses known too late, not yet told


def heard(finish: PhotoFinish, press: Press) -> PhotoFinish:
    """A press arrived, in whatever order."""
    late = _late(finish.released, press)
    return replace(
        finish,
        waiting=(*finish.waiting, press),
        uncs={**finish.uncs, press.source: press.unc},
        late=(*finish.late, late) if late is not None else finish.late,
    )


def closed(finish: PhotoFinish, word: Closed) -> PhotoFinish:
    """A source is closed up to a moment; that also heals it."""
    until = max(word.until, finish.until.get(word.source, word.until))
    return replace(
        finish,
        until={**finish.until, word.source: until},
        degraded=finish.degraded - {word.source},
        uncs={**finish.uncs, word.source: word.unc},
    )


def gone(finish: PhotoFinish, source: str) -> PhotoFinish:
    """A source was unplugged: nobody waits for it; what it sent still counts."""
    until = {name: moment for name, moment in finish.until.items() if name != source}
    uncs = {name: unc for name, unc in finish.uncs.items() if name != source}
    return replace(finish, until=until, uncs=uncs, degraded=finish.degraded - {source})


def wanted(finish: PhotoFinish) -> int | None:
    """Up to when (ns) the sources that are asked should close now; None while nothing waits for them."""
    end = max((_end(finish, press) for press in finish.waiting), default=None)
    return end if end is not None and _open(finish, end) else None


def next_ripe(finish: PhotoFinish) -> int | None:
    """When `ripe` should be asked again at the latest, ns; None while nothing waits."""
    if not finish.waiting:
        return None
    return settles(finish, _end(finish, min(finish.waiting, key=_place)))


def settles(finish: PhotoFinish, moment: int) -> int:
    """When it is certain at the latest (ns) that no press made up to `moment` will still be released.

    A clock due at `moment` may ring then, if nobody's press waits.
    """
    lag = max(finish.lags.values(), default=0)
    return moment + (max(lag, finish.ceiling) if _open(finish, moment) else lag) + 1


def ripe(finish: PhotoFinish, now: int) -> tuple[PhotoFinish, Verdict]:
    """Release every press whose place is certain at `now`, in order, ties named."""
    if not finish.waiting:
        return finish, Verdict()
    notes, degraded = list(finish.late), set(finish.degraded)
    order = sorted(finish.waiting, key=_place)
    count = 0
    for press in order:
        end = _end(finish, press)
        if any(now <= end + lag for lag in finish.lags.values()):
            break
        silent = [name for name in _open(finish, end) if name not in degraded]
        if silent and now <= end + finish.ceiling:
            break
        degraded.update(silent)
        ceiling = finish.ceiling // MS
        notes.extend(Say("buttons.degraded", {"source": name, "ms": ceiling}) for name in silent)
        count += 1
    near = (*finish.released, *order)
    presses = tuple(_told(press, near) for press in order[:count])
    margins = tuple(_margins((*finish.released, *order[:count]), count))
    after = replace(
        finish,
        waiting=tuple(order[count:]),
        degraded=frozenset(degraded),
        released=(*finish.released, *order[:count])[-_REMEMBERED:],
        late=(),
    )
    return after, Verdict(presses, tuple(notes), margins, len(finish.late))


def early(press: Pressed, signal: int) -> Margin | None:
    """How much too early a press was for a signal at `signal` ns; None if it was not, or nobody can say."""
    by = signal - press.at
    return Margin(press.player, press.player, by, press.unc) if by > press.unc else None


def _place(press: Press) -> tuple[int, Player]:
    """What presses are sorted by. The name only makes runs repeatable: equal times are tied and named so."""
    return press.at, press.player


def _end(finish: PhotoFinish, press: Press) -> int:
    """The last moment whose press, as uncertain as any source is now, could tie with this one."""
    widest = max((*finish.uncs.values(), *(waiting.unc for waiting in finish.waiting)), default=0)
    return press.at + press.unc + widest


def _open(finish: PhotoFinish, moment: int) -> list[str]:
    """The healthy sources that may still send a press made up to `moment`."""
    return sorted(n for n, until in finish.until.items() if until <= moment and n not in finish.degraded)


def _give(one: Press, other: Press) -> int:
    """Within how many ns the order of two presses is not known."""
    if one.source == other.source and one.grain is not None and other.grain is not None:
        return one.grain + other.grain
    return one.unc + other.unc


def _tied(one: Press, other: Press) -> bool:
    return one.player != other.player and abs(one.at - other.at) <= _give(one, other)


def _told(press: Press, near: tuple[Press, ...]) -> Pressed:
    """As an event: it names the earlier and later presses that it cannot be told from."""
    tied = tuple(dict.fromkeys(other.player for other in near if _tied(press, other)))
    return Pressed(press.player, press.button, press.at, press.unc, tied)


def _margins(released: tuple[Press, ...], count: int) -> Iterable[Margin]:
    """Each of the last `count` presses beside the one that came next before it, if that was another's."""
    course = sorted(released, key=_place)
    fresh = released[len(released) - count :]
    for before, press in pairwise(course):
        if before.player != press.player and press.at - before.at <= RACE and press in fresh:
            yield Margin(before.player, press.player, press.at - before.at, _give(before, press))


def _late(released: tuple[Press, ...], press: Press) -> Say | None:
    """What to say of a press that belongs before, or level with, one already released; None if it does not."""
    for other in sorted((other for other in released if other.player != press.player), key=_place):
        words = {"name": press.player, "other": other.player}
        if _tied(press, other):
            return Say("buttons.level_late", words)
        if press.at < other.at:
            return Say("buttons.overruled", {**words, "ms": f"{(other.at - press.at) / MS:.1f}"})
    return None
