"""Koala Rescue Club's rule cases: each kind mapped to rule functions, their answers to the keys of `expect`."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from companion.games.rescue.map_file import parse
from companion.games.rescue.options import settle_options
from companion.games.rescue.rules_badges import TURNS, Badges, award
from companion.games.rescue.rules_draw import PLANT
from companion.games.rescue.rules_flow import begun
from companion.games.rescue.rules_flow import ready as finished_drawing
from companion.games.rescue.rules_flow import roll as rolled
from companion.games.rescue.rules_map import Cell, Map
from companion.games.rescue.rules_score import rank, round_points, total, winners
from companion.games.rescue.rules_sheet import Sheet, fresh
from companion.games.rescue.rules_turn import begin, claim, draw, finish, mix, open_lines
from companion.games.rescue.rules_volunteers import change
from companion.table.game import Refusal

Given = Mapping[str, Any]
Events = Sequence[Mapping[str, Any]]
Answer = dict[str, Any] | Refusal
UNORDERED = {"winners", "connected", "bonuses_open", "lost"}
SHEET = {
    "trees", "koalas", "connected", "volunteers_circled", "volunteers_used", "volunteers", "volunteers_available",
    "hospitals", "bonuses_claimed", "bonuses_used",
}  # fmt: skip
TURN_EVENTS = ("plant", "rehome", "single", "mixed", "bonus", "done", "ready")
ROUND = {"fill_areas", "trees", "koalas", "hospitals"}
FILLS = {"trees", "koalas"}
RANK_NAMES = {
    "junior": "Junior club member", "secretary": "Club secretary", "treasurer": "Club treasurer",
    "vice_president": "Vice-president", "president": "President", "none": "none",
}  # fmt: skip


@cache
def _maps() -> dict[str, Map]:
    """The maps of the public cases, then those that case files named from outside bring along."""
    outside = filter(None, os.environ.get("COMPANION_CASES", "").split(os.pathsep))
    paths = [Path(__file__).parents[1] / "cases" / "rescue.cases.json"]
    paths += [path for folder in outside for path in sorted(Path(folder).glob("*.cases.json"))]
    maps: dict[str, Map] = {}
    for found in (json.loads(path.read_text("utf-8")) for path in paths):
        shapes = {"shapes": found["shapes"]} if "shapes" in found else {}
        for name, raw in found.get("maps", {}).items() if found.get("game") == "rescue" else ():
            maps.setdefault(name, parse({**shapes, **raw, "name": name}))
    return maps


def _map(given: Given) -> Map:
    wanted = given["map"]
    if isinstance(wanted, Mapping):
        return parse(wanted)
    _known([wanted], _maps(), "given.map")
    return _maps()[wanted]


def _rulings(given: Given) -> Mapping[str, object]:
    settled = settle_options(given.get("options", {}))
    if isinstance(settled, Refusal):
        raise ValueError(f"given.options: {settled.code}, {dict(settled.values)}")
    return settled


def _cells(rows: Sequence[Sequence[Any]]) -> list[Cell]:
    return [(str(area), row, col) for area, row, col in rows]


def _known(words: Collection[str], known: Collection[str], where: str) -> None:
    strange = sorted(set(words) - set(known))
    if strange:
        raise ValueError(f"{where} knows no {', '.join(strange)}; known: {', '.join(sorted(known))}")


def _beds(board: Map, told: Mapping[str, int], where: str) -> tuple[int, ...]:
    _known(told, [hospital.id for hospital in board.hospitals], where)
    return tuple(told.get(hospital.id, 0) for hospital in board.hospitals)


def _sheet(board: Map, given: Mapping[str, Any]) -> Sheet:
    _known(given, SHEET, "given.sheet")
    _known(given.get("connected", ()), board.area, "given.sheet.connected")
    blank = fresh(board)
    used = given.get("volunteers_used", 0)
    circled = given.get("volunteers_circled", given.get("volunteers"))
    if circled is None:
        circled = given["volunteers_available"] + used if "volunteers_available" in given else blank.circled
    beds = _beds(board, given.get("hospitals", {}), "given.sheet.hospitals")
    connected = blank.connected | set(given.get("connected", ()))
    return Sheet(
        frozenset(_cells(given.get("trees", ()))), frozenset(_cells(given.get("koalas", ()))), connected,
        circled, used, beds, frozenset(given.get("bonuses_claimed", given.get("bonuses_used", ()))),
        len(connected) - 1,
    )  # fmt: skip


def volunteers(given: Given, _: Events) -> Answer:
    """A number changed by volunteers."""
    done = change(given["roll"], given["want"], given["use"], given["available"], _rulings(given))
    if isinstance(done, Refusal):
        return done
    return {"number": done.number, "left": done.left, "minimum": done.minimum}


def turn(given: Given, events: Events) -> Answer:
    """A drawing, bonuses, done."""
    board, rulings = _map(given), _rulings(given)
    sheet, use = _sheet(board, given.get("sheet", {})), given.get("volunteers", 0)
    changed = change(given.get("roll", given["number"]), given["number"], use, sheet.volunteers, rulings)
    if isinstance(changed, Refusal):
        return changed
    sheet = replace(sheet, used=sheet.used + use)
    now = begin(board, sheet, changed.number, rulings, last=given.get("turn") == TURNS)
    for place, event in enumerate(events):
        then = _step(board, now, event, rulings, f"events[{place}]")
        if isinstance(then, Refusal):
            return then
        now = then
    sheet = now.sheet
    beds = {hospital.id: n for hospital, n in zip(board.hospitals, sheet.beds, strict=True) if n}
    return {
        "trees": len(sheet.trees), "koalas": len(sheet.koalas), "connected": sorted(sheet.connected),
        "hospitals": beds, "volunteers_available": sheet.volunteers, "bonuses_used": list(now.used),
        "bonuses_open": list(open_lines(board, now, rulings)), "lost": list(now.lost),
    }  # fmt: skip


def _step(board: Map, now: Any, event: Mapping[str, Any], rulings: Mapping[str, object], where: str) -> Any:
    kind = event["e"]
    if kind in ("plant", "rehome"):
        return draw(board, now, kind, _cells(event["cells"]), rulings)
    if kind == "single":
        what = PLANT if event.keys() & {"tree", "trees"} else "rehome"
        (told,) = event.keys() & {"tree", "koala", "trees", "koalas"}
        return draw(
            board, now, what, _cells([event[told]] if told in ("tree", "koala") else event[told]), rulings
        )
    if kind == "mixed":
        return mix(now)
    if kind == "bonus":
        wishes = [_cells([wish])[0] if isinstance(wish, list) else wish for wish in _wishes(event)]
        bonus = board.bonuses.get(event["line"])
        if bonus is not None and bonus.kind == "volunteer":
            wishes = [None] * len(wishes)  # there is nothing to choose, however it is told
        return claim(board, now, event["line"], wishes, rulings)
    if kind in ("done", "ready"):
        return finish(board, now, rulings)
    raise ValueError(f"{where}: unknown event {kind!r}; known: {', '.join(TURN_EVENTS)}")


def _wishes(event: Mapping[str, Any]) -> Sequence[Any]:
    """What a bonus is used for: a list, or by the state machine's word one choice."""
    if "choice" not in event:
        return [*event.get("do", ())]
    choice: Any = event["choice"]
    several = isinstance(choice, list) and (not choice or isinstance(choice[0], list))
    return [*choice] if several else [choice]


def badges(given: Given, events: Events) -> Answer:
    """Badges announced at the ends of turns."""
    points = {name: (larger, smaller) for name, (larger, smaller) in given["badges"].items()}
    got, first = given.get("got", {}), given.get("first_turn", {})
    for player, own in got.items():
        _known(own, points, f"given.got.{player}")
    _known(first, points, "given.first_turn")
    now = Badges(points, bool(given.get("solo", False)), got, first)
    for event in events:
        then = award(now, event["turn"], event["achieved"], _rulings(given))
        if isinstance(then, Refusal):
            return then
        now = then
    return {"got": {player: dict(own) for player, own in now.got.items()}}


def _filled(board: Map, told: Mapping[str, Any], where: str) -> Sheet:
    """A sheet at the end of a round: whole areas, single circles, hospitals."""
    _known(told, ROUND, where)
    _known(told.get("fill_areas", {}), board.area, f"{where}.fill_areas")
    _known(told.get("fill_areas", {}).values(), FILLS, f"{where}.fill_areas")
    trees, koalas = set(_cells(told.get("trees", ()))), set(_cells(told.get("koalas", ())))
    for area, kind in told.get("fill_areas", {}).items():
        trees |= board.trees_of[area]
        if kind == "koalas":
            koalas |= board.trees_of[area] & board.koalas
    beds = _beds(board, told.get("hospitals", {}), f"{where}.hospitals")
    return replace(fresh(board), trees=frozenset(trees), koalas=frozenset(koalas), beds=beds)


def score(given: Given, _: Events) -> Answer:
    """Rounds, badges and totals of each player."""
    board, rulings = _map(given), _rulings(given)
    answer: dict[str, Any] = {}
    for player, told in given["players"].items():
        where = f"given.players.{player}"
        _known(told, {"round1", "round2", "badges"}, where)
        rounds = {
            name: total(round_points(board, _filled(board, told[name], f"{where}.{name}"), player, rulings))
            for name in ("round1", "round2") if name in told
        }  # fmt: skip
        badged = told.get("badges", ())  # points, or points by badge
        own = sum(badged.values() if isinstance(badged, Mapping) else badged)
        answer[player] = {"badges": own, **rounds, "total": own + sum(rounds.values())}
    return answer


def winner(given: Given, _: Events) -> Answer:
    """Who wins by totals and koalas."""
    trees = given.get("trees", {})
    return {"winners": list(winners(given["totals"], given.get("koalas", {}), trees, _rulings(given)))}


def ranks(given: Given, _: Events) -> Answer:
    """Solo ranks by the rulebook's names."""
    steps = (_map(given).ranks,) if "map" in given else ()
    return {"ranks": [RANK_NAMES[rank(points, _rulings(given), *steps)] for points in given["scores"]]}


def flow(given: Given, events: Events) -> Answer:
    """Rolls and raised hands."""
    told, rulings = given["players"], _rulings(given)
    seats = range(1, told + 1) if isinstance(told, int) else told
    now = begun(frozenset(map(str, seats)), given.get("turn", 0))
    if "ready" in given:  # a turn under way: who has finished it
        now = replace(now, state="draw", ready=frozenset(map(str, given["ready"])))
    for place, event in enumerate(events):
        if event["e"] == "roll":
            then = rolled(now, event["value"])
        elif event["e"] == "ready":
            then = finished_drawing(now, str(event["seat"]), rulings)
        else:
            raise ValueError(f"events[{place}]: unknown event {event['e']!r}; known: roll, ready")
        if isinstance(then, Refusal):
            return then
        now = then
    return {
        "turn": now.turn,
        "round": now.round,
        "state": now.state,
        "log": list(now.log),
        "waiting": now.waiting,
    }


@dataclass(frozen=True)
class Kind:
    """One kind of case: its rule functions, the words of `given` and of events."""

    answer: Callable[[Given, Events], Answer]
    given: frozenset[str]
    event: frozenset[str] = frozenset()


def _kind(answer: Callable[[Given, Events], Answer], given: str, event: str = "") -> Kind:
    return Kind(answer, frozenset(given.split()) | {"options"}, frozenset(event.split()))


KINDS = {
    "volunteers": _kind(volunteers, "roll want use available"),
    "turn": _kind(
        turn, "map number sheet roll volunteers turn", "e cells tree koala trees koalas line do choice"
    ),
    "badges": _kind(badges, "badges solo got first_turn", "turn achieved"),
    "score": _kind(score, "map players"),
    "winner": _kind(winner, "totals koalas trees"),
    "rank": _kind(ranks, "scores map"),
    "flow": _kind(flow, "players turn ready", "e value seat"),
}
