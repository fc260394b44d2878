"""The operator's page names each clock of each game in both languages: no raw key stands on a button."""

import re
from pathlib import Path

import pytest

import companion
from companion.edges.screen.pages import words

NAMED = re.compile(r"""\bClock\("(\w+)"|\bclock\(state, "(\w+)"\)""")


@pytest.mark.parametrize("lang", ["en", "de"])
def test_each_clock_has_a_name(lang: str) -> None:
    games = Path(companion.__file__).parent / "games"
    found = {a or b for path in games.rglob("*.py") for a, b in NAMED.findall(path.read_text("utf-8"))}
    assert {"call", "remind", "contest"} <= found
    assert sorted(f"clock.{name}" for name in found if f"clock.{name}" not in words(lang)) == []
