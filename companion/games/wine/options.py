"""Every ruling of the table as a named option, the extension's cards, and the seconds of the clocks."""

from __future__ import annotations

from collections.abc import Mapping

from companion.table.game import Option
from companion.table.rulings import Options, ruling

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
    return ruling("WINE-AMB", number, allowed)


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
_OPTIONS = Options("WINE-AMB", OPTIONS)
settle_options, option, ruled = _OPTIONS.settle, _OPTIONS.option, _OPTIONS.ruled


def extras(chosen: Mapping[str, object]) -> dict[str, int]:
    """How many of each extension card are mixed in at a table."""
    if option(chosen, "extension") == "all":
        return dict(EXTENSION)
    counts = {face: option(chosen, f"extra.{face}") for face in EXTENSION}
    return {face: count for face, count in counts.items() if isinstance(count, int) and count > 0}
