"""How long the table needs on this machine: from nothing to a game, and back to serving after kill -9."""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from pathlib import Path

from tests.bench.trust_service import Service, cold, of_unit

KILLS = int(os.environ.get("COMPANION_KILLS") or 20)
PATIENCE_S = 6.0  # of people at a table that has gone


def test_a_table_opens_and_comes_back_in_time(keep: Callable[..., None], tmp_path: Path) -> None:
    """No wiring is needed. The bytecode is made by the first start, as an installation makes it."""
    service = Service(tmp_path)
    first = service.start()
    service.kill()
    for file in tmp_path.glob("j.*"):
        file.unlink()
    opened = cold(service)
    spent, back = service.spent, list[float]()
    for _ in range(KILLS):
        back.append(service.start())
        service.operator().act(random.Random(1))
        service.kill()
    slowest = max(back) + of_unit("RestartSec")
    keep(
        "start", first_s=round(first, 2), cold_to_a_game_s=round(opened, 2), cpu_until_serving_s=round(spent, 2),
        killed_to_serving_median_s=round(sorted(back)[len(back) // 2], 2), killed_to_serving_max_s=round(slowest, 2),
        kills=KILLS,
    )  # fmt: skip
    assert slowest <= PATIENCE_S
