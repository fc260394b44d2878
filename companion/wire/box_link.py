"""The host's end of a line to a button box: bytes and times in, signals and bytes out. Pure.

Give every chunk with the time it was read to `received`, ask `tick` at `due`, send `outgoing` at once. Presses
come with their time on our clock; `close_to` asks the box to close, and `Shut` says that nothing made before a
moment is still under way. Doubled and reordered events are dropped by their number, missing ones asked for.
"""

from __future__ import annotations

from companion.table.things import value
from companion.wire.box_clock import BoxClock
from companion.wire.box_words import (
    BASE,
    BLINK,
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
from companion.wire.frames import Unframer, framed

MS = 1_000_000
KNOCK = 200 * MS  # between two asks for a hello
EAGER, CALM = 20 * MS, 160 * MS  # between two readings of the clock: at first, and then
EAGER_FOR = 5_000 * MS
TIGHT = 500_000  # ns: while the clock is less certain than this, it is read eagerly
SILENCE = 1_500 * MS  # without a word for so long, a box counts as gone
AGAIN = 6 * MS  # an order or fence without an answer is sent again
GRAIN = 20_000  # ns: two presses on one box, one port read after the other
_FENCE_BYTES, _FENCED_BYTES = 7, 17  # on the wire
_IDLE = 12  # bytes: about a beat of USB


@value
class Met:
    """The box said hello; after a restart of it, again."""

    hello: Hello


@value
class Refused:
    """The box cannot be used; the text says why and what to do."""

    why: str


@value
class Down:
    """A button was pressed at `at`, give or take `unc` ns; two of this box's presses, give or take `grain`."""

    button: int
    at: int
    unc: int
    grain: int = GRAIN


@value
class Up:
    """A button was let go."""

    button: int
    at: int


@value
class Shut:
    """Every press made before `until` (ns) was told."""

    until: int
    unc: int


@value
class Lost:
    """The box had more events than room: so many are gone. Never silent."""

    events: int


@value
class Silent:
    """Nothing was heard for SILENCE; the next word heals it. Said again while there was no hello yet."""


Signal = Met | Refused | Down | Up | Shut | Lost | Silent


class BoxLink:
    """One box on one line, from opening the port to closing it."""

    def __init__(self, now: int) -> None:
        """The port was opened just now."""
        self.hello: Hello | None = None
        self.refused = False
        self.levels = 0  # which buttons are down by the box's last word, bit 0 the first
        self.late: list[int] = []  # round trips, ns, the newest last
        self.outgoing = bytearray()
        self._unframer = Unframer()
        self._clock = BoxClock(1)
        self._next = 0  # number of the event that is expected
        self._held: list[Told] = []  # events before the first reading of the clock
        self._sent: dict[int, tuple[int, int]] = {}  # token of a fence: when it left, and its bytes
        self._token = 0
        self._lamps: dict[tuple[int, int], Light] = {}  # not yet confirmed
        self._shutting: list[tuple[int, int]] = []  # ticks of an answered fence, first event after it
        self._want: int | None = None  # close up to this moment
        self._lost: int | None = None  # the box's count at its last beat
        self._silent = False
        self._heard = self._met = now
        self._at = {"knock": now}  # what is due when
        self._does = {
            "knock": self._knock, "read": self._read, "close": self._close, "lamps": self._relight,
        }  # fmt: skip

    @property
    def clock(self) -> BoxClock:
        """The box's clock on ours."""
        return self._clock

    @property
    def bad(self) -> int:
        """Damaged frames so far."""
        return self._unframer.bad

    def due(self) -> int:
        """When `tick` is wanted next, ns."""
        return min((self._heard + SILENCE, *self._at.values()))

    def received(self, chunk: bytes, now: int) -> list[Signal]:
        """Take bytes that were read at `now`."""
        signals: list[Signal] = []
        for each in self._unframer.fed(chunk):
            told = word(each)
            if told is not None and not self.refused:
                self._heard, self._silent = now, False
                self._take(told, now, signals)
        return signals

    def tick(self, now: int) -> list[Signal]:
        """Do what is due."""
        signals: list[Signal] = []
        self._does_due(now)
        if now >= self._heard + SILENCE:
            if not self._silent or self.hello is None:
                signals.append(Silent())
            self._silent = True
            self._heard = now - SILENCE + KNOCK  # look again a little later, without saying so again
            self._at.setdefault("knock", now)
        return signals

    def close_to(self, moment: int, now: int) -> list[Signal]:
        """Say `Shut` for `moment` as soon as it is certain; what `tick` says, if that is due now."""
        self._want = moment if self._want is None else max(self._want, moment)
        if self.hello is None or self.refused:
            return []
        self._at["close"] = max(now, self._want + self._margin())
        return self.tick(now) if self._at["close"] <= now else []

    def light(self, lamp: int, layer: int, phases: tuple[int, ...], at: int, now: int) -> None:
        """Give a lamp's layer (BASE or BLINK) its phases, in steps of 10 ms, from a moment of ours on."""
        hello = self.hello
        if hello is None or not 0 <= lamp < hello.lamps:
            return
        self._token = (self._token + 1) & 0xFF
        if layer == BASE:  # a blink under way ends with its level
            self._lamps.pop((lamp, BLINK), None)
        self._lamps[lamp, layer] = Light(self._token, lamp, layer, self._clock.ticks(at), phases)
        self._say(self._lamps[lamp, layer])
        self._at.setdefault("lamps", now + 2 * AGAIN)

    def _does_due(self, now: int) -> None:
        for what, due in tuple(self._at.items()):
            if due <= now:
                del self._at[what]
                self._does[what](now)

    def _say(self, told: Word) -> None:
        self.outgoing += framed(content(told))

    def _take(self, told: Word, now: int, signals: list[Signal]) -> None:
        if isinstance(told, Hello):
            self._greet(told, now, signals)
        elif self.hello is None:
            return
        elif isinstance(told, Told):
            self._event(told, now, signals)
        elif isinstance(told, Fenced):
            self._fenced(told, now, signals)
        elif isinstance(told, Beat):
            self._beat(told, now, signals)
        elif isinstance(told, Done):
            self._lamps = {key: order for key, order in self._lamps.items() if order.token != told.token}

    def _greet(self, hello: Hello, now: int, signals: list[Signal]) -> None:
        if hello.version != VERSION:
            self.refused = True
            self._at.clear()
            side = "the box's firmware" if hello.version < VERSION else "the companion"
            signals.append(
                Refused(
                    f"box {hello.name} speaks version {hello.version} of the line, the companion version "
                    f"{VERSION}: update {side} (firmware_profiles/README.md says how)"
                )
            )
            return
        known = self.hello
        if known is not None and (known.board, known.boot) == (hello.board, hello.boot):
            self._at.pop("knock", None)  # it is there: no more need to ask
            return  # the answer to a second knock
        self.hello, self._clock, self._met = hello, BoxClock(hello.hz), now
        self._sent.clear()
        self._shutting.clear()
        self._held.clear()
        self._lamps.clear()
        self._lost, self._next = None, hello.next  # what was pressed while nobody listened does not count
        self._at = {"read": now}
        self._say(Ack(hello.boot & 0xFF, hello.next))
        signals.append(Met(hello))
        self._does_due(now)

    def _ours(self, boot: int, now: int) -> bool:
        """Whether a word is of the start we know; if not, the box has restarted: ask it."""
        assert self.hello is not None, "asked only after a hello"
        if boot == self.hello.boot & 0xFF:
            return True
        self._at.setdefault("knock", now)
        self._does_due(now)
        return False

    def _event(self, told: Told, now: int, signals: list[Signal]) -> None:
        if not self._ours(told.boot, now):
            return
        ahead = (told.number - self._next) & 0xFF
        if ahead == 0:
            self._next = (self._next + 1) & 0xFF
            self.levels = told.levels
            self._held.append(told)
            self._tell(signals)
        self._say(Ack(told.boot, self._next, 0 < ahead < 128))
        self._shut(signals)

    def _tell(self, signals: list[Signal]) -> None:
        while self._held:
            told = self._held[0]
            moment = self._clock.when(told.ticks)
            if moment is None:
                return
            del self._held[0]
            unc = moment.unc + GRAIN
            signals.append(Down(told.button, moment.at, unc) if told.down else Up(told.button, moment.at))

    def _fenced(self, told: Fenced, now: int, signals: list[Signal]) -> None:
        sent, size = self._sent.pop(told.token, (0, 0))
        if not size or not self._ours(told.boot, now):
            return
        wire = (self.hello.byte_us if self.hello is not None else 0) * 1_000
        self._clock.read(sent, told.heard, told.said, now, size * wire, _FENCED_BYTES * wire)
        self.late = [*self.late[-63:], now - sent]
        self._tell(signals)
        self._shutting.append((told.heard, told.next))
        if (told.next - self._next) & 0xFF and (told.next - self._next) & 0xFF < 128:
            self._say(Ack(told.boot, self._next, True))
        self._shut(signals)

    def _shut(self, signals: list[Signal]) -> None:
        """Of the answered fences, tell the newest whose events have all come."""
        done = [shut for shut in self._shutting if (self._next - shut[1]) & 0xFF < 128]
        if not done or self._held:
            return
        self._shutting = [shut for shut in self._shutting if shut not in done][-8:]
        moment = self._clock.when(done[-1][0])
        if moment is not None:
            until = moment.at - 2 * moment.unc - GRAIN
            signals.append(Shut(until, moment.unc + GRAIN))
            if self._want is not None and until > self._want:
                self._want = None
                self._at.pop("close", None)

    def _beat(self, told: Beat, now: int, signals: list[Signal]) -> None:
        if not self._ours(told.boot, now):
            return
        self.levels = told.levels
        gone = 0 if self._lost is None else (told.lost - self._lost) & 0xFF
        self._lost = told.lost
        if gone:
            signals.append(Lost(gone))
        if (told.next - self._next) & 0xFF and (told.next - self._next) & 0xFF < 128:
            self._say(Ack(told.boot, self._next, True))

    def _margin(self) -> int:
        """How long after a moment a fence must leave so that its answer closes the box up to that moment."""
        hello = self.hello
        moment = self._clock.when(self._clock.ticks(self._heard)) if hello is not None else None
        return 2 * moment.unc + 2 * GRAIN if moment is not None else 0

    def _fence(self, now: int, zeros: int = 0) -> None:
        """Send a fence behind so many idle bytes."""
        self._token = (self._token + 1) & 0xFF
        self._sent[self._token] = now, zeros + _FENCE_BYTES
        self.outgoing += bytes(zeros)
        self._say(Fence(self._token))

    def _knock(self, now: int) -> None:
        self._say(Who())
        self._at["knock"] = now + KNOCK

    def _read(self, now: int) -> None:
        """Read the clock; not in step with the line's own beat of 1 ms, so that every delay is met.

        A USB chip carries both directions at the same beat: the answer would wait for it always equally long,
        and the clock be off by half of that. So fences go out behind a varying number of idle bytes.
        """
        slow = self.hello is not None and self.hello.byte_us > 0
        self._fence(now, self._token * 5 % _IDLE if slow else 0)
        eager = now - self._met < EAGER_FOR or self._margin() > 2 * (TIGHT + GRAIN)
        odd = self._token * 618_034 % 1_000_000  # ns within a millisecond
        self._at["read"] = now + (EAGER if eager else CALM) + odd

    def _close(self, now: int) -> None:
        if self._want is None:
            return
        if now < self._want + self._margin():
            self._at["close"] = self._want + self._margin()
            return
        self._fence(now)
        usual = sorted(self.late)[len(self.late) // 2] if self.late else 0
        self._at["close"] = now + max(AGAIN, min(usual, 2 * AGAIN))

    def _relight(self, now: int) -> None:
        for order in self._lamps.values():
            self._say(order)
        if self._lamps:
            self._at["lamps"] = now + 2 * AGAIN
