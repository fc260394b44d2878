"""Can the device be trusted: killed, cut off, hung, crashed again and again, fed with rubbish, played on for a day.

Installation and removal are measured in a Debian of its own: make test-deploy.
"""

from __future__ import annotations

import os
import shutil
import sys
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from unsynced import events_of, recorded, survived

from tests.bench import trust_day, trust_fuzz, trust_service

Row = dict[str, Any]
PARTS: dict[str, Callable[[int], list[Row]]] = {}


def _part(measure: Callable[[int], list[Row]]) -> Callable[[int], list[Row]]:
    PARTS[measure.__name__.strip("_")] = measure
    return measure


def row(what: str, figure: float, unit: str = "", goal: float | None = None) -> Row:
    """A line of the table; met if the figure is not above its goal."""
    return {
        "name": what,
        "value": figure,
        "unit": unit,
        "goal": goal,
        "met": None if goal is None else figure <= goal,
    }


def _p95(values: list[float]) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))]


@_part
def _kills(share: int) -> list[Row]:
    """kill -9 of the whole service while an operator and a phone play."""
    count = 1_000 // share
    with TemporaryDirectory() as name:
        told = trust_service.kills(count, Path(name))
    starts = told["starts"]
    return [
        row(f"acknowledged events lost, {count} kills, {told['events']} events", told["lost"], "", 0),
        row("journals broken by a kill", told["broken"], "", 0),
        row("killed, back to serving: p50", round(sorted(starts)[len(starts) // 2], 2), "s"),
        row("killed, back to serving: p95", round(_p95(starts), 2), "s", 1),
        row("first start after an installation, bytecode made on the way", round(told["first"], 2), "s"),
    ]


@_part
def _images(share: int) -> list[Row]:
    """What a cut of the power may leave on the disk."""
    count = 10_000 // share
    damaged = count // 2
    with TemporaryDirectory(dir="/dev/shm" if Path("/dev/shm").is_dir() else None) as name:
        folder = Path(name)
        wrong = trust_fuzz.crash_images(damaged, folder)
        if shutil.which("gcc") is None:
            return [
                row(
                    f"crash images (cut, flipped, zeroed) of {damaged} unclean; gcc is missing for the others",
                    wrong,
                    "",
                    0,
                )
            ]
        short = survived(recorded(folder / "short", 120, 3), events_of(120), count - damaged - count // 20, 5)
        long = survived(recorded(folder / "long", 1_300, 2), events_of(1_300), count // 20, 6)
    return [
        row(f"images cut, flipped, zeroed: no clean prefix, of {damaged}", wrong, "", 0),
        row(f"images without unsynced writes: no clean prefix, of {short.images + long.images}",
            short.unclean + long.unclean, "", 0),
        row("acknowledged events lost in these", short.lost + long.lost, "", 0),
    ]  # fmt: skip


@_part
def _crashes(share: int) -> list[Row]:
    """Never left dead: every second start is killed before it serves."""
    count = 100 // min(share, 5)
    with TemporaryDirectory() as name:
        folder = Path(name)
        dead, slowest = trust_service.crashed_in_a_row(count, folder)
        hangs = [trust_service.hung(folder) for _ in range(5 if share == 1 else 2)]
    return [
        row(f"{count} crashes in a row: starts that did not serve", dead, "", 0),
        row("slowest start among them", round(slowest, 2), "s"),
        row(f"hang to serving again, slowest of {len(hangs)}", round(max(hangs), 2), "s", 6),
    ]


@_part
def _cold(share: int) -> list[Row]:
    """From nothing to a table that can be played at: the page served, a game opened, its first event on disk."""
    times, spent, simulated = [], [], []
    for _ in range(3 if share > 1 else 10):
        with TemporaryDirectory() as name:
            warm = trust_service.Service(Path(name))
            warm.start()
            warm.kill()
            for file in Path(name).glob("j.*"):
                file.unlink()
            times.append(trust_service.cold(warm))
            spent.append(warm.spent)
            warm.start("--sim")
            simulated.append(warm.spent)
            warm.kill()
    return [
        row("cold start to a playable table, slowest", round(max(times), 2), "s", 2),
        row("... CPU of it until the first page is served, most", round(max(spent), 2), "s", 0.8),
        row("... the same of the simulated table, most", round(max(simulated), 2), "s", 0.8),
    ]


@_part
def _day(share: int) -> list[Row]:
    """43,200 events, one every two seconds of a day, of all five games, with sixty screens that come and go."""
    events = 43_200 // share
    with TemporaryDirectory() as name:
        (before, *course, after), counts = trust_day.watched(Path(name), events)
    settled = next(told for told in course if told["events"] >= events * 0.15)
    half = next(told for told in course if told["events"] >= events * 0.5)
    last = course[-1]
    later = (last["rss"] - half["rss"]) / max(1, last["events"] - half["events"]) * 10_000 / 1024
    games = f"{last['games']} games, {last['hours']:.1f} h of their clocks"
    return [
        row(f"a day: {last['events']} events, {games}: growth", round((last["rss"] - settled["rss"]) / 1024, 1), "MB", 10),
        row("... of it for 10,000 events, in the second half", round(later, 1), "MB", 1 if share == 1 else None),
        row("... files left open", after["files"] - before["files"], "", 0),
        row("... threads left", after["threads"] - before["threads"], "", 0),
        row("... states told to 60 screens", counts["states"], ""),
        row("... lines lost and made anew", counts["lines"], ""),
    ]  # fmt: skip


@_part
def _fuzz(share: int) -> list[Row]:
    """Rubbish in, a clear error out."""
    lines, files = 1_000_000 // share, 50_000 // share
    return [
        row(f"crashes over {lines} hostile lines of a box", trust_fuzz.hostile_lines(lines), "", 0),
        row(
            f"crashes or unclear errors over {files} settings files",
            trust_fuzz.hostile_settings(files),
            "",
            0,
        ),
        row(f"crashes or unclear errors over {files} journal rows", trust_fuzz.hostile_rows(files), "", 0),
    ]


def rows(quick: bool = False) -> list[Row]:
    """The whole table; `quick` takes a tenth of each count. COMPANION_TRUST=kills,images ... takes parts only."""
    share = 10 if quick else 1
    wanted = [part for part in os.environ.get("COMPANION_TRUST", "").split(",") if part] or list(PARTS)
    out: list[Row] = []
    for part in wanted:
        load, began = os.getloadavg()[0], time.monotonic()
        out += PARTS[part](share)
        print(f"  {part}: {time.monotonic() - began:.0f} s", file=sys.stderr, flush=True)
        out.append(row(f"({part}: load of this machine before)", round(load, 1)))
    return out
