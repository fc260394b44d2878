"""What people did, read off the rows afterwards: which choices explain it, and how it differs from the rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import product

from companion.games.kukakoenig.rules_rows import Choices, Reveal, Rows, reveal
from companion.table.game import Refusal
from companion.table.things import CardId, Player, value


def explained(
    rows: Rows, seen: Rows, affected: tuple[Player, ...], known: Choices, rulings: Mapping[str, object] = {},
    later: tuple[tuple[Player, ...], ...] = (),
) -> tuple[Reveal, ...]:  # fmt: skip
    """Every reveal that would leave the rows as they are seen: who may have taken what, what went to the box.

    `known`: choices known already. Reveals that differ only in who collided with whom are told once.
    """
    changed = [row for row, cards in rows.items() if cards != seen[row]]  # every choice changes its row
    free = [player for player in affected if player not in known]
    found: list[Reveal] = []
    for picked in product(changed, repeat=len(free)):
        choices = {**known, **dict(zip(free, picked, strict=True))}
        shown = reveal(rows, affected, choices, {}, rulings, later)
        if isinstance(shown, Refusal) or any(shown.rows[row] != seen[row] for row in rows):
            continue
        if all((shown.took, shown.lost) != (other.took, other.lost) for other in found):
            found.append(shown)
    return tuple(found)


@value
class Difference:
    """A row that does not lie as it should: what is missing there, what lies there too many.

    `code`: wrong_card (another card than the outermost went), too_many_gone, not_theirs (nobody took this
    row), still_there (cards that are still to be taken), stranger (cards that do not belong there).
    """

    row: int
    code: str
    missing: tuple[CardId, ...] = ()
    extra: tuple[CardId, ...] = ()


def difference(
    row: int, before: tuple[CardId, ...], after: tuple[CardId, ...], seen: tuple[CardId, ...]
) -> Difference | None:
    """How a row as seen differs from what the rules want; None while it is as before or as wanted."""
    if set(seen) in (set(before), set(after)):
        return None
    stranger = tuple(card for card in seen if card not in before)
    if stranger:
        return Difference(row, "stranger", extra=stranger)
    missing = tuple(card for card in after if card not in seen)
    extra = tuple(card for card in seen if card not in after)
    if not after:
        return Difference(row, "still_there", extra=extra)
    if set(before) == set(after):
        return Difference(row, "not_theirs", missing)
    if len(missing) > len(extra):
        return Difference(row, "too_many_gone", missing, extra)
    return Difference(row, "wrong_card", missing, extra)


def as_it_lies(rows: Rows, told: Reveal, seen: Rows) -> Reveal | None:
    """The reveal bent to what people left lying, where they want it so; None if nobody could tell who has what.

    Another card than the outermost may have gone to the box; one taker may have taken another row instead.
    """
    gone = {row: tuple(card for card in rows[row] if card not in seen[row]) for row in rows}
    if any(card not in rows[row] for row in rows for card in seen[row]):
        return None
    right = {player: row for player, row in told.took.items() if not seen[row]}
    astray = [player for player in told.took if player not in right]
    orphans = [row for row in rows if gone[row] and row not in told.lost and row not in right.values()]
    if len(astray) != len(orphans) or len(astray) > 1:
        return None
    took = {**right, **dict(zip(astray, orphans, strict=True))}
    lost = {row: tuple(reversed(gone[row])) for row in told.lost}
    return replace(
        told, rows=dict(seen), took=took, got={player: gone[row] for player, row in took.items()}, lost=lost,
        box=tuple(card for cards in lost.values() for card in cards),
    )  # fmt: skip
