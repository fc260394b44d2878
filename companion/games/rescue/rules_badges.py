"""Merit badges: the first turn in which anybody has one counts the larger circle, later ones the smaller. Pure."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import field

from companion.games.rescue.options import Rulings, ruled
from companion.table.game import Refusal
from companion.table.things import value

ROUND = 15  # turns
TURNS = 30


@value
class Badges:
    """Who has which badge for how many points, and in which turn each was first announced."""

    points: Mapping[str, tuple[int, int]]  # larger and smaller circle
    solo: bool = False
    got: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    first: Mapping[str, int] = field(default_factory=dict)


def award(
    badges: Badges, turn: int, achieved: Mapping[str, Collection[str]], rulings: Rulings
) -> Badges | Refusal:
    """Everything announced at the end of one turn: equal turns are equally early."""
    got = {player: dict(own) for player, own in badges.got.items()}
    first = dict(badges.first)
    for player, names in achieved.items():
        for badge in names:
            if badge not in badges.points:
                return Refusal("RESC-BAD-02", "no_such_badge", {"badge": badge})
            own = got.setdefault(player, {})
            if badge in own:
                return Refusal("RESC-BAD-01", "badge_already_scored", {"badge": badge, "name": player})
            own[badge] = badges.points[badge][0 if _early(badges, badge, turn, rulings) else 1]
            first.setdefault(badge, turn)
    return Badges(badges.points, badges.solo, got, first)


def _early(badges: Badges, badge: str, turn: int, rulings: Rulings) -> bool:
    """The larger circle: for one alone in round 1, for several in the first turn."""
    if badges.solo:
        return turn <= ROUND if ruled(rulings, 9, "before_scoring") else turn < ROUND
    return badges.first.get(badge, turn) == turn
