"""Back and forth in the steps of a game that is over: its end stays within reach, whatever clocks did meanwhile."""

from __future__ import annotations

from typing import Any

import pytest
from scenes import scenes

from companion.edges.screen.projection import Projection
from companion.edges.screen.rights import OPERATOR
from companion.shelf import shelf
from companion.table import crank
from companion.table.crank import Turn
from companion.table.cues import Press, Wait
from companion.table.events import Event, Pressed, Rang, Undone
from companion.table.session import Session

SHELF = shelf()


def turn(session: Session, event: Event) -> Session:
    done = crank.advance(SHELF, session, event)
    assert isinstance(done, Turn), done
    return done.session


def told(session: Session) -> dict[str, Any]:
    return Projection().state(session, None, OPERATOR)


def clocks(session: Session) -> list[Wait]:
    return [cue for cue in session.cues if isinstance(cue, Wait)]


def back_to_a_clock(session: Session) -> Session:
    """One step back after the other, until a clock runs that makes a step."""
    while True:
        session = turn(session, Undone(next(iter(list(session.path())[1:2])).number))
        for cue in clocks(session):
            if isinstance(crank.advance(SHELF, session, Rang(cue.clock)), Turn):
                return session


@pytest.fixture(scope="module")
def end() -> Session:
    return scenes("kukakoenig")[-1].session


def test_steps_that_only_clocks_made_take_no_redo_away(end: Session) -> None:
    back = back_to_a_clock(end)
    ahead = told(back)["ahead"]
    rung = turn(back, Rang(clocks(back)[0].clock))
    after = told(rung)
    assert after["steps"][0]["clock"] == clocks(back)[0].clock.name
    assert after["ahead"] == ahead and ahead[-1]["end"] == list(crank.score(end).winners)
    session = rung
    while told(session)["ahead"]:
        session = turn(session, Undone(told(session)["ahead"][0]["n"]))
    assert session.over and session.head is end.head


def test_a_course_that_ended_is_listed_however_many_others_were_left(end: Session) -> None:
    session = end
    for node in list(end.path())[1:]:
        back = turn(end, Undone(node.number))
        press = next(
            (Pressed(cue.player, cue.button, 10**15) for cue in back.cues if isinstance(cue, Press)), None
        )
        away = crank.advance(SHELF, back, press) if press else None
        if isinstance(away, Turn) and not away.session.over:
            break
    assert press is not None
    for _ in range(8):
        session = turn(turn(session, Undone(node.number)), press)
    ends = [step for step in told(session)["left"] if "end" in step]
    assert [step["n"] for step in ends] == [end.head.number]
    assert ends[0]["end"] == list(crank.score(end).winners)
    assert len(told(session)["left"]) == 6


def test_what_was_read_is_said_in_the_steps(end: Session) -> None:
    read = [step for step in Projection().steps(end) if step["did"]["key"].startswith("did.row_")]
    assert read and all(step["did"]["values"]["cards"] for step in read)
