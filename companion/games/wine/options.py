"""Every ruling of the table as a named option, the extension's cards, and the seconds of the clocks."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches

from companion.table.game import Option, Refusal
from companion.table.things import CompanionError


class BadOption(CompanionError, ValueError):
    """No such option, or no such value for it; the text names the option and what is allowed."""


SETTINGS: Mapping[str, float] = {  # seconds; each may be switched before a game
    "stop_s": 6.0,  # the attacked player's time for STOP; 0: asked without a clock
    "fair_s": 5.0,  # how long the glasses of a Wine Fair stay up
    "contest_s": 10.0,  # who has turned no glass by then counts as slowest
    "offer_s": 12.0,  # an Auction: so long cards may be offered
}
EXTENSION: Mapping[str, int] = {  # cards of the extension pack, how many lie in the box
    "sneaky_taster": 4, "auditor": 2, "meteorologist": 2, "farandole": 2, "auction": 1,
    "charity": 1, "blind_test": 3, "vintage": 1, "contest": 2, "ageing": 1,
}  # fmt: skip


def _ruling(number: int, *allowed: str) -> Option:
    """The ruling WINE-AMB-nn; the first allowed value is the default, a lone one leaves no choice."""
    return Option(f"WINE-AMB-{number:02d}", allowed[0], allowed, f"ruling.{number:02d}")


RULINGS = (
    _ruling(1, "four_before_drawing", "five_before_drawing"),
    _ruling(2, "stay_out", "back_into_deck"),
    _ruling(3, "may_not_play_picked", "may_play_picked"),
    _ruling(4, "plain", "strict"),
    _ruling(5, "stop_does_not_count", "stop_counts"),
    _ruling(6, "thief_taken", "thief_discarded"),
    _ruling(7, "hand_discarded", "hand_into_deck"),
    _ruling(8, "one_try", "second_try"),
    _ruling(9, "card_player_chooses", "next_clockwise"),
    _ruling(10, "same_offer", "larger_hand_wins"),
    _ruling(11, "no_effect", "protection_yields"),
    _ruling(12, "next_player", "drawer"),
    _ruling(13, "wrong_first", "slowest_first"),
    _ruling(14, "protected_stay_out", "protected_take_part"),
    _ruling(15, "skipped", "takes_part"),
    _ruling(16, "until_own_turn", "through_own_turn"),
    _ruling(17, "cannot_happen"),  # every event takes at most one glass from at most one player
    _ruling(18, "right_end", "left_end"),
    _ruling(19, "may_just_draw", "must_discard"),
    _ruling(20, "protected_stay", "any_two"),
    _ruling(21, "last_lost", "first_lost"),
    _ruling(22, "stop_first", "no_stop_for_last_glass"),
    _ruling(23, "order_unchanged", "any_order"),
    _ruling(24, "clockwise", "anticlockwise"),
    _ruling(25, "in_place", "right_end"),
    _ruling(26, "own_turn_only", "five_at_most"),
    _ruling(27, "blue_allowed", "blue_later"),
    _ruling(28, "winner_pays", "all_pay"),
    _ruling(29, "only_below_limit", "whenever_wanted"),
    _ruling(30, "nothing_lost", "lost_all_the_same"),
    _ruling(31, "vintage_stays_down", "vintage_takes_part"),
    _ruling(32, "next_richest", "richest_all_the_same"),
    _ruling(33, "not_protected_ones", "any_glass"),
    _ruling(34, "middle_too", "not_the_middle"),
    _ruling(35, "no_target", "allowed_in_vain"),
)
VARIANT = Option("variant_2_3", False, (False, True), "variant_2_3")
BEGINNERS = Option("beginners", False, (False, True), "beginners")  # cards are explained when they come
PACK = Option("extension", "none", ("none", "all"), "extension")
EXTRAS = tuple(
    Option(f"extra.{face}", 0, tuple(range(count + 1)), f"extra.{face}") for face, count in EXTENSION.items()
)
CLOCKS = tuple(Option(name, seconds, (), f"setting.{name}") for name, seconds in SETTINGS.items())
OPTIONS = (VARIANT, BEGINNERS, PACK, *EXTRAS, *RULINGS, *CLOCKS)
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
    allowed = ", ".join(str(each) for each in option.allowed) or ">= 0"
    return Refusal("TABLE-OPTION", "wrong_value", {"option": name, "value": str(chosen), "allowed": allowed})


def _meant(name: str) -> str:
    """The option most like a name; of rulings the one with the same number."""
    number = name.rpartition("-")[2]
    same = f"WINE-AMB-{int(number):02d}" if number.isdecimal() else ""
    return same if same in _BY_ID else (*get_close_matches(name, _BY_ID, 1), "-")[0]


def _allowed(option: Option, chosen: object) -> bool:
    if option.allowed:
        return any(type(chosen) is type(each) and chosen == each for each in option.allowed)
    return isinstance(chosen, int | float) and not isinstance(chosen, bool) and 0 <= chosen <= 3600


def option(chosen: Mapping[str, object], name: str) -> object:
    """The value of one option at a table, or its default; BadOption for an unknown option or value."""
    known = _BY_ID.get(name)
    value = chosen.get(name, known.default if known is not None else None)
    fault = _fault(name, value)
    if fault is None:
        return value
    raise BadOption(f"{fault.code}: " + ", ".join(f"{word} {said}" for word, said in fault.values.items()))


def ruled(chosen: Mapping[str, object], number: int, setting: str) -> bool:
    """Whether the ruling WINE-AMB-nn has this value at a table; an absent one has its default."""
    ruling = _BY_ID[f"WINE-AMB-{number:02d}"]
    assert setting in ruling.allowed, f"{ruling.id} knows no {setting}"
    return chosen.get(ruling.id, ruling.default) == setting


def extras(chosen: Mapping[str, object]) -> dict[str, int]:
    """How many of each extension card are mixed in at a table."""
    if option(chosen, "extension") == "all":
        return dict(EXTENSION)
    counts = {face: option(chosen, f"extra.{face}") for face in EXTENSION}
    return {face: count for face, count in counts.items() if isinstance(count, int) and count > 0}
