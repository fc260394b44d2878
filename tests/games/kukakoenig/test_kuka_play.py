"""Ku-Ka-König at the table: what is waited for, what is said, and what people did against what the rules say."""

from __future__ import annotations

import pytest
from kuka_table import CARDS, DECK, Desk

from companion.table.crank import Turn
from companion.table.cues import Choose, Press, Show, Wait
from companion.table.game import Refusal
from companion.table.things import Button


def refused(answer: object) -> str:
    assert isinstance(answer, Refusal), answer
    return answer.code


def test_a_table_is_set_up_row_by_row_and_the_cards_counted_out_stay_unseen() -> None:
    """KUKA-SET-03, 04; KUKA-SET-06, KUKA-SET-07: exactly three cards in each row; fewer are still being laid, more are named."""
    desk = Desk(3)
    assert desk.said("say.count_out") == [{"count": 10}]
    assert desk.said("say.made_up") == [{}]
    desk.press("Tim")
    assert refused(desk.show(1, CARDS[:2])) == "nothing_new"
    assert refused(desk.show(1, CARDS[:4])) == "too_many_cards"
    assert isinstance(desk.show(1, CARDS[:3]), Turn)
    assert refused(desk.show(2, CARDS[1:4])) == "card_elsewhere"
    assert refused(desk.show(2, ("joker", *CARDS[3:5]))) == "foreign_card"
    assert refused(desk.show(1, CARDS[5:8])) == "nothing_new"
    for row in range(2, 8):
        desk.show(row, CARDS[3 * row : 3 * row + 3])
    assert desk.phase == "think"
    assert (desk.view["pile"], desk.view["box"]) == (81, 10)


def test_a_number_cards_sticker_in_its_row_is_no_playing_card() -> None:
    """KUKA-RND-06: the number card stays; its sticker may be seen beside the row."""
    desk = Desk(2)
    desk.press("Tim")
    desk.show(1, ("number_1-01", *CARDS[:3]))
    assert desk.row(1) == CARDS[:3]


@pytest.mark.parametrize("players", [1, 5])
def test_a_number_of_players_the_rulebook_does_not_know_is_refused(players: int) -> None:
    from companion.games.kukakoenig.game import setup
    from companion.table.events import Setting
    from companion.table.things import Player

    names = tuple(Player(f"P{n}") for n in range(players))
    assert refused(setup(Setting("kukakoenig", names, {}), DECK)) == "player_count"
    assert refused(setup(Setting("kukakoenig", names[:2], {"KUKA-AMB-99": "x"}), DECK)) == "unknown_option"


def test_the_beat_comes_when_all_are_ready_and_at_an_even_pace() -> None:
    """KUKA-RND-03, KUKA-RND-04."""
    desk = Desk(3, beat_s=3.0).lay()
    for name in ("Tim", "Sarah", "Linus"):
        assert desk.phase == "think"
        desk.press(name)
    (beat,) = desk.session.cues
    assert isinstance(beat, Wait)
    assert (beat.seconds, beat.beats) == (3.0, ("beat.ku", "beat.ka", "beat.koenig"))
    assert refused(desk.press("Tim")) == "beat_runs"


def test_the_rulebooks_example_from_sealed_numbers() -> None:
    """KUKA-RND-05 to 09, KUKA-RND-02, KUKA-RND-08: Tim takes row 6; row 2 loses its outermost card; Sarah and Linus repeat."""
    desk = Desk(3).lay()
    six, two = desk.row(6), desk.row(2)
    desk.seal(Tim=6, Sarah=2, Linus=2)
    assert desk.said("say.takes") == [{"name": "Tim", "place": "@zone.row:6"}]
    assert desk.said("say.collide") == [
        {"place": "@zone.row:2", "names": "Sarah + Linus", "cards": f"@{DECK.face(two[-1])}"}
    ]
    desk.settle()
    assert desk.phase == "think"
    assert desk.view["affected"] == ["Sarah", "Linus"]
    assert refused(desk.press("Tim")) == "wrong_players:Sarah,Linus"
    desk.seal(Sarah=7, Linus=2).settle()
    assert desk.state.collections["Tim"] == six
    assert desk.state.collections["Linus"] == two[:2]
    assert (desk.phase, desk.view["round"]) == ("refill", 2)
    assert desk.view["alike"] == [{"pair": ["Sarah", "Linus"], "times": 1}]


@pytest.mark.parametrize(
    ("option", "code"), [("9", "no_such_row"), ("0", "no_such_row"), ("x", "no_such_row")]
)
def test_a_row_that_does_not_exist_is_refused_without_ending_anything(option: str, code: str) -> None:
    """KUKA-RND-10."""
    desk = Desk(3).lay()
    assert refused(desk.choose("Tim", "row", option)) == code
    assert desk.phase == "think"


def test_an_empty_row_cannot_be_chosen_unless_the_table_lets_it_bring_nothing() -> None:
    """KUKA-AMB-04."""
    desk = Desk(3).lay().seal(Tim=6, Sarah=2, Linus=2).settle()
    assert refused(desk.choose("Sarah", "row", "6")) == "row_empty"
    other = Desk(3, KUKA_AMB_04="gets_nothing").lay().seal(Tim=6, Sarah=2, Linus=2).settle()
    other.seal(Sarah=6, Linus=1)
    assert other.said("say.gets_nothing") == [{"name": "Sarah"}]
    other.settle()
    assert other.phase == "refill"
    assert len(other.state.collections["Sarah"]) == 0


def test_who_is_ready_stays_sealed_and_is_asked_no_more() -> None:
    desk = Desk(3).lay()
    desk.choose("Tim", "row", "4")
    assert refused(desk.choose("Tim", "row", "5")) == "ready_already"
    assert not any(cue.player == "Tim" for cue in desk.session.cues if isinstance(cue, Press | Choose))


def test_number_keys_seal_a_number_and_a_wrong_key_is_refused() -> None:
    """A pad, or a box with several keys; ready comes with the number."""
    desk = Desk(3, entry="keys").lay()
    assert Press("Tim", Button("7"), "cue.row") in desk.session.cues  # type: ignore[arg-type]  # names are plain here
    assert refused(desk.press("Tim", Button("8"))) == "no_such_row"
    for name, key in (("Tim", "1"), ("Sarah", "2"), ("Linus", "3")):
        desk.press(name, Button(key))
    desk.ring("beat")
    assert desk.view["shown"] == {"Tim": 1, "Sarah": 2, "Linus": 3}


def test_counted_presses_are_the_number_and_a_pause_ends_it() -> None:
    desk = Desk(3, entry="counted").lay()
    for name in ("Tim", "Sarah", "Linus"):
        desk.press(name)
    desk.ring("beat")
    for name, times in (("Tim", 1), ("Sarah", 3), ("Linus", 3)):
        for _ in range(times):
            desk.press(name)
    assert "counted" not in desk.view
    desk.ring("count")
    assert desk.view["shown"] == {"Tim": 1, "Sarah": 3, "Linus": 3}
    assert [row["goes"] for row in desk.view["rows"][:3]] == [0, 0, 1]


@pytest.mark.parametrize("times", [0, 9])
def test_who_presses_nothing_or_too_often_makes_the_group_repeat(times: int) -> None:
    """KUKA-AMB-02: late or no such row; nothing is removed."""
    desk = Desk(2, entry="counted").lay()
    desk.press("Tim")
    desk.press("Sarah")
    desk.ring("beat")
    desk.press("Tim")
    for _ in range(times):
        desk.press("Sarah")
    desk.ring("count")
    assert desk.phase == "think"
    assert desk.view["affected"] == ["Tim", "Sarah"]
    assert all(len(row["cards"]) == 3 for row in desk.view["rows"])


def test_a_late_one_repeats_alone_where_the_table_agreed_so() -> None:
    """KUKA-AMB-02, the other way: the numbers of the others stand."""
    desk = Desk(3, entry="counted", KUKA_AMB_02="late_one_repeats").lay()
    for name in desk.names:
        desk.press(name)
    desk.ring("beat")
    desk.press("Tim")
    desk.press("Sarah")
    desk.press("Sarah")
    desk.ring("count")
    desk.settle()
    assert desk.view["affected"] == ["Linus"]
    assert len(desk.state.collections["Tim"]) == len(desk.state.collections["Sarah"]) == 3


def test_fingers_are_read_off_the_rows_once_the_table_rests() -> None:
    """KUKA-AMB-01: the camera sees which rows vanish; who took which is asked, a press answers."""
    desk = Desk(3).lay()
    for name in desk.names:
        desk.press(name)
    desk.ring("beat")
    rows = {row: desk.row(row) for row in (1, 5, 6)}
    desk.show(6, ())
    desk.show(5, ())
    desk.show(1, ())
    desk.ring("done")
    assert desk.said("say.whose") == [{"place": "@zone.row:1"}]
    desk.press("Linus")
    assert desk.said("say.whose") == [{"place": "@zone.row:5"}]
    desk.press("Tim")  # the third is clear by itself
    assert desk.phase == "refill"
    assert desk.state.collections == {"Tim": rows[5], "Sarah": rows[6], "Linus": rows[1]}


def test_a_collision_of_fingers_is_seen_by_the_card_that_went() -> None:
    desk = Desk(2).lay()
    desk.press("Tim")
    desk.press("Sarah")
    desk.ring("beat")
    desk.show(3, desk.row(3)[:2])
    desk.ring("done")
    assert desk.phase == "think"
    assert [len(row["cards"]) for row in desk.view["rows"]] == [3, 3, 2, 3, 3, 3]
    assert desk.view["box"] == 33


def test_a_last_card_that_nobody_says_to_have_taken_went_to_the_box() -> None:
    """One card gone from a row of one: taken by one of the two, or lost by both."""
    desk = Desk(2).lay()
    for _ in range(2):
        desk.seal(Tim=3, Sarah=3).settle()
    assert len(desk.row(3)) == 1
    desk.press("Tim")
    desk.press("Sarah")
    desk.ring("beat")
    desk.show(3, ())
    desk.ring("done")
    assert desk.phase == "think"  # both chose it: a lone taker would leave the other without a trace


def test_rows_that_fit_no_choice_are_told_and_wait_to_be_mended() -> None:
    desk = Desk(2).lay()
    desk.press("Tim")
    desk.press("Sarah")
    desk.ring("beat")
    right = desk.row(2)
    desk.show(2, right[1:])
    desk.ring("done")
    assert desk.said("say.unclear") == [{"place": "@zone.row:2"}]
    assert not any(isinstance(cue, Wait) for cue in desk.session.cues)
    desk.show(2, right[:2])
    desk.ring("done")
    assert desk.phase == "think"


def test_a_wrong_card_gone_is_named_and_the_table_may_mend_or_leave_it() -> None:
    """KUKA-RND-07: the outermost should have gone, another one is missing."""
    desk = Desk(3).lay().seal(Tim=6, Sarah=2, Linus=2)
    two = desk.row(2)
    desk.show(6, ())
    desk.show(2, two[1:])
    (named,) = desk.said("say.differs.wrong_card")
    assert named == {
        "place": "@zone.row:2", "missing": f"@{DECK.face(two[0])}", "extra": f"@{DECK.face(two[-1])}"
    }  # fmt: skip
    assert desk.view["differences"][0]["values"] == named
    assert desk.view["prompt"]["key"] == "say.differs.wrong_card"
    assert refused(desk.press("Sarah")) == "still_differs"
    left = desk.session
    desk.show(2, two[:2])
    assert (desk.phase, desk.view["differences"]) == ("think", [])
    assert desk.state.box == (two[-1],)
    desk.session = left
    desk.choose("Tim", "table", "as_seen")
    assert desk.phase == "think"
    assert (desk.state.box, desk.row(2)) == ((two[0],), two[1:])


def test_a_wrong_row_taken_is_named_and_may_stay_where_it_is() -> None:
    desk = Desk(3).lay().seal(Tim=6, Sarah=2, Linus=1)
    five = desk.row(5)
    desk.show(2, ())
    desk.show(1, ())
    desk.show(5, ())
    assert desk.said("say.differs.not_theirs")[0]["place"] == "@zone.row:5"
    assert desk.view["rows"][4]["differs"]
    left = desk.session
    desk.choose("Tim", "table", "as_seen")
    assert desk.state.collections["Tim"] == five
    desk.session = left
    desk.show(5, five)
    desk.show(6, ())
    assert desk.phase == "refill"


def test_a_riddle_on_the_table_is_not_followed_but_what_was_said_may_count() -> None:
    desk = Desk(3).lay().seal(Tim=6, Sarah=2, Linus=1)
    desk.show(5, ())
    desk.show(4, ())
    assert refused(desk.choose("Tim", "table", "as_seen")) == "cannot_follow"
    desk.choose("Tim", "table", "as_recorded")
    assert desk.phase == "refill"


def test_a_half_taken_row_is_waited_for_in_silence() -> None:
    desk = Desk(2).lay().seal(Tim=6, Sarah=2)
    desk.show(6, desk.row(6)[:1])
    assert desk.says == []
    assert refused(desk.press("Tim")) == "still_differs"
    assert desk.phase == "take"


def test_without_a_camera_a_press_says_that_it_was_done() -> None:
    desk = Desk(2).lay().seal(Tim=6, Sarah=2)
    desk.press("Sarah")
    assert desk.phase == "refill"


@pytest.mark.parametrize("answer", ["press", "yes"])
def test_once_more_is_asked_first_and_takes_nothing_away(answer: str) -> None:
    """KUKA-AMB-20, then KUKA-AMB-02."""
    desk = Desk(3).lay().seal(Tim=6, Sarah=2, Linus=2)
    desk.call("Linus")
    assert desk.view["calls"] == "Linus"
    assert refused(desk.press("Linus")) == "not_waited_for"
    if answer == "press":
        desk.press("Tim")
    else:
        desk.choose("Tim", "again", "yes")
    assert (desk.phase, desk.view["affected"]) == ("think", ["Tim", "Sarah", "Linus"])
    assert all(len(row["cards"]) == 3 for row in desk.view["rows"])


@pytest.mark.parametrize("answer", ["ring", "no"])
def test_a_call_that_nobody_backs_leaves_everything_as_it_was(answer: str) -> None:
    desk = Desk(3).lay().seal(Tim=6, Sarah=2, Linus=2)
    desk.call("Linus")
    if answer == "ring":
        desk.ring("again")
    else:
        desk.choose("Tim", "again", "no")
    assert desk.phase == "take"
    desk.settle()
    assert desk.view["affected"] == ["Sarah", "Linus"]


def test_once_more_at_once_where_the_table_agreed_so() -> None:
    """KUKA-AMB-20, the other way; only who chooses may call."""
    desk = Desk(3, KUKA_AMB_20="repeat_at_once").lay().seal(Tim=6, Sarah=2, Linus=2).settle()
    desk.seal(Sarah=1, Linus=2)
    assert refused(desk.call("Tim")) == "wrong_players:Sarah,Linus"
    desk.call("Linus")
    assert (desk.phase, desk.view["affected"]) == ("think", ["Sarah", "Linus"])


def test_two_collisions_repeat_together_or_row_by_row() -> None:
    """KUKA-AMB-03."""
    together = Desk(4).lay().seal(Tim=1, Sarah=1, Linus=2, Mia=2).settle()
    assert together.view["affected"] == ["Tim", "Sarah", "Linus", "Mia"]
    apart = Desk(4, KUKA_AMB_03="row_by_row").lay().seal(Tim=2, Sarah=2, Linus=1, Mia=1).settle()
    assert apart.view["affected"] == ["Linus", "Mia"]
    apart.seal(Linus=1, Mia=3).settle()
    assert apart.view["affected"] == ["Tim", "Sarah"]
    apart.seal(Tim=4, Sarah=5).settle()
    assert apart.phase == "refill"


def test_three_on_one_row_cost_one_card_or_two_as_agreed() -> None:
    """KUKA-AMB-12."""
    for ruling, left in (("one_card", 2), ("one_fewer_than_players", 1)):
        desk = Desk(3, KUKA_AMB_12=ruling).lay().seal(Tim=1, Sarah=1, Linus=1).settle()
        assert len(desk.row(1)) == left


def test_one_row_left_ends_the_round_and_lone_choosers_keep_theirs() -> None:
    """KUKA-RND-14, KUKA-AMB-14; KUKA-AMB-15: those who go empty are always at least two."""
    desk = Desk(2).lay()
    for row in (1, 2, 3, 4, 5):
        for _ in range(3):
            desk.seal(Tim=row, Sarah=row).settle()
    assert desk.phase == "refill"
    assert desk.state.collections == {"Tim": (), "Sarah": ()}
    assert desk.said("say.one_row_left") == [{"names": "Tim, Sarah"}]


def test_rows_are_topped_up_in_order_and_leftover_cards_stay() -> None:
    """KUKA-RND-15, 16; KUKA-RND-13: collected cards stay with their owner; KUKA-AMB-13: the newest lie outermost, or inside as agreed."""
    for ruling in ("outside", "inside"):
        desk = Desk(2, KUKA_AMB_13=ruling).lay().seal(Tim=2, Sarah=2).settle().seal(Tim=1, Sarah=4).settle()
        old = desk.row(2)
        assert refused(desk.show(2, (old[0], *desk.pile[:1]))) == "leftover_missing"
        assert refused(desk.show(1, desk.pile[:2])) == "nothing_new"
        assert refused(desk.show(1, (*desk.state.collections["Tim"][:1], *desk.pile[:2]))) == "card_elsewhere"
        fresh = desk.pile[:1]
        desk.fill(2, 1)
        assert desk.said("say.row_first") == [{"place": "@zone.row:1"}]
        assert desk.row(2) == ((*fresh, *old) if ruling == "inside" else (*old, *fresh))
        desk.refill()
        assert (desk.phase, desk.view["pile"]) == ("think", 55)


def rounds(desk: Desk, count: int) -> Desk:
    """Rounds without collisions; scorings on the way are pressed through, red crosses put back as told."""
    for _ in range(count):
        desk.round(*range(1, len(desk.names) + 1))
        through(desk)
    return desk


def through(desk: Desk) -> Desk:
    while desk.phase in ("score", "keep", "refill"):
        if desk.phase == "score":
            desk.press("Tim")
        elif desk.phase == "keep":
            desk.press(desk.view["returns"]["player"])
        else:
            desk.refill()
    return desk


def test_thirteen_cards_bring_the_first_scoring_type_by_type_with_running_sums() -> None:
    """KUKA-END1-01, 02; KUKA-SCO-01, 02, KUKA-SCO-03: after round five without collisions."""
    desk = rounds(Desk(3).lay(), 4)
    assert desk.state.stage == 1
    desk.round(1, 2, 3)
    assert desk.said("say.thirteen") == [{"names": "Tim, Sarah, Linus"}]
    seen = []
    while desk.phase == "score":
        scoring = desk.view["scoring"]
        seen.append(scoring["type"])
        assert scoring["sums"]["Tim"] == sum(scoring["points"][kind]["Tim"] for kind in seen)
        desk.ring("score") if len(seen) % 2 else desk.press("Linus")
    assert seen == ["kings", "churches", "vp", "knights", "animals", "farm"]
    assert desk.view["points"] == {
        p: sum(x.points for x in desk.state.points[0] if x.who == p) for p in desk.names
    }


def test_red_crosses_go_back_to_the_box_card_by_card() -> None:
    """KUKA-END1-03, 04; KUKA-CMP-03, 05; KUKA-SCO-04: wrong and missing cards are named."""
    desk = rounds(Desk(3, seed=3).lay(), 4).round(1, 2, 3)
    while desk.phase == "score":
        desk.press("Tim")
    first = desk.view["returns"]["player"]
    mine = desk.state.collections[first]
    red = tuple(card for card in mine if not DECK.facts[DECK.face(card)]["stays"])
    green = tuple(card for card in mine if card not in red)
    assert {card["card"] for card in desk.view["returns"]["cards"]} == set(red)
    desk.box((*red[1:], green[0]))
    assert desk.said("say.stays") == [{"cards": f"@{DECK.face(green[0])}", "home": first}]
    assert refused(desk.press(first)) == "red_cards_missing"
    desk.box((*red, green[0]))
    assert refused(desk.press(first)) == "green_card_stays"
    other = next(name for name in desk.names if name != first)
    assert refused(desk.press(other)) == "not_your_turn"
    before = desk.view["box"]
    desk.box(red)
    assert desk.state.collections[first] == green
    assert desk.view["box"] == before + len(red)
    through(desk)
    assert (desk.phase, desk.state.stage) == ("think", 2)
    kinds = {DECK.by_id[card].kind for cards in desk.state.collections.values() for card in cards}
    assert kinds <= {"king", "knight", "animal"}


@pytest.mark.parametrize(("players", "last", "boxed"), [(2, 12, 4), (3, 10, 0), (4, 9, 8)])
def test_a_game_without_collisions_ends_as_computed(players: int, last: int, boxed: int) -> None:
    """KUKA-RND-17; KUKA-END2-01, KUKA-END2-04, KUKA-AMB-05: rounds, cards from the box, two scorings, a winner, nothing waited for."""
    desk = Desk(players, seed=1).lay()
    while desk.phase != "over":
        before = desk.view["box"]
        desk.round(*range(1, players + 1))
        while desk.phase in ("score", "keep"):
            desk.press("Tim" if desk.phase == "score" else desk.view["returns"]["player"])
        if desk.phase == "refill" and desk.state.final:
            before = desk.view["box"]
            desk.refill()
            assert before - desk.view["box"] == boxed
        through(desk)
    assert desk.view["round"] == last
    assert len(desk.state.points) == 2
    assert desk.session.cues == ()
    score = desk.state.score
    assert score.totals == {
        p: sum(x.points for lines in desk.state.points for x in lines if x.who == p) for p in desk.names
    }
    assert max(score.totals, key=score.totals.get) in score.winners
    assert refused(desk.press("Tim")) == "game_is_over"


def test_the_first_scoring_before_or_after_the_refill_gives_the_same_points() -> None:
    """KUKA-AMB-10."""
    points = []
    for ruling in ("before_refill", "after_refill"):
        desk = rounds(Desk(3, KUKA_AMB_10=ruling).lay(), 4).round(1, 2, 3)
        assert desk.phase == ("score" if ruling == "before_refill" else "refill")
        points.append(through(desk).state.points)
    assert points[0] == points[1]


def test_a_pile_that_ends_before_thirteen_cards_brings_one_scoring_or_two() -> None:
    """KUKA-AMB-11: many collisions; the final round comes first."""
    for ruling, scorings in (("final_only", 1), ("both", 2)):
        desk = Desk(2, KUKA_AMB_11=ruling).lay()
        while not desk.state.final:
            for row in (1, 2, 3, 4, 5):
                for _ in range(len(desk.row(row))):
                    desk.seal(Tim=row, Sarah=row).settle()
            through(desk)
        while desk.phase != "over":
            desk.round(1, 2)
            through(desk)
        assert len(desk.state.points) == scorings
        if scorings == 1:
            assert all(line.points >= 0 for line in desk.state.points[0])


def test_seen_cards_alone_may_fill_the_last_round_as_agreed() -> None:
    """KUKA-AMB-22: with everything, cards counted out unseen come into play."""
    for ruling, left in (("everything", 0), ("seen_only", 32)):
        desk = Desk(2, seed=3, KUKA_AMB_22=ruling).lay()
        while desk.phase != "over":
            desk.round(1, 2)
            through(desk)
        assert desk.state.unseen >= left


def test_cards_left_and_odds_are_exact_but_tell_no_made_up_numbers() -> None:
    """Kings, farmers, animals by the rulebook; all else together, as the split is made up."""
    desk = Desk(3).lay()
    odds = {entry["face"]: entry for entry in desk.view["odds"]}
    lying = [DECK.by_id[card] for cards in desk.state.rows.values() for card in cards]
    assert odds["king"]["left"] == 10 - sum(card.face == "king" for card in lying)
    assert set(odds) == {"king", "farmer", "other", *(c.face for c in DECK.cards if c.kind == "animal")}
    assert odds["other"]["total"] == 54
    assert sum(entry["left"] for entry in odds.values()) == 112 - 21


def test_every_way_of_entry_may_be_narrowed() -> None:
    """KUKA-AMB-01: entered only, or seen only."""
    entered = Desk(2, KUKA_AMB_01="entered_only").lay()
    seen = Desk(2, KUKA_AMB_01="seen_only").lay()
    assert any(isinstance(cue, Choose) for cue in entered.session.cues)
    assert not any(isinstance(cue, Choose) for cue in seen.session.cues)
    for desk in (entered, seen):
        desk.press("Tim")
        desk.press("Sarah")
        desk.ring("beat")
    assert not any(isinstance(cue, Show) for cue in entered.session.cues)
    assert any(isinstance(cue, Show) for cue in seen.session.cues)
    entered.choose("Tim", "row", "1")
    entered.choose("Sarah", "row", "2")
    assert entered.phase == "take"
