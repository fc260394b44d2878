"""What whoever leads Rescue Club may say for others, what the desk takes, and which maps begin no game."""

from __future__ import annotations

import pytest
from rescue_table import Game

from companion.shelf import phrases
from companion.table import crank
from companion.table.cues import Choose, Press, Wait
from companion.table.effects import Lamp
from companion.table.things import CALL

PHRASES = phrases()["rescue"]
CHAIN = """
[[areas]]
id = "A"
rows = ["KK"]
row_bonus = ["skybridge B"]
col_bonus = ["", "tree x2"]
[[areas]]
id = "B"
rows = ["KK"]
"""
BADGE = (
    '[[areas]]\nid = "A"\nrows = ["KK"]\n[[badges]]\nid = "b"\npoints = [3, 1]\nneeds = "trees"\nof = "A"\n'
)


def test_the_desk_takes_nothing_that_no_sheet_can_show() -> None:
    """No circle is undrawn; only an area with a tree without a koala is full of koalas and not of trees."""
    game = Game(2, depth="light")
    for turn in range(1, 31):
        game.type(4)
        game.call()
        game.call()
        if turn in (15, 30):
            low = 2 if turn == 30 else 0
            assert game.chooses("desk.trees")["P1"][0] == str(low)
            assert game.choose("P1", "desk.trees", "2") is None
            lone = 3  # areas B, C and D of the practice map
            assert game.chooses("desk.koalas")["P1"][:-1] == tuple(map(str, range(low // 2, 2 + lone + 1)))
            assert game.choose("P1", "desk.koalas", "1") is None
            assert game.choose("P1", "desk.hospitals", "1") is None
            if turn == 30:
                assert game.choose("P2", "desk.trees", "0").code == "no_such_score"
            for which in ("trees", "koalas", "hospitals"):
                assert game.choose("P2", f"desk.{which}", "1") is None
            assert game.operator()["did"] == {
                "key": "did.told_hospitals",
                "values": {"name": "P2", "count": 1},
            }
            assert game.call() is None
    strict = Game(1, depth="light", AMB_01="light_only", AMB_03="every_tree")
    for _ in range(15):
        strict.type(1)
        strict.press("P1")
        strict.call()
    strict.choose("P1", "desk.trees", "2")
    assert strict.chooses("desk.koalas")["P1"] == ("0", "1", "2", "back")


def led(game: Game, what: str) -> tuple[str, ...]:
    """What whoever leads is offered aside; nobody is waited for by it."""
    found = [cue for cue in game.session.cues if isinstance(cue, Choose) and cue.what == what]
    assert all(cue.aside and cue.player == game.look()["host"] for cue in found)
    return found[0].options if found else ()


@pytest.mark.parametrize("school", [False, True])
def test_a_lost_phone_stops_nobody_the_turn_counts_as_it_stands_and_tells_nothing(school: bool) -> None:
    """RESC-CLA-03: on a phone that is lost something may have been drawn, or nothing; who leads cannot tell."""
    worlds = []
    for drawn in ((), ("plant:A-a1,A-b1",), ("number:2:1",)):
        game = Game(3 + school, classroom=school)
        host, lost, *others = game.look()["players"] if school else ("P1", "P1", "P2", "P3")
        assert game.type(1) is None
        for player in others:
            assert game.draw(player, "plant:A-a1", "ready") is None
        assert game.draw(lost, *drawn) is None
        assert led(game, "stands") == (lost,)
        assert lost not in led(game, "back")
        told = {**game.operator(), "did": None}
        assert game.choose(host, "stands", lost) is None
        assert game.phase == "roll"
        sheet = game.me(lost)["sheet"]
        assert sheet["trees"] == (["A-a1", "A-b1"] if drawn == ("plant:A-a1,A-b1",) else [])
        assert sheet["used"] == 0
        assert game.look()["sheets"][lost]["numbers"] == [1]
        worlds.append(told)
    assert worlds[0] == worlds[1] == worlds[2]
    assert game.choose(host, "stands", lost).code != ""


def test_who_is_away_is_named_by_whoever_leads_in_a_round_of_friends_too_and_draws_again_once_back() -> None:
    game = Game(12)
    assert game.type(3) is None
    for player in ("P12", "P2", "P7"):
        assert player in led(game, "away")
        assert game.choose("P1", "away", player) is None
    assert led(game, "back") == ("P2", "P7", "P12")  # as they sit
    assert game.choose("P1", "back", "P7") is None
    assert game.me("P7")["draft"]["can"]["plant"]["shapes"]
    assert game.draw("P7", "plant:A-a1,A-b1,A-c1", "ready") is None
    assert game.look()["waiting_for"] == [f"P{n}" for n in (1, 3, 4, 5, 6, 8, 9, 10, 11)]
    alone = Game(1)
    assert alone.type(3) is None
    assert not led(alone, "away")
    assert alone.choose("P1", "stands", "P1") is None
    assert alone.phase == "roll"


def test_no_lamp_burns_for_what_only_an_exception_needs() -> None:
    game = Game(2)
    assert game.type(3) is None
    assert game.draw("P1", "plant:A-a1", "ready") is None
    lamps = {effect.player: effect.look for effect in crank.wake(game.session) if isinstance(effect, Lamp)}
    assert lamps == {"P1": "off", "P2": "ask"}


def test_on_paper_one_press_ends_the_drawing_of_all() -> None:
    """RESC-CLA-04: a class without phones needs no press for each child."""
    for school in (False, True):
        game = Game(28 + school, classroom=school, depth="light")
        assert game.type(3) is None
        assert game.press("P2") is None
        assert len(game.look()["waiting_for"]) == 27
        assert game.press("P3", CALL).code == "still_drawing"
        assert game.call() is None
        assert game.phase == "badges"
    kept = Game(3)
    assert kept.type(3) is None
    assert kept.call().code == "still_drawing"  # sheets on phones are nobody's to close


def test_who_has_earned_a_badge_need_not_hurry_where_the_companion_keeps_the_sheets() -> None:
    for depth, least in (("full", 60), ("light", 5)):
        game = Game(2, map=BADGE, depth=depth)
        game.type(1)
        for player in ("P1", "P2"):
            if depth == "full":
                assert game.draw(player, "plant:A-a1,A-b1") is None
            assert game.press(player) is None
        assert game.phase == "badges"
        assert [cue.seconds for cue in game.session.cues if isinstance(cue, Wait)] == [least]
        assert [cue.aside for cue in game.session.cues if isinstance(cue, Press)] == [depth == "full"]
        assert game.look()["words"]["b"] == {
            "key": "badge.option_trees", "values": {"badge": 1, "area": "A", "count": 0}
        }  # fmt: skip


@pytest.mark.parametrize(
    ("change", "key", "values"),
    [
        (('row_bonus = ["skybridge B"]', 'row_bonus = ["skybridge A"]'), "map_home_row", {"area": "A", "n": 1}),
        (('["", "tree x2"]', '["", "skybridge A"]'), "map_home_column", {"area": "A", "n": 2}),
        (('["skybridge B"]', '["tree"]'), "map_no_way", {"area": "B"}),
        (('["skybridge B"]', '["skybridge Z"]'), "map_no_area", {"area": "Z", "known": "A, B"}),
        (("", "start_volunteers = 9\n"), "map_volunteers", {"count": 9, "most": 6}),
        (("", "ranks = [1, 5, 4, 9]\n"), "map_ranks", {"count": 4}),
        (("", f"shapes = {[[[0, 0]]] * 5 + [[[0, 0], [1, 1]]]}\n"), "map_shape", {"number": 6}),
        (("", f"shapes = {[[]] + [[[0, 0]]] * 5}\n"), "map_shape", {"number": 1}),
        (("", 'start_area = "C"\n'), "map_no_area", {"area": "C", "known": "A, B"}),
    ],
)  # fmt: skip
def test_a_map_that_cannot_be_played_begins_no_game_and_says_why_in_words(change, key, values) -> None:
    old, new = change
    fault = Game(1, map=CHAIN.replace(old, new) if old else new + CHAIN).opened
    assert fault is not None
    assert (fault.code, dict(fault.values)) == (key, values)
    for lang in ("de", "en"):
        assert PHRASES.text(lang, f"no.{fault.stem}", fault.values)


@pytest.mark.parametrize(
    ("bonus", "most", "room"),
    [
        ("volunteer x3", 1, {"volunteer": 1}),
        ("hospital x3", 2, {"h": 2}),
        ("tree x2", 1, {"A-a2": 1}),
        ("koala x2", 1, {"A-b1": 1}),
    ],
)
def test_a_phone_is_told_how_often_a_bonus_can_be_used_and_so_often_it_is(
    bonus: str, most: int, room: dict[str, int]
) -> None:
    board = f"""
start_volunteers = 1
volunteer_slots = 2
[[areas]]
id = "A"
rows = ["KK", "T."]
col_bonus = ["{bonus}"]
[[hospitals]]
id = "h"
size = 2
points = 1
"""
    game = Game(1, map=board)
    for option in ("plant:A-a1,A-b1", "rehome:A-a1"):
        assert game.type(1) is None
        assert game.draw("P1", option) is None
        if option.startswith("plant"):
            assert game.draw("P1", "ready") is None
    (told,) = game.me("P1")["draft"]["bonuses"]
    assert (told["most"], told["room"]) == (most, room)
    wishes = [target for target in told["targets"] for _ in range(told["room"][target])][: told["most"]]
    assert game.draw("P1", f"bonus:{told['line']}:{','.join(wishes)}") is None
    assert game.me("P1")["draft"]["bonuses"] == []
