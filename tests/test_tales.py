"""Every game ends with three moments worth telling, in both languages, made of what the table saw."""

from __future__ import annotations

import re
import sys
from dataclasses import replace
from pathlib import Path

import pytest

import companion.games
from companion.shelf import phrases, shelf
from companion.sim.evenings import folders
from companion.table.foremost import foremost
from companion.table.record import MOMENTS, tales

sys.path.insert(0, str(Path(__file__).parent / "edges"))
from scenes import scenes

GAMES = Path(companion.games.__file__).parent


@pytest.mark.parametrize("game", folders())
def test_a_game_is_told_in_three_moments(game: str) -> None:
    end = scenes(game)[-1].session
    assert end.over
    told = tales(end)
    assert MOMENTS <= len(told) <= MOMENTS + 2
    for lang in ("en", "de"):
        for each in told:
            assert "{" not in phrases()[game].text(lang, each.key, each.values)


def test_only_who_is_ahead_of_all_others_is_told_of() -> None:
    assert foremost({"Mia": 2, "Paul": 1}) == ("Mia", 2)
    assert foremost({"Mia": 2, "Paul": 2, "Ada": 1}) is None
    assert foremost({"Mia": 0}) is None
    assert foremost({}) is None


@pytest.mark.parametrize("game", folders())
def test_nobody_is_told_to_be_the_most_of_anything_who_shares_it(game: str) -> None:
    told = GAMES / game / "tales.py"
    if told.exists():
        picked = re.findall(r"most_common|max\([^)]*key=", told.read_text("utf-8"))
        assert picked == [], "take companion.table.foremost: it tells nothing of equals"


def test_two_who_lost_equally_often_are_not_told_apart() -> None:
    end = scenes("kukakoenig")[-1].session.state
    mia, paul = list(end.collections)[:2]
    own = shelf()["kukakoenig"].game.tales
    keys = [say.key for say in own((replace(end, lost={mia: 2, paul: 2}, alike={}),))]
    assert "tale.stubborn" not in keys
    keys = [say.key for say in own((replace(end, lost={mia: 3, paul: 2}, alike={}),))]
    assert "tale.stubborn" in keys
