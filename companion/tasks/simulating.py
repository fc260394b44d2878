"""`companion sim`: whole games one after the other, every count held against the other witness."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any

from companion.boxed import plan
from companion.shelf import phrases
from companion.sim.evening import Result
from companion.sim.evenings import evening
from companion.telling import BadOption, Echo, given_options, named
from companion.wiring import simulate

EVERY_S = 10.0  # between two lines on how far a game has come
USUAL = 10  # players of a series that names no number: a class of forty is asked for


def simulated(game: str, given: Mapping[str, Any], echo: Echo, aside: Echo = lambda _: None) -> bool:
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
            after_act=Progress(seed, aside).acted,
        )  # fmt: skip
        good = good and not result.differences and not result.misread
        seconds = round(time.monotonic() - began, 2)
        echo(json.dumps({**asdict(result), "seconds": seconds}) if given["as_json"] else _told(result))
    if not given["as_json"]:
        took = time.monotonic() - started
        verdict = "every count agreed" if good else "THE COUNTS DIFFER"
        games = "1 game" if given["games"] == 1 else f"{given['games']} games"
        echo(f"{games} in {took:.1f} s: {verdict}")
    return good


def won_by(result: Result, lang: str = "en") -> str:
    """Who has won, teams by the names that they have everywhere else."""
    words = phrases()[result.game]
    return ", ".join(named(name, words, lang) for name in result.winners) or "-"


class Progress:
    """Says on the side, every ten seconds, how far a game has come whose pictures take their time."""

    def __init__(self, seed: int, echo: Echo, now: Callable[[], float] = time.monotonic) -> None:
        """It begins now."""
        self._seed, self._echo, self._now, self._acts = seed, echo, now, 0
        self._start = self._told = now()

    def acted(self) -> None:
        """Somebody has done something."""
        self._acts += 1
        now = self._now()
        if now - self._told >= EVERY_S:
            self._told = now
            self._echo(
                f"seed {self._seed}: {self._acts} acts after {now - self._start:.0f} s, the game goes on"
            )


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
        f"{result.events} events, {result.misread} misread; winner {won_by(result)}"
    )
    return "\n".join([head, *(f"  DIFFERENCE (seed {result.seed}): {line}" for line in result.differences)])
