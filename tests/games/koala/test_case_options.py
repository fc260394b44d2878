"""A worked case under a ruling tests that ruling: no kind of case takes an option that it does not look at."""

from __future__ import annotations

import pytest
from adapted import adapter

from companion.games.koala.options import RULINGS, SETTINGS
from companion.table.game import Option, Refusal

OTHERS = [ruling for ruling in RULINGS if len(ruling.allowed) > 1]
AT_TABLE = {"06", "21", "35"}  # declining, a move's starting player, silence: no worked case tells of these


KOALA = adapter("koala")


def takes(kind: str, name: str, value: object) -> bool:
    """Whether a kind of case takes an option; a table that lacks everything else is no matter."""
    try:
        KOALA.KINDS[kind].answer({"options": {name: value}}, ())
    except ValueError as wrong:
        assert name in str(wrong)
        return False
    except (KeyError, StopIteration):
        return True
    return True


@pytest.mark.parametrize("ruling", OTHERS, ids=lambda ruling: ruling.id)
def test_every_ruling_that_can_be_switched_is_looked_at_by_some_kind(ruling: Option) -> None:
    """But for those of table manners; its default is taken by every kind."""
    looked = {kind for kind in KOALA.KINDS if takes(kind, ruling.id, ruling.allowed[1])}
    assert bool(looked) is (ruling.id[-2:] not in AT_TABLE)
    assert looked != set(KOALA.KINDS)
    assert all(takes(kind, ruling.id, ruling.allowed[0]) for kind in KOALA.KINDS)


@pytest.mark.parametrize("name", SETTINGS)
def test_a_clock_that_no_rule_looks_at_is_no_option_of_a_case(name: str) -> None:
    looked = {kind for kind in KOALA.KINDS if takes(kind, name, 9.5)}
    assert looked == ({"auction", "actions"} if name in ("call_s", "min_pause_s") else set())


def test_a_case_that_tests_nothing_is_named() -> None:
    given = {"n": 4, "options": {"KOALA-AMB-24": "not_own_white"}}
    with pytest.raises(ValueError, match="same under any KOALA-AMB-24"):
        KOALA.KINDS["setup"].answer(given, ())
    assert not isinstance(KOALA.KINDS["setup"].answer({"n": 4}, ()), Refusal)
