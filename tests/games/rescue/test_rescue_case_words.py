"""The words of worked cases: those of the rules are known, any other is an error that names its place."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from adapted import adapter

from companion.games.rescue.options import RULINGS
from companion.table.game import Refusal

ADAPTER = adapter("rescue")
SHEET = {
    "trees": [["A", 0, 0]], "koalas": [["A", 0, 0]], "connected": ["B"], "hospitals": {"h3": 1},
    "volunteers_circled": 3, "volunteers_used": 1, "bonuses_claimed": ["A:row1"],
}  # fmt: skip
TURN = {"map": "test", "number": 3, "sheet": {}}
PLANT = {"e": "plant", "cells": [["A", 0, 0]]}


def said(kind: str, given: Mapping[str, Any], *events: Mapping[str, Any]) -> Any:
    return ADAPTER.KINDS[kind].answer(given, events)


def test_everything_that_a_sheet_of_the_rules_has_can_be_given() -> None:
    after = said("turn", {**TURN, "sheet": SHEET}, {"e": "single", "tree": ["B", 0, 0]}, {"e": "ready"})
    assert (after["trees"], after["koalas"], after["hospitals"]) == (2, 1, {"h3": 1})
    assert after["volunteers_available"] == 2


@pytest.mark.parametrize("option", RULINGS, ids=lambda option: option.id)
def test_every_ruling_is_understood_in_every_kind_of_case(option) -> None:
    for setting in option.allowed:
        told = {"options": {option.id: setting}}
        assert not isinstance(said("turn", {**TURN, **told}, PLANT, {"e": "bonus", "line": "A:row0"}), dict)
        assert said("volunteers", {"roll": 1, "want": 2, "use": 1, "available": 1, **told})["left"] == 0
        assert said("badges", {"badges": {}, **told}) == {"got": {}}
        assert said("score", {"map": "test", "players": {}, **told}) == {}
        assert said("winner", {"totals": {"P": 1}, **told}) == {"winners": ["P"]}
        assert said("rank", {"scores": [30], **told}) == {"ranks": ["President"]}
        assert said("flow", {"players": 1, **told})["state"] == "roll"


def test_badges_are_told_as_points_or_by_their_names() -> None:
    for badges in ([3, 2], {"x": 3, "y": 2}):
        after = said("score", {"map": "test", "players": {"P": {"round1": {}, "badges": badges}}})
        assert after == {"P": {"badges": 5, "round1": 0, "total": 5}}


def test_what_a_bonus_is_used_for_may_be_called_a_choice() -> None:
    sheet = {"trees": [["A", 0, n] for n in range(3)], "koalas": [["A", 0, 0], ["A", 0, 1]]}
    done = {"e": "rehome", "cells": [["A", 0, 2]]}
    for word in ({"do": [["A", 1, 1]]}, {"choice": ["A", 1, 1]}, {"choice": [["A", 1, 1]]}):
        after = said("turn", {**TURN, "sheet": sheet}, done, {"e": "bonus", "line": "A:row0", **word})
        assert (after["trees"], after["bonuses_used"]) == (4, ["A:row0"])
    fault = said(
        "turn", {**TURN, "sheet": sheet}, done, {"e": "bonus", "line": "A:row0", "choice": ["B", 0, 0]}
    )
    assert isinstance(fault, Refusal)
    assert fault.code == "area_not_connected"


@pytest.mark.parametrize(
    ("kind", "given", "events", "place"),
    [
        ("turn", {**TURN, "map": "tset"}, (), "given.map knows no tset"),
        ("turn", {**TURN, "sheet": {"bushes": []}}, (), "given.sheet knows no bushes"),
        ("turn", {**TURN, "sheet": {"connected": ["Q"]}}, (), "given.sheet.connected knows no Q"),
        ("turn", {**TURN, "sheet": {"hospitals": {"h9": 1}}}, (), "given.sheet.hospitals knows no h9"),
        ("turn", TURN, (PLANT, {"e": "dance"}), r"events\[1\]: unknown event 'dance'"),
        ("turn", {**TURN, "options": {"RESC-AMB-99": "x"}}, (), "given.options"),
        ("turn", {**TURN, "options": {"RESC-AMB-04": "x"}}, (), "given.options"),
        ("score", {"map": "test", "players": {"P": {"round3": {}}}}, (), "given.players.P knows no round3"),
        ("score", {"map": "test", "players": {"P": {"round1": {"area": {}}}}}, (), "given.players.P.round1 knows no area"),
        ("score", {"map": "test", "players": {"P": {"round1": {"fill_areas": {"Q": "trees"}}}}}, (), "round1.fill_areas knows no Q"),
        ("score", {"map": "test", "players": {"P": {"round1": {"fill_areas": {"A": "bushes"}}}}}, (), "fill_areas knows no bushes"),
        ("badges", {"badges": {}, "first_turn": {"x": 1}}, (), "given.first_turn knows no x"),
        ("badges", {"badges": {}, "got": {"P": {"x": 1}}}, (), "given.got.P knows no x"),
        ("flow", {"players": 1}, ({"e": "rol", "value": 1},), r"events\[0\]: unknown event 'rol'"),
    ],
)  # fmt: skip
def test_an_unknown_word_names_its_place(kind: str, given: Any, events: Any, place: str) -> None:
    with pytest.raises(ValueError, match=place):
        said(kind, given, *events)


def test_case_files_from_outside_bring_their_own_maps(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Maps of the same name stay as the public cases have them."""
    tiny = {"areas": [{"id": "A", "rows": ["K"]}]}
    shapes = {str(n): [[0, 0], [n, 0]] for n in range(1, 7)}
    told = {
        "game": "rescue",
        "schema_version": 1,
        "maps": {"tiny": tiny, "test": tiny},
        "shapes": shapes,
        "cases": [],
    }
    (tmp_path / "more.cases.json").write_text(json.dumps(told), "utf-8")
    monkeypatch.setenv("COMPANION_CASES", str(tmp_path))
    fresh = adapter("rescue")
    answer = fresh.KINDS["turn"].answer({"map": "tiny", "number": 2, "sheet": {}}, [PLANT, {"e": "done"}])
    assert answer["trees"] == 1
    assert len(fresh._maps()["test"].areas) == 2
