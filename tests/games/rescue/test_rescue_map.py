"""Maps are data: read, written, checked; the practice map and the shapes say where they come from."""

from __future__ import annotations

import itertools
import tomllib
from importlib.resources import files

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.rescue.map_file import parse, read, write
from companion.games.rescue.maps import chosen, practice
from companion.games.rescue.options import DEFAULTS
from companion.games.rescue.rules_map import BadMap
from companion.games.rescue.rules_shapes import PRESET, congruent, forms, placements, settled
from companion.games.rescue.sheet_layout import (
    CORNERS,
    MARKER,
    SHEETS,
    corner_markers,
    layout,
    sheet_number,
)
from companion.games.rescue.sheet_marks import marked, told
from companion.table.game import Refusal

TEXT = (files("companion.games.rescue") / "map.toml").read_text("utf-8")
SPOTS = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=5, unique=True)


def test_the_practice_map_is_our_own_and_says_so() -> None:
    board = practice()
    assert board.made_up
    assert board.source == "drawn for this companion"
    assert [area.id for area in board.areas] == ["A", "B", "C", "D", "E"]
    reachable, grown = {"A"}, True
    while grown:  # every area can be reached over the skybridges of reachable ones
        more = {bonus.to for line, bonus in board.bonuses.items() if bonus.to and line[0] in reachable}
        grown, reachable = not more <= reachable, reachable | more
    assert reachable == set(board.area)


def test_the_preset_of_shapes_is_called_unverified() -> None:
    assert practice().shapes == PRESET
    assert practice().shapes_source == "unverified"
    assert parse({"areas": [{"id": "A", "rows": ["K"]}]}).shapes_source == "unverified"


def test_a_map_that_is_written_is_read_back_the_same() -> None:
    board = practice()
    assert read(write(board)) == board
    own = parse(
        {**tomllib.loads(TEXT), "shapes": [[[0, 0]]] * 6, "shapes_source": "my sheet", "name": 'a "b" \\ c'}
    )
    assert read(write(own)) == own


@settings(deadline=None)
@given(st.binary(max_size=60), st.integers(0, len(TEXT)))
def test_a_broken_file_is_a_bad_map_with_words_and_nothing_else(junk: bytes, at: int) -> None:
    text = TEXT[:at] + junk.decode("latin-1") + TEXT[at:]
    try:
        read(text)
    except BadMap as fault:
        assert str(fault).startswith("map.toml")


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"areas": []}, "areas: a list"),
        ({"areas": [{"id": "a", "rows": ["K"]}]}, r"areas\[0\].id"),
        ({"areas": [{"id": "A", "rows": ["K", "KK"]}]}, "rows of one length"),
        ({"areas": [{"id": "A", "rows": ["KX"]}]}, "'X' is no cell"),
        ({"areas": [{"id": "A", "rows": ["K"], "row_bonus": ["moon"]}]}, "'moon' is no bonus"),
        ({"areas": [{"id": "A", "rows": ["K"], "row_bonus": ["skybridge"]}]}, "leads somewhere"),
        ({"areas": [{"id": "A", "rows": ["K"], "row_bonus": ["skybridge Z"]}]}, "leads to Z"),
        ({"areas": [{"id": "A", "rows": ["K"], "row_bonus": ["tree", "tree"]}]}, "2 bonuses for 1 lines"),
        ({"areas": [{"id": "A", "rows": ["K"]}] * 2}, "A is given twice"),
        (
            {"areas": [{"id": "A", "rows": ["K"], "at": [0, 0]}, {"id": "B", "rows": ["K"], "at": [0, 0]}]},
            "lies on area A",
        ),
        ({"areas": [{"id": "A", "rows": ["K"], "at": [-1, 0]}]}, r"\[row, column\]"),
        ({"start_area": "Z"}, "start_area"),
        ({"start_volunteers": 7}, "7 of 6 circles"),
        ({"volunteer_slots": "six"}, "volunteer_slots"),
        ({"hospitals": [{"id": "h", "size": 0, "points": 1}]}, "size"),
        ({"hospitals": [{"id": "h", "size": 2, "points": 1}] * 2}, "h is given twice"),
        ({"badges": [{"id": "b", "points": [1, 2], "needs": "trees", "of": "A"}]}, "first, later"),
        ({"badges": [{"id": "b", "points": [2, 1], "needs": "stars"}]}, "'stars'"),
        ({"badges": [{"id": "b", "points": [2, 1], "needs": "trees", "of": "Q"}]}, "no area 'Q'"),
        ({"shapes": [[[0, 0]]]}, "six shapes"),
        ({"ranks": [1, 2]}, "4 numbers"),
        ({"ranks": [4, 3, 2, 1]}, "rising"),
        ({"areas": ["A"]}, "a table is needed"),
    ],
)
def test_what_is_wrong_with_a_map_is_named_by_its_place(change: dict, says: str) -> None:
    with pytest.raises(BadMap, match=says):
        parse({"areas": [{"id": "A", "rows": ["KK"]}], **change})


def test_a_map_comes_with_the_setting_as_text_or_data_or_not_at_all() -> None:
    assert chosen({"map": TEXT}, DEFAULTS) == chosen({"map": tomllib.loads(TEXT)}, DEFAULTS) == practice()
    assert chosen({}, {**DEFAULTS, "RESC-AMB-01": "light_only"}) is None
    for text in ("rows = [", "rows = " + "[" * 3000, "rows = " + "[" * 3000 + "]" * 3000):
        fault = chosen({"map": text}, DEFAULTS)
        assert isinstance(fault, Refusal)
        assert fault.code == "bad_map"


@settings(deadline=None)
@given(SPOTS)
def test_forms_are_all_turns_and_flips_and_nothing_more(spots: list) -> None:
    shape = settled(spots)
    turned = set()
    for flip, turns in itertools.product((1, -1), range(4)):
        now = [(row, flip * col) for row, col in shape]
        for _ in range(turns):
            now = [(col, -row) for row, col in now]
        turned.add(settled(now))
        assert congruent(now, shape)
    assert set(forms(shape)) == turned


@settings(deadline=None)
@given(SPOTS, SPOTS)
def test_placements_are_exactly_the_congruent_parts_of_a_grid(spots: list, grid: list) -> None:
    shape = settled(spots)
    brute = {
        frozenset(part) for part in itertools.combinations(sorted(grid), len(shape)) if congruent(part, shape)
    }
    assert set(placements(shape, grid)) == brute


def test_circles_of_the_printed_sheet_keep_apart_and_clear_of_the_corners() -> None:
    circles = layout(practice()).circles
    assert len({circle.id for circle in circles}) == len(circles)
    for one, other in itertools.combinations(circles, 2):
        assert ((one.x - other.x) ** 2 + (one.y - other.y) ** 2) ** 0.5 > one.r + other.r + 1
    for circle in circles:
        assert all(
            not (x - 4 < circle.x < x + MARKER + 4 and y - 4 < circle.y < y + MARKER + 4) for x, y in CORNERS
        )


def test_a_map_without_places_is_laid_out_without_overlaps_and_a_huge_one_refused() -> None:
    rows = ["KKKK"] * 3
    board = parse({"areas": [{"id": sign, "rows": rows, "row_bonus": ["tree"]} for sign in "ABCD"]})
    circles = layout(board).circles
    assert len({(circle.x, circle.y) for circle in circles}) == len(circles)
    huge = parse({"areas": [{"id": sign, "rows": ["K" * 12] * 12} for sign in "ABC"]})
    with pytest.raises(BadMap, match="too many for one page"):
        layout(huge)


def test_every_sheet_number_has_its_own_corners() -> None:
    seen = {corner_markers(number)[:2]: number for number in range(1, SHEETS + 1)}
    assert len(seen) == SHEETS
    assert all(sheet_number(*upper) == number for upper, number in seen.items())
    assert sheet_number(1, 2) is None
    with pytest.raises(BadMap, match="from 1 to 64"):
        corner_markers(65)


@settings(deadline=None)
@given(st.data())
def test_a_sheet_is_read_back_from_its_circles(data: st.DataObject) -> None:
    board = practice()
    trees = frozenset(data.draw(st.sets(st.sampled_from(sorted(board.trees)))))
    koalas = frozenset(data.draw(st.sets(st.sampled_from(sorted(board.koalas)))))
    beds = tuple(data.draw(st.integers(0, hospital.size)) for hospital in board.hospitals)
    circled = data.draw(st.integers(board.start_volunteers, board.slots))
    claimed = frozenset(data.draw(st.sets(st.sampled_from(sorted(board.bonuses)))))
    round1 = data.draw(st.none() | st.integers(-49, 49))
    from companion.games.rescue.rules_sheet import Sheet

    sheet = Sheet(trees, koalas, frozenset({"A"}), circled, data.draw(st.integers(0, circled)), beds, claimed)
    back = told(board, marked(board, sheet, {"koalas_a": "later"}, round1), DEFAULTS)
    assert (back.sheet.trees, back.sheet.koalas, back.sheet.beds, back.sheet.claimed) == (
        trees,
        koalas,
        beds,
        claimed,
    )
    assert (back.sheet.circled, back.sheet.used) == (circled, sheet.used)
    assert back.badges == {"koalas_a": "later"}
    assert back.round1 == round1
    assert {mark for mark, say in back.faults if say.key == "no.koala_needs_circled_tree"} == {
        f"koala:{area}-{'abcdefghijkl'[col]}{row + 1}" for area, row, col in koalas - trees
    }
