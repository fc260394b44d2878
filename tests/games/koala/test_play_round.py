"""Around the auction: opening, feasts, action cards, moves, refill, the end."""

from __future__ import annotations

from collections import Counter

from table import SHELF, Koala

from companion.table.things import Player

PIZZAS = tuple(f"pizza-{n:02d}" for n in range(1, 9))


def won(*names: str, **options: object) -> Koala:
    """Paul has won the first auction; the cards lie in his cave."""
    game = Koala(*names, **options).auction().bid("Paul", "pizza-02").counted_out()
    assert game.show("cave:b", "pizza-01", "pizza-02") == ""
    return game


def feasting(**options: object) -> Koala:
    """Mia's cave holds eight pizzas when the feast begins."""
    game = Koala(**options).dealt().set(caves=(PIZZAS, (), (), ()))
    game.auction("spaghetti-01").bid("Paul", "spaghetti-02").counted_out()
    assert game.show("cave:b", "spaghetti-01", "spaghetti-02") == ""
    return game


def test_the_deck_has_the_cards_of_the_rulebook() -> (
    None
):  # KOALA-CMP-01 KOALA-CMP-02 KOALA-CMP-03 KOALA-CMP-05
    faces = Counter(card.face for card in SHELF["koala"].deck.cards)
    assert sum(faces.values()) == 110 and sum(n for face, n in faces.items() if "team" in face) == 8
    assert [faces[food] for food in ("pizza", "hamburger", "spaghetti")] == [22, 22, 22]
    assert [faces[a] for a in ("bump", "sticky_fingers", "ring_a_roses", "leapfrog")] == [12, 6, 4, 4]
    assert faces["feast"] == 8 and faces["question"] == 2


def test_whoever_looks_most_like_a_koala_presses_and_begins() -> None:  # KOALA-SET-12
    game = Koala()
    assert game.press("Ada") == "" and game.state.starter == "Ada" and game.phase == "deal"
    assert game.press("Mia") == "starter_confirms"
    assert game.press("Ada") == "" and game.state.pile == 80


def test_a_round_is_reveal_feast_actions_refill_and_begins_anew() -> None:  # KOALA-RND-01 KOALA-RND-02
    game = won()
    assert game.phase == "action_wait"
    game.call("Paul")
    game.ring("quiet")
    game.ring("pause")
    assert game.ring("call") == "" and game.phase == "refill"
    phases = [game.phase]
    while game.phase == "refill":
        player = game.state.queue[0]
        assert game.press(player) == ""
        phases.append(game.phase)
    assert phases[-1] == "reveal" and game.state.round == 2 and game.state.pile == 78


def test_a_feast_takes_every_card_of_the_food_for_one_feast_card() -> None:  # KOALA-FEA-06 KOALA-FEA-07
    game = feasting()
    assert game.phase == "feast" and game.view["feast"] == {"player": "Mia", "foods": ["pizza"]}
    hand = game.state.hands["Mia"]
    assert game.choose("Mia", "feast", "pizza") == ""
    assert game.show("cave:a", "pizza-01", "pizza-02") == "cave_has_more"
    assert game.show("cave:a") == ""
    assert game.state.feasts["Mia"] == 1 and game.state.feast_cards_left == 7
    assert game.state.hands["Mia"] == hand and game.phase == "action_wait"


def test_who_does_not_answer_about_the_feast_is_asked_again() -> None:  # KOALA-AMB-35
    game = feasting()
    assert game.ring("ask") == "" and game.said == ["say.feast"] and game.phase == "feast"
    skipped = feasting(**{"KOALA-AMB-35": "skipped"})
    assert skipped.ring("ask") == "" and skipped.phase == "action_wait"


def test_a_feast_out_of_turn_or_by_an_empty_cave_is_refused() -> None:
    game = feasting()
    assert game.choose("Paul", "feast", "pizza") == "feast_out_of_order"
    assert game.choose("Mia", "feast", "hamburger") == "feast_needs_6"


def test_feast_cards_stay_with_the_person_who_becomes_black() -> None:  # KOALA-FEA-12 KOALA-AMB-29
    game = feasting()
    game.choose("Mia", "feast", "pizza")
    game.show("cave:a")
    play_bump(game, "Ben", "left:Mia")
    assert game.state.seats[1].black == "Mia" and game.state.feasts["Mia"] == 1
    assert game.phase == "action_wait"


def play_bump(game: Koala, by: str, option: str) -> None:
    assert game.call(str(game.state.starter)) == ""
    assert game.press(by) == ""
    assert game.show("action", "bump-01") == "" and game.phase == "action_do"
    assert game.choose(by, "act.bump", option) == ""
    for player in game.state.unsettled:
        assert game.press(player) == ""


def test_a_bump_moves_people_and_caves_stay() -> None:  # KOALA-MOV-01 KOALA-MOV-10 KOALA-ACT-02
    game = won()
    caves = game.state.caves
    play_bump(game, "Ben", "left:Mia")
    assert game.state.caves == caves
    assert game.state.seats[0].white is None and game.state.seats[1].black == "Mia"
    assert len(game.state.seats) == 4


def test_left_and_right_are_those_of_the_moved_koala_or_the_other_way_round() -> None:  # KOALA-AMB-01
    game = won(**{"KOALA-AMB-01": "left_is_anticlockwise"})
    play_bump(game, "Ben", "left:Mia")
    assert game.state.seats[3].black == "Mia"


def test_black_koalas_stay_when_whites_dance() -> None:  # KOALA-AMB-19
    seven = ("Mia", "Paul", "Ada", "Ben", "Cleo", "Emil", "Finn")
    game = won(*seven)
    game.call("Paul")
    game.press("Ben")
    game.show("action", "ring_a_roses-01")
    assert game.choose("Ben", "act.ring_a_roses", "left") == ""
    assert game.state.seats[0].white == "Emil" and game.state.seats[0].black == "Finn"


def test_the_starting_role_goes_with_the_person_or_stays_with_the_seat() -> None:  # KOALA-AMB-21
    for ruling, starter in (("with_the_person", "Paul"), ("with_the_seat", "Mia")):
        game = won(**{"KOALA-AMB-21": ruling})
        game.call("Paul")
        game.press("Ben")
        game.show("action", "ring_a_roses-01")
        assert game.choose("Ben", "act.ring_a_roses", "left") == ""
        assert game.state.starter == starter


def test_a_black_koala_may_bump_its_own_white_unless_the_table_says_no() -> None:  # KOALA-AMB-24
    seven = ("Mia", "Paul", "Ada", "Ben", "Cleo", "Emil", "Finn")
    for ruling, code in (("allowed", ""), ("not_own_white", "not_own_white")):
        game = won(*seven, **{"KOALA-AMB-24": ruling})
        game.call("Paul")
        game.press("Finn")
        game.show("action", "bump-01")
        assert game.choose("Finn", "act.bump", "left:Mia") == code


def test_a_revealed_sticky_fingers_may_be_declined_a_bump_may_not() -> None:  # KOALA-AMB-06
    game = Koala().dealt()
    game.lay("bump-01")
    assert game.choose("Mia", "act.bump", "decline") != ""
    game = Koala(**{"KOALA-AMB-06": "all_optional"}).dealt()
    game.lay("bump-01")
    assert game.choose("Mia", "act.bump", "decline") == "" and game.phase == "reveal"


def test_only_the_first_action_card_is_carried_out_the_others_go_back() -> None:
    game = won()
    game.call("Paul")
    game.press("Ben")
    game.press("Ada")
    assert game.show("action", "bump-01", "bump-02") == "" and game.said == ["say.separate"]
    assert game.show("action", "bump-01") == ""
    assert game.phase == "action_do" and game.state.owner == "Ben"


def test_an_action_that_can_do_nothing_goes_back_unless_the_table_allows_it() -> None:
    game = won()
    game.call("Paul")
    game.press("Ben")
    assert game.show("action", "leapfrog-01") == "" and game.said == ["say.take_back"]
    game = won(**{"KOALA-AMB-05": "allow_null_actions"})
    game.call("Paul")
    game.press("Ben")
    assert game.show("action", "leapfrog-01") == "" and game.state.hands["Ben"] == 2


def test_bad_cards_are_exchanged_once_and_again_in_a_later_round() -> None:  # KOALA-AMB-34 KOALA-REF-02
    game = won().set(phase="refill", queue=(Player("Mia"), Player("Ada")), back="")
    pile = game.state.pile
    assert game.show("action", "bump-02", "leapfrog-02", "bump-03") == ""
    assert game.view["refill"] == {"player": "Mia", "draw": 3, "again": True, "whose": []}
    assert game.show("action", "bump-02", "leapfrog-02", "bump-03", "pizza-09") == "bad_cards_once"
    assert game.press("Mia") == "" and game.state.pile == pile - 3
    game.set(phase="refill", queue=(Player("Mia"),), back="", shown=(), drew=(), exchanged=None)
    assert game.show("action", "pizza-11", "pizza-12", "pizza-13") == ""


def test_the_pile_that_ends_at_a_refill_ends_the_game() -> None:  # KOALA-END-03
    game = won().set(phase="refill", queue=(Player("Paul"),), back="", pile=0)
    assert game.press("Paul") == "" and game.phase == "scan"
    assert game.said == ["say.pile_short", "say.scan"]


def over(game: Koala) -> Koala:
    """The game ends; Paul's two pizzas are the only food."""
    game.set(phase="refill", queue=(Player("Paul"),), back="", pile=0)
    game.press("Paul")
    return game


def test_the_last_scan_names_a_difference_and_asks_which_is_right() -> None:
    game = over(won())
    assert game.show("cave:b", "pizza-01") == "" and game.said == ["say.differs"]
    assert game.choose("Paul", "scan.b", "as_seen") == ""
    for cave in ("a", "c", "d"):
        assert game.show(f"cave:{cave}") == ""
    assert game.phase == "over" and game.view["seats"][1]["food"]["pizza"] == 1


def test_the_score_explains_every_point_by_its_rule() -> None:  # KOALA-SCO-03
    game = over(won())
    game.call("Paul")
    assert game.phase == "over"
    assert [(line["who"], line["points"], line["rule"]) for line in game.view["score"]["lines"]] == [
        ("Paul", 2, "KOALA-SCO-02")
    ]
    assert game.view["score"]["winners"] == ["Paul"] and game.session.over


def test_team_cards_are_shown_at_the_end_and_do_not_count_as_hand_cards() -> None:  # KOALA-TEAM-04
    game = won("Mia", "Paul", "Ada", "Ben", teams=True)
    assert sum(game.state.hands.values()) == 11
    over(game)
    game.call("Paul")
    for face in ("team_1-01", "team_2-01", "team_1-02", "team_2-02"):
        assert game.view["teams"] == {}
        assert game.show("action", face) == ""
    assert game.phase == "over" and game.view["score"]["winners"] == ["team_2"]
    assert game.view["teams"] == {"Mia": "team_1", "Paul": "team_2", "Ada": "team_1", "Ben": "team_2"}


def test_team_cards_that_make_no_teams_are_asked_for_again() -> None:  # KOALA-TEAM-02
    game = over(won("Mia", "Paul", "Ada", "Ben", teams=True))
    game.call("Paul")
    for name, team in zip(game.names, ("team_1", "team_2", "team_1", "team_3"), strict=True):
        assert game.choose(name, "team", team) == ""
    assert game.said == ["no.no_pair", "say.show_team"] and game.phase == "scan_teams"
    for name, team in zip(game.names, ("team_1", "team_2", "team_1", "team_2"), strict=True):
        assert game.choose(name, "team", team) == ""
    assert game.phase == "over" and game.view["score"]["winners"] == ["team_2"]


def test_an_unknown_option_names_itself_and_the_right_one() -> None:
    from companion.table import crank  # only here
    from companion.table.events import Opened, Setting  # only here

    opened = Opened(Setting("koala", (Player("A"), Player("B"), Player("C")), {"KOALA-AMP-01": "x"}))
    refusal = crank.advance(SHELF, None, opened)
    assert isinstance(refusal, crank.Refusal) and refusal.values["meant"] == "KOALA-AMB-01"
