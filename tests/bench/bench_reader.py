"""How far our reader reaches beside the peers: one table over two physics, wrong ids, and decoys.

`make bench-reader`, or `python -m tests.bench reader --quick` for two minutes and rough figures.
"""

from __future__ import annotations

import zlib
from collections import Counter

import numpy as np

from companion.vision.read import Reader
from tests.bench.scenes import decoys, peers
from tests.bench.scenes.codes import OURS, grids
from tests.bench.scenes.conditions import CONDITIONS

PICTURES, DECOYS = 6, 500
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
        return round(100 * self.hits / self.markers, 1)


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


def measured(condition, pictures):
    """Tallies of ours and of every peer."""
    tallies = {name: Tally() for name in ("ours", *READERS)}
    ours = reader_for(condition.side)
    for seed in seeds(condition, pictures):
        for family in dict.fromkeys(peers.FAMILY.values()):
            grey, truth = condition.picture(seed, family)
            if family == OURS:
                tallies["ours"].add(look(ours, grey), truth)
            for peer in (name for name, reads in peers.FAMILY.items() if reads == family):
                tallies[peer].add(peers.read(peer, grey, condition.side), truth)
    return tallies


def decoy_reads(pictures):
    """How many reads the decoys cause, by kind, for ours with the size told and not."""
    told, untold, free = Counter(), Counter(), Reader(OURS, _ids())
    for decoy in decoys.pictures(pictures):
        told[decoy.kind] += len(look(reader_for(decoy.side), decoy.grey))
        untold[decoy.kind] += len(look(free, decoy.grey))
    return told, untold


def rows(quick=False):
    """Measure all; a row for each condition."""
    print(f"{'percent read (wrong ids)':<32}{'ours':>9}{'goal':>6}", *(f"{peer:>15}" for peer in READERS))
    table = [_row(condition, measured(condition, QUICK if quick else PICTURES)) for condition in CONDITIONS]
    markers, wrong = (sum(row[key] for row in table) for key in ("markers", "wrong"))
    many = QUICK_DECOYS if quick else DECOYS
    told, untold = decoy_reads(many)
    return [
        *table,
        _count("wrong ids", wrong, f"of {markers}"),
        _count("decoys read", told.total(), f"of {many}", told),
        _count("decoys read, size not told", untold.total(), f"of {many}", untold),
    ]


def _row(condition, tallies):
    ours = tallies["ours"]
    name = f"{condition.physics}: {condition.name}"
    cells = [f"{tallies[peer].share:g} ({tallies[peer].wrong})" for peer in READERS]
    print(
        f"{name:<32}{f'{ours.share:g} ({ours.wrong})':>9}{condition.goal or '':>6}",
        *(f"{c:>15}" for c in cells),
    )
    return {
        "name": name,
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
