"""Every ruling of the table as a named option, the three modes, the editions and the dice, each with its default."""

from __future__ import annotations

from collections.abc import Mapping

from companion.table.game import Option
from companion.table.rulings import Options, ruling


def _ruling(number: int, *allowed: str) -> Option:
    return ruling("KARN-AMB", number, allowed)


RULINGS = (
    _ruling(1, "two_to_six", "one_to_six"),
    _ruling(2, "rulebook", "retail_2nd"),  # the faces of the dice
    _ruling(3, "locked", "rerolls_any_time"),
    _ruling(4, "leaves_as_huntbear", "stays_after_skull"),
    _ruling(5, "skulled_workbear_hunts", "skulled_workbear_rests"),
    _ruling(6, "before_skulls", "after_skulls"),
    _ruling(7, "kept", "lost"),
    _ruling(8, "no_third_symbol", "last_seen"),
    _ruling(9, "one_crown", "any_crowns"),
    _ruling(10, "unused", "cost_a_card"),
    _ruling(11, "cannot_happen"),  # at most five skulls lie on seven koalas
    _ruling(12, "when_declared", "when_the_turn_began"),
    _ruling(13, "no_forced_discard", "discard_to_three"),
    _ruling(14, "card_wins", "rulebook_wins"),
    _ruling(15, "eighth_rule", "not_into_a_full_tribe"),
    _ruling(16, "face_up", "face_down"),
    _ruling(17, "nothing_cleaned", "cleaned_up"),
    _ruling(18, "one_without_number", "one_each_symbol"),
    _ruling(19, "used_up", "hunts_too"),
    _ruling(20, "refused", "card_may_be_wasted"),
    _ruling(21, "draw_what_is_there"),  # with normal hands it cannot happen
    _ruling(22, "must", "may_spare"),
    _ruling(23, "one_skull_step", "reopens"),
    _ruling(24, "not_the_new_one", "the_new_one_too"),
    _ruling(25, "locked_at_once", "accepts_first"),
    _ruling(26, "number_counts", "one_skull_only"),
)
MODES = ("normal", "advanced", "expert")
EDITIONS = ("rulebook", "beta", "shop")
MODE = Option("mode", "normal", MODES, "setting.mode")
EDITION = Option("edition", "rulebook", EDITIONS, "setting.edition")
SAND = Option("turn_s", 0.0, (), "setting.turn_s")  # seconds of a turn's sand timer; 0: none
OPTIONS = (MODE, EDITION, *RULINGS, SAND)
_OPTIONS = Options("KARN-AMB", OPTIONS, numbers="0 .. 3600")
settle_options, ruled = _OPTIONS.settle, _OPTIONS.ruled


def mode(chosen: Mapping[str, object]) -> str:
    """The mode a table plays in."""
    return str(chosen.get(MODE.id, MODE.default))


def edition(chosen: Mapping[str, object]) -> str:
    """The edition whose cards lie on the table."""
    return str(chosen.get(EDITION.id, EDITION.default))


def sand(chosen: Mapping[str, object]) -> float:
    """Seconds of a turn's sand timer; 0: none runs."""
    seconds = chosen.get(SAND.id, SAND.default)
    assert isinstance(seconds, int | float), "settings are checked before a game opens"
    return float(seconds)
