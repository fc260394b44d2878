"""The clock of the game: thirty turns, each a roll, everybody's drawing, and the badges; two rounds. Pure."""

from __future__ import annotations

from dataclasses import replace

from companion.games.rescue.options import DEFAULTS, Rulings, ruled
from companion.games.rescue.rules_badges import ROUND, TURNS
from companion.table.game import Refusal
from companion.table.things import value

FACES = range(1, 7)


@value
class Flow:
    """Which turn it is, who still draws, and what happened so far."""

    players: frozenset[str]
    turn: int = 0
    state: str = "roll"  # roll, draw, result
    ready: frozenset[str] = frozenset()
    log: tuple[str, ...] = ()

    @property
    def round(self) -> int:
        """1 up to turn 15, then 2."""
        return 1 if self.turn <= ROUND else 2

    @property
    def waiting(self) -> int:
        """How many still draw."""
        return len(self.players - self.ready) if self.state == "draw" else 0


def begun(players: frozenset[str], turn: int = 0) -> Flow:
    """A game in which so many turns are over."""
    return Flow(players, turn, _between(turn))


def _between(turn: int) -> str:
    return "result" if turn >= TURNS else "roll"


def roll(flow: Flow, face: int) -> Flow | Refusal:
    """The die shows a number: the next turn begins."""
    if flow.state == "result" or (flow.state == "roll" and flow.turn >= TURNS):
        return Refusal("RESC-END-01", "game_over")
    if flow.state == "draw":
        names = ", ".join(sorted(flow.players - flow.ready))
        return Refusal("RESC-CLA-04", "still_drawing", {"names": names, "count": flow.waiting})
    if type(face) is not int or face not in FACES:
        return Refusal("RESC-TUR-02", "die_value", {"value": str(face)})
    turn = flow.turn + 1
    log = (*flow.log, f"turn{turn}={face}")
    return replace(flow, turn=turn, state="draw", ready=frozenset(), log=log)


def ready(flow: Flow, player: str, rulings: Rulings = DEFAULTS) -> Flow | Refusal:
    """Somebody has finished drawing; the last one ends the turn."""
    if flow.state == "result":
        return Refusal("RESC-END-01", "game_over")
    if flow.state != "draw":
        return Refusal("RESC-CLA-03", "nothing_to_finish")
    done = flow.ready | ({player} & flow.players)
    if done < flow.players:
        return replace(flow, ready=done)
    steps = after(flow.turn, rulings)
    return replace(flow, ready=done, state=_between(flow.turn), log=(*flow.log, *steps))


def after(turn: int, rulings: Rulings = DEFAULTS) -> tuple[str, ...]:
    """What follows a turn: the badges, and at turns 15 and 30 the score of the round."""
    if turn not in (ROUND, TURNS):
        return ("badges",)
    score = f"score_round_{turn // ROUND}"
    return ("badges", score) if ruled(rulings, 9, "before_scoring") else (score, "badges")
