"""What a game says lies in a zone: the list by hand begins with it, whatever became of cards without being shown."""

from __future__ import annotations

import pytest
from any_course import CROWD, SHELF, Course

from companion.table import crank
from companion.table.crank import Session, Turn
from companion.table.cues import Show
from companion.table.events import Shown, Undone
from companion.table.game import Operator, Refusal

QUIET = ("did", "prompt")


def faults(session: Session) -> list[str]:
    """Where the list of a zone, sent as the game gives it, would be news or an offence to that game."""
    found = []
    before = dict(crank.look(session, Operator()))
    for cue in session.cues:
        if not isinstance(cue, Show) or cue.zone.startswith(session.box.game.private):
            continue
        lies = (*cue.expect.lying, *cue.expect.seen)
        if len(set(lies)) < len(lies):
            found.append(f"{cue.zone}: {lies} has a card twice")
        turn = crank.advance(SHELF, session, Shown(cue.zone, lies))
        if isinstance(turn, Refusal):
            if turn.code in ("belongs_elsewhere", "card_elsewhere", "one_after_the_other", "too_many_cards"):
                found.append(f"{before['phase']} {cue.zone}: {lies} {turn.code} {dict(turn.values)}")
        elif cue.expect.exactly is None and lies:
            after = crank.look(turn.session, Operator())
            changed = [key for key in before if key not in QUIET and after.get(key) != before[key]]
            if changed:
                found.append(f"{before['phase']} {cue.zone}: {lies} changes {changed}")
    return found


@pytest.mark.parametrize("game", sorted(CROWD))
@pytest.mark.parametrize("seed", range(3))
def test_what_a_game_says_lies_there_is_nothing_new_to_it_after_any_step_and_undo(
    game: str, seed: int
) -> None:
    last = None
    for number, session in enumerate(Course(game, seed, moves=250).sessions()):
        assert faults(session) == [], f"step {number} after {session.head.event}"
        last = session
    assert last is not None
    path = list(last.path())
    for node in path[1 :: max(1, len(path) // 12)]:
        turn = crank.advance(SHELF, last, Undone(node.number))
        if isinstance(turn, Turn):
            assert faults(turn.session) == []
