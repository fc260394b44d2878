"""Rescue Club on the crank: who sees what, what is refused and why, how turns, badges and rounds follow."""

from __future__ import annotations

import json

import pytest
from chain_map import CHAIN
from hypothesis import given, settings
from hypothesis import strategies as st
from rescue_table import SHELF, Game

from companion.edges.screen.projection import Projection
from companion.table import crank
from companion.table.cues import Choose, Press, Roll, Wait
from companion.table.events import Undone
from companion.table.game import Refusal


def hidden(game: Game, player: str) -> str:
    """Everything that others, the table and the operator can see."""
    others = [p for p in game.look()["players"] if p != player]
    return json.dumps([game.look(), game.operator(), *(game.look(other) for other in others)], sort_keys=True)


def test_a_draft_is_in_nobodys_view_but_its_owners_until_all_are_ready() -> None:
    """RESC-TUR-09: do not look at others until finished."""
    game = Game(3)
    assert game.type(3) is None
    before = {**game.look(), "did": None}
    assert game.draw("P1", "plant:A-a1,A-b1,A-c1") is None
    assert {**game.look(), "did": None} == before
    assert game.me("P1")["sheet"]["trees"] == ["A-a1", "A-b1", "A-c1"]
    assert game.me("P2")["sheet"]["trees"] == []
    assert game.draw("P1", "ready") is None
    assert game.look()["sheets"]["P1"]["trees"] == 0
    assert "plant" not in json.dumps(game.operator()["did"])
    for player in ("P2", "P3"):
        assert game.draw(player, "plant:A-a1", "ready") is None
    assert game.look()["sheets"]["P1"]["trees"] == 3


@given(st.data())
@settings(max_examples=25, deadline=None)
def test_what_two_worlds_differ_in_behind_one_draft_nobody_else_can_tell(data: st.DataObject) -> None:
    face = data.draw(st.integers(1, 6))
    worlds = []
    for _ in range(2):
        game = Game(3, seed=4)
        assert game.type(face) is None
        can = game.me("P1")["draft"]["can"]["plant"]
        cells = data.draw(st.sampled_from(can["shapes"] + can["singles"]))
        assert game.draw("P1", f"plant:{cells}", "ready") is None
        worlds.append(hidden(game, "P1"))
    assert worlds[0] == worlds[1]


@given(st.data())
@settings(max_examples=10, deadline=None)
def test_no_screen_is_told_what_another_one_may_draw_next(data: st.DataObject) -> None:
    """The ways that are left tell of the draft: the operator's page does not list them."""
    told = []
    for _ in range(2):
        game = Game(3, seed=4)
        assert game.type(3) is None
        ways = next(
            cue.options for cue in game.session.cues if isinstance(cue, Choose) and cue.player == "P1"
        )
        plants = [way for way in ways if way.startswith("plant:")]
        assert game.draw("P1", data.draw(st.sampled_from(plants))) is None
        told.append(
            [Projection().state(game.session, None, role) for role in ("operator", "table", "seat:P2")]
        )
    assert told[0] == told[1]
    asked = [cue for cue in told[0][0]["cues"] if cue.get("cue") == "draw"]
    assert [(cue["player"], cue["options"]) for cue in asked] == [("P1", []), ("P2", []), ("P3", [])]
    own = Projection().state(game.session, None, "seat:P1")["cues"]
    assert any(cue.get("options") for cue in own)


@pytest.mark.parametrize(
    ("option", "code"),
    [
        ("plant:B-a1,B-b1,B-c1", "area_not_connected"),
        ("plant:A-a1,A-b1,B-a1", "one_area_only"),
        ("plant:A-a1,A-b1", "entire_shape"),
        ("plant:A-a1,A-b1,A-b2", "wrong_shape"),
        ("plant:A-a1,A-a1", "same_cell_twice"),
        ("plant:A-d1", "no_such_cell"),
        ("plant:nonsense", "no_such_cell"),
        ("plant:", "no_action_taken"),
        ("rehome:A-a1", "koala_needs_circled_tree"),
        ("mixed", "never_mix"),
        ("number:6", "not_enough_volunteers"),
        ("number:5:1", "cannot_reach_with_1"),
        ("number:9", "die_value"),
        ("bonus:A-row0", "after_the_turn"),
        ("undo", "nothing_to_undo"),
        ("ready", "no_action_taken"),
        ("dance", "no_such_drawing"),
    ],
)
def test_a_wrong_drawing_is_refused_with_its_code_softly_and_changes_nothing(option: str, code: str) -> None:
    game = Game(2)
    assert game.type(3) is None
    before = game.session
    fault = game.draw("P1", option)
    assert fault is not None
    assert (fault.code, fault.aloud) == (code, False)  # only its owner hears of it
    assert game.session is before


def test_a_turn_goes_on_after_its_drawing_only_with_bonuses_undo_and_ready() -> None:
    game = Game(2)
    assert game.type(1) is None
    assert game.draw("P1", "plant:A-a1,A-b1") is None
    assert game.draw("P1", "plant:A-c1").code == "one_action_per_turn"
    assert game.draw("P1", "number:2").code == "one_action_per_turn"
    assert game.draw("P1", "bonus:A-row0:A-a1").code == "line_not_complete"
    assert game.draw("P1", "bonus:Q-row0").code == "no_bonus_there"
    assert game.draw("P1", "ready") is None
    for option in ("undo", "plant:A-c1", "ready"):
        assert game.draw("P1", option).code == "turn_over"


def test_everything_is_taken_back_step_by_step_until_ready() -> None:
    """RESC-VOL-06: volunteers change the number for their owner only."""
    game = Game(2)
    assert game.type(2) is None
    start = game.me("P1")
    assert game.draw("P1", "number:3:1") is None
    assert game.me("P1")["sheet"]["used"] == 1
    assert game.me("P2")["draft"]["number"] == 2
    assert game.draw("P1", "number:2") is None  # the volunteer is back
    assert game.me("P1")["sheet"]["used"] == 0
    assert game.draw("P1", "number:1:1", "plant:A-a1,A-b1", "undo", "undo", "undo", "undo") is None
    assert game.me("P1") == start


def test_the_phone_lists_exactly_what_is_accepted() -> None:
    """RESC-REH-03, RESC-REH-04, RESC-REH-05, RESC-SIN-02: areas, flips and whole shapes for koalas as for trees."""
    game = Game(1, seed=3)
    for face in (6, 6, 5, 4, 3, 2):
        assert game.type(face) is None
        told = game.me("P1")["draft"]
        listed = {
            f"{what}:{cells}"
            for what in told["can"]
            for kind in ("shapes", "singles")
            for cells in told["can"][what][kind]
        }
        session = game.session
        for option in sorted(listed):
            assert game.draw("P1", option) is None, option
            game.session = session
        offered = {o for o in game.chooses("draw")["P1"] if o.startswith(("plant", "rehome"))}
        assert offered <= listed
        koalas = [o for o in sorted(listed) if o.startswith("rehome")]
        assert game.draw("P1", max(koalas or listed, key=lambda o: (o.count(","), o))) is None
        while game.me("P1")["draft"]["bonuses"]:
            bonus = game.me("P1")["draft"]["bonuses"][0]
            assert game.draw("P1", ":".join(["bonus", bonus["line"], *bonus["targets"][:1]])) is None
        assert game.draw("P1", "ready") is None
        while game.phase == "badges":
            game.call()


def test_bonuses_chain_and_a_numbered_one_is_used_as_often_as_it_says() -> None:
    """RESC-BON-02 to RESC-BON-12 on a phone: filled in, carried out, and a skybridge opens its area."""
    game = Game(1, map=CHAIN)
    for option in ("plant:A-a1,A-b1", "rehome:A-a1"):
        assert game.type(1) is None
        assert game.draw("P1", option, "ready") is None
    assert game.type(1) is None
    assert game.draw("P1", "rehome:A-b1") is None
    assert [b["line"] for b in game.me("P1")["draft"]["bonuses"]] == ["A-row0", "A-col1"]
    assert game.draw("P1", "bonus:A-col1:B-a1").code == "area_not_connected"
    assert game.draw("P1", "bonus:A-row0:B") is None
    assert game.draw("P1", "bonus:A-col1:B-a1,B-b1,B-a1").code == "bonus_times_2"
    assert game.draw("P1", "bonus:A-col1:B-a1,B-b1") is None
    assert game.draw("P1", "bonus:A-col1:B-a1").code == "bonus_already_gone"
    assert game.draw("P1", "ready") is None
    sheet = game.me("P1")["sheet"]
    assert (sheet["connected"], sheet["trees"]) == (["A", "B"], ["A-a1", "A-b1", "B-a1", "B-b1"])
    assert sheet["claimed"] == ["A:col1", "A:row0"]
    assert sheet["lost"] == []
    assert sheet["full"] == {"trees": ["A", "B"], "koalas": ["A"]}


def test_any_player_rolls_in_a_class_only_the_teacher_who_draws_no_sheet() -> None:
    """RESC-SET-01, RESC-SET-02, RESC-TUR-02, RESC-CLA-02."""
    game = Game(3)
    assert {player for player, why in game.presses() if why == "cue.roll"} == {"P1", "P2", "P3"}
    assert game.press("P3") is None
    assert game.phase == "draw"
    school = Game(4, classroom=True)
    assert {player for player, _ in school.presses()} == {"P1"}
    assert school.press("P2").code == "teacher_rolls"
    assert school.press("P1") is None
    assert school.look()["playing"] == ["P2", "P3", "P4"]
    assert "me" not in school.look("P1")
    assert school.draw("P1", "plant:A-a1").code == "not_playing"


def test_a_number_is_said_with_its_turn_and_shape_and_the_counter_keeps_it() -> None:
    """RESC-TUR-03, RESC-TUR-04, RESC-TUR-05: thirty squares, the number rolled, its shape."""
    game = Game(1)
    game.turn(5)
    said = next(say for say in game.said if say.key == "say.rolled_full")
    assert dict(said.values) == {"turn": 1, "number": "@die_5", "shape": "@shape.5"}
    assert game.me("P1")["numbers"] == [5]


def test_the_companions_die_is_as_fair_as_luck_and_the_same_seed_rolls_the_same() -> None:
    rolls = []
    for seed in (5, 5, 6):
        game = Game(1, seed=seed, die="companion", depth="light")
        for _ in range(10):
            game.press("P1")
            game.press("P1")
            while game.phase == "badges":
                game.call()
        rolls.append(game.look()["rolled"])
    assert rolls[0] == rolls[1] != rolls[2]
    assert set(rolls[0]) <= set(range(1, 7))


def test_a_die_in_the_tray_counts_once_however_long_it_lies() -> None:
    game = Game(1, die="tray")
    assert not game.presses()
    assert any(isinstance(cue, Roll) for cue in game.session.cues)
    assert game.tray("die_4", "die_5").code == "one_die"
    assert game.show("die_4-01") is None
    assert game.look()["rolled"] == [4]
    assert game.draw("P1", "plant:A-a1", "ready") is None
    assert game.tray("die_4").code == "nothing_new"
    assert game.tray() is None  # picked up
    assert game.tray("die_4") is None
    assert game.look()["rolled"] == [4, 4]


def test_everybody_draws_before_the_next_roll_and_is_reminded() -> None:
    game = Game(3)
    game.type(1)
    fault = game.type(2)
    assert (fault.code, fault.aloud) == ("still_drawing", True)
    assert game.ring() is None
    assert game.said[-1].key == "say.remind"
    assert game.draw("P1", "plant:A-a1", "ready") is None
    assert game.look()["ready"] == ["P1"]
    many = Game(8)
    many.type(1)
    many.ring()
    assert many.said[-1].key == "say.remind_many"


def test_badges_are_announced_in_one_window_and_cost_no_race() -> None:
    """RESC-BAD-01 to RESC-BAD-05."""
    game = Game(3, map=BADGE)
    game.type(1)
    for player, option in (("P1", "plant:A-a1,A-b1"), ("P2", "plant:A-a1,A-b1"), ("P3", "plant:A-a1")):
        assert game.draw(player, option, "ready") is None
    assert set(game.chooses("badge")) == {"P1", "P2"}
    assert game.choose("P3", "badge", "b").code == "badge_not_earned"
    assert game.choose("P1", "badge", "x").code == "no_such_badge"
    assert game.choose("P2", "badge", "b") is None
    assert game.choose("P2", "badge", "b").code == "badge_already_scored"
    assert game.type(3).code == "badges_first"
    assert game.choose("P1", "badge", "b") is None  # nobody has more to announce: the window closes
    assert game.phase == "roll"
    game.type(1)
    assert game.draw("P3", "plant:A-b1", "ready") is None
    for player in ("P1", "P2"):
        assert game.draw(player, "rehome:A-a1", "ready") is None
    assert game.choose("P3", "badge", "b") is None
    assert game.look()["badges"][0]["got"] == {"P1": 3, "P2": 3, "P3": 1}
    assert game.look()["badges"][0]["first"] == 1


BADGE = '[[areas]]\nid = "A"\nrows = ["KK", "KK"]\n[[badges]]\nid = "b"\npoints = [3, 1]\nneeds = "trees"\nof = "A"\n'.replace(
    '"KK", "KK"', '"KK"'
)


def test_the_window_closes_by_its_clock_and_what_is_not_said_waits() -> None:
    game = Game(2, map=BADGE)
    game.type(1)
    for player in ("P1", "P2"):
        game.draw(player, "plant:A-a1,A-b1", "ready")
    assert game.ring() is None
    assert game.phase == "roll"
    game.type(1)
    for player in ("P1", "P2"):
        game.draw(player, "rehome:A-a1", "ready")
    assert game.choose("P1", "badge", "b") is None
    assert game.call() is None
    assert game.look()["badges"][0]["got"] == {"P1": 3}


def test_rounds_are_scored_at_turns_15_and_30_and_every_point_has_its_rule() -> None:
    """RESC-SCO-01 to RESC-SCO-07, RESC-END-01 to RESC-END-04, RESC-OVW-01."""
    game = Game(2, seed=9)
    for _ in range(15):
        game.turn(2)
    assert [key for key in game.heard() if key == "say.scored"] == ["say.scored"]
    assert game.look()["round"] == 1
    for _ in range(15):
        game.turn(1)
    score = game.look()["score"]
    assert game.look()["round"] == 2
    assert game.session.over
    assert {line["rule"] for line in score["lines"]} <= {
        "RESC-SCO-03",
        "RESC-SCO-04",
        "RESC-SCO-05",
        "RESC-BAD-03",
    }
    for player, total in score["totals"].items():
        assert total == sum(line["points"] for line in score["lines"] if line["who"] == player)
    assert game.type(3).code == "game_over"
    assert "say.winner" in game.heard() or "say.winners" in game.heard()


def test_alone_the_result_has_a_rank() -> None:
    """RESC-SOLO-01, RESC-SOLO-04, RESC-SOLO-05: the record is the history's; the rank is said."""
    game = Game(1)
    for _ in range(30):
        game.turn(1)
    assert game.look()["score"]["notes"][0].startswith("rank.")
    assert game.heard()[-1] == "say.rank"


def test_light_mode_is_clock_die_badges_and_desk() -> None:
    game = Game(2, depth="light", badge_first=4, badge_later=1, AMB_01="light_only", badges_s=0)
    for turn in range(1, 31):
        assert game.press("P2") is None
        assert not game.chooses("draw")
        assert game.press("P1") is None
        assert game.press("P1").code == "turn_over"
        assert game.press("P2") is None
        if turn == 3:
            assert game.choose("P1", "badge", "badge_2") is None
        if turn == 4:
            assert game.choose("P2", "badge", "badge_2") is None
        assert game.call() is None
        if turn in (15, 30):
            assert game.choose("P1", "desk.trees", "99").code == "no_such_score"
            assert game.call().code == "scores_first"
            mine = ("2", "1", "0" if turn == 15 else "3")
            for player, answers in (("P1", mine), ("P2", ("3", "1", "2"))):
                for which, answer in zip(("trees", "koalas", "hospitals"), answers, strict=True):
                    assert game.choose(player, f"desk.{which}", answer) is None
                if player == "P1":
                    assert game.choose(player, "desk", "back") is None
                    assert game.choose(player, "desk.hospitals", "3") is None
            if turn == 15:
                assert game.phase == "score"  # whoever answered last can mend that, too
                assert game.call() is None
    assert game.phase == "over" or set(game.chooses("desk.circled")) == {"P1", "P2"}
    score = game.look()["score"]
    assert score["totals"] == {"P1": 16, "P2": 13}
    assert score["winners"] == ["P1"]


def test_a_tie_on_paper_is_broken_by_counted_koalas() -> None:
    """RESC-END-05."""
    game = Game(2, depth="light", AMB_01="light_only")
    for turn in range(1, 31):
        game.type(4)
        game.press("P1")
        game.press("P2")
        game.call()
        if turn in (15, 30):
            for player in ("P1", "P2"):
                for which in ("trees", "koalas", "hospitals"):
                    assert game.choose(player, f"desk.{which}", "1") is None
    assert game.phase == "tie"
    assert game.choose("P1", "desk.circled", "20") is None
    assert game.choose("P1", "desk.circled", "21").code == "scores_first"
    assert game.choose("P2", "desk.circled", "22") is None
    assert game.look()["score"]["winners"] == ["P2"]


def test_a_class_of_forty_and_no_more_and_a_wrong_map_are_answered() -> None:
    """RESC-CLA-01."""
    assert len(Game(41, classroom=True).look()["playing"]) == 40
    assert Game(41).opened.code == "player_count"
    assert Game(1, classroom=True).opened.code == "player_count"
    assert Game(2, map="[[areas]]").opened.code == "bad_map"
    assert Game(2, nonsense=1).opened.code == "unknown_option"


def test_strangers_and_the_absent_draw_nothing() -> None:
    game = Game(3, classroom=True)
    game.type(1)
    assert game.draw("Zoe", "plant:A-a1").code == "unknown_player"
    game.choose("P1", "away", "P3")
    assert game.draw("P3", "plant:A-a1").code == "not_playing"
    assert game.press("P3").code == "not_playing"
    assert game.choose("P1", "away", "P2").code == "nobody_left"
    assert game.choose("P1", "back", "P2").code == "not_away"
    assert game.choose("P1", "back", "P3") is None
    assert "P3" in game.look()["waiting_for"]


@given(st.integers(0, 2**32), st.integers(1, 4), st.sampled_from(["full", "light"]), st.booleans())
@settings(max_examples=6, deadline=None)
def test_any_answer_to_an_open_cue_is_accepted_and_a_journal_folds_to_the_same(
    seed, players, depth, school
) -> None:
    import random

    from companion.table.events import Chosen, Pressed, Rang, Rolled

    chance = random.Random(seed)
    game = Game(players + school, seed=seed, depth=depth, classroom=school)
    for _ in range(150):
        if game.session.over:
            break
        cue = chance.choice(game.session.cues)
        if isinstance(cue, Press):
            event = Pressed(cue.player, cue.button, 0)
        elif isinstance(cue, Choose):
            event = Chosen(cue.player, cue.what, chance.choice(cue.options))
        elif isinstance(cue, Wait):
            event = Rang(cue.clock)
        else:
            face = f"die_{chance.randrange(1, 7)}"
            event = Rolled(cue.zone, () if game.session.state.tray == (face,) else (face,))
            if game.session.state.tray == event.faces:
                continue
        fault = game.hear(event)
        assert fault is None, (cue, event, fault)
    events = [node.event for node in reversed(list(game.session.path()))]
    again = crank.recall(SHELF, events)
    assert again is not None
    assert again.state == game.session.state
    step = chance.randrange(1, len(events))
    back = crank.advance(SHELF, game.session, Undone(step)) if step < game.session.last else None
    assert back is None or not isinstance(back, Refusal)


def test_where_badges_follow_the_score_the_last_answer_opens_their_window() -> None:
    """RESC-AMB-09: a press of whoever leads there closes the badges, so it cannot close the desk."""
    game = Game(1, depth="light", badges_s=0, AMB_09="after_scoring")
    for turn in range(1, 16):
        game.type(4)
        game.press("P1")
        if turn < 15:
            game.call()
    for which in ("trees", "koalas", "hospitals"):
        assert game.choose("P1", f"desk.{which}", "1") is None
    assert (game.phase, game.heard().count("say.scored")) == ("badges", 1)
    assert game.call() is None
    assert game.phase == "roll"
