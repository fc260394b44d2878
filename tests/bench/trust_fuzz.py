"""Hostile files and lines: whatever they hold, the answer is a value or a clear error."""

from __future__ import annotations

import random
import shutil
from pathlib import Path

from unsynced import events_of

from companion.config import BadConfig, parse
from companion.edges.journal import Journal, JournalError
from companion.wire import journal_line
from companion.wire.box_link import BoxLink
from companion.wire.box_words import VERSION, Beat, Done, Fenced, Hello, Told, content
from companion.wire.frames import framed
from companion.wire.journal_line import BadLine

MS = 1_000_000
LIVES = 500  # lines that one link hears
LETTERS = ('"', "[", "]", "=", "\n", "9" * 30, "{", "}", "\x00", "é", "nan", "-1", "1e400")


def crash_images(count: int, folder: Path) -> int:
    """Images of a journal cut, flipped or zeroed anywhere, its log included: how many did not come back as a prefix."""
    whole, chance, wrong = folder / "whole.db", random.Random(6), 0
    written, events = Journal(whole), events_of(200)
    for number, event in enumerate(events, 1):
        written.append(number, event)
    files = {ending: Path(f"{whole}{ending}") for ending in ("", "-wal")}
    images = {ending: path.read_bytes() for ending, path in files.items() if path.exists()}
    written.close()
    for number in range(count):
        spot = folder / f"image-{number}"
        spot.mkdir()
        for ending, image in images.items():
            (spot / f"j.db{ending}").write_bytes(image)
        _damage(spot / f"j.db{chance.choice(list(images))}", chance)
        try:
            again = Journal(spot / "j.db")
            back = list(again.events())
            again.close()
            wrong += back != events[: len(back)]
        except JournalError:
            wrong += not (spot / "j.db").exists()  # refused in words, and the file is still there
        shutil.rmtree(spot)
    return wrong


def _damage(path: Path, chance: random.Random) -> None:
    image = bytearray(path.read_bytes())
    kind, at = chance.randrange(3), chance.randrange(len(image))
    if kind == 0:
        del image[at:]
    elif kind == 1:
        image[at] ^= 1 << chance.randrange(8)
    else:
        image[at : at + 512] = bytes(min(512, len(image) - at))
    path.write_bytes(image)


def _mutated(text: str, chance: random.Random) -> str:
    letters = list(text)
    for _ in range(chance.randrange(1, 6)):
        kind, at = chance.randrange(3), chance.randrange(len(letters) + 1)
        if kind == 0:
            letters[at:at] = chance.choice(LETTERS)
        elif kind == 1:
            del letters[at : at + chance.randrange(1, 12)]
        elif at < len(letters):
            letters[at] = chr(chance.randrange(1, 256))
    return "".join(letters)


def hostile_settings(count: int) -> int:
    """Crashes over mutated settings: anything but settings or BadConfig that names the file."""
    good = Path("deploy/companion.toml").read_text("utf-8").replace("# ", "")
    chance, crashes = random.Random(7), 0
    for _ in range(count):
        try:
            parse(_mutated(good, chance), "fuzz")
        except BadConfig as fault:
            crashes += "fuzz" not in str(fault)
        except Exception:  # what is counted here
            crashes += 1
    return crashes


def hostile_rows(count: int) -> int:
    """Crashes over mutated journal rows: anything but an event or BadLine that names the row."""
    lines = [journal_line.encode(event).decode() for event in events_of(12)]
    chance, crashes = random.Random(8), 0
    for number in range(count):
        try:
            journal_line.decode(_mutated(chance.choice(lines), chance).encode(), number)
        except BadLine as fault:
            crashes += f"row {number}" not in str(fault)
        except Exception:  # what is counted here
            crashes += 1
    return crashes


def hostile_lines(count: int) -> int:
    """Crashes over damaged, doubled, shuffled and invented lines of a button box."""
    chance, crashes = random.Random(9), 0
    words = [
        Hello(VERSION, 1, 6, 6, 1_000_000, 0, 1, 0, 1, b"koala-01"), Fenced(1, 1, 2_000, 2_100, 5),
        *(Told(1, number, number % 6, bool(number % 2), 1_000 * number, 0) for number in range(8)),
        Beat(1, 3_000, 8, 0, 0, 0), Done(1),
    ]  # fmt: skip
    good = [framed(content(each)) for each in words]
    for life in range(count // LIVES):
        link, now = BoxLink(life), life
        try:
            for _ in range(LIVES):
                now += chance.randrange(3 * MS)
                link.received(_line(good, chance), now)
                if chance.random() < 0.1:
                    link.close_to(now, now)
                if link.due() <= now:
                    link.tick(now)
                link.outgoing.clear()
        except Exception:  # what is counted here
            crashes += 1
    return crashes


def _line(good: list[bytes], chance: random.Random) -> bytes:
    line = bytearray(chance.choice(good))
    if chance.random() < 0.3:
        return bytes(line)
    at = chance.randrange(len(line))
    kind = chance.randrange(4)
    if kind == 0:
        line[at] = chance.randrange(256)
    elif kind == 1:
        del line[at:]
    elif kind == 2:
        line[at:at] = chance.randbytes(chance.randrange(6))
    else:
        return framed(chance.randbytes(chance.randrange(1, 40)))  # whole, and of nobody
    return bytes(line)
