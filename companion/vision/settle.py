"""From frames to events: a zone is said once, when it has been still and equal for long enough. Pure.

Time is a value, monotonic ns. A frame in which a zone's plate is missing or its reading doubtful counts
against stillness and is never said.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field, replace

from companion.table.events import Shown
from companion.table.things import CardId, Zone, value

Content = tuple[CardId, ...]


@value
class Sighting:
    """One frame's reading: the zones whose plate is seen, with their cards, and the doubtful among them."""

    cards: Mapping[Zone, Content] = field(default_factory=dict)
    doubtful: frozenset[Zone] = frozenset()


@value
class Rule:
    """When a zone has settled: `agree` of the last `frames` frames, and `dwell_ns` since they began to.

    The dwell is short enough for two changes 300 ms apart to be said both; hands are held back by `scene`.

    The order of cards counts only in the zones named by `ordered`; elsewhere reading order may waver.
    """

    frames: int = 5
    agree: int = 4
    dwell_ns: int = 150_000_000
    ordered: frozenset[Zone] = frozenset()


@value
class Still:
    """A zone on its way to being said."""

    content: Content | None = None  # what the last frames agree on; None: nothing sure
    since: int = 0  # the first of these frames, ns
    agreed: tuple[bool, ...] = ()  # the last frames, the newest last
    said: Content | None = None


@value
class Settle:
    """What is known of each watched zone."""

    rule: Rule = Rule()
    zones: Mapping[Zone, Still] = field(default_factory=dict)


def watch(settle: Settle, zones: Iterable[Zone]) -> Settle:
    """Watch these zones from now on: one that is new is said afresh, one that is left out is forgotten."""
    return replace(settle, zones={zone: settle.zones.get(zone, Still()) for zone in zones})


def settled(settle: Settle, sighting: Sighting, now: int) -> tuple[Settle, tuple[Shown, ...]]:
    """Take in one frame; say the zones that have come to rest in something new."""
    zones: dict[Zone, Still] = {}
    said: list[Shown] = []
    for zone, still in settle.zones.items():
        seen = None if zone in sighting.doubtful else sighting.cards.get(zone)
        ordered = zone in settle.rule.ordered
        after = _seen(still, seen, settle.rule, now, ordered)
        if seen is not None and _ripe(after, seen, settle.rule, now, ordered):
            said.append(Shown(zone, seen))
            after = replace(after, said=seen)
        zones[zone] = after
    return replace(settle, zones=zones), tuple(said)


def _seen(still: Still, seen: Content | None, rule: Rule, now: int, ordered: bool) -> Still:
    """Count one frame for or against what the zone holds; too many against it, and the newest is believed."""
    agrees = still.content is not None and _equal(still.content, seen, ordered)
    agreed = (*still.agreed, agrees)[-rule.frames :]
    if agrees:
        return replace(still, agreed=agreed)
    if still.content is not None and agreed.count(False) <= rule.frames - rule.agree:
        return replace(still, agreed=agreed)
    return replace(still, content=seen, since=now, agreed=() if seen is None else (True,))


def _ripe(still: Still, seen: Content, rule: Rule, now: int, ordered: bool) -> bool:
    """Whether the zone has come to rest in what is seen, and that was not the last thing said."""
    at_rest = _equal(still.content, seen, ordered) and still.agreed.count(True) >= rule.agree
    return at_rest and now - still.since >= rule.dwell_ns and not _equal(still.said, seen, ordered)


def _equal(one: Content | None, other: Content | None, ordered: bool) -> bool:
    """Whether two contents are the same."""
    if one is None or other is None or ordered:
        return one == other
    return sorted(one) == sorted(other)
