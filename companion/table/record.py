"""A finished game as history keeps it: who played, every point with its reason, round by round. Pure.

Made of what everybody at the table may see, so that it can be shown and exported as it is.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from typing import Any

from companion.table import crank
from companion.table.effects import Say
from companion.table.events import Chosen, Opened, Pressed, Setting
from companion.table.foremost import foremost
from companion.table.game import Table
from companion.table.plain import plain_say, plain_score
from companion.table.session import Node, Session

MOMENTS = 3  # told of a game
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
        "mended": sum(_mended(session).values()), "events": session.last - _first(session) + 1,
        "made_up": session.box.deck.made_up,
    }  # fmt: skip


def tales(session: Session) -> tuple[Say, ...]:
    """The moments worth telling, best first: the game's own, filled up to three by what can be told of any game."""
    states = tuple(node.state for node in session.path())[::-1]
    own = session.box.game.tales(states)
    return (*own, *_general(session)[: max(0, MOMENTS - len(own))])


def _general(session: Session) -> tuple[Say, ...]:
    """How close it was, who got most at once, who was keenest: of what everybody at the table saw and heard."""
    score = crank.score(session)
    found: list[Say] = []
    if len(score.totals) > 1:
        first, second = sorted(score.totals.values(), reverse=True)[:2]
        found.append(Say("tale.tied" if first == second else "tale.margin", {"count": first - second}))
    gains: Counter[str] = Counter()
    for line in score.lines:
        gains[line.who] = max(gains[line.who], line.points)
    most = [who for who, points in gains.items() if points == max(gains.values())]
    if 0 < len(most) < 4 and gains[most[0]] > 0:
        found.append(Say("tale.at_once", {"names": ", ".join(most), "count": gains[most[0]]}))
    acts = Counter(node.event.player for node in session.path() if isinstance(node.event, Pressed | Chosen))
    keenest = foremost(acts)
    if keenest is not None and keenest[1] > 1:
        found.append(Say("tale.keenest", {"name": keenest[0], "count": keenest[1]}))
    found.append(Say("tale.steps", {"count": session.last - _first(session)}))
    return tuple(found)


def _rounds(session: Session) -> list[dict[str, Any]]:
    """The totals at the end of each round, and how often it was put right; empty for a game without rounds."""
    ends: dict[int, Any] = {}  # by round: the last state; a card shown late belongs to the round before
    mends, game, mended = Counter[int](), session.box.game, _mended(session)
    for node in reversed(tuple(session.path())):
        number = game.view(node.state, Table()).get("round")
        if not isinstance(number, int):
            return []
        ends[number] = node.state
        mends[number] += mended[id(node)]
    return [
        {"round": number, "totals": dict(game.score(state).totals), "mended": mends[number]}
        for number, state in ends.items()
    ]


def _mended(session: Session) -> Counter[int]:
    """How many other courses, left by an undo or a correction, part from the played one at each of its steps.

    Steps are told by who they are: a correction plays later ones again under their old numbers.
    """
    played = {id(node) for node in session.path()}
    parted: Counter[int] = Counter()
    for end in session.left:
        node: Node | None = end
        while node is not None and id(node) not in played:
            node = node.before
        if node is not None and node is not end:
            parted[id(node)] += 1
    return parted


def _opened(session: Session) -> Opened:
    opening = list(session.path())[-1].event
    assert isinstance(opening, Opened), "a path begins with the opening"
    return opening


def _first(session: Session) -> int:
    return list(session.path())[-1].number


def _name(setting: Setting, on: int) -> str:
    told = repr((setting.game, setting.players, sorted(setting.options.items()), setting.seed, on))
    return hashlib.sha256(told.encode()).hexdigest()[:16]
