"""The hal of MicroPython's unix port: the line is a pty, switches and lamps are lines of stdin and stdout.

Arguments: the pty's name, the board's id in hex, the count of starts. Lines in: "p CYCLE BUTTON CLOSED" (the cycle is
not used), "l" asks for the lamps. Not for a Pico.
"""

import select
import sys
import time

buttons, lamps, byte_us = 10, 10, 0
board = bytes(int(sys.argv[2][place : place + 2], 16) for place in range(0, 16, 2))
boot = int(sys.argv[3])
_line = open(sys.argv[1], "r+b", buffering=0)  # a pty is never a regular file: no context to leave
_poll = select.poll()
_poll.register(_line, select.POLLIN)
_asked = select.poll()
_asked.register(sys.stdin, select.POLLIN)
_mask, _lit, _found = 0, 0, []


def now():
    """The time in us."""
    return time.ticks_us()


def levels():
    """All buttons."""
    return _mask


def edges():
    """The edges since the last call."""
    global _mask
    while _asked.poll(0):
        words = sys.stdin.readline().split()
        if not words:
            sys.exit()
        if words[0] == "l":
            print("%02x" % _lit)
        elif words[0] == "p":
            bit = 1 << int(words[2])
            _mask = _mask | bit if words[3] == "1" else _mask & ~bit
            _found.append((now(), _mask))
    found = _found[:]
    _found.clear()
    return found


def read():
    """What the host has sent."""
    got = b""
    while len(got) < 64 and _poll.poll(0):
        got += _line.read(1)  # read(64) would wait for all 64
    return got


def write(chunk):
    """Send bytes."""
    _line.write(chunk)


def light(mask):
    """Switch the lamps."""
    global _lit
    _lit = mask


def rest():
    """Wait for a word, an edge, or a millisecond."""
    _both.poll(1)


_both = select.poll()
_both.register(_line, select.POLLIN)
_both.register(sys.stdin, select.POLLIN)
