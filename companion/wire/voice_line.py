"""What the table and its voice say to each other, one JSON object a line: orders out, reports back.

The voice is a process of its own: its stream must be fed every few ms, whatever the table's own threads do.
All times are nanoseconds of the monotonic clock, which is one for all processes of a machine.
"""

from __future__ import annotations

import msgspec

from companion.table.things import CompanionError

Words = tuple[str, ...]


class BadOrder(CompanionError, ValueError):
    """A line that is no order or report; the text says what is wrong."""


class _Line(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag=str.lower):
    """What all lines have in common."""


class Load(_Line, frozen=True):
    """The clips of a language lie in `folder`, some of them new; have these at hand."""

    folder: str
    lang: str
    words: Words = ()


class Say(_Line, frozen=True):
    """Speak a sentence, given as its parts: fixed words and filled-in ones."""

    parts: Words
    lang: str
    lane: str


class Count(_Line, frozen=True):
    """Speak beats at even steps from `start`; the last one ends `seconds` later."""

    beats: Words
    start: int
    seconds: float
    lang: str


class Hush(_Line, frozen=True):
    """Cut the count off."""


class Stop(_Line, frozen=True):
    """Forget what is being said: something was put right."""


class Again(_Line, frozen=True):
    """Repeat the last thing said."""


class Chime(_Line, frozen=True):
    """Sound a player's chime."""

    seat: int


class Tune(_Line, frozen=True):
    """Set the volume of lanes, 0 (mute) to 1."""

    loud: dict[str, float]


Order = Load | Say | Count | Hush | Stop | Again | Chime | Tune


class Well(_Line, frozen=True):
    """The stream runs: how long a sound takes from order to ear, and how often it stuttered so far."""

    delay: int  # ns
    stutters: int = 0


class Ill(_Line, frozen=True):
    """There is no sound: why, by a key (gone, device, library), and what the machine says of it."""

    why: str
    detail: str = ""


class Lacks(_Line, frozen=True):
    """Words of which there was no clip."""

    lang: str
    words: Words


Report = Well | Ill | Lacks
_orders, _reports = msgspec.json.Decoder(Order), msgspec.json.Decoder(Report)


def line(what: Order | Report) -> bytes:
    """An order or a report as one line."""
    return msgspec.json.encode(what) + b"\n"


def order(content: bytes) -> Order:
    """An order from its line; BadOrder if it is none."""
    try:
        return _orders.decode(content)
    except (msgspec.DecodeError, UnicodeDecodeError) as fault:
        raise BadOrder(f"no order for the voice: {fault}") from fault


def report(content: bytes) -> Report:
    """A report from its line; BadOrder if it is none."""
    try:
        return _reports.decode(content)
    except (msgspec.DecodeError, UnicodeDecodeError) as fault:
        raise BadOrder(f"no report of the voice: {fault}") from fault
