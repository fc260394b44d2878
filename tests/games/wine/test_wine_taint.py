"""Never a memory aid: change only what glasses hold, and every byte that goes out stays the same."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from itertools import count
from typing import Any

import pytest
from wine_random import GLASSES, Twins, twins
from wine_table import DECK, SHELF

from companion.edges.screen.projection import Projection
from companion.games.wine.game import GAME
from companion.games.wine.state import State, Up
from companion.house import News
from companion.table import crank
from companion.table.crank import Turn
from companion.table.events import Chosen, Pressed, Rang, Undone
from companion.table.game import Operator, Refusal, Seat, Table
from companion.table.session import Session
from companion.wire import screen_message

STATES = 2_000


def roles(session: Session) -> list[str]:
    return ["table", "operator", *(f"seat:{player}" for player in session.setting.players)]


def outputs(session: Session, projection: Projection, heard: News) -> bytes:
    """Everything a screen, a phone, the undo list, lamps, clocks and the camera's orders carry, as bytes."""
    screens = [screen_message.state(projection.state(session, heard, role)) for role in roles(session)]
    steps = screen_message.state({"steps": projection.steps(session)})
    viewers = [Table(), Operator(), *(Seat(player) for player in session.setting.players)]
    looks = [repr(crank.look(session, viewer)) for viewer in viewers]
    rest = [repr(looks), repr(crank.wake(session)), repr(crank.score(session)), repr(session.cues)]
    return b"\n".join([*screens, steps, *(each.encode() for each in rest)])


def said(twin: Twins) -> tuple[News, News]:
    one, two = (
        News(captions=tuple(e for e in effects if type(e).__name__ == "Say")) for effects in twin.effects
    )
    return one, two


def test_two_thousand_states_tell_nothing_of_the_glasses_that_were_seen_in_them() -> None:
    """Twin courses: the same words, cards and outcomes, other glasses; also through swaps, thefts and undo."""
    states = differing = 0
    phases: Counter[str] = Counter()
    for seed in count():
        if states >= STATES:
            break
        first, second = Projection(), Projection()
        for twin in twins(seed):
            states += 1
            phases[twin.one.state.phase] += 1
            differing += twin.one.state != twin.two.state
            assert twin.effects[0] == twin.effects[1]
            heard = said(twin)
            assert outputs(twin.one, first, heard[0]) == outputs(twin.two, second, heard[1])
    assert differing > STATES // 2
    assert {
        "show",
        "down",
        "fine",
        "sommelier_lost",
        "contest_race",
        "fair_look",
        "stop_window",
        "looking",
    } <= set(phases)


def test_going_back_and_forth_tells_nothing_either() -> None:
    """An undo brings back the moment in which a glass lay open: now it lies face down, and nothing tells of it."""
    went_back = 0
    for seed in range(40, 45):
        course = list(twins(seed))
        end = course[-1]
        for there in [twin for twin in course if twin.one.state.shown][:5]:
            event = Undone(there.one.last)
            first, second = crank.advance(SHELF, end.one, event), crank.advance(SHELF, end.two, event)
            assert isinstance(first, Turn) and isinstance(second, Turn)
            assert first.session.state.shown == there.one.state.shown
            went_back += first.session.state.shown != second.session.state.shown
            assert first.effects == second.effects
            one, two = (outputs(turn.session, Projection(), News()) for turn in (first, second))
            assert one == two
    assert went_back


def hidden_changed(state: State, dice: random.Random) -> State:
    """The same table with other glasses: whatever was seen, and whatever lies open, holds something else."""
    mixed = dict(zip(GLASSES, dice.sample(GLASSES, len(GLASSES)), strict=True))
    shown = {owner: Up(mixed[up.card], up.t) for owner, up in state.shown.items()}
    seen = tuple(replace(each, card=mixed[each.card]) for each in state.seen)
    return replace(state, shown=shown, seen=seen)


def answers(session: Session, state: State) -> list[str]:
    """What the game answers to every press, choice and clock that it waits for, except where a glass decides."""
    told = []
    for cue in session.cues:
        if hasattr(cue, "button"):
            move: Any = Pressed(cue.player, cue.button, 10**15)
        elif hasattr(cue, "options"):
            move = Chosen(cue.player, cue.what, (*cue.options, "-")[0])
        elif hasattr(cue, "clock") and state.phase != "contest_race":
            move = Rang(cue.clock)
        else:
            continue
        answer = GAME.apply(state, move)
        told.append(
            repr(answer if isinstance(answer, Refusal) else (answer.says, GAME.view(answer.state, Table())))
        )
    return told


def test_any_state_with_other_glasses_looks_and_answers_the_same() -> None:
    """Only the two private fields are changed, each state by itself: views, cues, score and answers are equal."""
    dice, states, changed = random.Random(1), 0, 0
    for seed in range(100, 107):
        for twin in twins(seed):
            state: State = twin.one.state
            other = hidden_changed(state, dice)
            states += 1
            changed += state != other
            for viewer in (Table(), Operator(), Seat(state.order[0])):
                assert GAME.view(state, viewer) == GAME.view(other, viewer)
            assert GAME.legal(state) == GAME.legal(other) and GAME.score(state) == GAME.score(other)
            if states % 5 == 0 and state.phase != "finale":  # the map that follows it does tell
                assert answers(twin.one, state) == answers(twin.one, other)
    assert states > 500 and changed > states // 2


def test_the_test_would_find_a_view_that_tells() -> None:
    """A view that lets one seen glass out differs between the twins."""

    def told(state: State) -> object:
        return {**GAME.view(state, Table()), "last": state.seen[-1].card if state.seen else None}

    assert any(told(twin.one.state) != told(twin.two.state) for twin in twins(3))


def test_no_text_that_leaves_during_a_game_names_a_glass() -> None:
    """Neither a glass's id nor its wine, once the card that asked for the wine is done with."""
    for seed in range(4):
        projection = Projection()
        for place, twin in enumerate(twins(seed)):
            if place % 3:
                continue
            text = outputs(twin.one, projection, said(twin)[0]).decode()
            assert not [glass for glass in GLASSES if glass in text]
            wine = GAME.view(twin.one.state, Table())["wine"]
            if twin.one.state.phase == "down":
                assert wine is None and not any(
                    f"@{each}" in str(said(twin)) for each in ("red", "rose", "white")
                )


def test_the_map_after_the_game_is_the_first_that_tells() -> None:
    """Until the last step there is no map; then each glass has its way, and its wine where it was seen."""
    last = None
    for twin in twins(5):
        assert GAME.view(twin.one.state, Table())["map"] is None
        last = twin.one
    assert last is not None and last.state.phase == "finale"
    winner = last.state.winner
    step = GAME.apply(last.state, Pressed(winner, "bid", 1))  # type: ignore[arg-type]  # the button's own word
    assert not isinstance(step, Refusal)
    drawn: Any = GAME.view(step.state, Table())["map"]
    assert drawn["glasses"] and all(glass["way"] for glass in drawn["glasses"])
    known = [glass for glass in drawn["glasses"] if glass["wine"] is not None]
    assert known and all(DECK.face(seen.card) for seen in step.state.seen)


@pytest.mark.parametrize("phase", ["memorise", "looking", "under_the_table"])
def test_the_camera_has_no_zone_while_somebody_looks_alone(phase: str) -> None:
    """WINE-SET-04, WINE-OEN-02, WINE-AUD-01, WINE-MET-01, WINE-SNE-02: it rests, and the screens say so."""
    found = 0
    for seed in range(5):
        for twin in twins(seed):
            if twin.one.state.phase != phase:
                continue
            found += 1
            assert not any(type(cue).__name__ == "Show" for cue in twin.one.cues)
            assert GAME.view(twin.one.state, Table())["camera"] == "away"
            assert crank.wake(twin.one)[-1:] != () and not [
                effect.zones
                for effect in crank.wake(twin.one)
                if type(effect).__name__ == "Watch" and effect.zones
            ]
    assert found
