"""Speech and scores as plain data: what views, screens and history hold of them."""

from __future__ import annotations

from typing import Any

from companion.table.effects import Say
from companion.table.game import Score


def plain_say(say: Say) -> dict[str, Any]:
    """A sentence as its phrase and values."""
    return {"key": say.key, "values": dict(say.values)}


def plain_score(score: Score) -> dict[str, Any]:
    """A score, every point with its reason."""
    lines = [
        {"who": p.who, "points": p.points, "rule": p.rule, "why": p.why, "values": dict(p.values)}
        for p in score.lines
    ]
    return {
        "lines": lines, "totals": dict(score.totals), "winners": list(score.winners),
        "notes": list(score.notes),
    }  # fmt: skip
