"""A button box without a box: it speaks the real line, keeps a clock that runs wrong, and has knobs for faults.

Pure: times come in. A true time is the world's, in ns; the box knows only its own ticks. `Wire` carries bytes one
way, late, damaged, doubled or not at all, but never out of order, as a serial line does.
"""

from __future__ import annotations

from collections import deque
from dataclasses import fields
from random import Random

from companion.table.things import CompanionError, value
from companion.wire import debounce, lamp_looks
from companion.wire.box_words import (
    BASE,
    PHASE_NS,
    TICKS,
    VERSION,
    Ack,
    Beat,
    Done,
    Fence,
    Fenced,
    Hello,
    Light,
    Told,
    Who,
    Word,
    content,
    word,
)
from companion.wire.debounce import Contact
from companion.wire.frames import Unframer, framed

MS = 1_000_000
SECOND = 1_000_000_000
ROOM = 16  # events that wait to be acknowledged
RETRY = 8 * MS
BEAT = 500 * MS
NEVER = 1 << 62
BOOTS = 300 * MS  # a restart takes so long


class BadFault(CompanionError, ValueError):
    """A fault knob that is not known, or turned too far; the text names it."""


@value
class Faults:
    """What goes wrong. Parts of one, except where the unit is named."""

    drop: float = 0.0  # frames lost on the way
    lose: float = 0.0  # bytes lost
    flip: float = 0.0  # bytes damaged
    double: float = 0.0  # frames that come twice
    ppm: float = 0.0  # clocks run wrong by up to so many parts in a million
    jitter: int = 0  # ns that a frame may be late
    reboot: float = 0.0  # restarts in a minute


KNOBS = tuple(knob.name for knob in fields(Faults))


def faults(text: str) -> Faults:
    """Knobs as people write them: "drop=1%,jitter=16ms,ppm=200"; BadFault names a wrong one."""
    given: dict[str, float | int] = {}
    for knob in filter(None, text.replace(" ", "").split(",")):
        name, _, amount = knob.partition("=")
        if name not in KNOBS:
            raise BadFault(f"--faults knows no {name!r}; known are {', '.join(KNOBS)}")
        given[name] = _amount(name, amount)
    return Faults(**given)  # type: ignore[arg-type]  # jitter is made an int below, the others are floats


def _amount(name: str, amount: str) -> float | int:
    number = amount.removesuffix("%").removesuffix("ms").removesuffix("ppm")
    try:
        plain = float(number)
    except ValueError as fault:
        raise BadFault(f"--faults {name}={amount}: a number is wanted, e.g. drop=1%, jitter=16ms") from fault
    if name == "jitter":
        plain *= MS
    elif amount.endswith("%"):
        plain /= 100
    limit = {"ppm": 5_000.0, "jitter": 1_000.0 * MS, "reboot": 60.0}.get(name, 0.9)
    if not 0 <= plain <= limit:
        raise BadFault(f"--faults {name}={amount}: at most {limit / MS if name == 'jitter' else limit:g}")
    return round(plain) if name == "jitter" else plain


class Wire:
    """Bytes one way. `base` ns and a random part of the jitter pass until a frame is there."""

    def __init__(self, wrong: Faults, luck: Random, base: int = 300_000) -> None:
        """Nothing is under way."""
        self._wrong, self._luck, self._base = wrong, luck, base
        self._way: deque[tuple[int, bytes]] = deque()
        self._last = 0
        self.cut = False  # unplugged: everything is lost

    def put(self, chunk: bytes, now: int) -> None:
        """Send bytes, whole frames, at a true time."""
        wrong, luck = self._wrong, self._luck
        if self.cut:
            return
        for frame in chunk.split(b"\0")[:-1]:
            if wrong.drop and luck.random() < wrong.drop:
                continue
            twice = 2 if wrong.double and luck.random() < wrong.double else 1
            damaged = self._damaged(frame + b"\0") if wrong.flip or wrong.lose else frame + b"\0"
            delay = self._base + (int(luck.random() * wrong.jitter) if wrong.jitter else 0)
            self._last = max(self._last, now + delay)
            self._way.append((self._last, damaged * twice))

    def due(self) -> int | None:
        """When the next bytes arrive; None while nothing is under way."""
        return self._way[0][0] if self._way else None

    def out(self, now: int) -> bytes:
        """The bytes that have arrived by now."""
        got = b""
        while self._way and self._way[0][0] <= now:
            got += self._way.popleft()[1]
        return b"" if self.cut else got

    def _damaged(self, frame: bytes) -> bytes:
        luck, out = self._luck, bytearray()
        for byte in frame:
            if luck.random() < self._wrong.lose:
                continue
            bad = luck.random() < self._wrong.flip
            out.append(byte ^ luck.randrange(1, 256) if bad else byte)
        return bytes(out)


@value
class _Lamp:
    """A lamp's layers: phases in ns, and since when, in true time."""

    base: tuple[int, ...] = ()
    since: int = 0
    blink: tuple[int, ...] = ()
    begun: int = 0


class VirtualBox:
    """Buttons, lamps and a clock. Call `tick` at `due`, carry `outgoing` away."""

    def __init__(
        self, board: bytes, now: int, *, buttons: int = 6, ppm: float = 0.0, first_ticks: int = 0, boot: int = 1
    ) -> None:  # fmt: skip
        """Switched on at `now`; its clock then shows `first_ticks` and runs too fast by `ppm`."""
        self.board, self.buttons, self.boot = board, buttons, boot
        self._rate, self._hz, self._first = 1 + ppm * 1e-6, 1_000_000, first_ticks
        self._start(now)

    def _start(self, now: int) -> None:
        self._born, self._unframer = now, Unframer()
        self._contacts = [Contact() for _ in range(self.buttons)]
        self._lamps = [_Lamp() for _ in range(self.buttons)]
        self._waiting: deque[Told] = deque()
        self._number = self._lost = 0
        self._retry: int | None = None
        self._look = NEVER
        self._beat, self._dead = now + BEAT, 0
        self.outgoing = b"\0" + framed(content(self._hello()))  # the zero ends what the line carried before

    def reboot(self, now: int, pause: int = BOOTS) -> None:
        """Restart: forget everything, be deaf for a while, then say hello."""
        self.boot += 1
        self._start(now + pause)
        self._dead = now + pause

    def ticks(self, now: int) -> int:
        """What the box's clock shows."""
        return (self._first + round((now - self._born) * self._rate * self._hz / SECOND)) % TICKS

    def level(self, button: int, at: int, closed: bool) -> None:
        """A contact closes or opens at a true time, not before those already told."""
        if at < self._dead:
            return
        self._contacts[button], edges = debounce.seen(self._contacts[button], at, closed)
        for edge in edges:
            self._event(button, edge, at)
        self._watch(self._contacts[button], at)

    def lit(self, lamp: int, now: int) -> bool:
        """Whether a lamp is lit."""
        each = self._lamps[lamp]
        return lamp_looks.lamp(each.base, now - each.since, each.blink, now - each.begun)[0]

    def due(self) -> int:
        """When `tick` is wanted next."""
        due = min(self._beat, self._look)
        return due if self._retry is None else min(due, self._retry)

    def tick(self, now: int) -> None:
        """Do what is due: tell releases, send again what nobody acknowledged, say that we are here."""
        if now < self._dead:
            return
        if now >= self._look:
            self._look = NEVER
            for button, contact in enumerate(self._contacts):
                self._contacts[button], edges = debounce.settled(contact, now)
                for edge in edges:
                    self._event(button, edge, now)
                self._watch(self._contacts[button], now)
        if self._retry is not None and now >= self._retry:
            self._resend(now)
        if now >= self._beat:
            self._beat = now + BEAT
            bad = self._unframer.bad & 0xFF
            self._say(Beat(self.boot & 0xFF, self.ticks(now), self._number, self._lost, bad, self._levels()))

    def received(self, chunk: bytes, now: int) -> None:
        """Take bytes from the host."""
        if now < self._dead:
            return
        for each in self._unframer.fed(chunk):
            told = word(each)
            if isinstance(told, Who):
                self._say(self._hello())
            elif isinstance(told, Fence):
                ticks = self.ticks(now)
                self._say(Fenced(told.token, self.boot & 0xFF, ticks, ticks, self._number))
            elif isinstance(told, Ack):
                self._acknowledged(told, now)
            elif isinstance(told, Light):
                self._light(told, now)

    def _watch(self, contact: Contact, now: int) -> None:
        """Look again when a switch that was let go has stayed open long enough."""
        if contact.down and not contact.level:
            self._look = min(self._look, debounce.due(contact, now) or NEVER)

    def _say(self, told: Word) -> None:
        self.outgoing += framed(content(told))

    def _hello(self) -> Hello:
        count = self.buttons
        return Hello(VERSION, 1, count, count, self._hz, 0, self.boot & 0xFFFF, self._number, 0, self.board)

    def _levels(self) -> int:
        return sum(contact.down << button for button, contact in enumerate(self._contacts))

    def _event(self, button: int, edge: debounce.Edge, now: int) -> None:
        if len(self._waiting) == ROOM:
            self._lost = (self._lost + 1) & 0xFF
            return
        told = Told(self.boot & 0xFF, self._number, button, edge.down, self.ticks(edge.at), self._levels())
        self._number = (self._number + 1) & 0xFF
        self._waiting.append(told)
        self._say(told)
        if self._retry is None:
            self._retry = now + RETRY

    def _resend(self, now: int) -> None:
        for told in self._waiting:
            self._say(told)
        self._retry = now + RETRY if self._waiting else None

    def _acknowledged(self, ack: Ack, now: int) -> None:
        if ack.boot != self.boot & 0xFF or not self._waiting:
            return
        count = (ack.upto - self._waiting[0].number) & 0xFF
        if count <= len(self._waiting):
            for _ in range(count):
                self._waiting.popleft()
            self._retry = now + RETRY if self._waiting else None
            if ack.again and self._waiting:
                self._resend(now)

    def _light(self, told: Light, now: int) -> None:
        self._say(Done(told.token))
        if told.lamp >= len(self._lamps):
            return
        ahead = (told.ticks - self.ticks(now) + TICKS // 2) % TICKS - TICKS // 2
        start = now + max(0, round(ahead * SECOND / self._hz / self._rate))
        phases = tuple(phase * PHASE_NS for phase in told.phases)
        lamp = self._lamps[told.lamp]
        self._lamps[told.lamp] = (
            _Lamp(phases, start, (), 0) if told.layer == BASE else _Lamp(lamp.base, lamp.since, phases, start)
        )
