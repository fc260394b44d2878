"""Check what is told about a finished table: every fault with the path of its field. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import Any

from companion.games.koala.options import settle_options
from companion.games.koala.rules_feast import CARDS
from companion.games.koala.rules_score import lone_question
from companion.games.koala.rules_seats import FOODS
from companion.table.game import Refusal

COPIES = 22  # cards of each food
SEATS = 6  # at most so many sit; the others stand
PLAYERS = range(3, 11)
TEAM = 2
TEAM_LEAST = 4
KEYS = ("caves", "feasts", "teams", "joins", "events", "options")
CAVE_KEYS = ("id", "white", "black", "food")


def faults(given: object) -> Iterator[str]:
    """Every fault of a table; those of the whole only where each field by itself is right."""
    shape = list(_shape(given))
    yield from shape
    if not shape and isinstance(given, Mapping):
        yield from _caves_together(given["caves"])
        yield from _feasts_together(given)
        yield from _teams_together(given)


def _shape(given: object) -> Iterator[str]:
    if not isinstance(given, Mapping):
        yield f"a finished table must be an object, not {given!r}"
        return
    yield from _strange(given, KEYS, "the table")
    if "caves" not in given:
        yield "caves is missing: one object for each cave, clockwise"
        return
    caves = given["caves"]
    if not isinstance(caves, list) or not PLAYERS.start <= len(caves) <= SEATS:
        yield f"caves must be a list of {PLAYERS.start} to {SEATS} caves, not {_short(caves)}"
        return
    for place, cave in enumerate(caves):
        yield from _cave(cave, f"caves[{place}]")
    yield from _feasts(given.get("feasts", {}))
    yield from _teams(given.get("teams"))
    yield from _joins(given)
    yield from _options(given.get("options", {}))


def _cave(cave: object, path: str) -> Iterator[str]:
    if not isinstance(cave, Mapping):
        yield f"{path} must be an object, not {_short(cave)}"
        return
    yield from _strange(cave, CAVE_KEYS, path)
    if "id" in cave and not _name(cave["id"]):
        yield f"{path}.id must be a name, not {_short(cave['id'])}"
    if "white" not in cave:
        yield f"{path}.white is missing: a player, or null for an unoccupied cave"
    for colour in ("white", "black"):
        if cave.get(colour) is not None and not _name(cave[colour]):
            yield f"{path}.{colour} must be a player's name or null, not {_short(cave[colour])}"
    if cave.get("white") is None and _name(cave.get("black")):
        yield f"{path}.black: {cave['black']} cannot stand behind nobody"
    food = cave.get("food")
    if not isinstance(food, Mapping):
        yield f"{path}.food {'must be an object, not ' + _short(food) if 'food' in cave else 'is missing'}"
        return
    yield from _strange(food, FOODS, f"{path}.food")
    for kind in FOODS:
        yield from _whole(food, kind, f"{path}.food.{kind}", COPIES)


def _whole(holder: Mapping[str, Any], key: str, path: str, most: int) -> Iterator[str]:
    if key not in holder:
        yield f"{path} is missing"
    elif type(holder[key]) is not int or not 0 <= holder[key] <= most:
        yield f"{path} must be a whole number from 0 to {most}, not {_short(holder[key])}"


def _feasts(feasts: object) -> Iterator[str]:
    if not isinstance(feasts, Mapping):
        yield f"feasts must be an object of players and their feast cards, not {_short(feasts)}"
        return
    for player in feasts:
        yield from _whole(feasts, player, f"feasts.{player}", CARDS)


def _teams(teams: object) -> Iterator[str]:
    if teams is None:
        return
    if not isinstance(teams, Mapping) or not teams:
        yield f"teams must be an object of teams and their players, not {_short(teams)}"
        return
    for team, members in teams.items():
        if not isinstance(members, list) or not members or not all(map(_name, members)):
            yield f"teams.{team} must be a list of players, not {_short(members)}"


def _joins(given: Mapping[str, Any]) -> Iterator[str]:
    if given.get("joins") is not None and not _name(given["joins"]):
        yield f"joins must be a team, not {_short(given['joins'])}"
    events = given.get("events", [])
    if not isinstance(events, list) or len(events) > 1:
        yield f"events must be a list with at most one event, not {_short(events)}"
        return
    for event in events:
        if not isinstance(event, Mapping) or event.get("e") != "question_joins":
            yield f"events[0] must be {{'e': 'question_joins', 'team': ...}}, not {_short(event)}"
            return
        yield from _strange(event, ("e", "team"), "events[0]")
        if not _name(event.get("team")):
            yield f"events[0].team must be a team, not {_short(event.get('team'))}"
        elif given.get("joins") not in (None, event["team"]):
            yield f"joins says {given['joins']!r}, events[0].team {event['team']!r}"


def _options(options: object) -> Iterator[str]:
    if not isinstance(options, Mapping):
        yield f"options must be an object of rulings and settings, not {_short(options)}"
        return
    for name, chosen in options.items():
        fault = settle_options({name: chosen})
        if isinstance(fault, Refusal) and fault.code == "unknown_option":
            yield f"options knows no {name!r}; did you mean {fault.values['meant']!r}?"
        elif isinstance(fault, Refusal):
            yield f"options.{name} must be one of {fault.values['allowed']}, not {_short(chosen)}"


def _caves_together(caves: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    for name, times in Counter(cave["id"] for cave in caves if "id" in cave).items():
        if times > 1:
            yield f"caves: the id {name!r} is given to {times} caves"
    seen: dict[str, str] = {}
    for path, player in _seated(caves):
        if player in seen:
            yield f"{path}: {player} is at {seen[player]} already"
        seen.setdefault(player, path)
    if len(seen) not in PLAYERS:
        yield f"caves: {PLAYERS.start} to {PLAYERS.stop - 1} players play, {len(seen)} are seated"
    elif len(caves) != min(len(seen), SEATS):
        wanted = min(len(seen), SEATS)
        yield f"caves: {len(seen)} players have {wanted} caves, unoccupied ones included, not {len(caves)}"
    for food in FOODS:
        count = sum(cave["food"][food] for cave in caves)
        if count > COPIES:
            yield f"caves: {count} {food} cards in all, but there are only {COPIES}"


def _seated(caves: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, str]]:
    for place, cave in enumerate(caves):
        for colour in ("white", "black"):
            if cave.get(colour) is not None:
                yield f"caves[{place}].{colour}", cave[colour]


def _feasts_together(given: Mapping[str, Any]) -> Iterator[str]:
    players = {player for _, player in _seated(given["caves"])}
    feasts = given.get("feasts", {})
    for player in feasts:
        if player not in players:
            yield f"feasts.{player}: no such player is seated{_meant(player, players)}"
    virtual = given.get("options", {}).get("KOALA-AMB-12") == "virtual_feasts"
    if sum(feasts.values()) > CARDS and not virtual:
        yield f"feasts: {sum(feasts.values())} feast cards in all, but there are only {CARDS}"


def _teams_together(given: Mapping[str, Any]) -> Iterator[str]:
    teams = given.get("teams")
    if teams is None:
        if given.get("joins") is not None or given.get("events"):
            yield "joins: there are no teams"
        return
    players = {player for _, player in _seated(given["caves"])}
    if len(players) < TEAM_LEAST:
        yield f"teams: the team variant needs {TEAM_LEAST} players, {len(players)} are seated"
    seen: dict[str, str] = {}
    for team, members in teams.items():
        if len(members) != TEAM and not (team in ("?", "question") and len(members) == 1):
            yield f"teams.{team} has {len(members)} players: a team has {TEAM}, only '?' may be alone"
        for place, player in enumerate(members):
            if player not in players:
                yield f"teams.{team}[{place}]: no player {player!r} is seated{_meant(player, players)}"
            elif player in seen:
                yield f"teams.{team}[{place}]: {player} is in team {seen[player]} already"
            seen.setdefault(player, team)
    for player in sorted(players - seen.keys()):
        yield f"teams: {player} is in no team"
    if lone_question(teams) is None and (given.get("joins") is not None or given.get("events")):
        yield "joins: nobody holds a lone '?'"


def _strange(holder: Mapping[str, Any], known: Sequence[str], where: str) -> Iterator[str]:
    for key in holder:
        if key not in known:
            yield f"{where} knows no {key!r}{_meant(str(key), known) or '; known: ' + ', '.join(known)}"


def _meant(word: str, known: Sequence[str] | set[str]) -> str:
    near = get_close_matches(word, sorted(known), 1)
    return f"; did you mean {near[0]!r}?" if near else ""


def _name(word: object) -> bool:
    return (
        isinstance(word, str) and bool(word.strip()) and not word.startswith("@")
    )  # "@" begins a phrase key


def _short(value: object, most: int = 40) -> str:
    told = repr(value)
    return told if len(told) <= most else f"{told[:most]}..."
