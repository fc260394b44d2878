"""A draft of one player's turn, together with what may be done next. Pure."""

from __future__ import annotations

from dataclasses import replace

from companion.games.rescue.options import Rulings
from companion.games.rescue.rules_bonus import targets
from companion.games.rescue.rules_draw import PLANT, REHOME, name, names, singles
from companion.games.rescue.rules_map import Cell, Map
from companion.games.rescue.rules_sheet import free_koalas, free_trees
from companion.games.rescue.rules_turn import Turn, finish, open_lines
from companion.games.rescue.rules_volunteers import reachable
from companion.games.rescue.state import Draft
from companion.table.game import Refusal


def drafted(board: Map, draft: Draft, rulings: Rulings) -> Draft:
    """The same draft with what may be done next."""
    ready = not isinstance(finish(board, draft.turn, rulings), Refusal)
    draft = replace(draft, ready=ready)
    return replace(draft, offers=_offers(board, draft, rulings))


def _offers(board: Map, draft: Draft, rulings: Rulings) -> tuple[str, ...]:
    """Some answers that would be accepted now, never none: the player's own view lists every one."""
    turn, found = draft.turn, list[str]()
    if not turn.acted:
        found += [f"number:{want}:{least}" for want, least in numbers(draft) if want != turn.number]
        found += [option for what in (PLANT, REHOME) for option in _first(board, turn, what, rulings)]
    for line in open_lines(board, turn, rulings):
        choice = targets(board, turn.sheet, board.bonuses[line], rulings)[:1]
        found.append(":".join(["bonus", line.replace(":", "-"), *map(_word, choice)]))
    if draft.before is not None:
        found.append("undo")
    if draft.ready:
        found.append("ready")
    return tuple(found)


def _first(board: Map, turn: Turn, what: str, rulings: Rulings) -> list[str]:
    """One whole shape and one single circle, where there are any."""
    free = free_trees(board, turn.sheet) if what == PLANT else free_koalas(board, turn.sheet)
    laid = [next((each for each in board.placements[turn.number] if free >= each), None)]
    laid += singles(board, turn.sheet, turn.number, what, rulings)[:1]
    return [f"{what}:{names(cells)}" for cells in laid if cells is not None]


def _word(target: str | Cell) -> str:
    return name(target) if isinstance(target, tuple) else target


def numbers(draft: Draft) -> tuple[tuple[int, int], ...]:
    """The numbers in reach and the fewest volunteers each takes, from the number rolled."""
    return reachable(draft.rolled, draft.turn.sheet.volunteers + draft.spent)
