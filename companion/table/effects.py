"""What is to be done after a turn. Levels (lamps, zones, clocks) come from cues, speech from the game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from companion.table.events import Clock
from companion.table.things import Player, Zone, value


@value
class Say:
    """Speak a phrase: key into the game's phrase files, and the values for its placeholders.

    A value that is itself a word of the game (a food, a card) is given as "@key" and translated too.
    """

    key: str
    values: Mapping[str, str | int] = field(default_factory=dict)
    lane: str = "prompt"  # countdown before prompt before chatter


@value
class Lamp:
    """The level of a player's lamp: off, open (may press), ask (is asked), lead (leads, has won), out."""

    player: Player
    look: str


@value
class Blink:
    """A lamp's answer to one press: seen, no or late; the level comes back after it."""

    player: Player
    look: str


@value
class Watch:
    """The zones that the camera watches from now on; none lets it rest.

    `anew`: zones watched before, in which something else is wanted now: what lies there is to be said again.
    """

    zones: tuple[Zone, ...]
    anew: tuple[Zone, ...] = ()


@value
class Arm:
    """Start a clock now; its beats are voiced at even steps and its ring is the end of the last one."""

    clock: Clock
    seconds: float
    beats: tuple[str, ...] = ()


@value
class Disarm:
    """Stop a clock; what it was voicing is cut off."""

    clock: Clock


Effect = Say | Lamp | Blink | Watch | Arm | Disarm
