"""What whoever leads Rescue Club may say for others, what the desk takes, and which maps begin no game."""

from __future__ import annotations

import pytest
from chain_map import CHAIN
from rescue_table import SHELF, Game

from companion.games.rescue.finished_check import faults
from companion.printing import printed_for_screen
from companion.shelf import phrases
from companion.table import crank
from companion.table.cues import Choose, Press, Wait
from companion.table.effects import Lamp
from companion.table.events import Chosen, Opened, Setting
from companion.table.game import Refusal
from companion.table.things import CALL, Player
from companion.telling import BadOption

PHRASES = phrases()["rescue"]
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
            if turn == 15:
                assert game.operator()["did"] == {
                    "key": "did.told_hospitals",
                    "values": {"name": "P2", "count": 1},
                }
                assert game.call() is None
    assert game.phase == "over"  # no roll follows that could close the desk
    assert game.call().rule == crank.SAME
    strict = Game(1, depth="light", AMB_01="light_only", AMB_03="every_tree")
    for _ in range(15):
        strict.type(1)
        strict.press("P1")
        strict.call()
    strict.choose("P1", "desk.trees", "2")
    assert strict.chooses("desk.koalas")["P1"] == ("0", "1", "2", "back")


def all_told(**options) -> Game:
    """Two players on paper whose first round is over and told."""
    game = Game(2, depth="light", badges_s=0, **options)
    for _ in range(15):
        assert game.type(1) is None
        game.call()
        game.call()
    for player in ("P1", "P2"):
        for which in ("trees", "koalas", "hospitals"):
            assert game.choose(player, f"desk.{which}", "1") is None
    return game


def test_once_all_is_told_only_whoever_leads_is_waited_for_and_told_so() -> None:
    game = all_told()
    lamps = {each.player: each.look for each in crank.wake(game.session) if isinstance(each, Lamp)}
    assert (lamps["P1"], lamps["P2"]) == ("open", "off")
    assert (game.phase, game.look()["waiting_for"]) == ("score", ["P1"])
    prompt = game.look()["prompt"]
    assert prompt["key"] == "prompt.score_told"
    for lang in ("de", "en"):
        assert "P1" in PHRASES.text(lang, prompt["key"], prompt["values"])
    assert game.choose("P2", "desk", "back") is None
    assert game.look()["waiting_for"] == ["P2"]


@pytest.mark.parametrize("how", ["call", "host", "other", "typed", "seen", "shown"])
def test_a_told_round_is_scored_by_a_command_or_on_the_way_by_the_next_roll(how: str) -> None:
    game = all_told()
    die = next(card.id for card in SHELF["rescue"].deck.cards if card.face == "die_5")
    acts = {
        "call": game.call, "host": lambda: game.press("P1"), "other": lambda: game.press("P2"),
        "typed": lambda: game.type(5), "seen": lambda: game.tray("die_5"), "shown": lambda: game.show(die),
    }  # fmt: skip
    assert acts[how]() is None
    assert game.phase == ("roll" if how == "call" else "draw")
    assert game.look()["sheets"]["P1"]["total"] == 3
    assert game.heard().count("say.scored") == 1
    assert ("say.rolled" in game.heard()[-1]) == (how != "call")


def test_a_die_picked_up_and_a_pupils_press_leave_a_told_round_open() -> None:
    game = all_told()
    game.type(1)
    assert Game(2, depth="light").call().code == "nothing_to_finish"
    picked = all_told()
    assert picked.tray() is None
    assert (picked.phase, picked.look()["tray"]) == ("score", [])
    assert picked.call("P2").code == "nothing_to_finish"
    assert picked.phase == "score"
    trayed = all_told(die="tray")
    assert trayed.press("P2").code == "nothing_to_finish"
    assert trayed.press("P1") is None  # no button rolls there: so it scores
    assert trayed.phase == "roll"


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
    ("old", "new"),
    [
        ('row_bonus = ["skybridge B"]', 'row_bonus = ["skybridge A"]'),
        ('["skybridge B"]', '["tree"]'),
        ("\n[[areas]]", f"shapes = {[[[0, 0]]] * 5 + [[[0, 0], [1, 1]]]}\n[[areas]]"),
    ],
)
def test_a_game_that_began_on_a_map_no_longer_taken_is_taken_up_again(old: str, new: str) -> None:
    own = CHAIN.replace(old, new, 1)
    opened = Opened(Setting("rescue", (Player("P1"),), {"map": own}, 1))
    assert isinstance(crank.advance(SHELF, None, opened), Refusal)
    session = crank.recall(SHELF, [opened])
    assert session is not None
    assert isinstance(crank.advance(SHELF, session, Chosen(Player("P1"), "die", "3")), crank.Turn)


@pytest.mark.parametrize("lang", ["de", "en"])
@pytest.mark.parametrize(
    ("old", "new", "key", "values"),
    [
        ("", 'start_area = "Z"\n', "map_no_area", {"area": "Z", "known": "A, B"}),
        ('["skybridge B"]', '["tree"]', "map_no_way", {"area": "B"}),
    ],
)
def test_no_sheet_is_printed_of_a_map_that_begins_no_game_and_the_page_says_why_in_its_language(
    lang: str, old: str, new: str, key: str, values
) -> None:
    own = CHAIN.replace(old, new) if old else new + CHAIN
    with pytest.raises(BadOption) as fault:
        printed_for_screen("rescue", {"parts": "sheets", "map": own, "lang": lang})
    assert str(fault.value) == PHRASES.text(lang, f"no.{key}", values)
    assert printed_for_screen("rescue", {"parts": "sheets", "map": CHAIN, "lang": lang}).startswith(b"%PDF")


def test_a_finished_game_on_a_map_that_contradicts_itself_is_told_why() -> None:
    given = {"map": 'start_area = "Z"\n' + CHAIN, "players": {"P1": {"round1": 1, "round2": 2}}}
    assert list(faults(given)) == ["map: map_no_area: area Z, known A, B"]


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


def test_a_shape_that_falls_apart_is_told_what_it_must_be_not_what_it_is_not() -> None:
    told = {lang: PHRASES.text(lang, "no.map_shape", {"number": 6}) for lang in ("de", "en")}
    assert "die Kreise müssen sich Seite an Seite berühren" in told["de"]
    assert "its circles must touch each other side by side" in told["en"]
