"""`companion sim`: whole games one after the other, every count held against the other witness."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from companion.boxed import plan
from companion.sim.evening import Result
from companion.sim.evenings import evening
from companion.telling import BadOption, Echo, given_options
from companion.wiring import simulate

USUAL = 10  # players of a series that names no number: a class of forty is asked for


def simulated(game: str, given: Mapping[str, Any], echo: Echo) -> bool:
    """Play games one after the other; whether every count agreed and no card was misread."""
    played, good, started = evening(game), True, time.monotonic()
    chosen = given_options(given["options"], given["teams"], game)
    for number in range(given["games"]):
        seed = given["seed"] + number
        players = seated(
            game, given["players"] or played.few + number % (min(played.many, USUAL) - played.few + 1)
        )
        began = time.monotonic()
        result = simulate(
            game, players, seed, mess=given["mess"], eyes=given["eyes"] == "on",
            options=played.options(number, players, chosen), boxes=plan(given.get("boxes"), given.get("faults")),
        )  # fmt: skip
        good = good and not result.differences and not result.misread
        seconds = round(time.monotonic() - began, 2)
        echo(json.dumps({**asdict(result), "seconds": seconds}) if given["as_json"] else _told(result))
    if not given["as_json"]:
        took = time.monotonic() - started
        verdict = "every count agreed" if good else "THE COUNTS DIFFER"
        echo(f"{given['games']} games in {took:.1f} s: {verdict}")
    return good


def seated(game: str, players: int) -> int:
    """So many players, if the game is played by so many; BadOption names the numbers that may be."""
    played = evening(game)
    if not played.few <= players <= played.many:
        raise BadOption(f"--players {players}: {game} is played by {played.few} to {played.many}")
    return players


def _told(result: Result) -> str:
    variant = "".join(
        f", {name} {of}" if of is not True else f", {name}" for name, of in result.options.items()
    )
    head = (
        f"seed {result.seed}: {result.players} players{variant}, {result.rounds} rounds, "
        f"{result.events} events, {result.misread} misread; winner {', '.join(result.winners) or '-'}"
    )
    return "\n".join([head, *(f"  DIFFERENCE (seed {result.seed}): {line}" for line in result.differences)])
