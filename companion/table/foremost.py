"""Who is ahead of all others: of equals nobody is, and nothing is told of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

T = TypeVar("T")


def foremost(counts: Mapping[T, int]) -> tuple[T, int] | None:
    """The only one with the largest count, and the count; None where several share it, or nobody counts."""
    most = max(counts.values(), default=0)
    ahead = [each for each, count in counts.items() if count == most]
    return (ahead[0], most) if len(ahead) == 1 and most > 0 else None
