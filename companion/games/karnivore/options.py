"""Every ruling of the table as a named option, the three modes, the editions and the dice, each with its default."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches

from companion.table.game import Option, Refusal
from companion.table.things import CompanionError


class BadOption(CompanionError, ValueError):
    """No such option, or no such value for it; the text names the option and what is allowed."""


def _ruling(number: int, *allowed: str) -> Option:
    """The ruling KARN-AMB-nn; the first allowed value is the default, a lone one leaves no choice."""
    return Option(f"KARN-AMB-{number:02d}", allowed[0], allowed, f"ruling.{number:02d}")


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
_BY_ID = {option.id: option for option in OPTIONS}


def settle_options(given: Mapping[str, object]) -> dict[str, object] | Refusal:
    """All options, the table's values in place of defaults; a Refusal names the wrong one and the right."""
    settled: dict[str, object] = {option.id: option.default for option in OPTIONS}
    for name, chosen in given.items():
        fault = _fault(name, chosen)
        if fault is not None:
            return fault
        settled[name] = chosen
    return settled


def _fault(name: str, chosen: object) -> Refusal | None:
    """What is wrong with an option's name, else with its value."""
    option = _BY_ID.get(name)
    if option is None:
        return Refusal("TABLE-OPTION", "unknown_option", {"option": name, "meant": _meant(name)})
    if _allowed(option, chosen):
        return None
    allowed = ", ".join(str(each) for each in option.allowed) or "0 .. 3600"
    return Refusal("TABLE-OPTION", "wrong_value", {"option": name, "value": str(chosen), "allowed": allowed})


def _meant(name: str) -> str:
    """The option most like a name; of rulings the one with the same number."""
    number = name.rpartition("-")[2]
    same = f"KARN-AMB-{int(number):02d}" if number.isdecimal() else ""
    return same if same in _BY_ID else (*get_close_matches(name, _BY_ID, 1), "-")[0]


def _allowed(option: Option, chosen: object) -> bool:
    if option.allowed:
        return any(type(chosen) is type(each) and chosen == each for each in option.allowed)
    return isinstance(chosen, int | float) and not isinstance(chosen, bool) and 0 <= chosen <= 3600


def ruled(chosen: Mapping[str, object], number: int, setting: str) -> bool:
    """Whether the ruling KARN-AMB-nn has this value at a table; an absent one has its default."""
    ruling = _BY_ID[f"KARN-AMB-{number:02d}"]
    assert setting in ruling.allowed, f"{ruling.id} knows no {setting}"
    return chosen.get(ruling.id, ruling.default) == setting


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
