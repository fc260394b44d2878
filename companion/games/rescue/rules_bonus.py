"""What bonuses do: a tree, a koala, a volunteer, a circle of a hospital, a skybridge; often enough several. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from companion.games.rescue.options import Rulings, ruled
from companion.games.rescue.rules_draw import PLANT, REHOME, name, why_not
from companion.games.rescue.rules_map import Bonus, Cell, Map
from companion.games.rescue.rules_sheet import Sheet, free_koalas, free_trees
from companion.table.game import Refusal

Targets = tuple[str | Cell, ...]
SILENT = (None, "", "volunteer", True, 1)  # a wish that leaves it to the bonus what it does


def targets(board: Map, sheet: Sheet, bonus: Bonus, rulings: Rulings) -> Targets:
    """What one repetition of a bonus may be used for now; empty: it cannot be used."""
    if bonus.kind == "tree":
        return tuple(sorted(free_trees(board, sheet)))
    if bonus.kind == "koala":
        return tuple(sorted(free_koalas(board, sheet)))
    if bonus.kind == "volunteer":
        return ("volunteer",) if sheet.circled < board.slots else ()
    if bonus.kind == "hospital":
        pairs = zip(board.hospitals, sheet.beds, strict=True)
        return tuple(hospital.id for hospital, filled in pairs if filled < hospital.size)
    again = bonus.to in sheet.connected and ruled(rulings, 15, "not_usable")
    return () if again else (bonus.to,)


def usable(board: Map, sheet: Sheet, bonus: Bonus, rulings: Rulings) -> bool:
    """Whether a bonus can be used; by another ruling only if it can be used as often as it says."""
    if not ruled(rulings, 6, "all_or_nothing"):
        return bool(targets(board, sheet, bonus, rulings))
    for _ in range(bonus.times):
        choice = targets(board, sheet, bonus, rulings)
        if not choice:
            return False
        sheet = _applied(board, sheet, bonus, choice[0])
    return True


def carried_out(
    board: Map, sheet: Sheet, bonus: Bonus, wishes: Sequence[str | Cell | None], rulings: Rulings
) -> Sheet | Refusal:
    """The sheet after a bonus. The same sheet: nothing of it could be done, or was wished for."""
    if len(wishes) > bonus.times:
        return Refusal("RESC-BON-12", f"bonus_times_{bonus.times}", {"times": bonus.times})
    if not usable(board, sheet, bonus, rulings):  # lost, unless what is asked for is wrong in itself
        return next(
            (fault for wish in wishes if (fault := _wrong(board, sheet, bonus, wish, rulings))), sheet
        )
    # A volunteer and a skybridge leave nothing to choose: they need not be spelled out.
    asked = wishes if wishes or not _needless(bonus) else (None,) * bonus.times
    for wish in asked:
        choice = targets(board, sheet, bonus, rulings)
        wanted = choice[0] if _needless(bonus) and choice and wish in SILENT else wish
        if not choice and _unspoken(bonus, wish):
            break  # the circles are all taken, or the bridge is traced: what is left of the bonus is lost
        if wanted not in choice:
            return _fault(board, sheet, bonus, wish)
        assert wanted is not None, "a target is no None"
        sheet = _applied(board, sheet, bonus, wanted)
    return sheet


def _wrong(
    board: Map, sheet: Sheet, bonus: Bonus, wish: str | Cell | None, rulings: Rulings
) -> Refusal | None:
    """Why a bonus that is lost could not be used for this either; None where only the bonus is at fault."""
    if _unspoken(bonus, wish) or wish in targets(board, sheet, bonus, rulings):
        return None
    return _fault(board, sheet, bonus, wish)


def _unspoken(bonus: Bonus, wish: str | Cell | None) -> bool:
    """Whether a wish asks for nothing but what the bonus does by itself."""
    return _needless(bonus) and wish in (*SILENT, bonus.to)


def _needless(bonus: Bonus) -> bool:
    return bonus.kind in ("volunteer", "skybridge")


def _applied(board: Map, sheet: Sheet, bonus: Bonus, target: str | Cell) -> Sheet:
    if bonus.kind == "volunteer":
        return replace(sheet, circled=sheet.circled + 1)
    if isinstance(target, tuple):
        if bonus.kind == "tree":
            return replace(sheet, trees=sheet.trees | {target})
        return replace(sheet, koalas=sheet.koalas | {target})
    if bonus.kind == "skybridge":
        if target in sheet.connected:
            return sheet
        return replace(sheet, connected=sheet.connected | {target}, bridges=sheet.bridges + 1)
    ids = [hospital.id for hospital in board.hospitals]
    beds = tuple(n + (id == target) for id, n in zip(ids, sheet.beds, strict=True))
    return replace(sheet, beds=beds)


def _fault(board: Map, sheet: Sheet, bonus: Bonus, wish: str | Cell | None) -> Refusal:
    """Why a bonus cannot be used for this."""
    if bonus.kind in ("tree", "koala"):
        return _wrong_cell(board, sheet, PLANT if bonus.kind == "tree" else REHOME, wish)
    if bonus.kind == "hospital":
        known = {hospital.id for hospital in board.hospitals}
        if wish in known:
            return Refusal("RESC-BON-08", "hospital_full", {"hospital": str(wish)})
        return Refusal("RESC-BON-08", "no_bonus_there", {"line": str(wish)})
    if bonus.kind == "volunteer":
        return Refusal("RESC-BON-06", "no_bonus_there", {"line": str(wish)})
    return Refusal("RESC-BON-09", "no_bonus_there", {"line": str(wish)})


def _wrong_cell(board: Map, sheet: Sheet, what: str, wish: str | Cell | None) -> Refusal:
    if not isinstance(wish, tuple) or wish not in board.trees:
        return Refusal(
            "RESC-BON-05", "no_such_cell", {"cell": name(wish) if isinstance(wish, tuple) else str(wish)}
        )
    if wish[0] not in sheet.connected:
        return Refusal("RESC-BON-05", "area_not_connected", {"area": wish[0]})
    fault = why_not(board, sheet, what, wish)
    assert fault is not None, "a free cell is a target"
    return fault
