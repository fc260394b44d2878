"""Order presses of all sources by the time at the source, and say when the order is too close to call.

A press is released once every healthy source is closed past it: closed means that nothing made before that
moment can still arrive. A source that stays open for longer than the ceiling is named as degraded and no
longer waited for. Presses whose margin lies inside their summed uncertainty name each other as tied.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace

from companion.table.events import Pressed
from companion.table.things import Button, Player, value

MS = 1_000_000
_REMEMBERED = 16  # released presses that a late one is compared with


@value
class Press:
    """A raw press: `at` at its source in monotonic ns, give or take `unc`; `heard` when it arrived here."""

    player: Player
    button: Button
    at: int
    unc: int = 0
    source: str = "gpio"
    heard: int = 0  # for people who look for a slow line; the order never asks it


@value
class Closed:
    """A source says: everything made before `until` (monotonic ns) has arrived; its times are right to `unc`."""

    source: str
    until: int
    unc: int = 0


@value
class Verdict:
    """Presses in their order, and what people should hear about sources and late presses."""

    presses: tuple[Pressed, ...] = ()
    notes: tuple[str, ...] = ()


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
    widest: int = 0  # the largest uncertainty heard so far
    released: tuple[Press, ...] = ()  # the newest ones, in their order of release
    notes: tuple[str, ...] = ()  # not yet told


def heard(finish: PhotoFinish, press: Press) -> PhotoFinish:
    """A press arrived, in whatever order."""
    late = _late(finish.released, press)
    return replace(
        finish,
        waiting=(*finish.waiting, press),
        widest=max(finish.widest, press.unc),
        notes=(*finish.notes, late) if late else finish.notes,
    )


def closed(finish: PhotoFinish, word: Closed) -> PhotoFinish:
    """A source is closed up to a moment; that also heals it."""
    until = max(word.until, finish.until.get(word.source, word.until))
    well = finish.degraded - {word.source}
    widest = max(finish.widest, word.unc)
    return replace(finish, until={**finish.until, word.source: until}, degraded=well, widest=widest)


def gone(finish: PhotoFinish, source: str) -> PhotoFinish:
    """A source was unplugged: nobody waits for it; what it sent still counts."""
    until = {name: moment for name, moment in finish.until.items() if name != source}
    return replace(finish, until=until, degraded=finish.degraded - {source})


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
    notes, degraded = list(finish.notes), set(finish.degraded)
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
        notes.extend(f"{name}: no answer in {finish.ceiling // MS} ms" for name in silent)
        count += 1
    near = (*finish.released, *order)
    after = replace(
        finish,
        waiting=tuple(order[count:]),
        degraded=frozenset(degraded),
        released=(*finish.released, *order[:count])[-_REMEMBERED:],
        notes=(),
    )
    return after, Verdict(tuple(_told(press, near) for press in order[:count]), tuple(notes))


def _place(press: Press) -> tuple[int, Player]:
    """What presses are sorted by. The name only makes runs repeatable: equal times are tied and named so."""
    return press.at, press.player


def _end(finish: PhotoFinish, press: Press) -> int:
    """The last moment whose press, as uncertain as any heard so far, could tie with this one."""
    return press.at + press.unc + finish.widest


def _open(finish: PhotoFinish, moment: int) -> list[str]:
    """The healthy sources that may still send a press made up to `moment`."""
    return sorted(n for n, until in finish.until.items() if until <= moment and n not in finish.degraded)


def _tied(one: Press, other: Press) -> bool:
    return one.player != other.player and abs(one.at - other.at) <= one.unc + other.unc


def _told(press: Press, near: tuple[Press, ...]) -> Pressed:
    """As an event: it names the earlier and later presses that it cannot be told from."""
    tied = tuple(dict.fromkeys(other.player for other in near if _tied(press, other)))
    return Pressed(press.player, press.button, press.at, press.unc, tied)


def _late(released: tuple[Press, ...], press: Press) -> str:
    """What to say of a press that belongs before, or level with, one already released; "" if it does not."""
    others = sorted((other for other in released if other.player != press.player), key=_place)
    for other in others:
        if _tied(press, other):
            return f"{press.player} and {other.player} cannot be told apart, known too late"
        if press.at < other.at:
            margin = (other.at - press.at) / MS
            return f"{press.player} pressed {margin:.1f} ms before {other.player}, known too late"
    return ""
