"""Every ruling is an option: known by name, with its default, and a wrong one names the right one."""

from __future__ import annotations

import pytest

from companion.games.koala.options import OPTIONS, RULINGS, option, ruled, settle_options
from companion.table.game import Refusal
from companion.table.rulings import BadOption


def test_all_thirty_five_rulings_are_options_with_their_defaults() -> None:
    """KOALA-AMB-01 to 35, each default among its values."""
    assert [ruling.id for ruling in RULINGS] == [f"KOALA-AMB-{number:02d}" for number in range(1, 36)]
    assert all(ruling.default == ruling.allowed[0] for ruling in RULINGS)
    settled = settle_options({})
    assert not isinstance(settled, Refusal)
    assert settled == {each.id: each.default for each in OPTIONS}


@pytest.mark.parametrize("ruling", RULINGS, ids=lambda ruling: ruling.id)
def test_every_value_of_a_ruling_can_be_chosen_and_is_seen(ruling: object) -> None:
    """Chosen values replace defaults; the rules see exactly one of them."""
    assert ruling in OPTIONS
    for chosen in ruling.allowed:  # type: ignore[attr-defined]  # pytest hands parameters over untyped
        name: str = ruling.id  # type: ignore[attr-defined]  # as above
        table = {name: chosen}
        assert option(table, name) == chosen
        seen = [value for value in ruling.allowed if ruled(table, int(name[-2:]), value)]  # type: ignore[attr-defined]  # as above
        assert seen == [chosen]


@pytest.mark.parametrize("name", ["KOALA-AMB-5", "call", ""])
def test_an_unknown_option_is_refused_by_name(name: str) -> None:
    """As an answer to the table, and as an error to code."""
    refused = settle_options({name: "x"})
    assert isinstance(refused, Refusal)
    assert refused.code == "unknown_option"
    with pytest.raises(BadOption, match="unknown_option"):
        option({name: "x"}, name)


def test_a_near_miss_is_told_what_was_meant() -> None:
    """Settings and rulings alike."""
    for wrong, right in (("call_ss", "call_s"), ("KOALA-AMB-5", "KOALA-AMB-05"), ("TEAM", "teams")):
        refused = settle_options({wrong: 1})
        assert isinstance(refused, Refusal)
        assert refused.values["meant"] == right


def test_a_name_like_no_other_is_told_which_there_are() -> None:
    refused = settle_options({"FOO": 1})
    assert isinstance(refused, Refusal)
    assert str(refused.values["meant"]).startswith("KOALA-AMB-01 ... KOALA-AMB-") and "call_s" in str(
        refused.values
    )


@pytest.mark.parametrize(
    ("name", "value"),
    [("KOALA-AMB-05", "allow"), ("KOALA-AMB-05", None), ("teams", 1), ("call_s", -1), ("call_s", "3"),
     ("call_s", True), ("call_s", float("nan"))],
)  # fmt: skip
def test_a_wrong_value_is_refused_with_what_is_allowed(name: str, value: object) -> None:
    """True is no number and 1 is not yes."""
    refused = settle_options({name: value})
    assert isinstance(refused, Refusal)
    assert refused.code == "wrong_value"
    assert refused.values["option"] == name
    with pytest.raises(BadOption, match="allowed"):
        option({name: value}, name)
