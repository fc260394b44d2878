"""One player's turn: one drawing, then the bonuses of lines it completed, then done. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from companion.games.rescue.options import Rulings, ruled
from companion.games.rescue.rules_bonus import carried_out, usable
from companion.games.rescue.rules_draw import PLANT, check, stuck
from companion.games.rescue.rules_map import Cell, Map
from companion.games.rescue.rules_sheet import Sheet, complete
from companion.table.game import Refusal
from companion.table.things import value

Wish = str | Cell | None  # what a bonus is used for: a cell, a hospital, an area; None: it says so itself


@value
class Turn:
    """A turn under way. `before`: lines complete when it began; `seen`: those the drawing itself completed."""

    number: int
    sheet: Sheet
    before: frozenset[str]
    acted: bool = False
    seen: frozenset[str] = frozenset()
    used: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()
    over: bool = False
    last: bool = False  # the last turn of the game


def begin(board: Map, sheet: Sheet, number: int, rulings: Rulings, last: bool = False) -> Turn:
    """A turn before its drawing."""
    return Turn(number, sheet, complete(board, sheet, rulings), last=last)


def draw(board: Map, turn: Turn, what: str, cells: Sequence[Cell], rulings: Rulings) -> Turn | Refusal:
    """Circle trees (plant) or koalas (rehome)."""
    fault = _ready_to_draw(turn)
    if fault is not None:
        return fault
    if not cells:
        return Refusal("RESC-TUR-06", "no_action_taken")
    fault = check(board, turn.sheet, turn.number, what, cells, rulings)
    if fault is not None:
        return fault
    sheet = turn.sheet
    if what == PLANT:
        sheet = replace(sheet, trees=sheet.trees.union(cells))
    else:
        sheet = replace(sheet, koalas=sheet.koalas.union(cells))
    return replace(turn, sheet=sheet, acted=True, seen=complete(board, sheet, rulings) - turn.before)


def mix(turn: Turn) -> Refusal:
    """Trees and koalas in one drawing."""
    return _ready_to_draw(turn) or Refusal("RESC-TUR-08", "never_mix")


def _ready_to_draw(turn: Turn) -> Refusal | None:
    if turn.over:
        return Refusal("RESC-TUR-01", "turn_over")
    return Refusal("RESC-SIN-01", "one_action_per_turn") if turn.acted else None


def open_lines(board: Map, turn: Turn, rulings: Rulings) -> tuple[str, ...]:
    """The bonuses that may be taken now: lines completed in this turn, not yet used, in the sheet's order."""
    if not turn.acted or turn.over or (turn.last and ruled(rulings, 20, "not_in_the_last_turn")):
        return ()
    now = turn.seen if ruled(rulings, 5, "no_chain") else complete(board, turn.sheet, rulings)
    gone = turn.before.union(turn.used, turn.lost)
    return tuple(line for line in board.bonuses if line in now and line not in gone)


def claim(board: Map, turn: Turn, line: str, wishes: Sequence[Wish], rulings: Rulings) -> Turn | Refusal:
    """Fill in the circle at the end of a line and do it, as often as it says and as far as it can be done."""
    if turn.over:
        return Refusal("RESC-BON-16", "turn_over")
    if not turn.acted:
        return Refusal("RESC-BON-01", "after_the_turn")
    fault = _not_open(board, turn, line, rulings)
    if fault is not None:
        return fault
    done = carried_out(board, turn.sheet, board.bonuses[line], wishes, rulings)
    if isinstance(done, Refusal):
        return done
    if done == turn.sheet and not _harmless(board, turn, line, rulings):
        return replace(turn, lost=(*turn.lost, line))
    return replace(turn, sheet=replace(done, claimed=done.claimed | {line}), used=(*turn.used, line))


def _harmless(board: Map, turn: Turn, line: str, rulings: Rulings) -> bool:
    """A skybridge to an area that is connected already changes nothing, and is used up."""
    bonus = board.bonuses[line]
    return bonus.to in turn.sheet.connected and ruled(rulings, 15, "used_up")


def _not_open(board: Map, turn: Turn, line: str, rulings: Rulings) -> Refusal | None:
    if line not in board.bonuses:
        return Refusal("RESC-BON-02", "no_bonus_there", {"line": line})
    if line in turn.before or line in turn.used or line in turn.lost:
        return Refusal("RESC-BON-16", "bonus_already_gone", {"line": line})
    if line in open_lines(board, turn, rulings):
        return None
    if line in complete(board, turn.sheet, rulings):  # complete, but a ruling leaves its bonus alone
        return Refusal("RESC-AMB-20" if turn.last else "RESC-AMB-05", "bonus_already_gone", {"line": line})
    return Refusal("RESC-BON-13", "line_not_complete", {"line": line})


def finish(board: Map, turn: Turn, rulings: Rulings) -> Turn | Refusal:
    """Nothing more is drawn: open bonuses are lost."""
    if turn.over:
        return Refusal("RESC-TUR-01", "turn_over")
    if not turn.acted and not stuck(board, turn.sheet) and not ruled(rulings, 4, "may_pass"):
        return Refusal("RESC-TUR-06", "no_action_taken")
    left = open_lines(board, turn, rulings)
    wanted = [line for line in left if usable(board, turn.sheet, board.bonuses[line], rulings)]
    if wanted and ruled(rulings, 13, "must_be_used"):
        return Refusal("RESC-AMB-13", "bonus_must_be_used", {"line": wanted[0]})
    return replace(turn, over=True, lost=(*turn.lost, *left))
