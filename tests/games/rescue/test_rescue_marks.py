"""Marks that cannot be: each is named, by a circle that is filled."""

from __future__ import annotations

import pytest

from companion.games.rescue.map_file import parse
from companion.games.rescue.options import DEFAULTS
from companion.games.rescue.sheet_marks import told

BOARD = parse(
    {
        "areas": [
            {"id": "A", "rows": ["KK"], "row_bonus": ["skybridge B"], "col_bonus": ["hospital", "volunteer"]},
            {"id": "B", "rows": ["KK"], "row_bonus": ["hospital"]},
        ],
        "start_volunteers": 1, "volunteer_slots": 4,
        "hospitals": [{"id": "h", "size": 2, "points": 2}, {"id": "k", "size": 3, "points": 3}],
        "badges": [{"id": "two", "points": [3, 1], "needs": "volunteers", "count": 2}],
    }
)  # fmt: skip
A = {"tree:A-a1", "tree:A-b1", "koala:A-a1", "koala:A-b1", "bonus:A-row0", "bonus:A-col0", "bonus:A-col1"}


def named(*marks: str) -> dict[str, str]:
    """The marks that cannot be, each with why; every one is filled."""
    found = {mark: say.key for mark, say in told(BOARD, marks, DEFAULTS).faults}
    assert found.keys() <= set(marks)
    return found


def test_whoever_starts_with_a_volunteer_need_not_mark_it() -> None:
    for won in ((), ("won:1",)):
        assert named("used:1", *won) == {}
        assert named("used:1", "used:2", *won) == {"used:2": "fault.used"}
        assert named(*A, "won:2", "badge:two:first", *won) == {}
        assert named("badge:two:first", *won) == {"badge:two:first": "fault.badge"}


@pytest.mark.parametrize(
    ("marks", "wrong", "why"),
    [
        (("won:4",), "won:4", "fault.volunteers"),
        ((*A, "won:2", "won:4"), "won:4", "fault.volunteers"),
        (("used:2", "used:4"), "used:4", "fault.used"),
        (("bed:h:2",), "bed:h:2", "fault.hospitals"),
        ((*A, "bed:k:2", "bed:k:3"), "bed:k:3", "fault.hospitals"),
        ((*A, "bed:h:1", "bed:h:2", "bed:k:2"), "bed:k:2", "fault.hospitals"),
        ((*A, "bed:h:2", "bed:k:1", "bed:k:2", "bed:k:3"), "bed:h:2", "fault.hospitals"),
        (("tree:A-a1", "koala:A-b1"), "koala:A-b1", "no.koala_needs_circled_tree"),
        (("tree:A-a1", "bonus:A-col0"), "bonus:A-col0", "no.line_not_complete"),
        (("tree:B-a1",), "tree:B-a1", "no.area_not_connected"),
    ],
)
def test_the_mark_that_can_be_spared_is_named(marks: tuple[str, ...], wrong: str, why: str) -> None:
    assert named(*marks) == {wrong: why}


def test_a_koala_in_an_area_that_is_not_connected_is_named_like_its_tree() -> None:
    why = "no.area_not_connected"
    assert named("tree:B-a1", "koala:B-a1") == {"tree:B-a1": why, "koala:B-a1": why}
    assert named(*A, "tree:B-a1", "koala:B-a1") == {}


def test_more_koalas_than_thirty_turns_can_bring_are_named_without_any_tree() -> None:
    rows = ["K" * 12] * 8
    board = parse({"areas": [{"id": sign, "rows": rows} for sign in "AB"]})
    marks = {
        f"koala:{area}-{column}{row}" for area in "AB" for column in "abcdefghijkl" for row in range(1, 9)
    }
    assert ("koala:B-l8", "fault.circles") in {
        (mark, say.key) for mark, say in told(board, marks, DEFAULTS).faults
    }
