"""Every ruling of Ku-Ka-König is an option: known by name, with its default, and a wrong one names the right one."""

from __future__ import annotations

import pytest

from companion.games.kukakoenig.options import OPTIONS, RULINGS, option, ruled, settle_options
from companion.shelf import LANGS, phrases
from companion.table.game import Refusal
from companion.table.rulings import BadOption


def test_all_twenty_two_rulings_are_options_with_their_defaults() -> None:
    assert [ruling.id for ruling in RULINGS] == [f"KUKA-AMB-{number:02d}" for number in range(1, 23)]
    assert all(ruling.default == ruling.allowed[0] for ruling in RULINGS)
    assert settle_options({}) == {each.id: each.default for each in OPTIONS}


def test_a_ruling_without_another_way_says_why_in_its_line_and_is_rare() -> None:
    """KUKA-AMB-06, 14, 15, 16, 17 and 19 leave nothing to choose."""
    alone = [ruling.id for ruling in RULINGS if len(ruling.allowed) == 1]
    assert alone == [f"KUKA-AMB-{number:02d}" for number in (6, 14, 15, 16, 17, 19)]


@pytest.mark.parametrize("ruling", RULINGS, ids=lambda ruling: ruling.id)
def test_every_value_of_a_kuka_ruling_can_be_chosen_and_is_seen(ruling: object) -> None:
    for chosen in ruling.allowed:  # type: ignore[attr-defined]  # pytest hands parameters over untyped
        name: str = ruling.id  # type: ignore[attr-defined]  # as above
        assert option({name: chosen}, name) == chosen
        seen = [each for each in ruling.allowed if ruled({name: chosen}, int(name[-2:]), each)]  # type: ignore[attr-defined]  # as above
        assert seen == [chosen]


@pytest.mark.parametrize(
    ("wrong", "right"), [("beat", "beat_s"), ("KUKA-AMB-5", "KUKA-AMB-05"), ("entri", "entry")]
)
def test_an_unknown_kuka_option_is_told_what_was_meant(wrong: str, right: str) -> None:
    refused = settle_options({wrong: 1})
    assert isinstance(refused, Refusal)
    assert (refused.code, refused.values["meant"]) == ("unknown_option", right)
    with pytest.raises(BadOption, match="unknown_option"):
        option({wrong: 1}, wrong)


def test_of_an_option_that_is_like_none_all_are_told() -> None:
    refused = settle_options({"zzz": 1})
    assert isinstance(refused, Refusal)
    told = str(refused.values["meant"])
    assert told.startswith("KUKA-AMB-01 ... KUKA-AMB-") and "beat_s" in told and "entry" in told


@pytest.mark.parametrize(
    ("name", "value"),
    [("KUKA-AMB-05", "zero"), ("KUKA-AMB-05", None), ("row_values", 1), ("beat_s", -1), ("beat_s", "3"),
     ("beat_s", True), ("beat_s", float("nan"))],
)  # fmt: skip
def test_a_wrong_kuka_value_is_refused_with_what_is_allowed(name: str, value: object) -> None:
    refused = settle_options({name: value})
    assert isinstance(refused, Refusal)
    assert (refused.code, refused.values["option"]) == ("wrong_value", name)


def test_every_setting_of_a_choice_has_words_in_both_languages() -> None:
    for lang in LANGS:
        known = phrases()["kukakoenig"].texts[lang]
        words = [value for each in OPTIONS for value in each.allowed if isinstance(value, str)]
        assert [value for value in words if value not in known] == [], lang
