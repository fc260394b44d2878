"""Every test that the list of complaints names is there, so that no answer is only on paper."""

from __future__ import annotations

import re
from pathlib import Path

HERE = Path(__file__).parent


def test_every_named_test_exists() -> None:
    text = (HERE / "COMPLAINTS.md").read_text("utf-8")
    named = re.findall(r"`([\w/]+\.py)(?:::(test_\w+))?`", text)
    assert len(named) > 30
    for file, test in named:
        path = HERE / file
        assert path.exists(), file
        if test:
            assert re.search(rf"def {test}\(", path.read_text("utf-8")), (file, test)


def test_every_row_has_an_answer() -> None:
    rows = [
        line for line in (HERE / "COMPLAINTS.md").read_text("utf-8").splitlines() if re.match(r"\| \d", line)
    ]
    assert len(rows) == 27
    assert all(".py" in row or "make " in row for row in rows)
