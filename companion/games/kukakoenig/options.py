"""Every ruling of Ku-Ka-König as a named option, and the settings of its table, each with its default."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches

from companion.table.game import Option, Refusal
from companion.table.things import CompanionError


class BadOption(CompanionError, ValueError):
    """No such option, or no such value for it; the text names the option and what is allowed."""


SETTINGS: Mapping[str, float] = {  # seconds; each may be switched before a game
    "beat_s": 2.1,  # KU - KA - KÖNIG: 0.7 s a syllable; children and two players may like it slower
    "done_s": 4.0,  # the table rests so long before what it shows is believed
    "count_s": 1.5,  # counted presses: a pause so long ends the number
    "score_s": 6.0,  # one type of cards in a scoring; 0: only on a press
}


def _ruling(number: int, *allowed: str) -> Option:
    """The ruling KUKA-AMB-nn; the first allowed value is the default, a lone one leaves no choice."""
    return Option(f"KUKA-AMB-{number:02d}", allowed[0], allowed, f"ruling.{number:02d}")


RULINGS = (
    _ruling(1, "any_way", "entered_only", "seen_only"),
    _ruling(2, "group_repeats", "late_one_repeats"),
    _ruling(3, "together", "row_by_row"),
    _ruling(4, "group_repeats", "gets_nothing"),
    _ruling(5, "final_at_zero", "final_when_short"),
    _ruling(6, "rows_stay_shorter"),  # nothing else is possible
    _ruling(7, "nobody", "tie_of_zeros"),
    _ruling(8, "no_check", "check"),
    _ruling(9, "shared", "second_scoring", "more_cards"),
    _ruling(10, "before_refill", "after_refill"),
    _ruling(11, "final_only", "both"),
    _ruling(12, "one_card", "one_fewer_than_players"),
    _ruling(13, "outside", "inside"),
    _ruling(14, "lone_keep"),  # to give their rows back would leave more than one row: no special case
    _ruling(15, "cannot_happen"),  # collided players are at least two
    _ruling(16, "best_grouping"),  # the computed grouping is the best there is
    _ruling(17, "ask"),  # counts are fixed by the rulebook: more cards than exist can only be misread
    _ruling(18, "talk", "no_talk"),
    _ruling(19, "ignored"),  # the rulebook knows two scorings
    _ruling(20, "ask_first", "repeat_at_once"),
    _ruling(21, "concluding_only", "both"),
    _ruling(22, "everything", "seen_only"),
)
ENTRY = Option("entry", "ready", ("ready", "keys", "counted"), "entry")
ROW_VALUES = Option("row_values", True, (True, False), "row_values")
OPTIONS = (
    ENTRY, ROW_VALUES, *RULINGS, *(Option(name, s, (), f"setting.{name}") for name, s in SETTINGS.items())
)  # fmt: skip
_BY_ID = {option.id: option for option in OPTIONS}


def settle_options(given: Mapping[str, object]) -> dict[str, object] | Refusal:
    """Every option with its agreed value, or its default; a Refusal names an unknown option or value."""
    settled = {option.id: option.default for option in OPTIONS}
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
    allowed = ", ".join(str(each) for each in option.allowed) or ">= 0"
    return Refusal("TABLE-OPTION", "wrong_value", {"option": name, "value": str(chosen), "allowed": allowed})


def _meant(name: str) -> str:
    """The option most like a name; of rulings the one with the same number."""
    number = name.rpartition("-")[2]
    same = f"KUKA-AMB-{int(number):02d}" if number.isdecimal() else ""
    return same if same in _BY_ID else (*get_close_matches(name, _BY_ID, 1), "-")[0]


def _allowed(option: Option, chosen: object) -> bool:
    if option.allowed:
        return any(type(chosen) is type(each) and chosen == each for each in option.allowed)
    whole = isinstance(chosen, int | float) and not isinstance(chosen, bool)
    return whole and 0 <= float(str(chosen)) <= 3600


def option(chosen: Mapping[str, object], name: str) -> object:
    """The value of one option at a table, or its default; BadOption for an unknown option or value."""
    known = _BY_ID.get(name)
    value = chosen.get(name, known.default if known is not None else None)
    fault = _fault(name, value)
    if fault is None:
        return value
    raise BadOption(f"{fault.code}: " + ", ".join(f"{word} {said}" for word, said in fault.values.items()))


def ruled(chosen: Mapping[str, object], number: int, setting: str) -> bool:
    """Whether the ruling KUKA-AMB-nn has this value at a table; an absent one has its default."""
    ruling = _BY_ID[f"KUKA-AMB-{number:02d}"]
    assert setting in ruling.allowed, f"{ruling.id} knows no {setting}"
    return chosen.get(ruling.id, ruling.default) == setting
