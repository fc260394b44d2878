"""`python -m tests.bench NAME...`: print each table and keep it as build/bench/NAME.json."""

from __future__ import annotations

import json
import platform
import sys
from importlib import import_module
from pathlib import Path

OUT = Path("build/bench")


def main(names: list[str]) -> int:
    """Run the benches of these names; 1 if a goal was missed."""
    OUT.mkdir(parents=True, exist_ok=True)
    missed = False
    for name in names:
        print(f"bench-{name} on {platform.machine()}, Python {platform.python_version()}")
        rows = import_module(f"tests.bench.bench_{name}").rows()
        (OUT / f"{name}.json").write_text(json.dumps(rows, indent=1) + "\n", "utf-8")
        for row in rows:
            verdict = {True: "met", False: "MISSED", None: ""}[row["met"]]
            goal = "" if row["goal"] is None else f"goal {row['goal']}"
            print(f"  {row['name']:<58} {row['value']:>12} {row['unit']:<6} {goal:<14} {verdict}")
            missed = missed or row["met"] is False
    return int(missed)


sys.exit(main(sys.argv[1:]))
