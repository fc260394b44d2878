"""What a game says lies in a zone: the list by hand begins with it, whatever became of cards without being shown."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from typing import Any

import pytest
from any_course import CROWD, SHELF, Course

from companion.games.karnivore.state import DISCARD, place_of
from companion.table import crank
from companion.table.crank import Turn
from companion.table.cues import Show
from companion.table.events import Shown, Undone
from companion.table.game import Operator, Refusal
from companion.table.session import Session
from companion.table.things import CardId, Zone

QUIET = ("did", "prompt")
# What a game may say to its own list: it knows, or what it asked for (clear it, make room) is still to come.
AS_BEFORE = ("nothing_new", "still_there", "eighth_needs_removal")


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
            if lies and turn.code not in AS_BEFORE:
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


# --- what was just shown is told ---------------------------------------------------------------------


def _karnivore(state: Any, zone: Zone, card: CardId) -> bool:
    """The discard pile tells none of its cards; cards that are known elsewhere or of another edition do not count."""
    where = place_of(state, card)
    return zone == DISCARD or card not in state.box or where not in (None, f"@zone.{zone}")


def _koala(state: Any, zone: Zone, card: CardId) -> bool:
    """Bad cards go under the pile; team cards that made no teams are asked for anew, all of them."""
    again = state.phase == "scan_teams" and not state.shown
    return again or (state.phase == "refill" and card in state.shown)


# Why a card that was shown in a zone is not told to lie there, by game.
GONE: Mapping[str, Callable[[Any, Zone, CardId], bool]] = {
    "karnivore": _karnivore,
    "koala": _koala,
    "kukakoenig": lambda state, zone, card: state.deck.by_id[card].kind == "number",  # beside the row
    "wine": lambda state, zone, card: card in state.spent,
}


def untold(session: Session) -> list[str]:
    """Cards that the step has just taken from a zone still asked for, and that nobody is told of there."""
    event = session.head.event
    if not isinstance(event, Shown) or event.zone.startswith(session.box.game.private):
        return []
    gone = GONE[session.setting.game]
    asked = [cue for cue in session.cues if isinstance(cue, Show) and cue.zone == event.zone]
    return [
        f"{session.state.phase} {cue.zone}: {card}"
        for cue in asked for card in event.cards
        if card not in (*cue.expect.lying, *cue.expect.seen) and not gone(session.state, cue.zone, card)
    ]  # fmt: skip


@cache
def steps(game: str, seed: int) -> tuple[Session, ...]:
    """A course without strange readings: every session in it once."""
    every = Course(game, seed, strange=0, moves=250).sessions()
    return tuple({id(session): session for session in every}.values())


@pytest.mark.parametrize("game", sorted(GONE))
@pytest.mark.parametrize("seed", range(3))
def test_what_was_just_shown_in_a_zone_still_asked_for_is_told_to_lie_there(game: str, seed: int) -> None:
    for session in steps(game, seed):
        assert untold(session) == [], f"after {session.head.event}"


def silent(session: Session) -> Session:
    """The same moment of a game that tells nothing of what lies in its zones."""
    cues = tuple(
        replace(cue, expect=replace(cue.expect, lying=(), seen=())) if isinstance(cue, Show) else cue
        for cue in session.cues
    )
    return replace(session, head=replace(session.head, cues=cues))


@pytest.mark.parametrize("game", sorted(GONE))
def test_a_game_that_told_nothing_of_its_zones_would_be_found_out(game: str) -> None:
    assert any(untold(silent(session)) for seed in range(3) for session in steps(game, seed))
