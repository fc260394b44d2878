"""`make bench-buttons`: the figures of the buttons, each with its method.

Some quarter of an hour on a quiet machine; `QUICK=1` takes a small part of each count.
`python -m tests.bench buttons --only decisions,unplug` takes these parts: what is in virtual time may be measured
on a busy machine, what is in real time may not.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "firmware"))

from avr_world import AvrWorld  # beside the firmwares' tests
from debounced import in_c, in_micropython, in_python

from companion.sim.boxes import MS
from companion.wire.box_link import BoxLink, Down
from companion.wire.frames import Unframer, framed
from tests.bench import button_live, button_pairs


@dataclass(frozen=True)
class Size:
    """How many of each."""

    pairs: int
    presses: int
    races: int
    fuzz: int  # bytes
    live: int
    cycles: int
    avr: int


FULL = Size(1_000_000, 100_000, 100_000, 10_000_000, 600, 200, 4_000)
QUICK = Size(10_000, 5_000, 20_000, 2_000_000, 150, 30, 400)
Rows = list[dict[str, Any]]


def rows(quick: bool = False, only: str = "") -> Rows:
    """All figures, or those of the parts named in `only`; methods are printed above the table."""
    parts: dict[str, Callable[[Size], Rows]] = {
        "pairs": _pairs, "avr": _avr, "races": _races, "delivered": _delivered, "decisions": _decisions,
        "unplug": _unplug, "fuzz": _fuzz,
    }  # fmt: skip
    out: Rows = []
    for name in only.split(",") if only else parts:
        began = time.monotonic()
        made = parts[name](QUICK if quick else FULL)
        for row in made:
            row["seconds"] = round(time.monotonic() - began, 1)
        print(f"  {made[0]['method']}  [{time.monotonic() - began:.0f} s]", flush=True)
        out += made
    return out


def _row(name: str, value: float, unit: str, goal: float | None, method: str) -> dict[str, Any]:
    met = None if goal is None else value <= goal
    return {"name": name, "value": value, "unit": unit, "goal": goal, "met": met, "method": method}


def _at(waits: list[int], part: float) -> int:
    return sorted(waits)[min(len(waits) - 1, int(len(waits) * part))]


def _pairs(size: Size) -> Rows:
    counts, waits = button_pairs.raced(size.pairs)
    method = (
        f"pairs: {counts['pairs']:,} pairs 1 ms apart on a pin and 3 virtual boxes, virtual time; 1,000 pairs a table, "
        "each with its own clocks (within 200 ppm), a jitter of 0 to 16 ms both ways, 1 % of frames lost"
    )
    return [
        _row("pairs 1 ms apart: wrong orders", counts["wrong"], "", 0, method),
        _row("pairs inside the uncertainty not told as ties", counts["untold ties"], "", 0, method),
        _row("pairs overruled by a later press", counts["overruled"], "", 0, method),
        _row("sources given up at 60 ms", counts["degraded"], "", None, method),
        _row("pairs told as ties", round(100 * counts["tied"] / counts["pairs"], 1), "%", None, method),
        _row("their decision, p99 (virtual time)", round(_at(waits, 0.99) / MS, 1), "ms", 60, method),
    ]


def _avr(size: Size) -> Rows:
    errors, rates, outside, luck = list[int](), list[float](), 0, Random(3)
    for ppm in (-200, -60, 75, 200):
        world = AvrWorld(ppm)
        world.run(5_050 * MS)
        rates.append(abs(world.link.clock.rate * 1e6 + ppm))
        truth = []
        for number in range(size.avr // 4):
            at = world.now + luck.randrange(5 * MS, 15 * MS)
            truth.append(at)
            world.avr.press(at, number % 6, True)
            world.avr.press(at + 12 * MS, number % 6, False)
            world.run(at + 25 * MS)
        world.run(world.now + 100 * MS)
        downs = [signal for signal, _ in world.heard if isinstance(signal, Down)]
        assert len(downs) == len(truth), "no press is lost"
        errors += [abs(down.at - at) for down, at in zip(downs, truth, strict=True)]
        outside += sum(abs(down.at - at) > down.unc for down, at in zip(downs, truth, strict=True))
        world.close()
    method = (
        f"clock: {len(errors):,} presses on the AVR image in simavr, virtual time, -200 to 200 ppm, bytes carried at "
        "full milliseconds both ways; the true time of each press is known"
    )
    return [
        _row("clock error, simavr, 1 ms framing, p99", round(_at(errors, 0.99) / 1_000), "us", 250, method),
        _row("clock rate error 5 s after hello, worst", round(max(rates), 1), "ppm", 10, method),
        _row("claimed bounds that do not hold", round(100 * outside / len(errors), 4), "%", 0.01, method),
    ]


def _races(size: Size) -> Rows:
    luck, sequences, first = Random(5), list[str](), list[int]()
    for _ in range(size.races):
        margin = luck.randrange(1, 5_000)
        for start in (1_000, 1_000 + margin):
            edges = [
                start,
                *sorted(luck.sample(range(start + 1, start + 6_001), luck.randrange(0, 9) // 2 * 2)),
            ]
            sequences.append(" ".join(f"s {at} {1 - number % 2}" for number, at in enumerate(edges)))
        first.append(margin)
    told = [in_python(sequences), in_c(sequences), in_micropython(sequences)]
    changed = sum(
        int(one.split()[0][1:]) != 1_000 or int(other.split()[0][1:]) != 1_000 + margin
        for one, other, margin in zip(told[0][::2], told[0][1::2], first, strict=True)
    )
    differ = sum(len(set(verdicts)) > 1 for verdicts in zip(*told, strict=True))
    method = (
        f"bounce: {size.races:,} races of two switches that bounce up to 6 ms each, margins 1 us to 5 ms, through the "
        "Python, the C (compiled here) and the MicroPython (unix port)"
    )
    return [
        _row("winners changed by 0-6 ms of bounce", changed, "", 0, method),
        _row("races told differently by the three", differ, "", 0, method),
    ]


def _delivered(size: Size) -> Rows:
    made, lost, doubled = button_pairs.delivered(size.presses)
    method = (
        f"bad line: {made:,} presses, 5 % of bytes damaged and 1 % dropped in both directions, virtual time"
    )
    return [
        _row("presses lost on a bad line", lost, "", 0, method),
        _row("presses doubled on a bad line", doubled, "", 0, method),
    ]


def _decisions(size: Size) -> Rows:
    alone, both, lamps, how = button_live.decisions(size.live)
    method = (
        f"decision: {size.live} presses each, real time, 3 virtual boxes on ptys (a process of their own) or a mock pin only, "
        f"while a thread of this process reads pictures of forty cards without pause; {how}; load of this machine {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"
    )
    return [
        _row("press to decision, pins only, p99", round(_at(alone, 0.99) / MS, 1), "ms", 8, method),
        _row("press to decision, with boxes, p50", round(_at(both, 0.5) / MS, 1), "ms", 5, method),
        _row("press to decision, with boxes, p99", round(_at(both, 0.99) / MS, 1), "ms", 25, method),
        _row("press to its lamp 'seen' on a box, p95", round(_at(lamps, 0.95) / MS, 1), "ms", 30, method),
    ]


def _unplug(size: Size) -> Rows:
    seen, back, files, threads = button_live.unplugged(size.cycles)
    method = f"unplug: a box on a pty pulled and put in again {size.cycles} times, real time; files and threads counted"
    return [
        _row("unplug seen, worst", round(seen[-1] / MS, 1), "ms", 100, method),
        _row("playable after replug, worst", round(back[-1] / MS, 1), "ms", 1_500, method),
        _row("files and threads left over", files + threads, "", 0, method),
    ]


def _fuzz(size: Size) -> Rows:
    luck, unframer, link, raised = Random(8), Unframer(), BoxLink(0), 0
    for number in range(size.fuzz // 1_000):
        chunk = luck.randbytes(1_000)
        if number % 2:  # whole frames with right checks, so that what is behind them is tried, too
            chunk = b"".join(framed(luck.randbytes(luck.randrange(1, 30))) for _ in range(50))[:1_000]
        try:
            unframer.fed(chunk)
            link.received(chunk, number)
        except Exception as fault:  # any: that is the figure
            print(f"    {fault!r}")
            raised += 1
    method = f"fuzz: {size.fuzz:,} bytes through the decoder and a link, half of them random, half random frames with right checks"
    return [_row("exceptions of the decoder", raised, "", 0, method)]
