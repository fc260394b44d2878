"""Every ruling of the table as a named option, and the seconds of its clocks, each with its default."""

from __future__ import annotations

from collections.abc import Mapping

from companion.table.game import Option
from companion.table.rulings import Options, ruling

SETTINGS: Mapping[str, float] = {  # seconds; each may be switched before a game
    "call_s": 3.0,  # KO - A - LA, one second a syllable
    "min_pause_s": 2.0,  # no call before so much quiet
    "pause_s": 4.0,  # so much quiet starts the count by itself; 0: only the starting player does
    "lay_s": 8.0,  # from the press to the cards on the table
    "command_s": 4.0,  # then the action window opens by itself; 0: only on command
    "ask_s": 15.0,  # an unanswered question is asked again
    "starter_s": 5.0,  # a koalation's choice of the new starting player
    "bad_cards_s": 1.5,  # time to show bad cards for a player who draws nothing
}


def _ruling(number: int, *allowed: str) -> Option:
    return ruling("KOALA-AMB", number, allowed)


RULINGS = (
    _ruling(1, "left_is_clockwise", "left_is_anticlockwise"),
    _ruling(2, "nearer_to_starter", "time_stamp"),
    _ruling(3, "all_to_next_winner", "last_only"),
    _ruling(4, "sum", "each_the_number"),
    _ruling(5, "refuse", "allow_null_actions"),
    _ruling(6, "sticky_fingers_optional", "all_optional"),
    _ruling(7, "pair_chooses", "white"),
    _ruling(8, "partner_may_outbid", "partner_may_not"),
    _ruling(9, "nobody_can_or_call", "call_only"),
    _ruling(10, "white_first", "starter_first"),
    _ruling(11, "without_drawing", "after_drawing_only"),
    _ruling(12, "limit", "virtual_feasts"),
    _ruling(13, "empty_compete", "empty_compete_false"),
    _ruling(14, "nobody", "tie_of_zeros"),
    _ruling(15, "cannot_happen"),  # proven by exhaustion: no table of 3 to 10 players can get there
    _ruling(16, "question_chooses", "first_of_them"),
    _ruling(17, "more_food", "shared"),
    _ruling(18, "both_score", "once"),
    _ruling(19, "black_stays"),
    _ruling(20, "finish_the_round"),
    _ruling(21, "with_the_person", "with_the_seat"),
    _ruling(22, "take_back", "discard"),
    _ruling(23, "inclusive"),
    _ruling(24, "allowed", "not_own_white"),
    _ruling(25, "one_pass"),
    _ruling(26, "may_bid", "may_not_bid"),
    _ruling(27, "first_card", "all_back"),
    _ruling(28, "whole_cave"),
    _ruling(29, "next_round"),
    _ruling(30, "taken_back"),
    _ruling(31, "only_valid_cancels", "any_bid_cancels"),
    _ruling(32, "next_valid_card", "command_again"),
    _ruling(33, "refused"),
    _ruling(34, "each_refill"),
    _ruling(35, "asked_again", "skipped"),
)
TEAMS = Option("teams", False, (False, True), "teams")
OPTIONS = (TEAMS, *RULINGS, *(Option(name, s, (), f"setting.{name}") for name, s in SETTINGS.items()))
_OPTIONS = Options("KOALA-AMB", OPTIONS)
settle_options, option, ruled = _OPTIONS.settle, _OPTIONS.option, _OPTIONS.ruled
