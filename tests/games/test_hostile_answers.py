"""Any screen of the network may answer anything: at every phase of every game it is refused, and nothing fails."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import pytest
from any_course import SHELF, Course

from companion.table import crank
from companion.table.cues import Choose
from companion.table.events import Chosen
from companion.table.game import Refusal
from companion.table.session import Session
from companion.table.things import Player

EACH = 3  # times that a question of a phase is answered wrongly
FEWEST, MOST = 5, 200  # courses; more than the fewest only for a phase that was never met
WRONG = (
    "", " ", "x", ":", "::", "+", ",", "-", "-1", "0", "0x1", "1e3", "1_0", "99", "²", "¾", "9" * 5000, "Mia",
    "Mia:", "Mia:x", "Mia:²", "Mia:-1", "Mia:99", ":1", "middle:", "middle:0", "nobody:1", "1+", "1+x", "a:", "z:pizza",
    "left:", "left:nobody", "number:", "number:x", "number:3:x", "plant:", "plant:A", "plant:-", "plant:A-a٣",
    "plant:A-", "rehome:,", "bonus:", "bonus:x:", "bonus:x:,", "\x00", "\ud800", "None", "[]",
)  # fmt: skip


def wrong(options: tuple[str, ...]) -> set[str]:
    """Texts of no shape, and of the right shape that name nothing."""
    near = {
        bent
        for option in options[:4]
        for bent in (option + ":", ":" + option, option + "x", option + "9" * 5000)
    }
    return ({*WRONG} | near) - {*options}


def asking(game: str) -> set[str]:
    """The phases of a game that wait for something; a tally has none."""
    if game.endswith("-tally"):
        return set()
    phases: dict[str, Any] = import_module(f"companion.games.{game}.game").PHASES
    return {
        name
        for name, phase in phases.items()
        if getattr(phase.legal, "__name__", "") not in ("no_cue", "_no_cue")
    }


def hostile(session: Session, answered: Counter[tuple[str, str]]) -> Iterator[Chosen]:
    """Wrong answers to the questions asked now, and to a question that nobody asks."""
    phase = getattr(session.state, "phase", "")
    choices = {cue.what: cue for cue in session.cues if isinstance(cue, Choose)}
    for what, cue in choices.items():
        if answered[phase, what] < EACH:
            yield from (Chosen(cue.player, what, text) for text in wrong(cue.options))
    if answered[phase, ""] < EACH:
        for player in (session.setting.players[0], Player("nobody")):
            yield from (
                Chosen(player, what, text) for what in ("", "x", "glass") for text in ("", "Mia:x", "1")
            )
    answered.update((phase, what) for what in (*choices, ""))


@pytest.mark.parametrize("game", SHELF)
def test_an_answer_that_nobody_offers_is_refused_at_every_phase(game: str) -> None:
    """Of the right shape and of none, by those asked and by others; no rule fails on it."""
    answered: Counter[tuple[str, str]] = Counter()
    phases, seed = asking(game), 0
    while seed < FEWEST or (seed < MOST and not phases <= {phase for phase, _ in answered}):
        seed += 1
        for session in Course(game, seed, strange=0.1 if seed % 3 else 0.0).sessions():
            for event in hostile(session, answered):
                turn = crank.advance(SHELF, session, event)
                assert isinstance(turn, Refusal), (session.state.phase, event.cue, event.option[:40])
    assert {phase for phase, _ in answered} >= phases
