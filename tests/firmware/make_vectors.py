"""Writes debounce_vectors.json anew: named cases by hand, and random ones as the Python debounce tells them now."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

from debounced import in_python

BY_HAND = {
    "a clean press and release": ("s 1000 1 s 90000 0 l 100000 0", "D1000 U90000"),
    "the first edge counts, its bounce does not": (
        "s 0 1 s 1000 0 s 2000 1 s 5000 0 s 6000 1 s 90000 0 l 99000 0", "D0 U90000",
    ),
    "a bouncing release is no second press": (
        "s 0 1 s 90000 0 s 91000 1 s 96000 0 s 101000 1 s 102000 0 l 111000 0", "D0 U102000",
    ),
    "let go inside the lockout, not stuck": ("s 0 1 s 3000 0 l 11000 0 s 40000 1", "D0 U3000 D40000"),
    "let go inside the lockout and found by the next press": ("s 0 1 s 3000 0 s 40000 1", "D0 U3000 D40000"),
    "two presses of a fast finger": (
        "s 0 1 s 30000 0 s 60000 1 s 80000 0 l 90000 0", "D0 U30000 D60000 U80000",
    ),
    "a lost release is found by looking": ("s 0 1 l 8000 1 l 108000 0 l 116000 0", "D0 U108000"),
    "looking at a closed switch tells nothing": ("l 5 1 s 9 1", "D9"),
    "an edge to the level it has": ("s 0 1 s 10 1 s 20 1 s 50000 0 s 50001 0 l 60000 0", "D0 U50000"),
    "exactly at the end of the lockout": ("s 0 1 s 1 0 l 8000 0 l 8001 0", "D0 U1"),
    "held for half an hour": ("s 0 1 l 900000000 1 l 1800000000 1 s 1800000500 0 l 1800009000 0", "D0 U1800000500"),
    "nothing": ("", ""),
}  # fmt: skip


def main() -> None:
    """Write the file beside this one."""
    luck, cases = (
        Random(20261130),
        [{"name": name, "in": given, "out": out} for name, (given, out) in BY_HAND.items()],
    )
    for number in range(200):
        now, steps = 0, list[str]()
        for _ in range(luck.randrange(1, 24)):
            now += luck.choice((1, 90, 700, 2_500, 7_999, 8_000, 8_001, 30_000))
            steps.append(f"{luck.choice('sssl')} {now} {luck.randrange(2)}")
        cases.append(
            {"name": f"random {number}", "in": " ".join(steps), "out": in_python([" ".join(steps)])[0]}
        )
    path = Path(__file__).with_name("debounce_vectors.json")
    path.write_text(json.dumps(cases, indent=0) + "\n", "utf-8")


if __name__ == "__main__":
    main()
