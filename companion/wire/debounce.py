"""Raw edges of a switch in, presses and releases out: the first edge counts, its bounce does not. Pure.

Eager, so that a bouncing switch loses no race: a press is told with the time of its first edge. For the
lockout after it nothing is acted upon, but levels are remembered: a switch let go meanwhile is released
later, not stuck. A release is told once the switch has stayed open, with the time at which it opened.
"""

from __future__ import annotations

from dataclasses import replace

from companion.table.things import value

MS = 1_000_000
LOCKOUT = 8 * MS  # deaf after a press; and so long must a switch stay open. Good ones bounce up to 6 ms
RECHECK = 100 * MS  # how often a held switch is looked at, in case its edge was lost


@value
class Contact:
    """A switch: what has been told (`down`), the newest level seen and since when, the end of the lockout."""

    down: bool = False
    level: bool = False  # True: closed
    since: int = 0
    lock: int = 0


@value
class Edge:
    """A press (`down`) or a release, at monotonic ns."""

    down: bool
    at: int


def seen(contact: Contact, at: int, level: bool) -> tuple[Contact, tuple[Edge, ...]]:
    """An edge to a level was seen. What it means: nothing (a bounce), a press, a release and a press."""
    contact, edges = settled(contact, at)
    if level == contact.level:
        return contact, edges
    if level and not contact.down:
        return Contact(True, True, at, at + LOCKOUT), (*edges, Edge(True, at))
    return replace(contact, level=level, since=at), edges


def settled(contact: Contact, now: int) -> tuple[Contact, tuple[Edge, ...]]:
    """Tell a release that has lasted long enough by now."""
    if contact.down and not contact.level and now >= _released_at(contact):
        return replace(contact, down=False), (Edge(False, contact.since),)
    return contact, ()


def looked(contact: Contact, now: int, level: bool) -> tuple[Contact, tuple[Edge, ...]]:
    """Look at the level itself, in case an edge was lost: an open switch is let go.

    A closed one tells nothing: its edge may be on the way, with a better time than ours.
    """
    contact, edges = settled(contact, now)
    if contact.down and contact.level and not level:
        contact = replace(contact, level=False, since=now)
    return contact, edges


def due(contact: Contact, now: int) -> int | None:
    """When to look at the level again, ns; None for a switch that is open and told so."""
    if not contact.down:
        return None
    if not contact.level:
        return _released_at(contact)
    return contact.lock if now < contact.lock else now + RECHECK


def _released_at(contact: Contact) -> int:
    return max(contact.lock, contact.since + LOCKOUT)
