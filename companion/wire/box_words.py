"""What a button box and its host say to each other: values to contents of frames and back. Pure.

All numbers are little-endian. Ticks are the box's own clock, 32 bit, at the rate its hello names. An event is
said again until it is acknowledged, so it carries its number and, since numbers begin anew with every start of
the box, the low byte of the count of starts. A fence asks how far the box is closed: its answer names the ticks
at which it was heard and answered, and the number that the next event will have; it is also a reading of the
clock. `firmware_profiles/README.md` tells the line in full.
"""

from __future__ import annotations

import struct
from dataclasses import fields
from typing import Any

from companion.table.things import value

VERSION = 1
TICKS = 1 << 32
PHASE_NS = 10_000_000  # lamps' phases are told in steps of 10 ms
BASE, BLINK = 0, 1  # a lamp's two layers
MOST_PHASES = 8


@value
class Hello:
    """Box: who I am. `next`: the number of my next event; `byte_us`: µs that a byte takes on my line, at least."""

    version: int
    firmware: int
    buttons: int
    lamps: int
    hz: int  # ticks a second
    caps: int  # bits; none is defined yet
    boot: int  # count of starts
    next: int
    byte_us: int
    board: bytes  # 8 bytes, the same after every start

    @property
    def name(self) -> str:
        """The board's id as people write it."""
        return self.board.hex()


@value
class Told:
    """Box: a button went down or up at these ticks; `levels` are all buttons now, bit 0 the first."""

    boot: int  # low byte
    number: int
    button: int
    down: bool
    ticks: int
    levels: int


@value
class Fenced:
    """Box: I heard your fence at `heard`, answer at `said`; events before `next` are out."""

    token: int
    boot: int
    heard: int
    said: int
    next: int


@value
class Beat:
    """Box: I am here. `lost` events did not fit my queue, `bad` frames were damaged (both modulo 256)."""

    boot: int
    ticks: int
    next: int
    lost: int
    bad: int
    levels: int


@value
class Done:
    """Box: the lamp order of this token is carried out."""

    token: int


@value
class Who:
    """Host: say hello."""

    version: int = VERSION


@value
class Fence:
    """Host: say how far you are closed."""

    token: int


@value
class Ack:
    """Host: I have all events before `upto`; `again`: send the others at once."""

    boot: int
    upto: int
    again: bool = False


@value
class Light:
    """Host: from these ticks on (in the past: now) a lamp's layer has these phases, in steps of 10 ms.

    Base: lit and dark in turn for ever; () is dark, (0,) is lit. Blink: once, beginning with the opposite of
    whether the base has phases, then the base again.
    """

    token: int
    lamp: int
    layer: int
    ticks: int
    phases: tuple[int, ...]


Word = Hello | Told | Fenced | Beat | Done | Who | Fence | Ack | Light
_FORMS: dict[type[Any], tuple[int, struct.Struct]] = {
    Hello: (0x01, struct.Struct("<BHBBIBHBB8s")),
    Told: (0x02, struct.Struct("<BBBIH")),
    Fenced: (0x03, struct.Struct("<BBIIB")),
    Beat: (0x04, struct.Struct("<BIBBBH")),
    Done: (0x05, struct.Struct("<B")),
    Who: (0x11, struct.Struct("<B")),
    Fence: (0x12, struct.Struct("<B")),
    Ack: (0x13, struct.Struct("<BBB")),
    Light: (0x14, struct.Struct("<BBBI")),
}
_KINDS = {number: (cls, form) for cls, (number, form) in _FORMS.items()}
_FIELDS = {cls: tuple(each.name for each in fields(cls)) for cls in _FORMS}
_DOWN = 0x80


def content(word: Word) -> bytes:
    """The content of a word's frame."""
    number, form = _FORMS[type(word)]
    head = bytes((number,))
    if isinstance(word, Told):
        key = word.button | (_DOWN if word.down else 0)
        return head + form.pack(word.boot, word.number, key, word.ticks, word.levels)
    if isinstance(word, Light):
        return head + form.pack(word.token, word.lamp, word.layer, word.ticks) + bytes(word.phases)
    return head + form.pack(*(getattr(word, name) for name in _FIELDS[type(word)]))


def word(content: bytes) -> Word | None:
    """The word of a content; None for a kind not known here, or one that has not its kind's length.

    A hello of another version is read as far as this version knows it, so that it can be refused by name.
    """
    cls, form = _KINDS.get(content[0], (None, None)) if content else (None, None)
    if cls is None or form is None:
        return None
    body = content[1:]
    if cls is Hello:
        return _hello(form, body)
    if cls is Light:
        return _light(form, body)
    if len(body) != form.size:
        return None
    fields = form.unpack(body)
    if cls is Told:
        boot, number, key, ticks, levels = fields
        return Told(boot, number, key & ~_DOWN, bool(key & _DOWN), ticks, levels)
    if cls is Ack:
        return Ack(fields[0], fields[1], bool(fields[2]))
    made: Word = cls(*fields)
    return made


def _hello(form: struct.Struct, body: bytes) -> Hello | None:
    if body and body[0] != VERSION:
        return Hello(body[0], 0, 0, 0, 1, 0, 0, 0, 0, body[-8:].rjust(8, b"\0"))
    if len(body) != form.size:
        return None
    hello = Hello(*form.unpack(body))
    return hello if hello.hz else None


def _light(form: struct.Struct, body: bytes) -> Light | None:
    if not form.size <= len(body) <= form.size + MOST_PHASES:
        return None
    token, lamp, layer, ticks = form.unpack(body[: form.size])
    return Light(token, lamp, layer, ticks, tuple(body[form.size :])) if layer in (BASE, BLINK) else None
