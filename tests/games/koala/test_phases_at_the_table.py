"""The worked cases of all phases but the auction, played at a table: cards seen, choices, presses, clocks."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from table import Koala
from test_case_options import KOALA

from companion.games.koala.rules_feast import offered, order
from companion.games.koala.rules_refill import need
from companion.games.koala.rules_refill import order as draw_order
from companion.games.koala.rules_seats import ACTIONS, Seat, Seats
from companion.games.koala.state import ACTION
from companion.table.cues import Choose
from companion.table.things import CardId, Player

HERE = Path(__file__).parent
FILES = (HERE.parents[1] / "cases" / "koala.cases.json", HERE / "own.cases.json")
CASES = [case for path in FILES for case in json.loads(path.read_text("utf-8"))["cases"]]
Case = Mapping[str, Any]


def of(kind: str, *but: str) -> pytest.MarkDecorator:
    """The cases of a kind, by their ids; `but`: what no table can come to, as the case says it."""
    found = [case for case in CASES if case["kind"] == kind and not any(no in str(case) for no in but)]
    assert len(found) > 5
    return pytest.mark.parametrize("case", found, ids=[case["id"] for case in found])


def people(seats: Seats) -> list[Player]:
    return [player for seat in seats for player in (seat.white, seat.black) if player is not None]


class Phase:
    """A case's table: its people, seats, food and options."""

    def __init__(self, case: Case, **more: object) -> None:
        self.given, self.events = case["given"], case.get("events", [])
        mentioned = [event["by"] for event in self.events if "by" in event]
        names = [*mentioned, *(() if self.given.keys() & {"caves", "seats"} else KOALA.LEAST_TABLE)]
        self.spread = KOALA.spread(self.given, names)
        seats, foods = self.spread.seats, self.spread.foods
        if case["kind"] != "reveal" and not self.given.keys() & {
            "caves",
            "seats",
        }:  # every card can do something
            pair = () if "koalations" in self.given else (Seat(Player("Q1"), Player("Q2")),)
            seats, foods = (*seats, *pair, Seat()), (*foods, *({} for _ in pair), {"pizza": 1})
        self.players = people(seats)
        self.game = Koala(*self.players, **KOALA.wishes(self.given), **more).dealt()
        self.cards: dict[str, list[CardId]] = {}
        for card in self.game.state.deck.cards:
            self.cards.setdefault(card.face, []).append(card.id)
        caves = tuple(
            tuple(self.cards[face].pop() for face, count in cave.items() for _ in range(count))
            for cave in foods
        )
        self.game.set(seats=seats, caves=caves, starter=self.spread.starter, pile=60)

    def foods(self) -> dict[str, dict[str, int]]:
        state = self.game.state
        held = [Counter(state.deck.face(card) for card in cave) for cave in state.caves]
        return {
            cave: {food: count[food] for food in KOALA.FOODS}
            for cave, count in zip(self.spread.ids, held, strict=False)
        }

    def settle(self) -> None:
        """Whoever moves sits, whoever steals lays the cards into the own cave."""
        for player in self.game.state.unsettled:
            assert self.game.press(player) == ""
        if self.game.phase == "take":
            assert self.game.press(str(self.game.state.owner)) == ""

    def decide(self) -> None:
        """The owner carries the card out in some way."""
        cue = self.game.session.cues[0]
        assert isinstance(cue, Choose)
        assert self.game.choose(cue.player, cue.what, cue.options[0]) == ""
        self.settle()


@of("reveal", "possible", "foreign_card")
def test_cards_turned_up_one_by_one_do_what_the_case_says(case: Case) -> None:
    """Carried out, ignored, without effect; then the auction, or the end of the game."""
    told = Phase(case)
    game, expect, given = told.game, case["expect"], case["given"]
    aside = tuple(told.cards[face].pop() for face in given.get("set_aside", ()))
    game.set(bonus=aside, pile=len(given["pile"]) + 1, first_card=given.get("first_card", True))
    game.lying = list(aside)
    seen: dict[str, list[str]] = {"executed": [], "ignored": [], "no_effect": []}
    for face in given["pile"]:
        if game.phase != "reveal":
            break
        first = game.state.first_card
        assert game.lay(told.cards[face].pop()) == ""
        if game.phase == "reveal_action":
            seen["executed"].append(face)
            told.decide()
        elif face in ACTIONS:
            idle = "executed" if game.state.rulings["KOALA-AMB-05"] == "allow_null_actions" else "no_effect"
            seen[idle if first else "ignored"].append(face)
            assert ("say.no_effect" if first else "say.ignored") in game.said
    assert seen == {key: expect[key] for key in seen}
    assert (game.phase == "auction") is (expect["result"] == "auction")
    if game.phase == "auction":
        assert game.state.pile - 1 == expect["pile_left"]
    else:
        assert game.choose(str(game.state.starter), "pile", "empty") == ""
        assert game.phase == "scan"
        assert [game.state.deck.face(card) for card in game.state.bonus] == expect["lost_set_aside"]


def aimed(event: Mapping[str, Any]) -> str:
    """How the owner says what a card does."""
    cave = str(event.get("cave"))
    return {
        "bump": f"{event.get('dir')}:{event.get('target')}", "ring_a_roses": str(event.get("dir")),
        "leapfrog": cave, "sticky_fingers": f"{cave}:{event.get('food')}",
    }[event["card"]]  # fmt: skip


# Cards laid without an aim, by strangers or of no action do not come so far at a table.
@of("move", "not_an_action", "no_effect_possible", "'by': 'P9'", "OWN-C044e")
def test_an_action_card_moves_people_and_food_as_the_case_says(case: Case) -> None:
    """Its owner chooses, the movers press; or the choice is refused for the case's reason."""
    told, code = Phase(case), ""
    for event in case["events"]:
        face = event["card"]
        card = told.cards[face].pop()
        told.game.set(phase="action_do", card=card, owner=event["by"], back="action_wait")
        code = told.game.choose(event["by"], f"act.{face}", aimed(event))
        if code:
            break
        told.settle()
        assert told.game.phase == "action_wait"
    assert code == case["expect"].get("error", "")
    seats = {
        cave: [seat.white, seat.black]
        for cave, seat in zip(told.spread.ids, told.game.state.seats, strict=False)
    }
    if not code:
        assert seats == case["expect"]["seats"]
        assert told.foods() == case["expect"].get("food", told.foods())


# Who is asked at a table is white, in turn, and has six: what else a case refuses nobody is asked.
@of("feast", "'error'")
def test_feasts_are_offered_and_held_as_the_case_says(case: Case) -> None:
    """All who can are asked in their order; whoever eats loses all cards of the food for one feast card."""
    told, expect = Phase(case), case["expect"]
    game, seats, starter = told.game, told.spread.seats, told.spread.starter
    left = case["given"].get("feast_cards_left", 8)
    game.set(feast_cards_left=left)
    limit = 1 if game.state.rulings["KOALA-AMB-12"] == "virtual_feasts" else left
    asked = offered(seats, told.spread.foods, starter, limit)
    assert list(asked) == expect["offer"]
    if asked:
        queue = order(seats, starter)
        queue = queue[queue.index(asked[0]) :]
        game.set(phase="feast", queue=queue, back="")
    wishes = [event for event in case["events"] if event.get("food") not in (None, "no")]
    for wish in wishes:
        while game.state.queue[0] != wish["by"]:
            assert game.choose(game.state.queue[0], "feast", "no") == ""
        assert game.choose(wish["by"], "feast", wish["food"]) == ""
        assert game.press(wish["by"]) == ""
    while game.phase == "feast":
        assert game.choose(game.state.queue[0], "feast", "no") == ""
    state = game.state
    assert {player: count for player, count in state.feasts.items() if count} == expect["feasts"]
    assert Counter(state.deck.face(card) for card in state.discarded) == expect["discarded"]
    assert state.feast_cards_left == expect["feast_cards_left"]


@of("refill", "unknown_player", "foreign_card")
def test_hands_are_refilled_as_the_case_says(case: Case) -> None:
    """Everybody draws in turn; bad cards are shown before the next one draws; the pile may end here."""
    told, expect = Phase(case), case["expect"]
    game, given = told.game, case["given"]
    first = game.state.rulings["KOALA-AMB-10"] == "starter_first"
    queue = draw_order(told.spread.seats, told.spread.starter, first)
    game.set(phase="refill", queue=queue, back="", hands=dict(given["hands"]), pile=given["pile"])
    draws: list[tuple[str, int]] = []
    code = ""
    for player in queue:
        if game.phase != "refill" or code:
            break
        pile = game.state.pile
        draws.append((player, min(pile, need(game.state.hands[player]))))
        for faces in (event["cards"] for event in case["events"] if event["by"] == player):
            lying = [told.cards[face].pop() for face in faces]
            code = code or game.show(ACTION, *game.state.action.spent, *lying)
            if not code:
                draws.append((player, min(3, game.state.pile)))
        code = code or game.press(player)
        assert code or pile - game.state.pile == sum(count for who, count in draws if who == player)
    assert code == expect.get("error", "")
    if not code:
        assert [list(draw) for draw in draws] == expect["draws"]
        assert game.state.pile == expect["pile_left"]
        assert (game.phase == "scan") is (expect["game_end"] or game.state.pile == 0)


def marked(team: str, faces: Mapping[str, str]) -> str:
    return "question" if team == "?" else faces[team]


@of("score", "no_team", "no_pair")
def test_a_finished_table_scores_as_the_case_says(case: Case) -> None:
    """Feast cards and team cards are shown, "?" chooses where it must; then the points stand."""
    given, expect = case["given"], case["expect"]
    teams: Mapping[str, Sequence[str]] = given.get("teams") or {}
    told = Phase(case, teams=bool(teams))
    game, starter = told.game, str(told.spread.starter)
    feasts = {player: given.get("feasts", {}).get(player, 0) for player in told.players}
    game.set(phase="scan", feasts=feasts)
    assert game.call(starter) == ""
    while game.phase == "scan_feasts":
        assert game.press(game.state.queue[0]) == ""
    faces = {team: f"team_{place + 1}" for place, team in enumerate(sorted(teams.keys() - {"?"}))}
    while game.phase == "scan_teams":
        player = game.state.queue[0]
        own = next(team for team, members in teams.items() if player in members)
        assert game.choose(player, "team", marked(own, faces)) == ""
    joins = next((event["team"] for event in case.get("events", ())), given.get("joins"))
    asked = game.phase == "question"
    if asked and joins in faces:
        lone = next(player for player, face in game.state.teams.items() if face == "question")
        code = game.choose(lone, "joins", faces[joins])
        assert code == expect.get("error", "")
    if "error" in expect:
        # A table asks only where it must choose, and offers the weakest teams alone.
        assert game.phase == "question" or joins is not None
        return
    score = game.state.score
    assert score is not None and game.phase == "over"
    names = {marked(team, faces): team for team in teams}
    points = dict.fromkeys(told.players, 0)
    for line in score.lines:
        points[Player(line.who)] += line.points
    totals = {names.get(name, name): total for name, total in score.totals.items()}
    assert points == expect["player_points"]
    assert totals == expect["team_points" if teams else "group_points"]
    assert sorted(names.get(name, name) for name in score.winners) == sorted(expect["winners"])
