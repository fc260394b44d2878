"""A button box in MicroPython: what it hears, knows and says. The pins, the clock and the line are hal's.

The line is told in firmware_profiles/README.md. Runs on a Raspberry Pi Pico and in MicroPython's unix port.
"""

import struct

from debounce import Contact

VERSION = 1
FIRMWARE = 1
ROOM = 16
RETRY = 8000  # us: an event is said again
SLOW_RETRY = 500000  # nobody listens
ATTENTION = 2000000  # after the last word of the host
BEAT = 500000
LONGEST = 48
HELLO, TOLD, FENCED, BEAT_WORD, DONE = 1, 2, 3, 4, 5
WHO, FENCE, ACK, LIGHT = 0x11, 0x12, 0x13, 0x14
TEN_MS = 10000

_NIBBLES = []
for _n in range(16):
    _crc = _n << 12
    for _ in range(4):
        _crc = (_crc << 1) ^ 0x1021 if _crc & 0x8000 else _crc << 1
    _NIBBLES.append(_crc & 0xFFFF)


def checks(content):
    """CRC-16 (0x1021, start 0xFFFF), high byte first, and the sum of all bytes."""
    crc = 0xFFFF
    for byte in content:
        crc = ((crc << 4) & 0xFFFF) ^ _NIBBLES[(crc >> 12) ^ (byte >> 4)]
        crc = ((crc << 4) & 0xFFFF) ^ _NIBBLES[(crc >> 12) ^ (byte & 15)]
    return bytes((crc >> 8, crc & 0xFF, sum(content) & 0xFF))


def framed(content):
    """The bytes of a frame: stuffed so that only its end is zero."""
    out = bytearray()
    for run in (content + checks(content)).split(b"\0"):
        out.append(len(run) + 1)
        out.extend(run)
    out.append(0)
    return out


def plain(packed):
    """The content of a frame, or None if it is damaged."""
    out = bytearray()
    place, size = 0, len(packed)
    while place < size:
        after = place + packed[place]
        if after > size:
            return None
        out.extend(packed[place + 1 : after])
        place = after
        if place < size:
            out.append(0)
    if len(out) < 4 or checks(out[:-3]) != out[-3:]:
        return None
    return out[:-3]


class Layer:
    """A lamp's layer: phases in us from a moment on, for ever or once."""

    def __init__(self, phases=(), start=0):
        self.phases, self.start, self.total = phases, start, sum(phases)

    def phase(self, now, again):
        """The number of the phase of now; None: not begun, over, or none."""
        age = now - self.start
        if not self.phases or age < 0 or (not again and age >= self.total):
            return None
        if not self.total:
            return 0
        age %= self.total
        for number, length in enumerate(self.phases):
            if age < length:
                return number
            age -= length
        return None


class Box:
    """All that a box is, but for its hal."""

    def __init__(self, hal):
        self.hal = hal
        now = hal.now()
        self.boot = hal.boot & 0xFF
        levels = hal.levels()
        self.contacts = [Contact(bool(levels >> n & 1)) for n in range(hal.buttons)]
        self.before = self.down = levels
        self.waiting = []  # (number, content)
        self.number = self.lost = self.bad = 0
        self.retry = None
        self.beat = now + BEAT
        self.attended = now
        self.frame = bytearray()
        self.layers = [[Layer(), Layer()] for _ in range(hal.lamps)]
        self.lit = None
        self.hal.write(b"\0")  # ends what the board may have said before
        self.hello()

    def say(self, content):
        self.hal.write(framed(content))

    def hello(self):
        hal = self.hal
        self.say(
            struct.pack(
                "<BBHBBIBHBB", HELLO, VERSION, FIRMWARE, hal.buttons, hal.lamps, 1000000, 0,
                hal.boot & 0xFFFF, self.number, hal.byte_us,
            )
            + hal.board
        )  # fmt: skip

    def step(self):
        """Do all that is due; called again and again."""
        hal = self.hal
        self.hear_edges()
        chunk = hal.read()
        if chunk:
            self.hear_bytes(chunk, hal.now())
        now = hal.now()
        levels = hal.levels()
        for button, contact in enumerate(self.contacts):
            if contact.down:
                up = contact.looked(now, bool(levels >> button & 1))
                if up is not None:
                    self.event(button, False, up)
        self.shine(now)
        if self.waiting and now >= self.retry:
            self.say_events(now)
        if now >= self.beat:
            self.beat = now + BEAT
            self.say(
                struct.pack(
                    "<BBIBBBH", BEAT_WORD, self.boot, now & 0xFFFFFFFF, self.number, self.lost & 0xFF,
                    self.bad & 0xFF, self.down,
                )
            )  # fmt: skip

    def hear_edges(self):
        for at, levels in self.hal.edges():
            changed = self.before ^ levels
            self.before = levels
            for button, contact in enumerate(self.contacts):
                if changed >> button & 1:
                    for down, moment in contact.seen(at, bool(levels >> button & 1)):
                        self.event(button, down, moment)

    def event(self, button, down, at):
        if down:
            self.down |= 1 << button
        else:
            self.down &= ~(1 << button)
        if len(self.waiting) == ROOM:
            self.lost += 1
            return
        key = button | (0x80 if down else 0)
        content = struct.pack("<BBBBIH", TOLD, self.boot, self.number, key, at & 0xFFFFFFFF, self.down)
        if not self.waiting:
            self.retry = self.hal.now() + RETRY
        self.waiting.append((self.number, content))
        self.number = (self.number + 1) & 0xFF
        self.say(content)

    def say_events(self, now):
        for _, content in self.waiting:
            self.say(content)
        self.retry = now + (RETRY if now - self.attended < ATTENTION else SLOW_RETRY)

    def hear_bytes(self, chunk, now):
        for byte in chunk:
            if byte:
                if len(self.frame) <= LONGEST + 1:
                    self.frame.append(byte)
                if byte < 32 and len(self.frame) == 2 and self.frame[0] == 63:  # "?" and Enter
                    self.hal.write(b"b" + "".join("%02x" % b for b in self.hal.board).encode() + b"\n\0")
                    self.frame = bytearray()
                continue
            content = plain(self.frame) if len(self.frame) <= LONGEST + 1 else None
            if content is not None:
                self.attended = now
                self.hear_word(content, now)
            elif self.frame:
                self.bad += 1
            self.frame = bytearray()

    def hear_word(self, word, now):
        kind, size = word[0], len(word)
        if kind == WHO and size == 2:
            self.hello()
        elif kind == FENCE and size == 2:
            said = self.hal.now()
            self.hear_edges()  # what was stamped before is told before the answer
            self.say(
                struct.pack(
                    "<BBBIIB", FENCED, word[1], self.boot, now & 0xFFFFFFFF, said & 0xFFFFFFFF, self.number
                )
            )
        elif kind == ACK and size == 4:
            self.acknowledged(word, now)
        elif kind == LIGHT and 8 <= size <= 16 and word[3] < 2:
            self.light(word)

    def acknowledged(self, word, now):
        if word[1] != self.boot or not self.waiting:
            return
        many = (word[2] - self.waiting[0][0]) & 0xFF
        if many > len(self.waiting):
            return
        self.waiting = self.waiting[many:]
        if many:
            self.retry = now + RETRY
        if word[3] and self.waiting:
            self.say_events(now)

    def light(self, word):
        self.say(bytes((DONE, word[1])))
        if word[2] >= self.hal.lamps:
            return
        now = self.hal.now()
        ahead = (struct.unpack("<I", word[4:8])[0] - now) & 0xFFFFFFFF
        start = now + ahead if ahead < 0x80000000 else now
        self.layers[word[2]][word[3]] = Layer([phase * TEN_MS for phase in word[8:]], start)

    def shine(self, now):
        lit = 0
        for lamp, (base, blink) in enumerate(self.layers):
            phase = base.phase(now, True)
            on = phase is not None and not phase & 1
            phase = blink.phase(now, False)
            if phase is not None:
                on = (not base.phases) != bool(phase & 1)
            lit |= on << lamp
        if lit != self.lit:
            self.lit = lit
            self.hal.light(lit)
