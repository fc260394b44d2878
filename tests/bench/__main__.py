"""`python -m tests.bench NAME... [--quick] [--only WORDS]`: print each table, keep it as build/bench/NAME.json.

`--quick` asks the benches that know it for smaller counts, `--only` for the rows whose name has these words, or for
these parts;
a part is kept as NAME-part.json, so that it never passes for the whole.
"""

from __future__ import annotations

import companion  # noqa: F401  # before numpy: its BLAS takes one thread, as on a table

# isort: split
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
    names, wishes = _wishes(names)
    for name in names:
        print(f"bench-{name} on {platform.machine()}, Python {platform.python_version()}")
        measure = import_module(f"tests.bench.bench_{name}").rows
        known = inspect.signature(measure).parameters
        rows = measure(**{wish: value for wish, value in wishes.items() if wish in known})
        part = "-part" if "only" in wishes and "only" in known else ""
        (OUT / f"{name}{part}.json").write_text(json.dumps(rows, indent=1) + "\n", "utf-8")
        for row in rows:
            verdict = {True: "met", False: "MISSED", None: ""}[row["met"]]
            goal = "" if row["goal"] is None else f"goal {row['goal']}"
            print(f"  {row['name']:<58} {row['value']:>12} {row['unit']:<6} {goal:<14} {verdict}")
            missed = missed or row["met"] is False
    return int(missed)


def _wishes(words: list[str]) -> tuple[list[str], dict[str, object]]:
    """Part the names of benches from what is wished of them."""
    wishes: dict[str, object] = {"quick": True} if "--quick" in words else {}
    names = [word for word in words if word != "--quick"]
    if "--only" in names:
        at = names.index("--only")
        wishes["only"] = names[at + 1]
        del names[at : at + 2]
    return names, wishes


if __name__ == "__main__":  # not in the processes that a bench starts
    sys.exit(main(sys.argv[1:]))
