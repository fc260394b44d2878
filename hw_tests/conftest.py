"""One rig for all tests, skipped with its reason where there is none; figures go to a file of this host."""

from __future__ import annotations

import json
import os
import platform
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from rigs import NoRig, Rig, rig

RESULTS = Path(os.environ.get("COMPANION_RESULTS") or Path(__file__).parent / "results")


@pytest.fixture(scope="session")
def table() -> Iterator[Rig]:
    try:
        made = rig()
    except NoRig as why:
        pytest.skip(str(why))
    made.start()
    yield made
    made.close()


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """A part that the rig lacks skips the test that needs it."""
    outcome: Any = yield
    if outcome.excinfo is not None and isinstance(outcome.excinfo[1], NoRig):
        reason = str(outcome.excinfo[1])
        outcome.force_exception(pytest.skip.Exception(reason, _use_item_location=True))


@pytest.fixture
def keep(table: Rig) -> Callable[..., None]:
    """Write figures of a test into the results of this host."""

    def write(test: str, **figures: float) -> None:
        RESULTS.mkdir(parents=True, exist_ok=True)
        path = RESULTS / f"{platform.node()}-{table.kind}.json"
        old = json.loads(path.read_text("utf-8")) if path.exists() else {}
        model = Path("/proc/device-tree/model")
        told = {
            "host": platform.node(), "rig": table.kind, "kernel": platform.release(), "machine": platform.machine(),
            "model": model.read_text("utf-8").strip("\0") if model.exists() else "no Raspberry Pi",
            "tests": {**old.get("tests", {}), test: {"at": int(time.time()), **figures}},
        }  # fmt: skip
        path.write_text(json.dumps(told, indent=1, sort_keys=True) + "\n", "utf-8")

    return write
