"""Simulated persons hear all that is said, once, whoever speaks meanwhile."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from companion import ears as module
from companion.ears import Ears
from companion.house import News
from companion.table.effects import Say


def test_what_the_house_says_at_the_very_moment_when_somebody_listens_is_heard_the_next_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ears, first, meanwhile = Ears(), Say("say.draw"), Say("say.leads")
    ears.show(None, News((first,)))

    def interrupted(words: Iterable[Say]) -> tuple[Say, ...]:
        heard = tuple(words)
        monkeypatch.undo()
        ears.show(None, News((meanwhile,)))  # the house's thread has its turn here
        return heard

    monkeypatch.setattr(module, "tuple", interrupted, raising=False)
    assert ears.heard() == (first,)
    assert ears.heard() == (meanwhile,)


def test_a_caption_that_is_added_to_is_heard_once_and_its_addition_too() -> None:
    ears, first, more = Ears(), Say("say.draw"), Say("buttons.margin")
    ears.show(None, News((first,)))
    ears.show(None, News((first, more)))
    assert ears.heard() == (first, more) and ears.heard() == ()
