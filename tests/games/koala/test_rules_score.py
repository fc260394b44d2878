"""Scores of any table: sums agree, at most two points a food and cave, the tie-break decides."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from companion.games.koala.rules_score import points, score
from companion.games.koala.rules_seats import FOODS, Seat, Seats
from companion.table.game import Refusal, Score
from companion.table.things import Player

Foods = tuple[dict[str, int], ...]


@st.composite
def tables(draw: st.DrawFn) -> tuple[Seats, Foods, dict[Player, int]]:
    """Three to ten players anywhere at their caves, any food, up to eight feast cards."""
    n = draw(st.integers(3, 10))
    caves = min(n, 6)
    spots = draw(st.permutations([place for place in range(caves) for _ in range(2)]))[:n]
    held: list[list[Player]] = [[] for _ in range(caves)]
    for number, place in enumerate(spots, 1):
        held[place].append(Player(f"P{number}"))
    seats = tuple(Seat(*names) for names in held)
    foods = tuple({food: draw(st.integers(0, 3)) for food in FOODS} for _ in range(caves))
    feasts = {Player(f"P{i}"): draw(st.integers(0, 2)) for i in range(1, draw(st.integers(1, 3)))}
    return seats, foods, feasts


def everybody(seats: Seats) -> list[Player]:
    """All players of a table."""
    return [player for seat in seats for player in (seat.white, seat.black) if player is not None]


def named(seat: Seat) -> str:
    """What a koalation or a single koala is called: "P1+P2", "P1"."""
    return str(seat.white) if seat.black is None else f"{seat.white}+{seat.black}"


@given(tables())
def test_groups_sum_up_their_players_and_every_point_has_its_rule(
    table: tuple[Seats, Foods, dict[Player, int]],
) -> None:
    """Group totals are sums of player points, player points sums of explained lines."""
    seats, foods, feasts = table
    done = score(seats, foods, feasts)
    assert isinstance(done, Score)
    own = points(done, everybody(seats))
    assert sum(own.values()) == sum(done.totals.values()) == sum(line.points for line in done.lines)
    for seat in seats:
        if seat.white is not None:
            assert done.totals[named(seat)] == sum(own[p] for p in (seat.white, seat.black) if p is not None)
    assert all(line.rule.startswith("KOALA-SCO-") and line.why and line.points > 0 for line in done.lines)


@given(tables())
def test_no_food_gives_more_than_its_majority(table: tuple[Seats, Foods, dict[Player, int]]) -> None:
    """A food gives one cave two points a koala, or each tied cave one point a koala; never both."""
    seats, foods, feasts = table
    done = score(seats, foods, feasts)
    assert isinstance(done, Score)
    for food in FOODS:
        each = [line.points for line in done.lines if line.values.get("food") == f"@{food}"]
        most = max(held[food] for held in foods)
        leaders = [seat for seat, held in zip(seats, foods, strict=True) if held[food] == most > 0]
        koalas = len(everybody(tuple(leaders)))
        assert each == [2 if len(leaders) == 1 else 1] * koalas


@given(tables())
def test_winners_have_most_points_then_most_food(table: tuple[Seats, Foods, dict[Player, int]]) -> None:
    """Nobody beats a winner, and who ties with one in both shares the victory."""
    seats, foods, feasts = table
    done = score(seats, foods, feasts)
    assert isinstance(done, Score)
    rank = {
        named(seat): (done.totals[named(seat)], sum(held.values()))
        for seat, held in zip(seats, foods, strict=True)
        if seat.white is not None
    }
    best = max(rank.values())
    assert set(done.winners) == {name for name, worth in rank.items() if worth == best}


@given(tables(), st.data())
def test_teams_share_out_the_same_points(
    table: tuple[Seats, Foods, dict[Player, int]], data: st.DataObject
) -> None:
    """Whatever the teams, all points are in them; a lone "?" joins one of the weakest or must choose."""
    seats, foods, feasts = table
    players = data.draw(st.permutations(everybody(seats)))
    pairs = (len(players) - 2) // 2 if len(players) == 10 else len(players) // 2
    teams = {f"team_{i + 1}": players[2 * i : 2 * i + 2] for i in range(pairs)}
    if players[2 * pairs :]:
        teams["question"] = players[2 * pairs :]
    done = score(seats, foods, feasts, teams)
    if isinstance(done, Refusal):
        options = done.code.removeprefix("choose_team:").split(",")
        assert len(options) > 1
        done = score(seats, foods, feasts, teams, options[-1])
        assert isinstance(done, Score)
        assert done.notes == (f"joined:{options[-1]}",)
    own = points(done, players)
    assert sum(done.totals.values()) == sum(own.values())
    assert len(done.totals) == len(teams) - (len(teams.get("question", ())) == 1)


def test_a_player_with_a_plus_in_the_name_scores_like_any_other() -> None:
    """Group names join two players with a plus: nothing may take them apart again."""
    seats = (Seat(Player("A+B"), Player("C")), Seat(Player("D")), Seat())
    foods = ({"pizza": 3, "hamburger": 0, "spaghetti": 0}, *(dict.fromkeys(FOODS, 0),) * 2)
    done = score(seats, foods, {Player("D"): 1})
    assert isinstance(done, Score)
    assert done.totals == {"A+B+C": 4, "D": 1}


def test_the_black_koala_scores_by_the_rule_for_koalations() -> None:
    """Each line names the rule that gives it to this player."""
    seats = (Seat(Player("A"), Player("B")), Seat(Player("C")), Seat(Player("D")), Seat())
    foods = (
        {"pizza": 3, "hamburger": 1, "spaghetti": 0},
        *({"pizza": 0, "hamburger": 0, "spaghetti": 1},) * 3,
    )
    done = score(seats, foods, {})
    assert isinstance(done, Score)
    rules = Counter((line.who, line.rule) for line in done.lines)
    assert rules == {
        ("A", "KOALA-SCO-02"): 1, ("A", "KOALA-SCO-03"): 1, ("B", "KOALA-SCO-04"): 2,
        ("C", "KOALA-SCO-05"): 1, ("D", "KOALA-SCO-05"): 1,
    }  # fmt: skip
