"""What lay there, if the camera misread a card: the three likeliest readings that the rest of the game allows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from companion.table import crank
from companion.table.events import Corrected, Shown
from companion.table.game import Operator, Refusal
from companion.table.session import Box, Node, Session
from companion.table.things import Card, CardId, Zone

MOST = 3
TRIES = 60  # each plays the game again from that step on
Apart = Callable[[int, int], int]  # of two markers: how many of their cells differ


def printed_apart() -> Apart:
    """How far apart printed markers are, turned as they may lie."""
    import numpy as np  # noqa: PLC0415  # with OpenCV behind it: a table serves before it has come up

    from companion.vision.markers import FAMILY, modules  # noqa: PLC0415  # as above

    codes = modules(FAMILY)

    def apart(one: int, other: int) -> int:
        return min(int(np.count_nonzero(codes[one] != np.rot90(codes[other], turns))) for turns in range(4))

    return apart


def likely(boxes: Mapping[str, Box], session: Session, number: int, apart: Apart) -> list[dict[str, Any]]:
    """Up to three readings of a step, each with one card changed and what the table would say then.

    Likeliest is the card whose marker looks most like the one that was read. Of each face only one card is
    offered, of each place in the zone the new cards first. What a later step does not allow is left out. Empty for
    a step that may not be corrected.
    """
    step = next((node for node in session.path() if node.number == number), None)
    if (
        step is None
        or not isinstance(step.event, Shown)
        or step.event.zone.startswith(session.box.game.private)
    ):
        return []
    now = dict(crank.score(session).totals)
    found: list[dict[str, Any]] = []
    for tried, (out, instead) in enumerate(_swaps(session, step, step.event, apart)):
        if tried == TRIES or len(found) == MOST:
            break
        cards = tuple(instead.id if card == out else card for card in step.event.cards)
        turn = crank.advance(boxes, session, Corrected(number, cards))
        if isinstance(turn, Refusal):
            continue
        after = {"totals": dict(crank.score(turn.session).totals), "prompt": _prompt(turn.session)}
        found.append({"cards": list(cards), "out": out, "in": instead.id, "before": now, **after})
    return found


def _prompt(session: Session) -> Any:
    return crank.look(session, Operator()).get("prompt")


def _swaps(session: Session, step: Node, shown: Shown, apart: Apart) -> Iterator[tuple[CardId, Card]]:
    """Each card of the zone against a card of every other face of its kind, likeliest first."""
    by_id = {card.id: card for card in session.box.deck.cards}
    elsewhere = {c for node in session.path() if isinstance(node.event, Shown) for c in node.event.cards}
    lay = set(_lay_before(session, step, shown.zone))
    ranked: list[tuple[bool, int, CardId, Card]] = []
    for card in (by_id[each] for each in shown.cards if each in by_id):
        nearest: dict[str, tuple[int, Card]] = {}
        for other in session.box.deck.cards:
            if other.kind != card.kind or other.face == card.face or other.id in shown.cards:
                continue
            far = apart(card.marker, other.marker) + (100 if other.id in elsewhere else 0)
            if other.face not in nearest or far < nearest[other.face][0]:
                nearest[other.face] = (far, other)
        ranked += [(card.id in lay, far, card.id, other) for far, other in nearest.values()]
    for _, _, out, instead in sorted(ranked, key=lambda each: each[:3]):
        yield out, instead


def _lay_before(session: Session, step: Node, zone: Zone) -> tuple[CardId, ...]:
    """What had been seen in a zone before a step."""
    if step.before is not None:
        for node in replace(session, head=step.before).path():
            if isinstance(node.event, Shown) and node.event.zone == zone:
                return node.event.cards
    return ()
