"""Presses come out in the order of their making, none lost, and too-close ones name each other."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from companion.table.effects import Say
from companion.table.events import Pressed
from companion.table.photo_finish import (
    MS,
    RACE,
    Closed,
    Margin,
    PhotoFinish,
    Press,
    Verdict,
    closed,
    early,
    gone,
    heard,
    next_ripe,
    ripe,
    settles,
    wanted,
)
from companion.table.things import BID, Player

MIA, OMER, LI = Player("Mia"), Player("Ömer"), Player("Li")
LONG = 10_000 * MS

PRESSES = st.lists(
    st.builds(
        Press,
        st.sampled_from([MIA, OMER, LI]),
        st.just(BID),
        st.integers(0, 100).map(lambda ms: ms * MS // 2),
        st.sampled_from([0, 50_000, 400_000, 2 * MS]),
        st.sampled_from(["gpio", "box-1", "box-2"]),
    ),
    max_size=12,
)


def fed(*words: Press | Closed, finish: PhotoFinish | None = None) -> PhotoFinish:
    """What a photo finish is after these words."""
    finish = finish or PhotoFinish()
    for word in words:
        finish = heard(finish, word) if isinstance(word, Press) else closed(finish, word)
    return finish


def who(verdict: Verdict) -> list[Player]:
    """The players in the order of the verdict."""
    return [press.player for press in verdict.presses]


def test_the_earlier_press_wins_whichever_arrives_first() -> None:
    first, second = Press(MIA, BID, 10 * MS), Press(OMER, BID, 11 * MS)
    for words in ((first, second), (second, first)):
        _, verdict = ripe(fed(*words), LONG)
        assert who(verdict) == [MIA, OMER]
        assert [press.tied for press in verdict.presses] == [(), ()]


def test_a_press_alone_on_gpio_waits_only_for_the_kernels_stamps() -> None:
    finish = fed(Press(MIA, BID, 10 * MS, 50_000))
    moment = next_ripe(finish)
    assert moment == 13 * MS + 2 * 50_000 + 1
    assert ripe(finish, moment - 1)[1] == Verdict()
    assert who(ripe(finish, moment)[1]) == [MIA]


def test_an_open_box_is_waited_for_and_its_earlier_press_wins() -> None:
    finish = fed(Closed("box-1", 9 * MS), Press(MIA, BID, 10 * MS))
    assert ripe(finish, 60 * MS)[1] == Verdict()
    finish = fed(Press(OMER, BID, 9 * MS + 1, 0, "box-1"), Closed("box-1", 12 * MS), finish=finish)
    assert who(ripe(finish, 60 * MS)[1]) == [OMER, MIA]


def test_a_box_closed_exactly_at_a_press_is_still_open_for_its_equal() -> None:
    finish = fed(Closed("box-1", 10 * MS), Press(MIA, BID, 10 * MS))
    assert ripe(finish, 50 * MS)[1] == Verdict()
    assert who(ripe(closed(finish, Closed("box-1", 10 * MS + 1)), 50 * MS)[1]) == [MIA]


def test_a_silent_box_is_named_once_and_then_no_longer_waited_for() -> None:
    finish = fed(Closed("box-1", 9 * MS), Press(MIA, BID, 10 * MS), Press(MIA, BID, 30 * MS))
    assert next_ripe(finish) == 70 * MS + 1
    finish, verdict = ripe(finish, 70 * MS + 1)
    assert who(verdict) == [MIA, MIA]
    assert verdict.notes == (Say("buttons.degraded", {"source": "box-1", "ms": 60}),)
    finish, verdict = ripe(heard(finish, Press(LI, BID, 90 * MS)), 94 * MS)
    assert (who(verdict), verdict.notes) == ([LI], ())


def test_a_box_that_speaks_again_is_waited_for_again() -> None:
    finish, _ = ripe(fed(Closed("box-1", 9 * MS), Press(MIA, BID, 10 * MS)), LONG)
    assert finish.degraded == {"box-1"}
    finish = fed(Closed("box-1", 80 * MS), Press(MIA, BID, 90 * MS), finish=finish)
    assert finish.degraded == frozenset()
    assert ripe(finish, 100 * MS)[1] == Verdict()


def test_an_unplugged_box_is_not_waited_for_and_what_it_sent_counts() -> None:
    finish = fed(Closed("box-1", 9 * MS), Press(LI, BID, 9 * MS, 0, "box-1"), Press(MIA, BID, 10 * MS))
    _, verdict = ripe(gone(finish, "box-1"), 14 * MS)
    assert (who(verdict), verdict.notes) == ([LI, MIA], ())


def test_a_word_out_of_order_does_not_open_a_source_again() -> None:
    finish = fed(Closed("box-1", 50 * MS), Closed("box-1", 5 * MS), Press(MIA, BID, 10 * MS))
    assert who(ripe(finish, 14 * MS)[1]) == [MIA]


def test_presses_inside_the_summed_uncertainty_name_each_other() -> None:
    finish = fed(
        Press(MIA, BID, 10 * MS, 50_000),
        Press(OMER, BID, 10 * MS + 450_000, 400_000),
        Press(LI, BID, 12 * MS),
    )
    _, verdict = ripe(finish, LONG)
    assert [press.tied for press in verdict.presses] == [(OMER,), (MIA,), ()]


def test_a_margin_just_beyond_the_summed_uncertainty_is_no_tie() -> None:
    finish = fed(Press(MIA, BID, 0, 50_000), Press(OMER, BID, 100_001, 50_000))
    assert [press.tied for press in ripe(finish, LONG)[1].presses] == [(), ()]


def test_two_presses_of_one_box_share_its_clock_and_are_told_apart_more_finely() -> None:
    one = Press(MIA, BID, 10 * MS, MS, "box-1", 0, 20_000)
    near, far = (Press(OMER, BID, 10 * MS + by, MS, "box-1", 0, 20_000) for by in (40_000, 40_001))
    assert [press.tied for press in ripe(fed(one, near), LONG)[1].presses] == [(OMER,), (MIA,)]
    assert [press.tied for press in ripe(fed(one, far), LONG)[1].presses] == [(), ()]
    other_box = Press(OMER, BID, 11 * MS, MS, "box-2", 0, 20_000)
    assert [press.tied for press in ripe(fed(one, other_box), LONG)[1].presses] == [(OMER,), (MIA,)]


def test_a_race_is_told_with_its_margin_and_how_sure_it_is() -> None:
    finish = fed(Press(MIA, BID, 10 * MS, MS // 2), Press(OMER, BID, 24 * MS, MS // 2, "box-1"))
    verdict = ripe(finish, LONG)[1]
    assert verdict.margins == (Margin(MIA, OMER, 14 * MS, MS),)
    assert not verdict.margins[0].tie
    finish = fed(Press(MIA, BID, 10 * MS, MS), Press(OMER, BID, 11 * MS), Press(LI, BID, 12 * MS + RACE))
    assert [margin.tie for margin in ripe(finish, LONG)[1].margins] == [True]


def test_a_margin_is_told_although_the_first_was_released_long_before() -> None:
    finish, _ = ripe(fed(Press(MIA, BID, 10 * MS)), 100 * MS)
    _, verdict = ripe(fed(Press(OMER, BID, 110 * MS), finish=finish), LONG)
    assert verdict.margins == (Margin(MIA, OMER, 100 * MS, 0),)


def test_a_false_start_has_a_margin_unless_nobody_can_say() -> None:
    assert early(Pressed(MIA, BID, 10 * MS, MS), 12 * MS) == Margin(MIA, MIA, 2 * MS, MS)
    assert early(Pressed(MIA, BID, 10 * MS, MS), 11 * MS) is None
    assert early(Pressed(MIA, BID, 10 * MS, MS), 9 * MS) is None


def test_open_sources_are_wanted_closed_past_all_that_could_tie() -> None:
    assert wanted(fed(Closed("box-1", 0))) is None
    assert wanted(fed(Press(MIA, BID, 10 * MS))) is None
    finish = fed(Closed("box-1", 0, 2 * MS), Press(MIA, BID, 10 * MS, 50_000))
    assert wanted(finish) == 12 * MS + 50_000
    assert wanted(closed(finish, Closed("box-1", 13 * MS))) is None


def test_a_clock_that_became_certain_no_longer_delays() -> None:
    finish = fed(Closed("box-1", 0, 9 * MS), Closed("box-1", 12 * MS, MS), Press(MIA, BID, 10 * MS))
    assert who(ripe(finish, 14 * MS + 1)[1]) == [MIA]


def test_nobody_ties_with_himself() -> None:
    finish = fed(Press(MIA, BID, 0, MS), Press(MIA, BID, 1, MS))
    assert [press.tied for press in ripe(finish, LONG)[1].presses] == [(), ()]


def test_a_tie_is_named_on_both_sides_although_one_is_released_before_the_other() -> None:
    finish = fed(Press(MIA, BID, 10 * MS, 50_000), Press(OMER, BID, 10 * MS + 80_000, 50_000))
    moment = next_ripe(finish)
    assert moment is not None
    finish, first = ripe(finish, moment)
    finish, second = ripe(finish, LONG)
    assert first.presses == (Pressed(MIA, BID, 10 * MS, 50_000, (OMER,)),)
    assert second.presses == (Pressed(OMER, BID, 10 * MS + 80_000, 50_000, (MIA,)),)


def test_a_late_press_that_would_have_won_is_said_and_still_counts() -> None:
    finish, _ = ripe(fed(Press(MIA, BID, 10 * MS)), LONG)
    finish, verdict = ripe(heard(finish, Press(LI, BID, 7 * MS, 0, "box-1")), LONG)
    assert who(verdict) == [LI]
    assert verdict.notes == (Say("buttons.overruled", {"name": "Li", "other": "Mia", "ms": "3.0"}),)
    assert verdict.overruled == 1
    assert ripe(heard(finish, Press(MIA, BID, 20 * MS)), LONG)[1].notes == ()


def test_a_late_press_too_close_to_call_is_said_as_such() -> None:
    finish, _ = ripe(fed(Press(MIA, BID, 10 * MS, 50_000)), LONG)
    _, verdict = ripe(heard(finish, Press(LI, BID, 10 * MS - 1, 0, "box-1")), LONG)
    assert verdict.notes == (Say("buttons.level_late", {"name": "Li", "other": "Mia"}),)
    assert verdict.presses[0].tied == (MIA,)


def test_a_ring_may_come_at_once_after_the_stamps_unless_a_box_is_open() -> None:
    assert settles(PhotoFinish(), 100 * MS) == 103 * MS + 1
    assert settles(fed(Closed("box-1", 100 * MS)), 100 * MS) == 160 * MS + 1
    assert settles(fed(Closed("box-1", 101 * MS)), 100 * MS) == 103 * MS + 1


@given(PRESSES, st.lists(st.builds(Closed, st.sampled_from(["box-1", "box-2"]), st.integers(0, 60 * MS))))
def test_no_press_is_lost_or_doubled_and_each_verdict_is_in_order(
    presses: list[Press], words: list[Closed]
) -> None:
    finish, out = PhotoFinish(), list[Pressed]()
    for turn in range(max(len(presses), len(words))):
        finish = fed(*presses[turn : turn + 1], *words[turn : turn + 1], finish=finish)
        finish, verdict = ripe(finish, turn * 11 * MS)
        assert list(verdict.presses) == sorted(verdict.presses, key=lambda press: press.at)
        out.extend(verdict.presses)
    finish, verdict = ripe(finish, LONG)
    out.extend(verdict.presses)
    assert finish.waiting == ()
    assert sorted((p.player, p.at, p.unc) for p in out) == sorted((p.player, p.at, p.unc) for p in presses)


@given(PRESSES)
def test_whatever_the_order_of_arrival_the_verdict_is_the_same(presses: list[Press]) -> None:
    def judged(order: list[Press]) -> list[tuple[Player, int, tuple[Player, ...]]]:
        verdict = ripe(fed(*order), LONG)[1]
        return [(press.player, press.at, tuple(sorted(press.tied))) for press in verdict.presses]

    assert sorted(judged(presses)) == sorted(judged(presses[::-1]))
    assert [press[:2] for press in judged(presses)] == [press[:2] for press in judged(presses[::-1])]


@given(PRESSES.filter(bool))
def test_ties_are_mutual_and_exactly_those_inside_the_uncertainty(presses: list[Press]) -> None:
    """Each press released at the first moment it may be: the names must be the same as with hindsight."""
    finish, out = fed(*presses), list[Pressed]()
    while (moment := next_ripe(finish)) is not None:
        finish, verdict = ripe(finish, moment)
        assert verdict.presses
        out.extend(verdict.presses)
    for one in out:
        near = {o.player for o in out if o.player != one.player and abs(o.at - one.at) <= o.unc + one.unc}
        assert set(one.tied) == near


@given(PRESSES.filter(bool), st.dictionaries(st.sampled_from(["box-1", "box-2"]), st.integers(0, 60 * MS)))
def test_next_ripe_is_a_moment_at_which_something_is_released(
    presses: list[Press], until: dict[str, int]
) -> None:
    finish = fed(*presses, *(Closed(source, moment) for source, moment in until.items()))
    moment = next_ripe(finish)
    assert moment is not None
    assert ripe(finish, moment)[1].presses
    assert not ripe(finish, min(press.at for press in presses))[1].presses


@given(PRESSES)
def test_with_sources_that_keep_their_word_no_press_is_ever_overruled(presses: list[Press]) -> None:
    """Boxes deliver 20 ms late, and say each 5 ms how far they are closed: the whole order is right."""
    finish, out = fed(Closed("box-1", 0, 2 * MS), Closed("box-2", 0)), list[Pressed]()
    for now in range(0, 160 * MS, 5 * MS):
        for press in presses:
            arrives = press.at if press.source == "gpio" else press.at + 20 * MS
            if now - 5 * MS < arrives <= now:
                finish = heard(finish, press)
        finish = fed(*(Closed(box, now - 20 * MS, 2 * MS) for box in ("box-1", "box-2")), finish=finish)
        finish, verdict = ripe(finish, now)
        assert verdict.notes == ()
        out.extend(verdict.presses)
    assert [press.at for press in out] == sorted(press.at for press in presses)
