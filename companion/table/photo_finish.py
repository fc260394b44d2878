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


@value
class Press:
    """A raw press: `at` at its source in monotonic ns, give or take `unc`; `heard` when it arrived here."""

    player: Player
    button: Button
    at: int
    unc: int = 0
    source: str = "gpio"
    heard: int = 0


@value
class Closed:
    """A source says: everything made before `until` (monotonic ns) has arrived."""

    source: str
    until: int


@value
class Verdict:
    """Presses in their order, and what people should hear about sources and late presses."""

    presses: tuple[Pressed, ...] = ()
    notes: tuple[str, ...] = ()


@value
class PhotoFinish:
    """Presses not yet released, and how far each source is closed.

    `lags`: a source that closes by itself so many ns after any moment (GPIO: the kernel's stamp arrives within
    a few ms). Other sources close by `Closed` only.
    """

    lags: Mapping[str, int] = field(default_factory=lambda: {"gpio": 3 * MS})
    ceiling: int = 60 * MS
    waiting: tuple[Press, ...] = ()
    until: Mapping[str, int] = field(default_factory=dict)  # sources that close by word
    degraded: frozenset[str] = frozenset()
    last: Press | None = None  # the newest press released


def heard(finish: PhotoFinish, press: Press) -> PhotoFinish:
    """A press arrived, in whatever order."""
    until = finish.until
    if press.source not in finish.lags and press.source not in until:
        until = {**until, press.source: press.at}
    return replace(finish, waiting=(*finish.waiting, press), until=until)


def closed(finish: PhotoFinish, word: Closed) -> PhotoFinish:
    """A source closed up to a moment; that also heals it."""
    until = max(word.until, finish.until.get(word.source, word.until))
    well = finish.degraded - {word.source}
    return replace(finish, until={**finish.until, word.source: until}, degraded=well)


def gone(finish: PhotoFinish, source: str) -> PhotoFinish:
    """A source was unplugged: nobody waits for it; what it sent still counts."""
    until = {name: moment for name, moment in finish.until.items() if name != source}
    return replace(finish, until=until, degraded=finish.degraded - {source})


def next_ripe(finish: PhotoFinish) -> int | None:
    """When `ripe` should be asked again at the latest; None while nothing waits."""
    if not finish.waiting:
        return None
    first = min(finish.waiting, key=lambda press: press.at)
    end = first.at + first.unc
    open_ones = [name for name in finish.until if finish.until[name] <= end and name not in finish.degraded]
    return end + (finish.ceiling if open_ones else max(finish.lags.values(), default=0)) + 1


def ripe(finish: PhotoFinish, now: int) -> tuple[PhotoFinish, Verdict]:
    """Release every press whose place is certain at `now`, in order, ties named."""
    if not finish.waiting:
        return finish, Verdict()
    notes: list[str] = []
    degraded = set(finish.degraded)
    order = sorted(finish.waiting, key=lambda press: (press.at, press.player))
    out: list[Press] = []
    for press in order:
        end = press.at + press.unc
        if any(now <= end + lag for lag in finish.lags.values()):
            break
        late = [n for n, until in finish.until.items() if until <= end and n not in degraded]
        if late and now <= end + finish.ceiling:
            break
        for name in late:
            degraded.add(name)
            notes.append(f"{name}: no answer in {finish.ceiling // MS} ms")
        out.append(press)
    out = _with_tied(out, order)
    notes.extend(_overruled(finish.last, out))
    rest = tuple(press for press in finish.waiting if press not in out)
    last = out[-1] if out else finish.last
    after = replace(finish, waiting=rest, degraded=frozenset(degraded), last=last)
    return after, Verdict(_named(out), tuple(notes))


def _with_tied(out: list[Press], order: list[Press]) -> list[Press]:
    """A press too close to a released one goes with it, so that the game can weigh both."""
    count = len(out)
    while 0 < count < len(order) and _tied(order[count - 1], order[count]):
        count += 1
    return order[:count]


def _tied(one: Press, other: Press) -> bool:
    return one.player != other.player and abs(one.at - other.at) <= one.unc + other.unc


def _named(presses: list[Press]) -> tuple[Pressed, ...]:
    """As events: each names the earlier and later presses that it cannot be told from."""
    return tuple(
        Pressed(
            one.player, one.button, one.at, one.unc,
            tuple(dict.fromkeys(other.player for other in presses if _tied(one, other))),
        )
        for one in presses
    )  # fmt: skip


def _overruled(last: Press | None, out: list[Press]) -> list[str]:
    """A press that was made before one already released: it would have won and came too late."""
    return [
        f"{press.player} pressed {(last.at - press.at) / MS:.1f} ms before {last.player}, known too late"
        for press in out
        if last is not None and press.at < last.at
    ]
