"""Koala's rule cases: each kind of case mapped to rule functions, their answers to the keys of `expect`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from companion.games.koala import rules_actions, rules_feast, rules_refill, rules_reveal, rules_sale
from companion.games.koala.options import RULINGS, SETTINGS, option, ruled, settle_options
from companion.games.koala.rules_auction import Auction, left_aside, new_starters, next_bid
from companion.games.koala.rules_call import Fault, Pace
from companion.games.koala.rules_score import lone_question, points, score
from companion.games.koala.rules_seats import (
    ACTIONS,
    CAVES,
    FOODS,
    Moved,
    Seat,
    Seats,
    execute,
    possible,
    seat_of,
    seated,
    seating,
    sticky,
    team_cards,
)
from companion.table.game import Refusal
from companion.table.things import Player

Given = Mapping[str, Any]
Events = Sequence[Mapping[str, Any]]
Answer = dict[str, Any] | Refusal

SWITCHES: Mapping[str, Mapping[object, tuple[str, str]]] = {  # the rules' own words for three of the rulings
    "allow_null_actions": {False: ("KOALA-AMB-05", "refuse"), True: ("KOALA-AMB-05", "allow_null_actions")},
    "virtual_feasts": {False: ("KOALA-AMB-12", "limit"), True: ("KOALA-AMB-12", "virtual_feasts")},
    "empty_compete": {
        False: ("KOALA-AMB-13", "empty_compete_false"), True: ("KOALA-AMB-13", "empty_compete"),
    },
}  # fmt: skip
WISHES = {*SWITCHES, *SETTINGS, *(ruling.id for ruling in RULINGS)}  # in `options`, or beside them
TABLE = {
    "caves",
    "seats",
    "koalations",
    "players",
    "start_player",
    "hands",
    "feasts",
    "options",
} | WISHES  # known to every kind
UNORDERED = {"winner", "winners"}  # joint or shared: who stands first means nothing
LEAST_TABLE = ("P1", "P2", "P3")


@dataclass(frozen=True)
class Spread:
    """The table of a case: seats and foods clockwise, and the ids of its caves."""

    seats: Seats
    foods: tuple[dict[str, int], ...]
    ids: tuple[str, ...]
    starter: Player
    rulings: Mapping[str, object]

    def index(self, cave: object) -> int:
        """The place of a cave's id; -1 if there is none."""
        return self.ids.index(cave) if isinstance(cave, str) and cave in self.ids else -1


def wishes(given: Given) -> dict[str, object]:
    """The options of a case by their ids; the rules' switches and clocks may stand beside `options`."""
    told = {**given.get("options", {}), **{name: given[name] for name in given.keys() & WISHES}}
    return dict(
        SWITCHES[name][chosen] if name in SWITCHES else (name, chosen) for name, chosen in told.items()
    )


def caves_of(given: Given) -> Sequence[Mapping[str, Any]]:
    """The caves as given: a list of them, or `seats` and `food` by cave as `expect` writes them."""
    if "seats" not in given:
        return tuple(given.get("caves", ()))
    foods = given["food"] if isinstance(given.get("food"), Mapping) else {}
    return tuple(
        {"id": cave, "white": white, "black": black, "food": foods.get(cave, {})}
        for cave, (white, black) in given["seats"].items()
    )


def spread(given: Given, mentioned: Sequence[str] = ()) -> Spread:
    """The caves as given; else koalations and single koalas in the order of their names (P1, P2, ...)."""
    rulings = settle_options(wishes(given))
    assert not isinstance(rulings, Refusal), rulings
    caves = caves_of(given)
    if caves:
        seats = tuple(Seat(cave.get("white"), cave.get("black")) for cave in caves)
        foods = tuple({food: cave.get("food", {}).get(food, 0) for food in FOODS} for cave in caves)
        ids = tuple(cave["id"] for cave in caves)
    else:
        pairs = [tuple(pair) for pair in given.get("koalations", ())]
        names = [*given.get("players", ()), *mentioned, given.get("start_player"), *given.get("hands", ())]
        paired = {player for pair in pairs for player in pair}
        alone = {name for name in names if name is not None} - paired
        whites = sorted([*((player,) for player in alone), *pairs], key=lambda seat: _natural(seat[0]))
        seats = tuple(Seat(*seat) for seat in whites) or tuple(Seat(Player(name)) for name in LEAST_TABLE)
        foods, ids = (dict.fromkeys(FOODS, 0),) * len(seats), tuple(CAVES)
    first = next(seat.white for seat in seats if seat.white is not None)
    return Spread(seats, foods, ids, given.get("start_player", first), rulings)


def _natural(name: str) -> tuple[object, ...]:
    return tuple((int(part), "") if part.isdigit() else (0, part) for part in re.split(r"(\d+)", name))


def _pace(table: Spread) -> Pace:
    pause, count = option(table.rulings, "min_pause_s"), option(table.rulings, "call_s")
    assert isinstance(pause, float | int) and isinstance(count, float | int)
    return Pace(pause, count)


def _times(faults: Sequence[Fault]) -> list[list[object]]:
    return [[fault.t, fault.refusal.code] for fault in faults]


def _can(given: Given, table: Spread, whole: bool) -> Callable[[str, Player], bool]:
    """Whether a player's card could have an effect: as `possible` says, else as the table is.

    `whole`: where nothing is told of koalations or caves, there are none; otherwise every action can do something.
    """
    named = given.get("possible")
    told = {"caves": set(ACTIONS), "seats": set(ACTIONS), "koalations": {"leapfrog"}}
    judged = set[str]().union(*(faces for key, faces in told.items() if whole or key in given))

    def can(card: str, by: Player) -> bool:
        if named is not None:
            return bool(named.get(card, True)) if isinstance(named, Mapping) else card in named
        return card not in judged or bool(possible(card, table.seats, table.foods, by, table.rulings))

    return can


def _unknown(event: Mapping[str, Any]) -> ValueError:
    return ValueError(f"unknown event {event.get('e')!r} in {dict(event)!r}")


def setup(given: Given, _: Events) -> Answer:
    """Seats, koalas and pile after the deal."""
    n, teams = given["n"], bool(given.get("teams", False))
    whole = n if type(n) is int else 0  # no number of players is no right number
    seats = seating(tuple(Player(f"P{i + 1}") for i in range(min(whole, 99))), teams)
    if isinstance(seats, Refusal):
        return seats
    behind = [place for place, seat in enumerate(seats) if seat.black is not None]
    answer: dict[str, Any] = {
        "caves": len(seats), "white": len(seats), "black": len(behind), "black_seats": behind,
        "pile_after_deal": 92 - rules_refill.HAND * whole,
    }  # fmt: skip
    if teams:
        pairs, questions = team_cards(whole)
        answer["team_cards"] = {"pairs": pairs, "question": questions}
    return answer


def reveal(given: Given, _: Events) -> Answer:
    """Cards turned up until food comes; without a described table everybody sits alone and has no food."""
    table = spread(given)
    can = _can(given, table, whole=True)
    first, aside = given.get("first_card", True), list(given.get("set_aside", ()))
    seen = rules_reveal.reveal(given["pile"], first, lambda face: can(face, table.starter), table.rulings)
    if isinstance(seen, Refusal):
        return seen
    answer: dict[str, Any] = {
        "executed": list(seen.executed), "ignored": list(seen.ignored), "no_effect": list(seen.no_effect)
    }  # fmt: skip
    if seen.food is None:
        return {**answer, "result": "game_end", "lost_set_aside": aside, "pile_left": 0}
    return {**answer, "result": "auction", "food": seen.food, "pile_left": seen.left, "set_aside": aside}


def auction(given: Given, events: Events) -> Answer:
    """Bids and calls at their times; the winner's cards, or the card set aside, or what is still open.

    After a joint bid the koalation may choose who starts.
    """
    heard: list[rules_sale.Bid | rules_sale.Call] = []
    chosen = None
    for event in events:
        if event["e"] == "bid":
            heard.append(rules_sale.Bid(event["t"], event["cards"]))
        elif event["e"] == "call":
            heard.append(rules_sale.Call(event["t"], event["by"]))
        elif event["e"] == "choose" and event.get("what") == "starter":
            chosen = event["value"]
        else:
            raise _unknown(event)
    names = [name for event in events for name in (*event.get("cards", {}), event.get("by"))]
    table = spread(given, names)
    now = Auction(given["food"], table.starter, table.seats, given.get("hands"), table.rulings)
    sale = rules_sale.hold(rules_sale.Sale(now, tuple(given.get("set_aside", ())), _pace(table)), heard)
    answer: dict[str, Any] = {"errors": _times(sale.faults), "ended_by": sale.ended_by}
    if sale.ended_by is None:
        return {**answer, "open": True, "next_bid": next_bid(sale.now.lead)}
    if sale.now.lead is None:
        return {**answer, "set_aside": list(left_aside(sale.aside, sale.now.food, table.rulings))}
    winners = new_starters(sale.now.lead.bidders, table.seats)
    won = dict(Counter(rules_sale.spoils(sale)))
    asked = chosen in winners and not ruled(table.rulings, 7, "white")
    return {**answer, "won": won, "winner": list(winners), "new_start": chosen if asked else winners[0]}


def move(given: Given, events: Events) -> Answer:
    """Action cards carried out one after the other: who moved, who sits where, which food lies where."""
    table = spread(given)
    seats, foods = table.seats, list(table.foods)
    moved: list[Player] = []
    slid: list[Player] = []
    for event in events:
        done = _carried_out(table, seats, foods, event)
        if isinstance(done, Refusal):
            return done
        seats = done.seats
        moved += [walk.player for walk in done.walks]
        slid += done.slid_forward
    by_cave = dict(zip(table.ids, zip(seats, foods, strict=True), strict=False))
    return {
        "moved": list(dict.fromkeys(moved)), "slid_forward": list(dict.fromkeys(slid)),
        "seats": {cave: [seat.white, seat.black] for cave, (seat, _) in by_cave.items()},
        "food": {cave: food for cave, (_, food) in by_cave.items()},
    }  # fmt: skip


def _carried_out(
    table: Spread, seats: Seats, foods: list[dict[str, int]], event: Mapping[str, Any]
) -> Moved | Refusal:
    card, by = event["card"], event["by"]
    if not seated(seats, by):
        return Refusal("KOALA-ACT-05", "unknown_player", {"name": by})
    unaimed = not event.keys() & {"target", "dir", "cave", "food"}
    if unaimed and card in ACTIONS and not possible(card, seats, foods, by, table.rulings):
        return rules_actions.fault(card, False, by, table.rulings) or Moved(seats)
    cave = table.index(event.get("cave"))
    letter = CAVES[cave] if cave >= 0 else ""
    ways = {
        "bump": f"{event.get('dir')}:{event.get('target')}", "ring_a_roses": str(event.get("dir")),
        "leapfrog": letter, "sticky_fingers": f"{letter}:{event.get('food')}",
    }  # fmt: skip
    done = execute(card, seats, foods, by, ways.get(card, ""), table.rulings)
    if not isinstance(done, Refusal) and card == "sticky_fingers":
        count, own = sticky(seats, foods, cave, event["food"]), seat_of(seats, by)
        assert isinstance(count, int)
        foods[cave] = {**foods[cave], event["food"]: 0}
        foods[own] = {**foods[own], event["food"]: foods[own][event["food"]] + count}
    return done


def feast(given: Given, events: Events) -> Answer:
    """Feasts in their order; `food` null, "no" or absent declines."""
    table = spread(given)
    left = given.get("feast_cards_left", rules_feast.CARDS)
    now = rules_feast.Feasting(table.seats, table.starter, table.foods, left)
    limit = left if option(table.rulings, "KOALA-AMB-12") == "limit" else 1
    offer = list(rules_feast.offered(table.seats, table.foods, table.starter, limit))
    for event in events:
        food = None if event.get("food") in (None, "no") else event["food"]
        wish = rules_feast.Feast(event["by"], food, event.get("discard"))
        then = rules_feast.hold(now, wish, table.rulings)
        if isinstance(then, Refusal):
            return then
        now = then
    cards, gone = Counter[str](given.get("feasts", {})), Counter[str]()
    for player, food, count in now.eaten:
        cards[player] += 1
        gone[food] += count
    order = list(rules_feast.order(table.seats, table.starter))
    return {
        "order": order, "feasts": dict(cards), "discarded": dict(gone), "feast_cards_left": now.left,
        "offer": offer,
    }  # fmt: skip


def actions(given: Given, events: Events) -> Answer:
    """Commands, action cards and calls at their times; every action has an effect unless the table is told."""
    table = spread(given, [event["by"] for event in events])
    words: dict[str, Callable[[Mapping[str, Any]], rules_actions.Event]] = {
        "command": lambda event: rules_actions.Command(event["t"], event["by"]),
        "play": lambda event: rules_actions.Play(event["t"], event["by"], event["card"]),
        "call": lambda event: rules_sale.Call(event["t"], event["by"]),
    }
    heard = []
    for event in events:
        if event["e"] not in words:
            raise _unknown(event)
        heard.append(words[event["e"]](event))
    can = _can(given, table, whole=False)
    phase = rules_actions.Actions(table.starter, table.seats, can, table.rulings, _pace(table))
    phase = rules_actions.hold(phase, heard)
    return {
        "executed": [list(pair) for pair in phase.executed],
        "taken_back": [list(pair) for pair in phase.taken_back],
        "errors": _times(phase.faults), "phase_ended": phase.ended,
    }  # fmt: skip


def refill(given: Given, events: Events) -> Answer:
    """Draws in their order, bad cards at each player's own turn."""
    table, shows = spread(given), []
    for event in events:
        if event["e"] != "bad_cards":
            raise _unknown(event)
        shows.append((event["by"], event["cards"]))
    done = rules_refill.refill(
        table.seats, table.starter, given["hands"], given["pile"], shows, table.rulings
    )
    if isinstance(done, Refusal):
        return done
    draws = [list(draw) for draw in done.draws]
    return {"draws": draws, "game_end": done.game_end, "pile_left": done.left}


def scoring(given: Given, events: Events) -> Answer:
    """Points of players and of those who score together; "?" joins by an event."""
    table, joins, teams = spread(given), given.get("joins"), given.get("teams")
    for event in events:
        if event["e"] != "question_joins":
            raise _unknown(event)
        joins = event["team"]
    done = score(table.seats, table.foods, given.get("feasts", {}), teams, joins, table.rulings)
    if isinstance(done, Refusal):
        return done
    players = [player for seat in table.seats for player in (seat.white, seat.black) if player is not None]
    together = "group_points" if teams is None else "team_points"
    answer = {
        "player_points": points(done, players), together: dict(done.totals), "winners": list(done.winners)
    }  # fmt: skip
    if teams is not None and lone_question(teams) is not None:
        answer["question_joined"] = done.notes[0].removeprefix("joined:")
    return answer


@dataclass(frozen=True)
class Kind:
    """One kind of case: its rule functions, the words of `given` beside the table's, the words of events."""

    answer: Callable[[Given, Events], Answer]
    given: frozenset[str]
    event: frozenset[str] = frozenset()


def _kind(answer: Callable[[Given, Events], Answer], given: str, event: str = "", options: str = "") -> Kind:
    """`options`: the rulings (by number) and settings that this kind's answer depends on."""
    used = {f"KOALA-AMB-{name}" if name.isdigit() else name for name in options.split()}

    def checked(told: Given, events: Events) -> Answer:
        defaults = settle_options({})
        assert not isinstance(defaults, Refusal)
        chosen = wishes(told)
        idle = sorted(name for name in chosen.keys() - used if defaults.get(name) != chosen[name])
        if idle and not isinstance(settle_options(chosen), Refusal):
            raise ValueError(f"this kind of case is the same under any {', '.join(idle)}: nothing is tested")
        return answer(told, events)

    return Kind(checked, frozenset(given.split()) | TABLE, frozenset(event.split()))


KINDS = {
    "setup": _kind(setup, "n teams"),
    "reveal": _kind(reveal, "pile first_card set_aside possible food", options="05 24"),
    "auction": _kind(
        auction, "food set_aside", "e t by cards what value", "02 03 04 07 08 09 22 26 31 call_s min_pause_s"
    ),
    "move": _kind(move, "want_food food", "card by target dir cave food", "01 05 24"),
    "feast": _kind(feast, "feast_cards_left food", "by food discard", "12"),
    "actions": _kind(actions, "possible food", "e t by card", "02 05 24 27 32 call_s min_pause_s"),
    "refill": _kind(refill, "pile", "e by cards", "10 11"),
    "score": _kind(scoring, "teams joins food", "e team", "12 13 14 16 17 18"),
}
