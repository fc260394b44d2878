"""Every game ends with three moments worth telling, in both languages, made of what the table saw."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from companion.shelf import phrases
from companion.sim.evenings import folders
from companion.table.record import MOMENTS, tales

sys.path.insert(0, str(Path(__file__).parent / "edges"))
from scenes import scenes


@pytest.mark.parametrize("game", folders())
def test_a_game_is_told_in_three_moments(game: str) -> None:
    end = scenes(game)[-1].session
    assert end.over
    told = tales(end)
    assert MOMENTS <= len(told) <= MOMENTS + 2
    for lang in ("en", "de"):
        for each in told:
            assert "{" not in phrases()[game].text(lang, each.key, each.values)
