"""`companion sim` tells how far a long game has come, and names winners and numbers as people do."""

from __future__ import annotations

import re

from click.testing import CliRunner

from companion.cli import main
from companion.sim.evening import Result
from companion.tasks.simulating import EVERY_S, Progress, won_by
from companion.wire import league


def test_a_game_that_takes_its_time_says_now_and_then_how_far_it_is() -> None:
    now, said = [0.0], list[str]()
    progress = Progress(7, said.append, lambda: now[0])
    for _ in range(25):
        now[0] += EVERY_S / 10
        progress.acted()
    assert said == [f"seed 7: {acts} acts after {acts:.0f} s, the game goes on" for acts in (10, 20)]


def test_one_game_is_one_game_and_a_team_has_its_name() -> None:
    told = CliRunner().invoke(main, ["sim", "koala", "--players", "4", "--teams"])
    assert told.exit_code == 0 and "\n1 game in " in told.output
    assert re.search(r"winner team \d", told.output) and "team_" not in told.output, told.output
    result = Result("koala", 1, 4, {}, 9, 1, 9, ("team_2", "Mia"), {}, (), 0)
    assert won_by(result, "de") == "Team 2, Mia" and won_by(result) == "team 2, Mia"


def test_a_league_counts_in_singular_and_plural() -> None:
    one = league.League((), 1, 1, ("a",))
    many = league.League((), 0, 2, ("a", "b"))
    assert "1 game of 1 table; 1 does not count." in league.text(one, "en")
    assert "0 games of 2 tables; 2 do not count." in league.text(many, "en")
    assert "1 Spiel von 1 Tisch; 1 zählt nicht." in league.text(one, "de")
    assert "0 Spiele von 2 Tischen; 2 zählen nicht." in league.text(many, "de")
