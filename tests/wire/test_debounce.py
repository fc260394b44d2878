"""One press is one press, stamped with its first edge; no bounce delays, doubles or sticks it."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from companion.wire.debounce import LOCKOUT, MS, RECHECK, Contact, Edge, due, looked, seen, settled

Edges = list[tuple[int, bool]]


def told(edges: Edges, until: int = 10_000 * MS) -> list[Edge]:
    """What is told of raw edges, looked at last at `until`."""
    contact, out = Contact(), list[Edge]()
    for at, level in edges:
        contact, new = seen(contact, at, level)
        out.extend(new)
    return [*out, *settled(contact, until)[1]]


def test_a_press_is_told_at_once_with_its_own_time() -> None:
    assert seen(Contact(), 5, True)[1] == (Edge(True, 5),)


def test_a_bouncing_press_is_told_once_with_the_time_of_its_first_edge() -> None:
    bounce = [(0, True), (MS, False), (2 * MS, True), (5 * MS, False), (6 * MS, True), (90 * MS, False)]
    assert told(bounce) == [Edge(True, 0), Edge(False, 90 * MS)]


def test_a_bouncing_release_is_no_second_press() -> None:
    bounce = [
        (0, True),
        (90 * MS, False),
        (91 * MS, True),
        (96 * MS, False),
        (101 * MS, True),
        (102 * MS, False),
    ]
    assert told(bounce) == [Edge(True, 0), Edge(False, 102 * MS)]


def test_a_switch_let_go_inside_the_lockout_is_not_stuck() -> None:
    """The fault that eager keyboards have known: the release falls into the deaf time and is never told."""
    quick = [(0, True), (3 * MS, False)]
    assert told(quick) == [Edge(True, 0), Edge(False, 3 * MS)]
    assert told([*quick, (40 * MS, True)])[-1] == Edge(True, 40 * MS)


def test_two_presses_of_a_fast_finger_are_two() -> None:
    edges = [(0, True), (30 * MS, False), (60 * MS, True), (80 * MS, False)]
    assert [edge.at for edge in told(edges) if edge.down] == [0, 60 * MS]


def test_a_lost_release_is_found_by_looking() -> None:
    contact, _ = seen(Contact(), 0, True)
    assert due(contact, 0) == LOCKOUT
    contact, edges = looked(contact, LOCKOUT, True)
    assert edges == ()
    moment = due(contact, LOCKOUT)
    assert moment == LOCKOUT + RECHECK
    contact, edges = looked(contact, moment, False)
    assert edges == ()
    assert due(contact, moment) == moment + LOCKOUT
    contact, edges = looked(contact, moment + LOCKOUT, False)
    assert edges == (Edge(False, moment),)
    assert due(contact, moment + LOCKOUT) is None
    assert seen(contact, moment + 2 * LOCKOUT, True)[1] == (Edge(True, moment + 2 * LOCKOUT),)


def test_looking_tells_no_press_because_its_edge_has_the_better_time() -> None:
    contact, edges = looked(Contact(), 50, True)
    assert edges == ()
    assert seen(contact, 49, True)[1] == (Edge(True, 49),)


BOUNCE = st.lists(st.integers(1, 6 * MS - 1), unique=True, max_size=8).map(sorted)


def pressed(at: int, held: int, bounces: list[int]) -> Edges:
    """Raw edges of a press at `at`, let go after `held`, bouncing both times."""
    edges: Edges = []
    for start, level in ((at, True), (at + held, False)):
        edges.append((start, level))
        for number, after in enumerate(bounces[: len(bounces) // 2 * 2]):
            edges.append((start + after, level == (number % 2 == 1)))
    return edges


@given(st.lists(st.tuples(st.integers(15, 200), st.integers(15, 200), BOUNCE), max_size=6))
def test_every_press_is_told_once_at_its_first_edge_however_it_bounces(
    presses: list[tuple[int, int, list[int]]],
) -> None:
    edges: Edges = []
    starts: list[int] = []
    now = 0
    for pause, held, bounces in presses:
        starts.append(now + pause * MS)
        edges.extend(pressed(starts[-1], held * MS, bounces))
        now = starts[-1] + held * MS
    assert [edge.at for edge in told(edges) if edge.down] == starts
    assert [edge.down for edge in told(edges)] == [True, False] * len(starts)


@given(BOUNCE, BOUNCE, st.integers(1, 20 * MS))
def test_no_bounce_changes_who_was_first(mine: list[int], yours: list[int], margin: int) -> None:
    first, second = told(pressed(0, 60 * MS, mine)), told(pressed(margin, 60 * MS, yours))
    assert second[0].at - first[0].at == margin


@given(st.lists(st.tuples(st.integers(0, 30 * MS), st.booleans()), max_size=30))
def test_whatever_comes_presses_and_releases_alternate(steps: Edges) -> None:
    now, edges = 0, list[tuple[int, bool]]()
    for step, level in steps:
        now += step
        edges.append((now, level))
    assert [edge.down for edge in told(edges)] == [number % 2 == 0 for number in range(len(told(edges)))]
