"""Before a game each player presses once: the order gives the places, and buttons that do not work are named. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace

from companion.table.things import value

MS = 1_000_000
STUCK = 3_000 * MS  # nobody holds a button so long who was asked to press it
CHATTER = 60 * MS  # no finger presses twice within this time, a worn contact does


@value
class RollCall:
    """Buttons by name: which are known, in which order they were first pressed, and how they behave."""

    known: tuple[str, ...] = ()
    order: tuple[str, ...] = ()
    down: Mapping[str, int] = field(default_factory=dict)  # held now, since when (ns)
    last: Mapping[str, int] = field(default_factory=dict)  # the newest press
    chattering: tuple[str, ...] = ()


@value
class Found:
    """What a roll call has found."""

    order: tuple[str, ...]  # places 1, 2 ...
    stuck: tuple[str, ...]
    silent: tuple[str, ...]
    chattering: tuple[str, ...]

    @property
    def well(self) -> bool:
        """Whether every button works."""
        return not (self.stuck or self.silent or self.chattering)


def pressed(call: RollCall, name: str, at: int) -> RollCall:
    """A button went down at `at` ns."""
    soon = name in call.last and at - call.last[name] < CHATTER
    return replace(
        call,
        known=call.known if name in call.known else (*call.known, name),
        order=call.order if name in call.order else (*call.order, name),
        down={**call.down, name: at},
        last={**call.last, name: at},
        chattering=(*call.chattering, name) if soon and name not in call.chattering else call.chattering,
    )


def released(call: RollCall, name: str) -> RollCall:
    """A button went up."""
    return replace(call, down={each: since for each, since in call.down.items() if each != name})


def held(call: RollCall, name: str, since: int) -> RollCall:
    """A button is down that nobody was seen to press: at the start, or all the time."""
    return call if name in call.down else replace(call, down={**call.down, name: since})


def found(call: RollCall, now: int) -> Found:
    """What is known at `now`. A button held for too long is stuck, and then not silent, too."""
    stuck = tuple(name for name, since in call.down.items() if now - since >= STUCK)
    silent = tuple(name for name in call.known if name not in call.order and name not in stuck)
    order = tuple(name for name in call.order if name not in stuck)
    return Found(order, stuck, silent, call.chattering)
