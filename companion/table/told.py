"""A finished table that somebody tells: what cannot be, and each point with its reason."""

from __future__ import annotations

from companion.table.things import CompanionError, value


class BadTable(CompanionError, ValueError):
    """What is told cannot be a finished table; `faults` names each field by its path."""

    def __init__(self, faults: tuple[str, ...]) -> None:
        """All faults, the text one a line."""
        super().__init__("\n".join(faults))
        self.faults = faults


@value
class Row:
    """One line of the explanation: who gets how many points, by which rule, and why in words."""

    who: str
    points: int
    rule: str
    why: str
