"""Who closes the eyes still knows who leads, who won, where cards and people went, and the score."""

from __future__ import annotations

from table import Koala
from test_play_round import over, won

from companion.games.koala.rules_seats import Seat
from companion.shelf import phrases
from companion.table.things import Player


def words(game: Koala, lang: str = "en") -> list[str]:
    """What was said last, in words."""
    known = phrases()["koala"]
    return [known.text(lang, say.key, say.values) for say in game.says]


def test_an_auction_is_heard_bid_by_bid_and_who_wins_is_sent_to_the_cave() -> None:
    game = Koala().auction()
    assert words(game) == ["pizza!"]
    game.press("Paul")
    assert words(game) == ["Paul: pizza, 1."]
    game.lay("pizza-02")
    assert words(game) == ["Leading: Paul with 1."]
    game.counted_out()
    assert words(game) == ["2 cards for Paul, cave B."]


def test_a_bid_that_nobody_can_raise_is_said_as_such() -> None:
    game = Koala("Mia", "Paul", "Ada").auction().bid("Paul", "pizza-02")
    game.bid("Ada", "pizza-03", "pizza-04").bid("Mia", "pizza-05", "pizza-06", "pizza-07")
    assert words(game) == ["Mia with 3. Nobody can bid more.", "7 cards for Mia, cave A."]


def test_a_bid_that_does_not_count_says_first_what_is_to_be_taken_back() -> None:
    game = Koala().auction()  # a count that begins meanwhile may cut the reason off, not the order
    game.press("Paul")
    game.lay("hamburger-01")
    assert words(game) == ["Paul, take back hamburger: wrong food."]


def test_cards_alike_are_counted_as_they_are_on_the_screens() -> None:
    game = Koala().auction()
    game.press("Paul")
    game.lay("hamburger-01", "bump-01", "hamburger-02")
    assert words(game) == ["Paul, take back 2 × hamburger, Bump: wrong food."]


def test_everybody_moving_on_is_one_sentence_however_many_they_are() -> None:
    game = Koala("Mia", "Paul", "Ada", "Ben", "Cleo", "Emil").dealt()
    assert game.lay("ring_a_roses-01") == ""
    assert game.choose("Mia", "act.ring_a_roses", "left") == ""
    assert words(game) == ["All white koalas move one cave to the left."]
    assert words(game, "de") == ["Alle weißen Koalas rücken eine Höhle weiter, nach links."]


def test_who_is_bumped_hears_behind_whom_he_stands_and_at_which_cave() -> None:
    game = Koala().dealt()
    assert game.lay("bump-01") == "" and game.choose("Mia", "act.bump", "left:Paul") == ""
    assert words(game) == ["Paul stands behind Ada, cave C."]


def test_of_two_who_swap_each_hears_the_new_place() -> None:
    seats = (Seat(Player("Mia"), Player("Ben")), Seat(Player("Paul")), Seat(Player("Ada")), Seat())
    game = Koala().dealt().set(seats=seats)
    assert game.lay("leapfrog-01") == "" and game.choose("Mia", "act.leapfrog", "a") == ""
    assert words(game) == ["Ben sits down at cave A.", "Mia stands behind Ben, cave A."]


def test_food_that_changes_its_cave_is_named_and_so_is_doing_without() -> None:
    empty = (Seat(Player("Mia"), Player("Ben")), Seat(Player("Paul")), Seat(Player("Ada")), Seat())
    for option, told in (("d:pizza", "Mia takes from cave D: pizza, 2."), ("decline", "Mia does without.")):
        game = Koala().dealt().set(seats=empty, caves=((), (), (), ("pizza-07", "pizza-08")))
        assert game.lay("sticky_fingers-01") == ""
        assert game.choose("Mia", "act.sticky_fingers", option) == ""
        assert words(game)[0] == told


def test_the_score_of_every_side_is_heard_before_the_winner() -> None:
    game = over(won())
    for cave in "abcd":
        game.show(f"cave:{cave}", *game.state.caves["abcd".index(cave)])
    assert words(game)[-1] == "Winner: Paul. Enjoy your meal!"
    points = [say.values for say in game.says if say.key == "say.points"]
    assert points[-1] == {"names": "Paul", "count": 2} and len(points) == 4
    assert [value["count"] for value in points] == sorted(int(value["count"]) for value in points)


def test_teams_score_by_their_names() -> None:
    game = over(won("Mia", "Paul", "Ada", "Ben", teams=True))
    game.call("Paul")
    for name, team in (("Mia", "team_1"), ("Paul", "team_2"), ("Ada", "team_1"), ("Ben", "team_2")):
        assert game.choose(name, "team", team) == ""
    assert {say.values["names"] for say in game.says if say.key == "say.points"} == {"@team_1", "@team_2"}
    assert words(game)[-1] == "Winner: team 2. Enjoy your meal!"


def test_question_marks_are_spoken_of_only_where_there_are_any() -> None:
    four, five = (Koala(*"ABCDE"[:count], teams=True) for count in (4, 5))
    for game in (four, five):
        game.press("A")
    assert words(four) == ["A begins.", "Sort out 2 pairs of team cards; everybody draws one."]
    assert words(five)[1] == "Sort out 2 pairs of team cards and question marks (1); everybody draws one."


def test_who_is_asked_or_draws_first_is_told_so_once() -> None:
    game = won()
    assert words(game) == ["Paul, call for action cards."]
    assert game.call("Paul") == ""
    game.counted_out()
    assert words(game) == ["Paul draws 1."]
