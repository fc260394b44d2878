"""Every ruling of Ku-Ka-König as a named option, and the settings of its table, each with its default."""

from __future__ import annotations

from collections.abc import Mapping

from companion.table.game import Option
from companion.table.rulings import Options, ruling

SETTINGS: Mapping[str, float] = {  # seconds; each may be switched before a game
    "beat_s": 2.1,  # KU - KA - KÖNIG: 0.7 s a syllable; children and two players may like it slower
    "done_s": 4.0,  # the table rests so long before what it shows is believed
    "count_s": 1.5,  # counted presses: a pause so long ends the number
    "score_s": 6.0,  # one type of cards in a scoring; 0: only on a press
}


def _ruling(number: int, *allowed: str) -> Option:
    return ruling("KUKA-AMB", number, allowed)


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
_OPTIONS = Options("KUKA-AMB", OPTIONS)
settle_options, option, ruled = _OPTIONS.settle, _OPTIONS.option, _OPTIONS.ruled
