"""A house that can be killed: events come in by lines, each is acknowledged once it is on disk.

Run as a process of its own: `python tests/survivor.py JOURNAL`. It resumes what the journal holds, says how
many rows there are, and then answers each line with the number of its row, or "refused".
"""

from __future__ import annotations

import random
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from companion.edges.clocks import StillClocks
from companion.edges.journal import Journal
from companion.edges.voice import Silence
from companion.house import House, News
from companion.shelf import phrases, shelf
from companion.table.crank import Turn
from companion.table.events import Event
from companion.table.session import Session
from companion.table.things import Player, Zone
from companion.wire import journal_line


class Nothing:
    """Lamps, eyes and screens that nobody looks at."""

    def shine(self, player: Player, look: str) -> None: ...
    def blink(self, player: Player, look: str) -> None: ...
    def beat(self, player: Player, start: int, phases: tuple[int, ...]) -> None: ...
    def watch(self, zones: tuple[Zone, ...], anew: tuple[Zone, ...]) -> None: ...
    def show(self, session: Session | None, news: News) -> None: ...


def serve(path: Path) -> None:
    """Resume, then take events from standard input."""
    journal, nothing = Journal(path), Nothing()
    house = House(
        shelf(),
        phrases(),
        journal,
        StillClocks(),
        lamps=nothing,
        voice=Silence(),
        eyes=nothing,
        screens=nothing,
    )
    house.resume()
    say(journal.verdict().rows)
    for line in sys.stdin.buffer:
        answers: list[object] = []
        house.put(journal_line.decode(line), answers.append)
        house.step()
        say(journal.verdict().rows if isinstance(answers[0], Turn) else "refused")


def say(word: object) -> None:
    """One line out, at once."""
    sys.stdout.write(f"{word}\n")
    sys.stdout.flush()


def played_with_kills(events: Sequence[Event], path: Path, kills: int, seed: int) -> tuple[int, int]:
    """Play events into a house that is killed so many times at random moments; (acknowledged rows lost, starts).

    A kill falls at a random event, sometimes before, sometimes after its acknowledgement was read.
    """
    chance = random.Random(seed)  # moments, not secrets
    moments = sorted(chance.sample(range(1, len(events)), kills))
    lost, done, starts = 0, 0, 0
    while done < len(events):
        child = subprocess.Popen(  # this very file
            [sys.executable, __file__, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        starts += 1
        assert child.stdin is not None and child.stdout is not None
        rows = int(child.stdout.readline())
        lost += max(0, done - rows)
        done = rows
        stop = moments.pop(0) if moments else len(events)
        while done < len(events):
            child.stdin.write(journal_line.encode(events[done]) + b"\n")
            child.stdin.flush()
            if done >= stop and chance.random() < 0.5:
                break  # killed before the answer: the event may be there or not
            done = int(child.stdout.readline())
            if done > stop:
                break
        child.send_signal(signal.SIGKILL)
        child.wait()
        child.stdin.close()
        child.stdout.close()
    return lost, starts


if __name__ == "__main__":
    serve(Path(sys.argv[1]))
