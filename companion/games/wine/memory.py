"""After the game, and only then: where each glass went, what it held, and who remembered well."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

from companion.games.wine.rules_glasses import MIDDLE
from companion.games.wine.state import State

HITS = ("thief_right", "sommelier_right", "lobby_right", "blind_right")
MISSES = ("thief_wrong", "sommelier_wrong", "lobby_wrong", "blind_wrong", "contest_lost")


def memory_map(state: State) -> dict[str, object]:
    """Each glass with its way and its wine, as far as the table saw it; hits and misses of each player.

    A glass whose wine was seen differently, or that went under the table, is marked unsure: somebody swapped.
    """
    return {"glasses": [_glass(state, glass) for glass in _glasses(state)], "players": _players(state)}


def _glasses(state: State) -> list[int]:
    return sorted({went.glass for went in state.went})


def _glass(state: State, glass: int) -> dict[str, object]:
    wines = [state.deck.face(seen.card) for seen in state.seen if seen.glass == glass]
    cards = {seen.card for seen in state.seen if seen.glass == glass}
    way = [[went.turn, went.owner] for went in state.went if went.glass == glass]
    return {
        "glass": glass, "wine": wines[-1] if wines else None,
        "unsure": glass in state.unsure or len(cards) > 1,
        "seen": sorted({seen.turn for seen in state.seen if seen.glass == glass}),
        "way": [way[0], *(there for here, there in pairwise(way) if here[1] != there[1])],
        "end": "lost" if glass in state.lost else _owner(state, glass),
    }  # fmt: skip


def _owner(state: State, glass: int) -> str:
    return next((owner for owner, row in state.rows.items() if glass in row), MIDDLE)


def _players(state: State) -> list[dict[str, object]]:
    deeds = Counter(state.deeds)
    out: list[dict[str, object]] = []
    for player in state.setting.players:
        own = {deed: deeds[player, deed] for deed in (*HITS, *MISSES) if deeds[player, deed]}
        out.append(
            {
                "player": player, "hits": sum(own.get(deed, 0) for deed in HITS),
                "misses": sum(own.get(deed, 0) for deed in MISSES), "deeds": own,
            }
        )  # fmt: skip
    return sorted(out, key=lambda each: (-int(str(each["hits"])), int(str(each["misses"]))))
