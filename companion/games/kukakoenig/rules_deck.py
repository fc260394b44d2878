"""What the box holds and how a table is set up: counts, their check, rows and pile by players."""

from __future__ import annotations

from collections.abc import Mapping

from companion.table.game import Refusal
from companion.table.things import value

CARDS = 112
KINGS, FARMERS = 10, 8  # named in the rulebook
ANIMAL_KINDS, EACH_ANIMAL = 8, 5
FIXED = {"king": KINGS, "farmer": FARMERS, "animal": ANIMAL_KINDS * EACH_ANIMAL}
OPEN = (
    "wife",
    "house",
    "church",
    "knight",
    "vp2",
    "vp3",
    "vp4",
)  # seven types, read off the cards' own corners
TYPES = (*FIXED, *OPEN)
IN_ROW = 3
ROWS = {2: 6, 3: 7, 4: 8}
USED = {2: 80, 3: 102, 4: 112}


@value
class Layout:
    """A table before the first round: rows, cards in play, cards counted unseen into the box, the pile."""

    rows: int
    cards: int
    unseen: int
    laid_out: int
    pile: int


def layout(players: int) -> Layout | Refusal:
    """The set-up for a number of players."""
    if type(players) is not int or players not in ROWS:
        return Refusal("KUKA-SET-01", "player_count", {"count": str(players)})
    rows, used = ROWS[players], USED[players]
    return Layout(rows, used, CARDS - used, rows * IN_ROW, used - rows * IN_ROW)


def checked(counts: Mapping[str, int | None]) -> tuple[int, tuple[str, ...]] | Refusal:
    """How many cards are known and which types are not; a Refusal where the counts cannot be right.

    `counts`: cards of each type, "animal" all animals together; None: not known yet.
    """
    for kind, rule in (("king", "KUKA-CMP-06"), ("farmer", "KUKA-CMP-07")):
        if counts.get(kind) not in (None, FIXED[kind]):
            wanted = f"{kind}_must_be_{FIXED[kind]}"
            return Refusal(rule, wanted, {"count": str(counts[kind]), "wanted": FIXED[kind]})
    unknown = tuple(kind for kind in TYPES if counts.get(kind) is None)
    known = sum(counts[kind] or 0 for kind in TYPES if kind not in unknown)
    if known > CARDS or (not unknown and known != CARDS):
        return Refusal("KUKA-CMP-01", "sum_must_be_112", {"sum": known})
    return known, unknown
