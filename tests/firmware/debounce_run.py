"""Runs the Pico's debounce on sequences of stdin, as debounce_run.c does; for MicroPython: `debounce_run.py FOLDER`."""

import sys

sys.path.insert(0, sys.argv[1])
from debounce import Contact

while True:
    line = sys.stdin.readline()
    if not line:
        break
    contact, told, words = Contact(), [], line.split()
    for place in range(0, len(words), 3):
        at, level = int(words[place + 1]), words[place + 2] == "1"
        if words[place] == "s":
            told += [f"{'D' if down else 'U'}{moment}" for down, moment in contact.seen(at, level)]
        else:
            up = contact.looked(at, level)
            told += [] if up is None else [f"U{up}"]
    print(" ".join(told))
