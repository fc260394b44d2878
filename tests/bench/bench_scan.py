"""Twenty random finished tables of six caves, in rows, fans and handfuls, counted from their pictures."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from test_scanning import STYLES, finished_table, scan

from companion.games.koala.finished import finished

TABLES = 20


def rows() -> list[dict[str, Any]]:
    """How many were scored as they are, how many were asked about, how many were wrong without a word."""
    right = asked = wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(100, 100 + TABLES):
            words, truth = finished_table(seed, Path(folder), STYLES[seed % len(STYLES)])
            sure, answer = scan(words)
            score, expected = answer["score"], finished(truth)
            same = isinstance(score, dict) and score["totals"] == expected["group_points"]
            right += sure and same
            asked += not sure
            wrong += sure and not same
    return [
        {"name": "finished tables scored as they are", "value": right, "unit": "tables", "goal": None, "met": None},
        {"name": "asked about instead", "value": asked, "unit": "tables", "goal": None, "met": None},
        {"name": "wrong without a word", "value": wrong, "unit": "tables", "goal": 0, "met": wrong == 0},
    ]  # fmt: skip
