"""Every ruling of the table as a named option, the depth of the game, and its seconds, each with its default."""

from __future__ import annotations

from collections.abc import Mapping

from companion.table.game import Option
from companion.table.rulings import Options, ruling

Rulings = Mapping[str, object]

SETTINGS: Mapping[str, float] = {  # seconds and points; each may be switched before a game
    "badges_s": 5.0,  # the common badge window; 0: it stays open until somebody closes it
    "remind_s": 60.0,  # who still draws is reminded; 0: never
    "badge_first": 3,  # points of a badge where the sheet is not known: the first player's
    "badge_later": 2,  # and the others'
}


def _ruling(number: int, *allowed: str) -> Option:
    return ruling("RESC-AMB", number, allowed)


RULINGS = (
    _ruling(1, "practice_map", "light_only"),
    _ruling(2, "per_area", "through_areas"),
    _ruling(3, "printed_koalas", "every_tree"),
    _ruling(4, "only_if_nothing_fits", "may_pass"),
    _ruling(5, "chain", "no_chain"),
    _ruling(6, "usable_repetitions", "all_or_nothing"),
    _ruling(7, "next_turn"),  # the number is fixed before the first circle: nothing is left to change
    _ruling(8, "allowed", "minimum_only"),
    _ruling(9, "before_scoring", "after_scoring"),
    _ruling(10, "shared", "more_trees"),
    _ruling(11, "if_printed", "never"),
    _ruling(12, "lowest_rank", "no_rank"),
    _ruling(13, "may_be_given_up", "must_be_used"),
    _ruling(14, "one_window", "given_at_once"),
    _ruling(15, "used_up", "not_usable"),
    _ruling(16, "table_decides"),  # when a sheet is scanned: no game under way finds such a drawing
    _ruling(17, "ready_set_shrinks", "wait_for_all"),
    _ruling(18, "rolled_number", "used_number"),
    _ruling(19, "may_decline", "must_use_the_shape"),
    _ruling(20, "taken", "not_in_the_last_turn"),
    _ruling(21, "cannot_happen"),  # circles are never removed
)
DEPTH = Option("depth", "full", ("full", "light"), "setting.depth")
DIE = Option("die", "any", ("any", "companion", "tray"), "setting.die")
CLASS = Option("classroom", False, (False, True), "setting.classroom")
MAP = "map"  # the owner's map as plain data; the practice map where it is absent
OPTIONS = (
    DEPTH, DIE, CLASS, *RULINGS, *(Option(name, s, (), f"setting.{name}") for name, s in SETTINGS.items())
)  # fmt: skip
DEFAULTS: Rulings = {option.id: option.default for option in OPTIONS}
_OPTIONS = Options("RESC-AMB", OPTIONS, others=(MAP,))
settle_options, ruled = _OPTIONS.settle, _OPTIONS.ruled
