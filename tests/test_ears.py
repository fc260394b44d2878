"""Simulated persons hear all that is said, once, whoever speaks meanwhile."""

from __future__ import annotations

import sys
import threading

from companion.ears import Ears
from companion.house import News
from companion.table.effects import Say


def test_nothing_said_in_the_houses_thread_is_lost_to_who_listens_in_another() -> None:
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)  # the threads change places as often as they can
    try:
        for _ in range(20):  # one evening in three lost something
            ears, spoken = Ears(), [Say("say.draw", {"count": count}) for count in range(10_000)]
            news = [News((say,)) for say in spoken]
            house = threading.Thread(
                target=lambda ears=ears, news=news: [ears.show(None, each) for each in news]
            )
            house.start()
            heard: list[Say] = []
            while house.is_alive():
                heard += ears.heard()
            house.join()
            assert [*heard, *ears.heard()] == spoken
    finally:
        sys.setswitchinterval(before)


def test_a_caption_that_is_added_to_is_heard_once_and_its_addition_too() -> None:
    ears, first, more = Ears(), Say("say.draw"), Say("buttons.margin")
    ears.show(None, News((first,)))
    ears.show(None, News((first, more)))
    assert ears.heard() == (first, more) and ears.heard() == ()
