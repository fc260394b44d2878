"""How far our reader reaches beside the peers: one table over two physics, wrong ids, and decoys.

`make bench-reader`, with QUICK=1 for rough figures in two minutes; one condition alone:
`python -m tests.bench reader --only "shadow .9"`.
"""

from __future__ import annotations

import os
import zlib
from collections import Counter
from functools import cache
from multiprocessing import get_context

import cv2
import numpy as np

from companion.vision.read import Reader
from tests.bench.scenes import decoys, peers
from tests.bench.scenes.codes import OURS, grids
from tests.bench.scenes.conditions import CONDITIONS

PICTURES, OTHERS, DECOYS = 5, 2, 500
QUICK, QUICK_DECOYS = 1, 40
READERS = tuple(peers.FAMILY)


class Tally:
    """What one reader made of one condition."""

    def __init__(self):
        self.hits = self.wrong = self.markers = 0

    def add(self, seen, truth):
        """Count [(id, corners)] against the markers that are there; those washed out by glare are left out."""
        middles = np.array([marker.corners.mean(0) for marker in truth])
        read = set()
        for marker, corners in seen:
            away = np.hypot(*(middles - np.asarray(corners).mean(0)).T)
            near = int(away.argmin())
            if away[near] < 0.5 * truth[near].side and truth[near].id == marker:
                read.add(near)
            else:
                self.wrong += 1
        there = [nth for nth, marker in enumerate(truth) if not marker.washed]
        self.hits += len(read.intersection(there))
        self.markers += len(there)

    @property
    def share(self):
        return round(100 * self.hits / self.markers, 1) if self.markers else 0.0

    def __iadd__(self, other):
        self.hits, self.wrong, self.markers = (
            mine + more for mine, more in zip(vars(self).values(), vars(other).values(), strict=True)
        )
        return self


def reader_for(side):
    """Ours, told the side within the same bounds as the tuned peers."""
    return Reader(OURS, _ids(), marker_px=(0.6 * side, 1.7 * side))


def _ids():
    return grids(OURS)[1].tolist()


def look(reader, grey):
    return [(seen.id, seen.corners) for seen in reader.read(grey)]


def seeds(condition, pictures):
    """Other pictures for each condition, the same in each run."""
    first = zlib.crc32(f"{condition.physics} {condition.name}".encode()) % 100_000
    return [first + nth for nth in range(pictures)]


def looked_at(name, seed, others):
    """Tallies of ours and of the peers on one picture; of those with codes of their own, if `others`."""
    condition = next(one for one in CONDITIONS if title(one) == name)
    tallies, taken = {"ours": Tally()} | {peer: Tally() for peer in READERS}, {}
    for peer, family in (("ours", OURS), *peers.FAMILY.items()):
        if family != OURS and not others:
            continue
        if family not in taken:
            taken[family] = condition.picture(seed, family)
        grey, truth = taken[family]
        seen = (
            look(reader_for(condition.side), grey)
            if peer == "ours"
            else peers.read(peer, grey, condition.side)
        )
        tallies[peer].add(seen, truth)
    return name, tallies


def decoyed(nth):
    """How many reads a decoy causes: its kind, with the size told and not."""
    decoy = decoys.picture(nth)
    return decoy.kind, len(look(reader_for(decoy.side), decoy.grey)), len(look(_free(), decoy.grey))


@cache
def _free():
    return Reader(OURS, _ids())


def rows(quick=False, only=None):
    """Measure all, or the conditions with these words in their name; a row for each."""
    chosen = [condition for condition in CONDITIONS if only is None or only in title(condition)]
    if not chosen:
        raise SystemExit(f"no condition has {only!r} in its name: {', '.join(map(title, CONDITIONS))}")
    pictures, others, many = (QUICK, QUICK, QUICK_DECOYS) if quick else (PICTURES, OTHERS, DECOYS)
    print(
        f"{pictures} pictures a condition; AprilTag and DataMatrix, which need pictures of their own: {others}"
    )
    print(f"{'percent read (wrong ids)':<32}{'ours':>9}{'goal':>6}", *(f"{peer:>15}" for peer in READERS))
    looks = [
        (title(condition), seed, nth < others)
        for condition in chosen
        for nth, seed in enumerate(seeds(condition, pictures))
    ]
    with _crew() as crew:
        sums = {title(condition): {peer: Tally() for peer in ("ours", *READERS)} for condition in chosen}
        for nth, (name, tallies) in enumerate(crew.imap(_looked_at, looks), 1):
            for peer, tally in tallies.items():
                sums[name][peer] += tally
            if nth % pictures == 0:
                _print(chosen[nth // pictures - 1], sums[name])
        table = [_row(condition, sums[title(condition)]) for condition in chosen]
        if only is not None:
            return table
        told, untold = Counter(), Counter()
        for kind, some, more in crew.imap(decoyed, range(many)):
            told[kind] += some
            untold[kind] += more
    markers, wrong = (sum(row[key] for row in table) for key in ("markers", "wrong"))
    return [
        *table,
        _count("wrong ids", wrong, f"of {markers}"),
        _count("decoys read", told.total(), f"of {many}", told),
        _count("decoys read, size not told", untold.total(), f"of {many}", untold),
    ]


def _crew():
    """One process for each core: pictures are drawn and read side by side, each on one thread."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    return get_context("spawn").Pool(os.cpu_count(), cv2.setNumThreads, (1,))


def _looked_at(look):
    return looked_at(*look)


def title(condition):
    """Its physics and what is asked."""
    return f"{condition.physics}: {condition.name}"


def _print(condition, tallies):
    ours = tallies["ours"]
    cells = [f"{tallies[peer].share:g} ({tallies[peer].wrong})" for peer in READERS]
    print(
        f"{title(condition):<32}{f'{ours.share:g} ({ours.wrong})':>9}{condition.goal or '':>6}",
        *(f"{c:>15}" for c in cells),
        flush=True,
    )


def _row(condition, tallies):
    ours = tallies["ours"]
    return {
        "name": title(condition),
        "value": ours.share,
        "unit": "%",
        "goal": condition.goal,
        "met": None if condition.goal is None else ours.share >= condition.goal,
        "markers": ours.markers,
        "wrong": ours.wrong,
        "peers": {peer: {"read": tallies[peer].share, "wrong": tallies[peer].wrong} for peer in READERS},
    }


def _count(name, value, unit, kinds=None):
    row = {"name": name, "value": value, "unit": unit, "goal": 0, "met": value == 0}
    return row | ({"kinds": dict(kinds)} if kinds else {})
