"""The worked cases of auctions, played at a table: presses, cards in the middle, and clocks that ring."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from table import Koala
from test_case_options import KOALA

from companion.games.koala.rules_seats import distance, seated
from companion.table.cues import Choose
from companion.table.things import CardId, Player

HERE = Path(__file__).parent
FILES = (HERE.parents[1] / "cases" / "koala.cases.json", HERE / "own.cases.json")
CASES = {
    case["id"]: case
    for path in FILES
    for case in json.loads(path.read_text("utf-8"))["cases"]
    # At a table two who are no koalation never share a bid: each presses for himself.
    if case["kind"] == "auction" and "not_a_koalation" not in str(case["expect"])
}
CASES.pop("OWN-C038b")  # one of a koalation lays more than his hand: the camera sees what both lay together
MANY = 50  # cards in a hand whose size a case does not tell


class Auction:
    """A case's auction at the table."""

    def __init__(self, case: Mapping[str, Any]) -> None:
        given, events = case["given"], case["events"]
        named = [n for event in events for n in (*event.get("cards", {}), event.get("by"))]
        spread = KOALA.spread(given, [*named, *(() if "hands" in given else KOALA.LEAST_TABLE)])
        assert len(spread.seats) >= len(KOALA.LEAST_TABLE)
        people = tuple(p for seat in spread.seats for p in (seat.white, seat.black) if p is not None)
        self.game = Koala("P1", "P2", "P3", **KOALA.wishes(given)).auction()
        state = self.game.state
        self.cards = {
            face: [card.id for card in state.deck.cards if card.face == face]
            for face in ("pizza", "hamburger", "spaghetti")
        }
        bonus, food = self.draw(*given.get("set_aside", ())), self.draw(given["food"])[0]
        self.game.set(
            setting=replace(state.setting, players=people), seats=spread.seats, starter=spread.starter,
            hands={player: given.get("hands", {}).get(player, MANY) for player in people}, bonus=bonus,
            food=food, caves=((),) * len(spread.seats),
        )  # fmt: skip
        self.game.lying = [*bonus, food]
        self.errors: list[tuple[float, str]] = []
        self.since, self.until = 0.0, float("inf")
        self.pace = KOALA._pace(spread)

    def draw(self, *faces: str) -> tuple[CardId, ...]:
        return tuple(self.cards[face].pop() for face in faces)

    def hear(self, event: Mapping[str, Any]) -> None:
        """One event of the case at its time; the count has run out before, or not."""
        t = event["t"]
        if t > self.until:
            self.end()
        if event["e"] == "call":
            self.call(t, event["by"])
        else:
            self.bid(t, event["cards"])

    def end(self) -> None:
        """A count that nobody answered has run out."""
        if self.game.phase == "call":
            assert self.game.ring("call") == ""

    def starter(self, choices: list[str]) -> str:
        """Who starts next: of a koalation whoever they choose, else its white koala after a while."""
        while self.game.phase == "split":
            cue = self.game.session.cues[0]
            assert isinstance(cue, Choose)
            assert self.game.choose(cue.player, cue.what, cue.options[0]) == ""
        pair = self.game.state.lead.bidders if self.game.state.lead is not None else frozenset()
        for name in choices if self.game.phase == "new_starter" else ():
            assert (self.game.choose(name, "starter", name) == "") is (name in pair)
        if self.game.phase == "new_starter":
            assert self.game.ring("ask") == ""
        assert self.game.phase == "collect"
        return str(self.game.state.starter)

    def call(self, t: float, by: str) -> None:
        if t - self.since >= self.pace.pause and "quiet" in self.game.waits():
            assert self.game.ring("quiet") == ""
        counting = self.game.phase == "call"
        code = self.game.call(by)
        if code == "" and not counting:
            self.until = t + self.pace.count
        elif not counting:
            self.errors.append((t, "auction_over" if code == "not_waited_for" else code))

    def bid(self, t: float, cards: Mapping[str, list[str]]) -> None:
        """All press, then their cards lie there; who is refused lays none, and takes back what is not valid."""
        bidders = [name for name, faces in cards.items() if faces] or list(cards)
        for name in bidders:
            code = self.game.press(name)
            if code:
                self.errors.append((t, code))
                self.game.ring("lay")
                return
        laid = self.draw(*(face for faces in cards.values() for face in faces))
        if laid:
            assert self.game.lay(*laid) == ""
        if self.game.state.middle.claims:
            assert self.game.ring("lay") == ""
        why = str(self.game.state.did.values.get("why", "@why.bid_must_be")).removeprefix("@why.")
        if {"say.leads", "say.highest"} & set(self.game.said):
            self.since, self.until = t, float("inf")
            return
        self.errors.append((t, why))
        if "say.bid_lost" not in self.game.said and laid and self.game.phase in ("auction", "call"):
            assert self.game.take(*laid) == ""
        if self.game.phase == "auction" and self.game.state.rulings["KOALA-AMB-31"] == "any_bid_cancels":
            self.since, self.until = t, float("inf")


def order(auction: Auction, event: Mapping[str, Any]) -> tuple[object, ...]:
    """Events by their times; presses at one time as the table orders them: the nearer to the starter first."""
    state = auction.game.state
    if event["e"] == "call" or state.rulings["KOALA-AMB-02"] == "time_stamp":
        return event["t"], 0
    assert state.starter is not None
    known = [Player(name) for name in event["cards"] if seated(state.seats, Player(name))]
    away = (distance(state.seats, state.starter, player) for player in known)
    return event["t"], *min(away, default=(len(state.seats), 0))


@pytest.mark.parametrize("name", CASES)
def test_a_worked_case_comes_out_the_same_at_the_table(name: str) -> None:
    """Its errors at their times, and who won what, what was set aside, or what is still open."""
    case = CASES[name]
    auction, expect = Auction(case), case["expect"]
    choices = [event["value"] for event in case["events"] if event["e"] == "choose"]
    events = [event for event in case["events"] if event["e"] != "choose"]
    for event in sorted(events, key=lambda each: order(auction, each)):
        auction.hear(event)
    auction.end()
    state = auction.game.state
    assert [(t, code.rstrip("_0123456789")) for t, code in auction.errors] == [
        (t, code.rstrip("_0123456789")) for t, code in expect["errors"]
    ]
    open_ = state.phase in ("auction", "call")
    assert open_ is bool(expect.get("open"))
    if open_:
        assert auction.game.view["middle"]["next"] == expect["next_bid"]
    elif "set_aside" in expect:
        assert auction.game.view["middle"]["bonus"] == expect["set_aside"]
    else:
        assert state.food is not None
        won = Counter(state.deck.face(card) for card in (*state.bonus, state.food, *state.pot))
        assert dict(won) == expect["won"]
        assert sorted(auction.game.view["middle"]["leader"]) == sorted(expect["winner"])
        assert auction.starter(choices) == expect["new_start"]
