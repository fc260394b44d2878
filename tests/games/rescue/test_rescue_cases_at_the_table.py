"""The worked cases of turns, played at a table while another still draws: a die, what the phone tells, and "ready"."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from adapted import adapter
from rescue_table import Game

from companion.games.rescue.rules_draw import names
from companion.games.rescue.rules_turn import open_lines
from companion.table.things import Player

HERE = Path(__file__).parent
FILES = (HERE.parents[1] / "cases" / "rescue.cases.json", HERE / "own.cases.json")
READ = [json.loads(path.read_text("utf-8")) for path in FILES]
CASES = [case for read in READ for case in read["cases"] if case["kind"] == "turn"]
MAPS, SHAPES = READ[0]["maps"], READ[0]["shapes"]
ME = Player("P1")


ADAPTER = adapter("rescue")


def begun(given: Mapping[str, Any]) -> Game:
    """A game on the case's map and sheet, the die rolled; in the last turn where the case says so."""
    board = {**MAPS[given["map"]], "name": given["map"], "shapes": SHAPES}
    game = Game(2, map=board, **given.get("options", {}))
    assert game.opened is None
    state = game.session.state
    own = replace(state.pupils[ME], sheet=ADAPTER._sheet(state.board, given["sheet"]))
    flow = replace(state.flow, turn=given.get("turn", 1) - 1)
    state = replace(state, pupils={**state.pupils, ME: own}, flow=flow)
    game.session = replace(game.session, head=replace(game.session.head, state=state))
    assert game.type(given.get("roll", given["number"])) is None
    return game


def told(event: Mapping[str, Any]) -> str:
    """One event of a case as a phone tells it."""
    kind = event["e"]
    if kind == "single":
        kind, cells = ("plant", [event["tree"]]) if "tree" in event else ("rehome", [event["koala"]])
        return f"{kind}:{names(map(tuple, cells))}"
    if kind == "bonus":
        wishes = (names([tuple(wish)]) if isinstance(wish, list) else wish for wish in event["do"])
        return f"bonus:{event['line'].replace(':', '-', 1)}:{','.join(wishes)}".rstrip(":")
    return "mixed" if kind == "mixed" else f"{kind}:{names(map(tuple, event['cells']))}"


def hear(game: Game, event: Mapping[str, Any]) -> str:
    """The refusal's code, or ""."""
    fault = game.draw("P1", "ready" if event["e"] == "done" else told(event))
    return "" if fault is None else fault.code


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_a_turn_comes_out_the_same_at_the_table(case: Mapping[str, Any]) -> None:
    """The sheet, and which bonuses were used, are open, or are lost; or the same refusal."""
    given, expect = case["given"], case["expect"]
    game = begun(given)
    codes = []
    if "roll" in given:
        fault = game.draw("P1", f"number:{given['number']}:{given['volunteers']}")
        codes.append("" if fault is None else fault.code)
    codes += [hear(game, event) for event in case["events"]]
    code = next(filter(None, codes), "")
    assert code == expect.get("error", "")
    if code:
        return
    state = game.session.state
    own = state.pupils[ME]
    turn = (own.draft or own.done).turn
    sheet = turn.sheet
    assert (len(sheet.trees), len(sheet.koalas)) == (expect["trees"], expect["koalas"])
    assert sorted(sheet.connected) == expect["connected"]
    beds = {hospital.id: n for hospital, n in zip(state.board.hospitals, sheet.beds, strict=True) if n}
    assert (beds, sheet.volunteers) == (expect["hospitals"], expect["volunteers_available"])
    assert (list(turn.used), sorted(turn.lost)) == (expect["bonuses_used"], sorted(expect["lost"]))
    assert sorted(open_lines(state.board, turn, state.rulings)) == sorted(expect["bonuses_open"])
    if own.draft is None:
        assert game.draw("P2", "plant:A-a1", "ready") is None
        assert game.session.state.pupils[ME].sheet == sheet
