"""From frames to events: said once, at rest, and never in doubt."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from companion.table.events import Shown
from companion.table.things import CardId, Zone
from companion.vision.settle import Rule, Settle, Sighting, settled, watch

MIDDLE, CAVE = Zone("middle"), Zone("cave:a")
A, B, C = CardId("pizza-01"), CardId("pizza-02"), CardId("bump-01")
FRAME = 66_000_000
RULE = Rule()


def fed(settle: Settle, frames: list[Sighting], start: int = 0) -> tuple[Settle, list[tuple[int, Shown]]]:
    """Feed frames at 15 a second; what was said, with the number of its frame."""
    said: list[tuple[int, Shown]] = []
    for n, sighting in enumerate(frames, start):
        settle, shown = settled(settle, sighting, n * FRAME)
        said += [(n, each) for each in shown]
    return settle, said


def middle(*cards: CardId) -> Sighting:
    """Make a frame in which the middle is seen with these cards."""
    return Sighting({MIDDLE: cards})


WATCHING = watch(Settle(RULE), [MIDDLE])


def test_a_still_zone_is_said_once_and_only_after_the_dwell() -> None:
    _, said = fed(WATCHING, [middle(A, B)] * 40)
    assert [shown for _, shown in said] == [Shown(MIDDLE, (A, B))]
    assert said[0][0] * FRAME >= RULE.dwell_ns


def test_each_change_is_said_once() -> None:
    _, said = fed(WATCHING, [middle(A)] * 12 + [middle(A, B)] * 12 + [middle()] * 12)
    assert [shown.cards for _, shown in said] == [(A,), (A, B), ()]


def test_one_bad_frame_neither_delays_nor_is_said() -> None:
    frames = [middle(A, B)] * 20
    frames[3] = middle(A)
    frames[14] = middle(A)
    _, said = fed(WATCHING, frames)
    assert [shown.cards for _, shown in said] == [(A, B)]
    assert said[0][0] <= 6


def test_a_missing_plate_and_a_doubtful_zone_say_nothing() -> None:
    doubtful = Sighting({MIDDLE: (A,)}, frozenset({MIDDLE}))
    assert fed(WATCHING, [Sighting()] * 30)[1] == []
    assert fed(WATCHING, [doubtful] * 30)[1] == []


def test_a_hand_over_the_plate_changes_nothing() -> None:
    _, said = fed(WATCHING, [middle(A)] * 12 + [Sighting()] * 20 + [middle(A)] * 12)
    assert [shown.cards for _, shown in said] == [(A,)]


def test_cards_that_keep_moving_are_not_said() -> None:
    assert fed(WATCHING, [middle(A), middle(B), middle(A, B), middle(C)] * 20)[1] == []


def test_a_zone_newly_watched_is_said_afresh_and_others_are_not() -> None:
    both = Sighting({MIDDLE: (A,), CAVE: (C,)})
    settle, said = fed(WATCHING, [both] * 12)
    assert [shown.zone for _, shown in said] == [MIDDLE]
    settle, said = fed(watch(settle, [MIDDLE, CAVE]), [both] * 12, 12)
    assert [shown for _, shown in said] == [Shown(CAVE, (C,))]
    settle, said = fed(watch(watch(settle, [CAVE]), [MIDDLE, CAVE]), [both] * 12, 24)
    assert [shown for _, shown in said] == [Shown(MIDDLE, (A,))]


def test_order_counts_only_where_it_is_asked_for() -> None:
    frames = [middle(A, B)] * 12 + [middle(B, A)] * 12
    assert [shown.cards for _, shown in fed(WATCHING, frames)[1]] == [(A, B)]
    minding = watch(Settle(Rule(ordered=frozenset({MIDDLE}))), [MIDDLE])
    assert [shown.cards for _, shown in fed(minding, frames)[1]] == [(A, B), (B, A)]


FRAMES = st.lists(
    st.sampled_from(
        [Sighting(), middle(), middle(A), middle(A, B), Sighting({MIDDLE: (C,)}, frozenset({MIDDLE}))]
    ),
    max_size=60,
)


@given(FRAMES)
def test_what_is_said_was_seen_without_doubt_in_most_frames_and_is_news(frames: list[Sighting]) -> None:
    _, said = fed(WATCHING, frames)
    for n, shown in said:
        recent = frames[max(0, n - 30) : n + 1]
        like = [f for f in recent if not f.doubtful and f.cards.get(MIDDLE) == shown.cards]
        assert len(like) >= RULE.agree
        assert frames[n].cards.get(MIDDLE) == shown.cards
        assert MIDDLE not in frames[n].doubtful
    for (_, before), (_, after) in pairwise(said):
        assert before != after


@given(FRAMES)
def test_whatever_came_before_a_zone_at_rest_is_the_last_thing_said(frames: list[Sighting]) -> None:
    _, said = fed(WATCHING, [*frames, *[middle(A, B)] * 20])
    assert said
    assert said[-1][1].cards == (A, B)
