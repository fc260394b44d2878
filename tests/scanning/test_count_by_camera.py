"""Seat after seat under one camera: a card counts for the seat in front of which it was laid, however hands work."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.scanning import count as counting
from companion.scanning.count import Count, Lying, by_camera, typed, watch
from companion.shelf import deck
from companion.table.things import CardId, Player

DECK = deck("koala")
PEOPLE = tuple(Player(name) for name in ("Mia", "Paul", "Ada"))
FOOD = [card.id for card in DECK.cards if card.kind == "food"]
MIA, PAUL, ADA = FOOD[:4], FOOD[10:13], FOOD[20:22]
Script = list[list[CardId] | str]  # pictures, and lines typed between them


class Reader:
    """A picture is the list of the cards in it."""

    def read(self, frame: list[CardId]) -> list[Any]:
        return [SimpleNamespace(id=DECK.by_id[card].marker) for card in frame]


def counted(script: Script, monkeypatch: pytest.MonkeyPatch) -> tuple[Count, list[str]]:
    """What a count makes of pictures and lines, one after the other."""
    said: list[str] = []
    count, lying, stop = Count("koala-tally", PEOPLE, {}, "en", said.append), Lying(), threading.Event()
    steps = iter(script)

    def grab() -> Any:
        for step in steps:
            if not isinstance(step, str):
                return step
            typed(count, lying, step)
        stop.set()
        return None

    monkeypatch.setattr(counting, "reader", lambda _: Reader())
    watch(count, DECK, grab, stop, lying)
    return count, said


def held(count: Count) -> list[set[CardId]]:
    return [set(cards) for cards in count.session.state.held[:3]]


def pictures(*heap: list[CardId]) -> Script:
    """Each heap lies for three pictures."""
    return [cards for cards in heap for _ in range(3)]


def test_the_heap_that_still_lies_after_enter_is_not_the_next_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    script = [*pictures(MIA), "", *pictures(MIA, [], PAUL), "", *pictures(PAUL, ADA)]
    count, said = counted(script, monkeypatch)
    assert held(count) == [set(MIA), set(PAUL), set(ADA)]
    assert not count.session.state.unclear
    assert not any("another seat" in line for line in said)


def test_a_heap_that_is_taken_away_card_by_card_is_not_the_next_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    """And the next one comes before the last of it is gone."""
    script = [*pictures(MIA), "", *pictures(MIA[1:], MIA[2:] + PAUL[:1], MIA[3:] + PAUL, PAUL)]
    assert held(counted(script, monkeypatch)[0])[:2] == [set(MIA), set(PAUL)]


def test_a_card_that_was_read_only_as_people_went_on_is_not_the_next_ones(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The last picture shows one more than those before it."""
    script = [*pictures(MIA[:3]), MIA, "", *pictures(MIA, [], PAUL)]
    assert held(counted(script, monkeypatch)[0])[:2] == [set(MIA[:3]), set(PAUL)]


def test_a_card_that_comes_back_from_another_seat_is_asked_about(monkeypatch: pytest.MonkeyPatch) -> None:
    """It was away, and lies before somebody else: that is a question for people."""
    script = [*pictures(MIA), "", *pictures([], [MIA[0], *PAUL])]
    assert counted(script, monkeypatch)[0].session.state.unclear == (MIA[0],)


def test_going_back_counts_nothing_of_the_place_left_and_clearing_counts_what_lies(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    count, _ = counted([*pictures(MIA), "", *pictures([], PAUL), "b", *pictures(PAUL)], monkeypatch)
    assert held(count)[:2] == [set(MIA), set(PAUL)]
    count, _ = counted([*pictures(MIA, MIA[:2]), "c", *pictures(MIA[:2])], monkeypatch)
    assert held(count)[0] == set(MIA[:2])


@given(
    st.lists(st.sets(st.sampled_from(FOOD[:9]), max_size=5), min_size=2, max_size=3),
    st.lists(st.integers(0, 9), min_size=12, max_size=12),
)
def test_disjoint_heaps_are_counted_each_for_its_own(heaps: list[set[CardId]], order: list[int]) -> None:
    """Laid and taken away in any order of cards, people going on at any moment between two heaps."""
    own = [sorted(heap - {*()}.union(*heaps[:place])) for place, heap in enumerate(heaps)]
    script: Script = []
    for place, heap in enumerate(own):
        rest = own[place - 1] if place else []
        for left in range(len(rest), -1, -1):  # the hand takes the one before away
            script += pictures(rest[:left])
        for laid in range(len(heap) + 1):
            script += pictures(sorted(heap, key=lambda card: order[FOOD.index(card)])[:laid])
        script += pictures(heap)
        script.append("")
    with pytest.MonkeyPatch.context() as monkeypatch:
        count, _ = counted(script[:-1], monkeypatch)
    assert held(count)[: len(own)] == [set(heap) for heap in own]
    assert not count.session.state.unclear


def test_enter_goes_on_until_every_seat_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """The command itself, with its two threads: a line is typed when the camera has seen enough pictures."""
    count, seen = Count("koala-tally", PEOPLE, {}, "en", [].append), threading.Semaphore(0)
    lying: list[list[CardId]] = [MIA]

    def grab() -> Any:
        seen.release()
        return lying[0]

    def lines() -> Iterator[str]:
        for heap in (MIA, PAUL, ADA, [], [], []):
            lying[0] = heap
            for _ in range(4 + seen._value):  # pictures of before do not count
                seen.acquire()
            yield "\n"
            for _ in range(4):
                seen.acquire()

    monkeypatch.setattr(counting, "reader", lambda _: Reader())
    monkeypatch.setattr(counting, "device", lambda _: grab)
    monkeypatch.setattr(sys, "stdin", lines())
    by_camera(count, DECK, "0")
    assert count.place is None
    assert held(count) == [set(MIA), set(PAUL), set(ADA)]
