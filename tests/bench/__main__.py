"""`python -m tests.bench NAME... [--quick]`: print each table and keep it as build/bench/NAME.json.

`--quick` asks the benches that know it for fewer pictures.
"""

from __future__ import annotations

import inspect
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
    quick = {"quick": True} if "--quick" in names else {}
    for name in (name for name in names if not name.startswith("--")):
        print(f"bench-{name} on {platform.machine()}, Python {platform.python_version()}")
        measure = import_module(f"tests.bench.bench_{name}").rows
        rows = measure(**quick) if "quick" in inspect.signature(measure).parameters else measure()
        (OUT / f"{name}.json").write_text(json.dumps(rows, indent=1) + "\n", "utf-8")
        for row in rows:
            verdict = {True: "met", False: "MISSED", None: ""}[row["met"]]
            goal = "" if row["goal"] is None else f"goal {row['goal']}"
            print(f"  {row['name']:<58} {row['value']:>12} {row['unit']:<6} {goal:<14} {verdict}")
            missed = missed or row["met"] is False
    return int(missed)


sys.exit(main(sys.argv[1:]))
