"""No sealed number leaves the state before the beat: change only sealed numbers, and nothing that goes out changes."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kuka_table import Desk

from companion.edges import bundles
from companion.edges.screen.projection import Projection
from companion.running.eyes import Sight
from companion.table.crank import Turn, look
from companion.table.game import Operator, Seat, Table
from companion.table.things import BID, Button, Player
from companion.wire import screen_message


def message(desk: Desk, role: str) -> Any:
    """What a screen of this role is sent."""
    return json.loads(screen_message.state(Projection().state(desk.session, None, role)))


def out(desk: Desk, answer: Any, seats: tuple[str, ...]) -> str:
    """Everything that leaves after one event; of `seats`, who have sealed a number, all but that number of their own."""
    views: list[Any] = [look(desk.session, viewer) for viewer in (Table(), Operator())]
    messages: list[Any] = [message(desk, role) for role in ("table", "operator")]
    for name in desk.names:
        own: Any = look(desk.session, Seat(name))
        told: Any = message(desk, f"seat:{name}")
        if name in seats:
            own["own"]["sealed"] = told["view"]["own"]["sealed"] = "own"
        views.append(own)
        messages.append(told)
    all_of_it = [json.dumps(each, sort_keys=True) for each in (*views, *messages)]
    effects = answer.effects if isinstance(answer, Turn) else answer
    return repr((effects, desk.session.cues, all_of_it))


@settings(max_examples=15, deadline=None)
@given(st.integers(2, 4), st.data())
def test_two_sets_of_sealed_numbers_look_the_same_until_the_beat_has_ended(
    players: int, data: st.DataObject
) -> None:
    """Also to the others' phones and the operator; only the own phone shows the own number."""
    first, second = Desk(players).lay(), Desk(players).lay()
    rows = st.integers(1, len(first.state.rows))
    entered = [data.draw(st.sampled_from(["phone", "key", "fingers"])) for _ in first.names]
    for place, (name, way) in enumerate(zip(first.names, entered, strict=True)):
        told = []
        for desk in (first, second):
            row = data.draw(rows)
            if way == "phone":
                answer = desk.choose(name, "row", str(row))
            else:
                answer = desk.press(name, Button(str(row)) if way == "key" else BID)
            told.append(out(desk, answer, first.names[: place + 1]))
            own: Any = look(desk.session, Seat(Player(name)))["own"]
            assert own["sealed"] == (None if way == "fingers" else row)
        assert told[0] == told[1]
    assert first.phase == second.phase == "beat"
    assert out(first, None, first.names) == out(second, None, second.names)


@pytest.mark.parametrize("viewer", [Table(), Operator(), Seat(Player("Sarah"))])
def test_a_sealed_number_is_in_nobody_elses_view_and_opens_with_the_beat(viewer: Any) -> None:
    desk = Desk(2).lay()
    desk.choose("Tim", "row", "5")
    desk.choose("Sarah", "row", "3")
    view: Any = look(desk.session, viewer)
    assert view["shown"] == {}
    assert "sealed" not in {key for key in view if key != "own"}
    desk.ring("beat")
    after: Any = look(desk.session, viewer)
    assert after["shown"] == {"Tim": 5, "Sarah": 3}


def test_what_a_row_is_worth_is_told_on_the_own_phone_only_and_may_be_switched_off() -> None:
    desk = Desk(2).lay()
    view: Any = look(desk.session, Seat(Player("Tim")))
    assert set(view["own"]["values"]) == {str(row) for row in range(1, 7)}
    assert all(type(worth) is int for worth in view["own"]["values"].values())
    assert "own" not in look(desk.session, Table()) and "own" not in look(desk.session, Operator())
    off: Any = look(Desk(2, row_values=False).lay().session, Seat(Player("Tim")))
    assert off["own"]["values"] == {}


def saved(desk: Desk, folder: Path, over: bool = False) -> bundles.Bundle:
    """The operator's bundle of the last ten seconds, read back."""
    session = desk.session
    if over:
        session = replace(session, head=replace(session.head, cues=()))
    file = Sight(folder, lambda: session).bundle()
    assert file is not None
    return bundles.read(folder / file[0])


@pytest.mark.parametrize("entry", ["phones", "keys"])
def test_the_operators_bundle_tells_no_number_while_the_game_runs_and_all_afterwards(
    tmp_path: Path, entry: str
) -> None:
    desk = Desk(3, **({} if entry == "phones" else {"entry": entry})).lay()
    if entry == "phones":
        assert isinstance(desk.choose("Tim", "row", "4"), Turn)
    else:
        assert isinstance(desk.press("Tim", Button("4")), Turn)
    running = saved(desk, tmp_path)
    assert running.events == () and "sealed" in running.table["events"]
    after = saved(desk, tmp_path, over=True)
    assert any(b'"4"' in line for line in after.events) and "events" not in after.table
