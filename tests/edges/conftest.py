"""The table that tests of the screens are given."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from screen_table import Table


@pytest.fixture
def table() -> Iterator[Table]:
    made = Table()
    with made.browser:
        yield made
