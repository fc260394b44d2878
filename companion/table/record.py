"""A finished game as history keeps it: who played, every point with its reason, round by round. Pure.

Made of what everybody at the table may see, so that it can be shown and exported as it is.
"""

from __future__ import annotations

import hashlib
from typing import Any

from companion.table import crank
from companion.table.crank import Session
from companion.table.effects import Say
from companion.table.events import Opened, Setting
from companion.table.game import Table
from companion.table.plain import plain_say, plain_score

Record = dict[str, Any]  # plain data, ready for JSON


def name_of(session: Session) -> str:
    """A name of its own for a game: the same after an undo and a second ending, another for every other game."""
    return _name(session.setting, _opened(session).on)


def record(session: Session) -> Record:
    """All that is kept of a game that is over."""
    setting, score = session.setting, crank.score(session)
    return {
        "id": name_of(session), "game": setting.game, "on": _opened(session).on,
        "players": list(setting.players), "options": dict(setting.options), "seed": setting.seed,
        **plain_score(score),
        "rounds": _rounds(session), "tales": [plain_say(say) for say in tales(session)],
        "mended": len(session.left), "events": session.last - _first(session) + 1,
        "made_up": session.box.deck.made_up,
    }  # fmt: skip


def tales(session: Session) -> tuple[Say, ...]:
    """The moments worth telling, best first; none where the game knows none."""
    states = tuple(node.state for node in session.path())[::-1]
    return session.box.game.tales(states)


def _rounds(session: Session) -> list[dict[str, Any]]:
    """The totals at the end of each round; empty for a game without rounds."""
    rows: list[dict[str, Any]] = []
    game = session.box.game
    for node in reversed(tuple(session.path())):
        number = game.view(node.state, Table()).get("round")
        if not isinstance(number, int):
            return []
        if not rows or rows[-1]["round"] != number:
            rows.append({"round": number, "totals": {}})
        rows[-1]["state"] = node.state
    for row in rows:
        row["totals"] = dict(game.score(row.pop("state")).totals)
    return rows


def _opened(session: Session) -> Opened:
    opening = list(session.path())[-1].event
    assert isinstance(opening, Opened), "a path begins with the opening"
    return opening


def _first(session: Session) -> int:
    return list(session.path())[-1].number


def _name(setting: Setting, on: int) -> str:
    told = repr((setting.game, setting.players, sorted(setting.options.items()), setting.seed, on))
    return hashlib.sha256(told.encode()).hexdigest()[:16]
