"""Every ruling of Rescue Club is an option, and each of its settings makes a difference at a table."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rescue_table import Game

from companion.games.rescue.map_file import parse
from companion.games.rescue.options import DEFAULTS, OPTIONS, RULINGS, settle_options
from companion.games.rescue.rules_badges import TURNS, Badges, award
from companion.games.rescue.rules_flow import Flow, after, begun, ready, roll
from companion.games.rescue.rules_score import rank, round_points, total, winners
from companion.games.rescue.rules_sheet import complete, earned, fresh
from companion.games.rescue.rules_turn import begin, claim, draw, finish, open_lines
from companion.games.rescue.rules_volunteers import change, reachable, steps
from companion.table.game import Refusal

BOARD = parse(
    {
        "areas": [
            {"id": "A", "rows": ["KK", "KK"], "at": [0, 0], "row_bonus": ["koala", "hospital x3"], "col_bonus": ["skybridge B", "volunteer x2"]},
            {"id": "B", "rows": ["KT"], "at": [0, 4], "row_bonus": ["skybridge A"]},
        ],
        "start_volunteers": 1, "volunteer_slots": 2,
        "hospitals": [{"id": "h", "size": 2, "points": 2, "penalty": -1}],
        "badges": [{"id": "b", "points": [3, 1], "needs": "koalas", "of": "A"}, {"id": "v", "points": [2, 1], "needs": "volunteers", "count": 2}],
    }
)  # fmt: skip
A = [("A", row, col) for row in range(2) for col in range(2)]
A1, B1, A2, B2 = A  # as people name them: A-a1, A-b1, A-a2, A-b2


def ruled(number: int, setting: str) -> dict[str, object]:
    settled = settle_options({f"RESC-AMB-{number:02d}": setting})
    assert not isinstance(settled, Refusal)
    return settled


def sheet(trees=A, koalas=(), **more):
    return replace(fresh(BOARD), trees=frozenset(trees), koalas=frozenset(koalas), **more)


def rehomed(cells, koalas, rulings=DEFAULTS, number=1, last=False):
    turn = draw(BOARD, begin(BOARD, sheet(koalas=koalas), number, rulings, last), "rehome", cells, rulings)
    assert not isinstance(turn, Refusal), turn
    return turn


def test_every_ruling_is_an_option_with_its_default_first() -> None:
    assert [option.id for option in RULINGS] == [f"RESC-AMB-{n:02d}" for n in range(1, 22)]
    assert all(option.default == option.allowed[0] for option in RULINGS)
    alone = [option.id for option in RULINGS if len(option.allowed) == 1]
    assert alone == ["RESC-AMB-07", "RESC-AMB-16", "RESC-AMB-21"]  # nothing is left to change there


@pytest.mark.parametrize("option", OPTIONS, ids=lambda option: option.id)
def test_each_setting_is_accepted_and_a_wrong_one_names_the_right_ones(option) -> None:
    for setting in option.allowed or (option.default,):
        assert not isinstance(settle_options({option.id: setting}), Refusal)
    fault = settle_options({option.id: "nonsense"})
    assert isinstance(fault, Refusal)
    assert fault.code == "wrong_value"


def test_a_wrong_name_is_answered_with_the_one_meant() -> None:
    for name, meant in (("RESC-AMB-4", "RESC-AMB-04"), ("dept", "depth"), ("map_", "map")):
        fault = settle_options({name: 1})
        assert isinstance(fault, Refusal)
        assert fault.values["meant"] == meant


def test_01_without_a_map_the_practice_map_or_none() -> None:
    assert Game().look()["map"]["name"] == "practice"
    light = Game(AMB_01="light_only")
    assert light.look()["map"] is None
    assert light.look()["depth"] == "light"


def test_02_lines_end_with_their_area_or_run_on_through_others() -> None:
    full = sheet(koalas=[A1, B1])
    assert "A:row0" in complete(BOARD, full, DEFAULTS)
    assert "A:row0" not in complete(BOARD, full, ruled(2, "through_areas"))
    more = replace(full, koalas=full.koalas | {("B", 0, 0)})
    assert {"A:row0", "B:row0"} <= complete(BOARD, more, ruled(2, "through_areas"))


def test_03_trees_without_a_koala_are_ignored_or_block() -> None:
    full = sheet(trees=[*A, ("B", 0, 0), ("B", 0, 1)], koalas=[("B", 0, 0)], connected=frozenset("AB"))
    assert "B:row0" in complete(BOARD, full, DEFAULTS)
    assert "B:row0" not in complete(BOARD, full, ruled(3, "every_tree"))
    for rulings, points in ((DEFAULTS, 3), (ruled(3, "every_tree"), 2)):  # two areas of trees; B of koalas
        assert total(round_points(BOARD, full, "x", rulings)) == points


def test_04_passing() -> None:
    blank = begin(BOARD, fresh(BOARD), 3, DEFAULTS)
    refused = finish(BOARD, blank, DEFAULTS)
    assert isinstance(refused, Refusal)
    assert refused.code == "no_action_taken"
    assert not isinstance(finish(BOARD, blank, ruled(4, "may_pass")), Refusal)
    stuck = begin(BOARD, sheet(koalas=A), 3, DEFAULTS)
    assert not isinstance(finish(BOARD, stuck, DEFAULTS), Refusal)


def test_05_a_bonus_that_completes_a_line_brings_its_bonus_or_not() -> None:
    for rulings, then in ((DEFAULTS, ("A:row1", "A:col0", "A:col1")), (ruled(5, "no_chain"), ("A:col1",))):
        turn = rehomed([B1], [A1, B2], rulings)
        assert open_lines(BOARD, turn, rulings) == ("A:row0", "A:col1")
        turn = claim(BOARD, turn, "A:row0", [A2], rulings)
        assert not isinstance(turn, Refusal)
        assert open_lines(BOARD, turn, rulings) == then
    refused = claim(BOARD, turn, "A:row1", ["h"], rulings)
    assert isinstance(refused, Refusal)
    assert refused.rule == "RESC-AMB-05"


def test_06_what_is_usable_of_a_numbered_bonus_or_nothing() -> None:
    turn = rehomed([B2], [A2])
    part = claim(BOARD, turn, "A:row1", ["h", "h"], DEFAULTS)
    assert not isinstance(part, Refusal)
    assert (part.sheet.beds, part.used, part.lost) == ((2,), ("A:row1",), ())
    over = claim(BOARD, turn, "A:row1", ["h", "h", "h"], DEFAULTS)
    assert isinstance(over, Refusal)
    assert over.code == "hospital_full"
    nothing = claim(BOARD, turn, "A:row1", [], ruled(6, "all_or_nothing"))
    assert not isinstance(nothing, Refusal)
    assert (nothing.sheet.beds, nothing.lost) == ((0,), ("A:row1",))


@pytest.mark.parametrize(
    ("bonus", "koalas", "wish"),
    [
        ("koala x3", [A1], "A-a2"),
        ("tree x2", [A1], "B-a1"),
        ("hospital x3", [A1], "h"),
        ("volunteer x3", [A1], ""),
    ],
)
def test_06_all_or_nothing_loses_a_bonus_that_cannot_be_done_so_often_whatever_free_place_is_named(
    bonus: str, koalas, wish: str
) -> None:
    """A phone may name a place that is free; that the bonus as a whole is lost stops no game."""
    board = {
        "areas": [{"id": "A", "rows": ["KK", "KK"], "row_bonus": [bonus]}, {"id": "B", "rows": ["T"]}],
        "hospitals": [{"id": "h", "size": 2, "points": 1}], "volunteer_slots": 2,
    }  # fmt: skip
    game = Game(1, map=board, AMB_06="all_or_nothing")
    own = sheet(koalas=koalas, connected=frozenset("AB"), beds=(0,))
    state = game.session.state
    state = replace(state, pupils={player: replace(each, sheet=own) for player, each in state.pupils.items()})
    game.session = replace(game.session, head=replace(game.session.head, state=state))
    assert game.type(1) is None
    assert game.draw("P1", "rehome:A-b1") is None
    offered = next(each for each in game.chooses("draw")["P1"] if each.startswith("bonus:A-row0"))
    for told in (offered, f"bonus:A-row0:{wish}".rstrip(":")):
        assert game.draw("P1", told) is None
        turn = game.session.state.pupils["P1"].draft.turn
        assert (turn.used, turn.lost) == ((), ("A:row0",))
        assert (len(turn.sheet.trees), len(turn.sheet.koalas), turn.sheet.beds) == (4, 2, (0,))
        assert game.draw("P1", "undo") is None


def test_06_and_07_a_volunteer_beyond_the_last_circle_is_lost_and_a_new_one_helps_from_the_next_turn() -> (
    None
):
    turn = rehomed([B2], [B1])
    done = claim(BOARD, turn, "A:col1", [], DEFAULTS)
    assert not isinstance(done, Refusal)
    assert (done.sheet.circled, done.used) == (2, ("A:col1",))
    assert done.number == 1  # the number of this turn was fixed before the first circle
    full = begin(BOARD, sheet(koalas=[B1], circled=2), 1, DEFAULTS)
    full = draw(BOARD, full, "rehome", [B2], DEFAULTS)
    lost = claim(BOARD, full, "A:col1", ["volunteer"], DEFAULTS)
    assert not isinstance(lost, Refusal)
    assert (lost.sheet.circled, lost.lost) == (2, ("A:col1",))


def test_08_more_volunteers_than_needed() -> None:
    assert not isinstance(change(5, 1, 4, 5, DEFAULTS), Refusal)
    fault = change(5, 1, 4, 5, ruled(8, "minimum_only"))
    assert isinstance(fault, Refusal)
    assert fault.code == "cannot_reach_with_4"


def test_09_badges_before_or_after_the_score_of_a_round() -> None:
    assert after(15) == ("badges", "score_round_1")
    assert after(30, ruled(9, "after_scoring")) == ("score_round_2", "badges")
    solo = Badges({"b": (3, 1)}, solo=True)
    for rulings, points in ((DEFAULTS, 3), (ruled(9, "after_scoring"), 1)):
        got = award(solo, 15, {"x": ["b"]}, rulings)
        assert not isinstance(got, Refusal)
        assert got.got["x"]["b"] == points


def test_10_a_tie_in_points_and_koalas_is_shared_or_broken_by_trees() -> None:
    tie = ({"x": 9, "y": 9}, {"x": 4, "y": 4}, {"x": 7, "y": 8})
    assert winners(*tie, DEFAULTS) == ("x", "y")
    assert winners(*tie, ruled(10, "more_trees")) == ("y",)
    assert winners({}, {}, {}, DEFAULTS) == ()


def test_11_and_12_penalties_and_scores_below_zero() -> None:
    begun = replace(fresh(BOARD), beds=(1,))
    assert total(round_points(BOARD, begun, "x", DEFAULTS)) == -1
    assert total(round_points(BOARD, begun, "x", ruled(11, "never"))) == 0
    assert rank(-1, DEFAULTS) == "junior"
    assert rank(-1, ruled(12, "no_rank")) == "none"


def test_13_open_bonuses_are_given_up_or_must_be_used() -> None:
    turn = rehomed([B2], [A2])
    gone = finish(BOARD, turn, DEFAULTS)
    assert not isinstance(gone, Refusal)
    assert gone.lost == ("A:row1",)
    fault = finish(BOARD, turn, ruled(13, "must_be_used"))
    assert isinstance(fault, Refusal)
    assert fault.rule == "RESC-AMB-13"


def test_14_badges_in_one_window_or_at_once() -> None:
    for setting, window in (("one_window", True), ("given_at_once", False)):
        game = Game(2, map=ONE_CELL, AMB_14=setting)
        game.turn(1)
        assert game.type(1) is None
        assert game.draw("P1", "rehome:A-a1", "ready") is None
        assert game.draw("P2", "rehome:A-a1", "ready") is None
        assert (game.phase == "badges") == window
        if not window:
            assert game.look()["badges"][0]["got"] == {"P1": 3, "P2": 3}


def test_15_a_skybridge_to_a_connected_area_is_used_up_or_cannot_be_used() -> None:
    for rulings, used, lost in ((DEFAULTS, ("B:row0",), ()), (ruled(15, "not_usable"), (), ("B:row0",))):
        here = sheet(trees=[("B", 0, 0)], connected=frozenset("AB"))
        turn = draw(BOARD, begin(BOARD, here, 1, rulings), "rehome", [("B", 0, 0)], rulings)
        done = claim(BOARD, turn, "B:row0", [], rulings)
        assert not isinstance(done, Refusal)
        assert (done.used, done.lost, done.sheet.bridges) == (used, lost, 0)


def test_15_a_bridge_with_a_number_is_traced_once_where_it_cannot_be_used_again() -> None:
    board = parse(
        {"areas": [{"id": "A", "rows": ["K"], "row_bonus": ["skybridge B x2"]}, {"id": "B", "rows": ["K"]}]}
    )
    for wishes in ([], ["B"], ["B", "B"]):
        rulings = ruled(15, "not_usable")
        here = replace(fresh(board), trees=frozenset({A1}))
        turn = draw(board, begin(board, here, 1, rulings), "rehome", [A1], rulings)
        done = claim(board, turn, "A:row0", wishes, rulings)
        assert not isinstance(done, Refusal)
        assert (done.used, done.sheet.bridges) == (("A:row0",), 1)


def test_16_is_asked_when_a_sheet_is_scanned() -> None:
    """An illegal drawing found later: tests/test_scanning_rescue.py takes it back, lets it stay, and asks."""
    assert RULINGS[15].allowed == ("table_decides",)


@pytest.mark.parametrize("turn", [TURNS, TURNS + 1])
@pytest.mark.parametrize("face", range(1, 7))
def test_no_roll_begins_a_turn_after_the_thirtieth(turn: int, face: int) -> None:
    """RESC-END-01, from whatever is given; the last turn itself is rolled, and ends the game."""
    done = roll(Flow(frozenset("1"), turn), face)
    assert isinstance(done, Refusal)
    assert done.code == "game_over"
    last = roll(Flow(frozenset("1"), TURNS - 1), face)
    assert isinstance(last, Flow)
    over = ready(last, "1")
    assert isinstance(over, Flow)
    assert (over.turn, over.state) == (TURNS, "result")


def test_17_absent_pupils_shrink_the_ready_set_or_are_waited_for() -> None:
    game = Game(3, classroom=True)
    assert game.type(2) is None
    assert game.choose("P1", "away", "P2") is None
    assert game.draw("P3", "plant:A-a1", "ready") is None
    assert game.phase == "roll"
    assert game.choose("P1", "back", "P2") is None
    strict = Game(3, classroom=True, AMB_17="wait_for_all")
    assert strict.type(2) is None
    assert not strict.chooses("away")
    assert strict.choose("P1", "away", "P2") is not None


def test_18_the_rolled_number_is_written_or_the_changed_one() -> None:
    for setting, number in (("rolled_number", 2), ("used_number", 3)):
        game = Game(1, AMB_18=setting)
        assert game.type(2) is None
        assert game.draw("P1", "number:3", "plant:A-a1,A-b1,A-c1", "ready") is None
        assert game.me("P1")["numbers"] == [number]


def test_19_a_shape_that_fits_may_be_declined_or_must_be_used() -> None:
    turn = begin(BOARD, fresh(BOARD), 1, DEFAULTS)
    assert not isinstance(draw(BOARD, turn, "plant", [A1], DEFAULTS), Refusal)
    fault = draw(BOARD, turn, "plant", [A1], ruled(19, "must_use_the_shape"))
    assert isinstance(fault, Refusal)
    assert fault.rule == "RESC-AMB-19"
    big = begin(BOARD, fresh(BOARD), 6, DEFAULTS)  # a T of four fits nowhere on two by two
    assert not isinstance(draw(BOARD, big, "plant", [A1], ruled(19, "must_use_the_shape")), Refusal)


def test_20_bonuses_of_the_last_turn_are_taken_or_not() -> None:
    assert open_lines(BOARD, rehomed([B2], [A2], last=True), DEFAULTS) == ("A:row1",)
    rulings = ruled(20, "not_in_the_last_turn")
    last = rehomed([B2], [A2], rulings, last=True)
    assert open_lines(BOARD, last, rulings) == ()
    fault = claim(BOARD, last, "A:row1", ["h"], rulings)
    assert isinstance(fault, Refusal)
    assert fault.rule == "RESC-AMB-20"


ONE_CELL = 'start_area = "A"\n[[areas]]\nid = "A"\nrows = ["KK"]\n[[badges]]\nid = "b"\npoints = [3, 1]\nneeds = "trees"\nof = "A"\n'


@settings(deadline=None)
@given(
    st.lists(
        st.tuples(st.sampled_from(["plant", "rehome"]), st.sets(st.sampled_from(A), min_size=1)), max_size=12
    )
)
def test_21_circles_are_never_removed_so_badges_and_points_never_go(moves) -> None:
    now, had, points = fresh(BOARD), set(), 0
    for what, cells in moves:
        done = draw(BOARD, begin(BOARD, now, 1, DEFAULTS), what, sorted(cells), DEFAULTS)
        now = now if isinstance(done, Refusal) else done.sheet
        have = set(earned(BOARD, now, DEFAULTS))
        new = total(round_points(BOARD, now, "x", DEFAULTS))
        assert had <= have
        assert points <= new
        assert now.koalas <= now.trees  # koalas only ever sit on circled trees
        had, points = have, new


@settings(deadline=None)
@given(st.integers(1, 6), st.integers(1, 6), st.integers(0, 7), st.integers(0, 7))
def test_volunteers_reach_exactly_what_walking_the_ring_reaches(
    rolled: int, want: int, use: int, available: int
) -> None:
    walks = {rolled}
    for _ in range(use):
        walks = {(spot - 1 + way) % 6 + 1 for spot in walks for way in (1, -1)}
    done = change(rolled, want, use, available, DEFAULTS)
    if use > available:
        assert isinstance(done, Refusal)
        assert done.code == "not_enough_volunteers"
    elif want in walks:
        assert not isinstance(done, Refusal)
        assert (done.number, done.left, done.minimum) == (want, available - use, steps(rolled, want))
    else:
        assert isinstance(done, Refusal)
        assert done.code == f"cannot_reach_with_{use}"
    assert dict(reachable(rolled, available)) == {
        n: steps(rolled, n) for n in range(1, 7) if steps(rolled, n) <= available
    }


@pytest.mark.parametrize("face", [0, 7, -1, True, "3", None, 2.0])
def test_no_other_thing_is_a_number_of_a_die(face) -> None:
    fault = roll(Flow(frozenset("1")), face)
    assert isinstance(fault, Refusal)
    assert fault.code == "die_value"


def test_ready_before_a_roll_and_after_the_game_is_refused() -> None:
    before = ready(Flow(frozenset("1")), "1")
    assert isinstance(before, Refusal)
    assert before.code == "nothing_to_finish"
    over = ready(begun(frozenset("1"), 30), "1")
    assert isinstance(over, Refusal)
    assert over.code == "game_over"
