"""The Pico's pins, clock and line: ten buttons at GP2..GP11, ten lamps at GP12..GP21, each to ground.

An edge is stamped in its hard interrupt, which must not allocate: stamps and levels go to arrays made before.
"""

import select
import sys
import time
from array import array

import machine
import micropython

_BUTTONS = range(2, 12)
_LAMPS = range(12, 22)
_EDGES = 64

buttons, lamps, byte_us = 10, 10, 0
board = (machine.unique_id() + bytes(8))[:8]

micropython.alloc_emergency_exception_buf(100)
micropython.kbd_intr(-1)  # a byte 3 on the line is no Ctrl-C

_pins = [machine.Pin(n, machine.Pin.IN, machine.Pin.PULL_UP) for n in _BUTTONS]
_lights = [machine.Pin(n, machine.Pin.OUT, value=0) for n in _LAMPS]
_at, _levels = array("I", [0] * _EDGES), array("H", [0] * _EDGES)
_in = _out = 0
_raw = time.ticks_us()
_long = 0
_poll = select.poll()
_poll.register(sys.stdin, select.POLLIN)


def _count_starts():
    try:
        with open("boot.txt") as file:
            count = int(file.read())
    except (OSError, ValueError):
        count = 0
    with open("boot.txt", "w") as file:
        file.write(str(count + 1))
    return count + 1


boot = _count_starts()


@micropython.native
def levels():
    """All buttons, bit 0 the first; 1 is pressed."""
    mask = 0
    for number in range(10):
        if not _pins[number].value():
            mask |= 1 << number
    return mask


def _edge(_pin):
    global _in
    at = time.ticks_us()
    place = _in
    _at[place] = at
    _levels[place] = levels()
    _in = (place + 1) % _EDGES


for _pin in _pins:
    _pin.irq(_edge, machine.Pin.IRQ_RISING | machine.Pin.IRQ_FALLING, hard=True)


def now():
    """Us since the start, without a wrap; must be called at least once in five minutes."""
    global _raw, _long
    raw = time.ticks_us()
    _long += time.ticks_diff(raw, _raw)
    _raw = raw
    return _long


def edges():
    """The edges since the last call: (us, levels)."""
    global _out
    found = []
    while _out != _in:
        at, mask = _at[_out], _levels[_out]
        _out = (_out + 1) % _EDGES
        here = now()
        found.append((here + time.ticks_diff(at, _raw), mask))
    return found


def read():
    """What the host has sent, or b"": at most what is there."""
    got = bytearray()
    while len(got) < 64 and _poll.poll(0):
        got.extend(sys.stdin.buffer.read(1))
    return got


def write(chunk):
    """Send bytes."""
    sys.stdout.buffer.write(chunk)


def light(mask):
    """Switch the lamps, bit 0 the first."""
    for number, pin in enumerate(_lights):
        pin.value(mask >> number & 1)


def rest():
    """Nothing is due: sleep until an interrupt or a millisecond has passed."""
    machine.idle()
